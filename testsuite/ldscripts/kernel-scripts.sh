#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# kernel-scripts.sh KERNEL OUT [ARCH]
#
# Makes the linker scripts of every architecture (or of ARCH alone) in the kernel tree KERNEL
# (which must be clean) below OUT, by the preprocessor alone: no compiler for
# the architecture is needed.  One line a script:
#
#	made ARCH/PATH.lds [empty: HEADER...]
#	missing ARCH/PATH.lds: why
#
# The configuration is the architecture's defconfig, made by kconfig itself; the
# headers that wrap asm-generic are made by the kernel's makefiles too.  Headers
# which only a compiler for the architecture can make (asm-offsets.h, bounds.h)
# and a few which a build generates are empty: a constant of theirs then stays a
# name in the script, which is a symbol to the parser.
set -u

kernel=$(cd "$1" && pwd) || exit 3
mkdir -p "$2" && out=$(cd "$2" && pwd) || exit 3
CC=${CC:-gcc}

# What the architecture's own compiler defines and the scripts ask for.
macros() {
	case $1 in
	alpha) echo -D__alpha__ ;;
	arc) echo -D__arc__ -D__ARC700__ ;;
	arm) echo -D__arm__ -D__ARMEL__ -D__LINUX_ARM_ARCH__=7 -D__ARM_ARCH_7A__ ;;
	arm64) echo -D__aarch64__ -D__AARCH64EL__ ;;
	csky) echo -D__csky__ -D__CSKYABIV2__ ;;
	hexagon) echo -D__hexagon__ ;;
	ia64) echo -D__ia64__ ;;
	loongarch) echo -D__loongarch__ -D__loongarch_grlen=64 -D_LOONGARCH_SZLONG=64 ;;
	m68k) echo -D__m68k__ -D__mc68000__ ;;
	microblaze) echo -D__microblaze__ ;;
	mips) echo -D__mips__ -D_MIPS_SZLONG=64 -D_MIPS_SIM=3 -D__MIPSEL__ ;;
	nios2) echo -D__nios2__ ;;
	openrisc) echo -D__or1k__ -D__OR1K__ ;;
	parisc) echo -D__hppa__ ;;
	powerpc) echo -D__powerpc__ -D__powerpc64__ -D__PPC64__ -D_CALL_ELF=2 ;;
	riscv) echo -D__riscv -D__riscv_xlen=64 ;;
	s390) echo -D__s390__ -D__s390x__ ;;
	sh) echo -D__sh__ -D__SH4__ ;;
	sparc) echo -D__sparc__ -D__sparc_v9__ -D__arch64__ ;;
	um | x86) echo -D__x86_64__ ;;
	xtensa) echo -D__xtensa__ -D__XTENSA_WINDOWED_ABI__ ;;
	esac
}

# Folders of headers besides the usual ones.
folders() {
	case $1 in
	arm) echo "$kernel/arch/arm/include/asm/mach-default" ;;
	mips) echo "$kernel/arch/mips/include/asm/mach-generic" ;;
	sh) echo "$kernel/arch/sh/include/cpu-sh4 $kernel/arch/sh/include/mach-common" ;;
	um) echo "$kernel/arch/um/include/shared $kernel/arch/x86/um $kernel/arch/x86/um/shared" \
		"$kernel/arch/x86/include $build/arch/x86/include/generated" \
		"$kernel/arch/x86/include/uapi $build/arch/x86/include/generated/uapi" ;;
	xtensa) echo "$kernel/arch/xtensa/variants/fsf/include" ;;
	esac
}

# configure ARCH: kconfig and wrapper headers, in $build.
configure() {
	rm -rf "$build/.config" "$build/include/config" "$build/include/generated"
	wrappers=asm-generic
	case $1 in
	um) set -- um SUBARCH=x86_64; wrappers='asm-generic archheaders' ;;
	m68k) set -- m68k KBUILD_DEFCONFIG=multi_defconfig ;;
	esac
	arch=$1
	shift
	make -s -C "$kernel" O="$build" ARCH="$arch" "$@" defconfig &&
	make -s -C "$kernel" O="$build" ARCH="$arch" "$@" include/config/auto.conf &&
	make -s -C "$kernel" O="$build" ARCH="$arch" "$@" $wrappers	# one or two words
}

# preprocess ARCH SOURCE RESULT: leaves the names of empty headers in $empty, or why not in $why.
preprocess() {
	empty= why=
	stubs=$work/stubs
	rm -rf "$stubs"
	mkdir -p "$stubs" "$(dirname "$3")"
	includes="-I$stubs"
	a=arch/$1/include
	includes="$includes -I$kernel/$a -I$build/$a/generated -I$kernel/include -I$build/include
		-I$kernel/$a/uapi -I$build/$a/generated/uapi -I$kernel/include/uapi
		-I$build/include/generated/uapi -I$(dirname "$2")"
	for headers in $(folders "$1"); do
		includes="$includes -I$headers"
	done
	# shellcheck disable=SC2046,SC2086	# lists of words
	while ! $CC -E -P -undef -nostdinc -x assembler-with-cpp -D__KERNEL__ -D__ASSEMBLY__ \
			-DLINKER_SCRIPT -D__linux__ -D__GNUC__=12 -D__GNUC_MINOR__=2 $(macros "$1") \
			$includes -include "$kernel/include/linux/kconfig.h" \
			-o "$3" "$2" 2> "$work/errors"; do
		header=$(sed -n 's/.*fatal error: \(.*\): No such file or directory.*/\1/p' \
			"$work/errors" | head -n 1)
		case $header in
		asm/asm-offsets.h | generated/* | asm/cpucaps.h | asm/cpucap-defs.h | \
		asm/mach-types.h | asm/machtypes.h | asm/facility-defs.h | asm/sysreg-defs.h | \
		sizes.h | pasyms.h | *-offsets.h)
			;;
		*)
			why=$(sed -n 's/^[^ ]*: \(fatal \)\{0,1\}error: //p' "$work/errors" | head -n 1)
			rm -f "$3"
			return 1
			;;
		esac
		mkdir -p "$(dirname "$stubs/$header")"
		: > "$stubs/$header"
		empty="$empty $header"
	done
}

work=$out/.work
build=$work/build
rm -rf "$work"
mkdir -p "$build"
for folder in "$kernel"/arch/${3:-*}/; do
	arch=$(basename "$folder")
	if ! configure "$arch" > "$work/log" 2>&1; then
		echo "missing $arch: $(grep -m 1 -i -e error -e '\*\*\*' "$work/log")"
		continue
	fi
	# Those in include/asm and the layouts are parts that others include.
	for source in $(find "$folder" -name '*.lds.S' ! -path '*/include/*' ! -name '*-layout.lds.S' |
			sort) "$kernel/scripts/module.lds.S"; do
		name=$arch/${source#"$folder"}
		case $source in
		"$kernel"/scripts/*) name=$arch/module.lds.S ;;
		esac
		name=${name%.S}
		if preprocess "$arch" "$source" "$out/$name"; then
			echo "made $name${empty:+ empty:$empty}"
		else
			echo "missing $name: $why"
		fi
	done
done
rm -rf "$work"
