/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of the page: all metrics at a glance, each a link to its section.
 */
#ifndef KERNING_REPORT_HTML_TABLE_H
#define KERNING_REPORT_HTML_TABLE_H

#include "report/html-section.h"

/* Those that are told of first (TOLD), or the others: see analysis_tells(). */
void html_table(struct html *html, bool told);

#endif
