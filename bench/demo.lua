-- SPDX-License-Identifier: GPL-3.0-or-later
-- Some of everything that an interpreter does: calls, tables, strings, garbage.
-- Prints a sum, the same from every layout.

local function fib(n)
	return n < 2 and n or fib(n - 1) + fib(n - 2)
end

local function sieve(n)
	local composite, count = {}, 0
	for i = 2, n do
		if not composite[i] then
			count = count + 1
			for j = i * i, n, i do composite[j] = true end
		end
	end
	return count
end

local function words(n)
	local seen, distinct = {}, 0
	for i = 1, n do
		local word = ("w%d"):format(i * 7919 % 5003)
		if not seen[word] then
			seen[word] = { word }
			distinct = distinct + 1
		end
	end
	return distinct
end

print(fib(24), sieve(60000), words(15000))
