# SPDX-License-Identifier: GPL-3.0-or-later
# The tests.  "make check" runs every area; "make check-ld" runs one; with
# "make -j2 check" areas run beside each other.  One file or some:
#
#	make check-ld FILES='null*.exp'
#
# Each area leaves testsuite/AREA/kerning.sum and kerning.log in the build.  With
# kernels what passes is shown too: they take long.

AREAS = kernel/x86-ibt kernel/x86-boot kernel/uml ld plugin sweep stats capture report kerning ldscripts layout diff
FILES = *.exp

# Compiles kernels for each seed: an hour and more, and not part of "make check".
MORE = kernel/more

# Tools that tests run, each of one source, and programs that they link.
check_PROGRAMS += \
	testsuite/programs/archive-dump \
	testsuite/programs/bundle-maker \
	testsuite/programs/fuzz-bundle \
	testsuite/programs/firewall-properties \
	testsuite/programs/hello \
	testsuite/programs/layout-copy \
	testsuite/programs/maker-run \
	testsuite/programs/object-dump \
	testsuite/programs/plan-dump \
	testsuite/programs/plan-properties \
	testsuite/programs/policy-dump \
	testsuite/programs/report-fabricate \
	testsuite/programs/script-match \
	testsuite/programs/script-roundtrip \
	testsuite/programs/script-shape \
	testsuite/programs/sweep-extract \
	testsuite/programs/sweep-machine \
	testsuite/programs/sweep-run \
	testsuite/programs/stats-coverage \
	testsuite/programs/stats-errors \
	testsuite/programs/stats-properties \
	testsuite/programs/stats-tell \
	testsuite/programs/symbol-dump \
	testsuite/programs/tag-object \
	testsuite/programs/fuzz-archive \
	testsuite/programs/fuzz-arguments \
	testsuite/programs/fuzz-formats \
	testsuite/programs/fuzz-hot \
	testsuite/programs/fuzz-image \
	testsuite/programs/fuzz-json-path \
	testsuite/programs/fuzz-layout \
	testsuite/programs/fuzz-linkline \
	testsuite/programs/fuzz-lock \
	testsuite/programs/fuzz-machine \
	testsuite/programs/fuzz-map \
	testsuite/programs/fuzz-metric \
	testsuite/programs/fuzz-note \
	testsuite/programs/fuzz-object \
	testsuite/programs/fuzz-objindex \
	testsuite/programs/fuzz-policy \
	testsuite/programs/fuzz-recall \
	testsuite/programs/fuzz-retell \
	testsuite/programs/fuzz-script \
	testsuite/programs/fuzz-tag

testsuite_programs_sweep_extract_LDADD = $(SWEEP_LDADD)
testsuite_programs_sweep_machine_LDADD = $(SWEEP_LDADD)
testsuite_programs_sweep_run_LDADD = $(SWEEP_LDADD)
testsuite_programs_report_fabricate_LDADD = $(SWEEP_LDADD)
testsuite_programs_stats_coverage_LDADD = $(SWEEP_LDADD)
testsuite_programs_stats_errors_LDADD = $(SWEEP_LDADD)
testsuite_programs_stats_properties_LDADD = $(SWEEP_LDADD)
testsuite_programs_stats_tell_LDADD = $(SWEEP_LDADD)
testsuite_programs_maker_run_LDADD = $(SWEEP_LDADD)

