bin_PROGRAMS += kerning
kerning_SOURCES = \
	src/kerning.c src/command.h \
	src/diff.c src/diff.h src/diff-json.c src/diff-text.c \
	src/explain.c \
	src/firewall.c \
	src/flags.c \
	src/lock.c \
	src/show.c \
	src/units.c \
	src/json.c src/json.h \
	src/libexec.c src/libexec.h \
	src/study.c src/study.h \
	src/table.c src/table.h \
	src/terrain.c src/terrain.h

dist_bashcompletion_DATA += src/kerning.bash src/kerning-ld.bash
dist_man_MANS += doc/kerning.1 doc/kerning-ld.1 doc/kerning-plugin.1
