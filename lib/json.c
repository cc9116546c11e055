/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What jansson leaves to be done.
 */
#include "config.h"

#include "lib/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

json_t *json_text(const char *text)
{
	json_t *string;
	char *ascii, *to;

	if (text == NULL)
		return json_null();
	string = json_string(text);
	if (string != NULL)
		return string;
	to = ascii = xmalloc(3 * strlen(text) + 1);
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < 0x80)
			*to++ = *text;
		else
			to += sprintf(to, "%%%02X", (unsigned char)*text);
	}
	*to = '\0';
	string = json_string(ascii);
	free(ascii);
	return string;
}

json_t *json_address(uint64_t address)
{
	char text[32];

	snprintf(text, sizeof text, "0x%016" PRIx64, address);
	return json_string(text);
}

void json_row(json_t *row, size_t count)
{
	fputs(count > 0 ? ",\n  " : "\n  ", stdout);
	json_dumpf(row, stdout, 0);
	json_decref(row);
}
