/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lua-host SCRIPT: the least that runs a Lua script.  Debian's package holds
 * the interpreter as a library, without its main.
 */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

#ifdef NEVER_CALLED
/* A change that cannot matter, but moves all that lies behind it. */
int never_called(const char *text);
int never_called(const char *text)
{
	return printf("%s%s%s%s\n", text, text + 1, text + 2, text + 3);
}
#endif

int main(int argc, char **argv)
{
	lua_State *state = luaL_newstate();

	if (argc != 2 || !state)
		return 2;
	luaL_openlibs(state);
	if (luaL_dofile(state, argv[1])) {
		fprintf(stderr, "lua-host: error: %s\n", lua_tostring(state, -1));
		return 1;
	}
	lua_close(state);
	return 0;
}