# libFuzzer's form; mutate.c stands in for its search.
FUZZ = testsuite/fuzz/mutate.c testsuite/fuzz/fuzz.h
testsuite_programs_fuzz_archive_SOURCES = testsuite/fuzz/fuzz-archive.c $(FUZZ)
testsuite_programs_fuzz_arguments_SOURCES = testsuite/fuzz/fuzz-arguments.c $(FUZZ) plugin/arguments.c plugin/arguments.h
testsuite_programs_bundle_maker_LDADD = $(SWEEP_LDADD)
testsuite_programs_fuzz_bundle_SOURCES = testsuite/fuzz/fuzz-bundle.c $(FUZZ)
testsuite_programs_fuzz_formats_SOURCES = testsuite/fuzz/fuzz-formats.c $(FUZZ)
testsuite_programs_fuzz_formats_LDADD = $(SWEEP_LDADD)
testsuite_programs_fuzz_hot_SOURCES = testsuite/fuzz/fuzz-hot.c $(FUZZ)
testsuite_programs_fuzz_image_SOURCES = testsuite/fuzz/fuzz-image.c $(FUZZ)
testsuite_programs_fuzz_json_path_SOURCES = testsuite/fuzz/fuzz-json-path.c $(FUZZ)
testsuite_programs_fuzz_json_path_LDADD = $(SWEEP_LDADD)
testsuite_programs_fuzz_layout_SOURCES = testsuite/fuzz/fuzz-layout.c $(FUZZ)
testsuite_programs_fuzz_linkline_SOURCES = testsuite/fuzz/fuzz-linkline.c $(FUZZ)
testsuite_programs_fuzz_lock_SOURCES = testsuite/fuzz/fuzz-lock.c $(FUZZ)
testsuite_programs_fuzz_machine_SOURCES = testsuite/fuzz/fuzz-machine.c $(FUZZ)
testsuite_programs_fuzz_machine_LDADD = $(SWEEP_LDADD)
testsuite_programs_fuzz_map_SOURCES = testsuite/fuzz/fuzz-map.c $(FUZZ)
testsuite_programs_fuzz_metric_SOURCES = testsuite/fuzz/fuzz-metric.c $(FUZZ)
testsuite_programs_fuzz_metric_LDADD = $(SWEEP_LDADD)
testsuite_programs_fuzz_note_SOURCES = testsuite/fuzz/fuzz-note.c $(FUZZ)
testsuite_programs_fuzz_object_SOURCES = testsuite/fuzz/fuzz-object.c $(FUZZ)
testsuite_programs_fuzz_objindex_SOURCES = testsuite/fuzz/fuzz-objindex.c $(FUZZ)
testsuite_programs_fuzz_policy_SOURCES = testsuite/fuzz/fuzz-policy.c $(FUZZ)
testsuite_programs_fuzz_recall_SOURCES = testsuite/fuzz/fuzz-recall.c $(FUZZ)
testsuite_programs_fuzz_retell_SOURCES = testsuite/fuzz/fuzz-retell.c $(FUZZ)
testsuite_programs_fuzz_script_SOURCES = testsuite/fuzz/fuzz-script.c $(FUZZ)
testsuite_programs_fuzz_tag_SOURCES = testsuite/fuzz/fuzz-tag.c $(FUZZ)

check-local: $(AREAS:%=check-%)

# Kernels are built where they are not; their builds use every processor.
check-kernel: check-kernel/x86-ibt check-kernel/x86-boot check-kernel/uml

testsuite/site.exp: Makefile
	$(AM_V_GEN)$(MKDIR_P) testsuite && { \
	  echo 'set objdir "$(abs_builddir)/testsuite"'; \
	  echo 'set srcdir "$(abs_srcdir)/testsuite"'; \
	  echo 'set top_srcdir "$(abs_top_srcdir)"'; \
	  echo 'set top_builddir "$(abs_top_builddir)"'; \
	  echo 'set CC {$(CC)}'; \
	  echo 'set REAL_LD {$(REAL_LD)}'; \
	  echo 'set tool kerning'; } > $@.new && mv $@.new $@

$(AREAS:%=check-%) $(MORE:%=check-%): testsuite/site.exp all-am $(check_PROGRAMS)
	@runtest --version >/dev/null 2>&1 || { \
	  echo 'make check: expected DejaGnu'\''s runtest, found none: install dejagnu' >&2; exit 1; }
	@area=$(@:check-%=%); $(MKDIR_P) testsuite/$$area; cd testsuite; \
	case $$area in kernel/*) show=--all;; esac; \
	LC_ALL=C runtest --tool kerning --outdir $$area $$show $(RUNTESTFLAGS) $(FILES:%=$$area/%)

# The plugin with the compilers of a later Debian.
check-portability:
	$(top_srcdir)/testsuite/portability $(top_srcdir)

.PHONY: check-kernel check-portability $(AREAS:%=check-%) $(MORE:%=check-%)

clean-testsuite:
	rm -rf testsuite/scratch $(AREAS:%=testsuite/%/kerning.sum) $(AREAS:%=testsuite/%/kerning.log) \
	  $(MORE:%=testsuite/%/kerning.sum) $(MORE:%=testsuite/%/kerning.log)

.PHONY: clean-testsuite

CLEANFILES += testsuite/site.exp
EXTRA_DIST += testsuite/summary testsuite/portability testsuite/fetch-source testsuite/kernel/units testsuite/kernel/ld-subalign testsuite/lib testsuite/config $(AREAS:%=testsuite/%) $(MORE:%=testsuite/%)
