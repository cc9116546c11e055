# SPDX-License-Identifier: GPL-3.0-or-later
# The driver, in the order in which a link runs through it.
libkerning_a_SOURCES += \
	ld/linkline.c ld/linkline.h \
	ld/scripts.c ld/scripts.h \
	ld/mapping.c ld/mapping.h \
	ld/object.c ld/object.h \
	ld/kept.c ld/kept.h \
	ld/content.c ld/content.h \
	ld/objindex.c ld/objindex.h \
	ld/archive.c ld/archive.h \
	ld/inputs.c ld/inputs.h \
	ld/resolve.c ld/resolve.h \
	ld/recall.c ld/recall.h \
	ld/census.c ld/census.h \
	ld/holes.c ld/holes.h \
	ld/rooms.c ld/rooms.h \
	ld/cache.c ld/cache.h \
	ld/tag.c ld/tag.h \
	ld/substitute.c ld/substitute.h \
	ld/fragment.c ld/fragment.h \
	ld/run.c ld/run.h \
	ld/map.c ld/map.h \
	ld/verify.c ld/verify.h \
	ld/tables.c ld/tables.h \
	ld/note.c ld/note.h \
	ld/symbols.c ld/symbols.h \
	ld/linked.c ld/linked.h \
	ld/outline.c ld/outline.h \
	ld/verdict.c ld/verdict.h \
	ld/retell.c ld/retell.h \
	ld/stats.c ld/stats.h \
	ld/driver.c ld/driver.h

bin_PROGRAMS += kerning-ld
kerning_ld_SOURCES = ld/kerning-ld.c
