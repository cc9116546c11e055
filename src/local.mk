bin_PROGRAMS += kerning
kerning_LDADD = $(SWEEP_LDADD)
kerning_SOURCES = \
	src/kerning.c src/command.h \
	src/begun.c src/begun.h \
	src/compare.c \
	src/diff.c src/diff.h src/diff-json.c src/diff-text.c \
	src/explain.c \
	src/firewall.c \
	src/flags.c \
	src/report.c \
	src/lock.c \
	src/show.c \
	src/sweep.c src/sweep-options.c src/sweep-options.h \
	src/capture.c \
	src/link.c \
	src/bundle-list.c src/bundle-list.h \
	src/policy-options.c src/policy-options.h \
	src/units.c \
	src/values.c src/values.h \
	src/study.c src/study.h \
	src/terrain.c src/terrain.h

dist_bashcompletion_DATA += src/kerning.bash src/kerning-ld.bash
dist_man_MANS += doc/kerning.1 doc/kerning-ld.1 doc/kerning-plugin.1
