# SPDX-License-Identifier: GPL-3.0-or-later
# What builds, relinks and boots the kernels of the tests; nothing is installed.

EXTRA_DIST += kernel/common kernel/build kernel/change kernel/relink kernel/boot kernel/run-uml kernel/init \
	kernel/x86-boot.config kernel/x86-ibt.config kernel/uml.config \
	kernel/bench-uml kernel/uml-bench.config kernel/uml-bench.c
