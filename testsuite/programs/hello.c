/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The smallest program with something on every axis: code, constants, data
 * and zeroes, each with a sum that is wrong where a byte got lost.
 */
#include <stdio.h>

static const int primes[] = { 2, 3, 5, 7, 11, 13 };
static int counter = 41;
static int zeroes[1000];

int main(void)
{
	int sum = 0;

	counter++;
	for (unsigned i = 0; i < sizeof primes / sizeof *primes; i++)
		sum += primes[i];
	for (unsigned i = 0; i < sizeof zeroes / sizeof *zeroes; i++)
		sum += zeroes[i];
	printf("hello %d %d\n", counter, sum);
	return counter == 42 && sum == 41 ? 0 : 1;
}
