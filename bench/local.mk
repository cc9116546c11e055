# SPDX-License-Identifier: GPL-3.0-or-later
# "make bench": what kerning-ld costs beside ld.  doc/bench.md keeps a run.

noinst_PROGRAMS = bench/interleave
bench_interleave_SOURCES = bench/interleave.c
bench_interleave_LDADD =

bench: all
	@$(srcdir)/bench/bench "$(abs_builddir)" "$(REAL_LD)"

.PHONY: bench

EXTRA_DIST += bench/bench bench/lock-run bench/gen-units bench/demo bench/lua-host.c bench/demo.lua \
	bench/subject bench/layout bench/shares bench/patches bench/calls bench/sharing
