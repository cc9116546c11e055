/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GCC's headers, in an order that compiles, and what differs between GCC 11, 12,
 * 13 and 14.  Nothing else of the plugin names a version.
 */
#ifndef KERNING_PLUGIN_GCC_H
#define KERNING_PLUGIN_GCC_H

#include "gcc-plugin.h"
#include "plugin-version.h"

#include "context.h"
#include "tree.h"
#include "rtl.h"
#include "tm.h"
#include "memmodel.h"
#include "function.h"
#include "basic-block.h"
#include "cfg.h"
#include "cfgloop.h"
#include "emit-rtl.h"
#include "output.h"
#include "target.h"
#include "varasm.h"
#include "cgraph.h"
#include "tree-pass.h"
#include "stringpool.h"
#include "attribs.h"
#include "langhooks.h"
#include "diagnostic-core.h"
#include "stor-layout.h"
#include "file-prefix-map.h"
#include "opts.h"
#include "toplev.h"
#include "flags.h"
#include "intl.h"

#if GCCPLUGIN_VERSION_MAJOR < 11 || GCCPLUGIN_VERSION_MAJOR > 14
#error "the plugin is written for GCC 11 to 14"
#endif

/* True where the target fills gaps in code with int3, and has NOPs of any length. */
#ifdef TARGET_80387
#define KERNING_X86 1
#endif

/* What -fmin-function-alignment asks for, in bytes; 0: nothing. */
static inline unsigned min_function_alignment()
{
#if GCCPLUGIN_VERSION_MAJOR >= 14
	return flag_min_function_alignment;
#else
	return 0;
#endif
}

/* True for what -mcmodel=medium keeps apart, in sections and by relocations of its own. */
static inline bool is_large_data(tree decl)
{
#ifdef TARGET_80387
	return (ix86_cmodel == CM_MEDIUM || ix86_cmodel == CM_MEDIUM_PIC) &&
	       int_size_in_bytes(TREE_TYPE(decl)) > ix86_section_threshold;
#else
	return false;
#endif
}

#endif
