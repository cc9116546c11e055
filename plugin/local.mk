# SPDX-License-Identifier: GPL-3.0-or-later
# The plugin: the loader, which any GCC takes, and for each version of GCC the
# glue, with what it asks in layout/.

PLUGIN_GLUE = \
	plugin/kerning.cc \
	plugin/function.cc \
	plugin/variable.cc \
	plugin/type.cc \
	plugin/note.cc
PLUGIN_INCLUDES = plugin/gcc.h plugin/plugin.h plugin/arguments.h layout/symbol.h

EXTRA_DIST += $(PLUGIN_GLUE) $(PLUGIN_INCLUDES) plugin/loader.c

# Inside the compiler no symbol of ours may take the place of one of its own.
PLUGIN_CFLAGS = -std=gnu11 -Wall -Wextra -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes \
	-Wformat=2 $(WERROR_CFLAGS) -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections
PLUGIN_CXXFLAGS = -std=gnu++17 -O2 -g -fPIC -fno-rtti -fno-exceptions -fvisibility=hidden \
	-ffunction-sections -Wall -Wextra -Wno-unused-parameter $(WERROR_CFLAGS)

if PLUGIN
noinst_LIBRARIES += plugin/libdecisions.a
plugin_libdecisions_a_CFLAGS = $(PLUGIN_CFLAGS)
plugin_libdecisions_a_SOURCES = \
	plugin/arguments.c \
	layout/directive.c layout/escape.c layout/nearest.c layout/number.c layout/option.c \
	layout/pattern.c layout/policy.c layout/rule.c layout/seed.c layout/symbol.c layout/unit.c \
	layout/value.c lib/diag.c lib/memory.c lib/source.c

PLUGIN_MODULES = plugin/kerning.so $(PLUGIN_VERSIONS:%=plugin/kerning-gcc%.so)

plugindir = $(pkglibexecdir)/plugin
plugin_DATA = $(PLUGIN_MODULES)
CLEANFILES += $(PLUGIN_MODULES)

plugin/kerning.so: plugin/loader.c
	$(AM_V_CCLD)$(MKDIR_P) plugin && \
	$(CC) $(PLUGIN_CFLAGS) $(CFLAGS) $(LDFLAGS) -shared -o $@ $(srcdir)/plugin/loader.c

# Every compiler's own C++ compiler, where it has one.
plugin/kerning-gcc%.so: $(PLUGIN_GLUE) $(PLUGIN_INCLUDES) plugin/libdecisions.a
	$(AM_V_CXXLD)cxx=g++-$*; $$cxx --version >/dev/null 2>&1 || cxx=g++; \
	gcc=gcc-$*; $$gcc --version >/dev/null 2>&1 || gcc=gcc; \
	$$cxx $(PLUGIN_CXXFLAGS) $(DEFS) $(CPPFLAGS) -I. -I$(srcdir) \
		-isystem "`$$gcc -print-file-name=plugin`/include" $(LDFLAGS) -shared -Wl,--gc-sections \
		-o $@ $(PLUGIN_GLUE:%=$(srcdir)/%) plugin/libdecisions.a $(LIBS)
endif
