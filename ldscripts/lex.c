/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading words.  As in any lexer made by flex the longest match wins, and of
 * two of one length the one that ld's rules list first: comment, number,
 * operator, keyword, name.
 */
#include "config.h"

#include "ldscripts/lex.h"

#include <limits.h>
#include <string.h>

#include "lib/memory.h"

/* Sets of modes. */
#define IN(mode)	(1u << LEX_##mode)
#define S	IN(SCRIPT)
#define E	IN(EXPRESSION)
#define L	IN(INPUT_LIST)
#define W	IN(WILD)
#define VS	(IN(VERSION_START))
#define VF	(IN(VERSION_SCRIPT))
#define VN	(IN(VERSION_NODE))

struct word {
	const char *spelling;
	enum token_kind kind;
	unsigned modes;
};

/* Of operators that begin alike the longer stands first. */
static const struct word operators[] = {
	{ "<<=", TOK_SHIFT_LEFT_ASSIGN, S | E | W },
	{ ">>=", TOK_SHIFT_RIGHT_ASSIGN, S | E | W },
	{ "||", TOK_OR_OR, E },
	{ "==", TOK_EQUAL, E },
	{ "!=", TOK_NOT_EQUAL, E },
	{ ">=", TOK_GREATER_EQUAL, E },
	{ "<=", TOK_LESS_EQUAL, E },
	{ "<<", TOK_SHIFT_LEFT, E },
	{ ">>", TOK_SHIFT_RIGHT, E },
	{ "+=", TOK_PLUS_ASSIGN, S | E | W },
	{ "-=", TOK_MINUS_ASSIGN, S | E | W },
	{ "*=", TOK_STAR_ASSIGN, S | E | W },
	{ "/=", TOK_SLASH_ASSIGN, S | E | W },
	{ "&=", TOK_AND_ASSIGN, S | E | W },
	{ "|=", TOK_OR_ASSIGN, S | E | W },
	{ "^=", TOK_XOR_ASSIGN, S | E | W },
	{ "&&", TOK_AND_AND, E },
	{ ">", TOK_GREATER, S | E },
	{ ",", TOK_COMMA, S | E | L | VF | VN },
	{ "&", TOK_AND, E | W },
	{ "|", TOK_OR, E },
	{ "^", TOK_XOR, E },
	{ "~", TOK_COMPLEMENT, S | E },
	{ "!", TOK_NOT, S | E },
	{ "?", TOK_QUESTION, E },
	{ "*", TOK_STAR, E },
	{ "+", TOK_PLUS, S | E },
	{ "-", TOK_MINUS, S | E },
	{ "/", TOK_SLASH, E },
	{ "%", TOK_PERCENT, E },
	{ "<", TOK_LESS, E },
	{ "=", TOK_ASSIGN, S | E | W },
	{ "}", TOK_RIGHT_BRACE, S | E | W | VF | VN },
	{ "{", TOK_LEFT_BRACE, S | E | W | VS | VF | VN },
	{ ")", TOK_RIGHT_PAREN, S | E | W | L },
	{ "(", TOK_LEFT_PAREN, S | E | W | L },
	{ "[", TOK_LEFT_BRACKET, W },
	{ "]", TOK_RIGHT_BRACKET, W },
	{ ":", TOK_COLON, S | E | VF | VN },
	{ ";", TOK_SEMICOLON, S | E | W | VF | VN },
};

/* Where one kind has several spellings, messages use the first. */
static const struct word keywords[] = {
	{ "ABSOLUTE", TOK_ABSOLUTE, S | E },
	{ "ADDR", TOK_ADDR, S | E },
	{ "AFTER", TOK_AFTER, S },
	{ "ALIGN", TOK_ALIGN, S | E },
	{ "ALIGNOF", TOK_ALIGNOF, S | E },
	{ "ALIGN_WITH_INPUT", TOK_ALIGN_WITH_INPUT, S | E },
	{ "ASCIZ", TOK_ASCIZ, W },
	{ "ASSERT", TOK_ASSERT, S | E | W },
	{ "AS_NEEDED", TOK_AS_NEEDED, L },
	{ "AT", TOK_AT, S | E | W },
	{ "BEFORE", TOK_BEFORE, S },
	{ "BIND", TOK_BIND, S | E },
	{ "BLOCK", TOK_BLOCK, S | E },
	{ "BYTE", TOK_BYTE, W },
	{ "CONSTANT", TOK_CONSTANT, S | E },
	{ "CONSTRUCTORS", TOK_CONSTRUCTORS, W },
	{ "COPY", TOK_COPY, E },
	{ "CREATE_OBJECT_SYMBOLS", TOK_CREATE_OBJECT_SYMBOLS, W },
	{ "DATA_SEGMENT_ALIGN", TOK_DATA_SEGMENT_ALIGN, S | E },
	{ "DATA_SEGMENT_END", TOK_DATA_SEGMENT_END, S | E },
	{ "DATA_SEGMENT_RELRO_END", TOK_DATA_SEGMENT_RELRO_END, S | E },
	{ "DEFINED", TOK_DEFINED, S | E },
	{ "DSECT", TOK_DSECT, E },
	{ "ENTRY", TOK_ENTRY, S },
	{ "EXCLUDE_FILE", TOK_EXCLUDE_FILE, W },
	{ "EXTERN", TOK_EXTERN, S },
	{ "extern", TOK_EXTERN, VN },
	{ "FILL", TOK_FILL, W },
	{ "FLOAT", TOK_FLOAT, S },
	{ "FORCE_COMMON_ALLOCATION", TOK_FORCE_COMMON_ALLOCATION, S },
	{ "FORCE_GROUP_ALLOCATION", TOK_FORCE_GROUP_ALLOCATION, S },
	{ "global", TOK_GLOBAL, VN },
	{ "GROUP", TOK_GROUP, S },
	{ "HIDDEN", TOK_HIDDEN, S | E | W },
	{ "HLL", TOK_HLL, S },
	{ "INCLUDE", TOK_INCLUDE, S | E | W },
	{ "INFO", TOK_INFO, E },
	{ "INHIBIT_COMMON_ALLOCATION", TOK_INHIBIT_COMMON_ALLOCATION, S },
	{ "INPUT", TOK_INPUT, S },
	{ "INPUT_SECTION_FLAGS", TOK_INPUT_SECTION_FLAGS, W },
	{ "INSERT", TOK_INSERT, S },
	{ "KEEP", TOK_KEEP, W },
	{ "LD_FEATURE", TOK_LD_FEATURE, S },
	{ "LENGTH", TOK_LENGTH, S | E },
	{ "len", TOK_LENGTH, S },
	{ "l", TOK_LENGTH, S },
	{ "LINKER_VERSION", TOK_LINKER_VERSION, W },
	{ "LOADADDR", TOK_LOADADDR, S | E },
	{ "local", TOK_LOCAL, VN },
	{ "LOG2CEIL", TOK_LOG2CEIL, S | E },
	{ "LONG", TOK_LONG, W },
	{ "MAP", TOK_MAP, S },
	{ "MAX", TOK_MAX, S | E },
	{ "MEMORY", TOK_MEMORY, S },
	{ "MIN", TOK_MIN, S | E },
	{ "NEXT", TOK_NEXT, S | E },
	{ "NOCROSSREFS", TOK_NOCROSSREFS, S | E },
	{ "NOCROSSREFS_TO", TOK_NOCROSSREFS_TO, S | E },
	{ "NOFLOAT", TOK_NOFLOAT, S },
	{ "NOLOAD", TOK_NOLOAD, E },
	{ "ONLY_IF_RO", TOK_ONLY_IF_RO, S | E },
	{ "ONLY_IF_RW", TOK_ONLY_IF_RW, S | E },
	{ "ORIGIN", TOK_ORIGIN, S | E },
	{ "org", TOK_ORIGIN, S },
	{ "o", TOK_ORIGIN, S },
	{ "OUTPUT", TOK_OUTPUT, S },
	{ "OUTPUT_ARCH", TOK_OUTPUT_ARCH, S },
	{ "OUTPUT_FORMAT", TOK_OUTPUT_FORMAT, S },
	{ "OVERLAY", TOK_OVERLAY, S | E },
	{ "PHDRS", TOK_PHDRS, S },
	{ "PROVIDE", TOK_PROVIDE, S | E | W },
	{ "PROVIDE_HIDDEN", TOK_PROVIDE_HIDDEN, S | E | W },
	{ "QUAD", TOK_QUAD, W },
	{ "READONLY", TOK_READONLY, E },
	{ "REGION_ALIAS", TOK_REGION_ALIAS, S },
	{ "REVERSE", TOK_REVERSE, W },
	{ "SEARCH_DIR", TOK_SEARCH_DIR, S },
	{ "SECTIONS", TOK_SECTIONS, S },
	{ "SEGMENT_START", TOK_SEGMENT_START, S | E },
	{ "SHORT", TOK_SHORT, W },
	{ "SIZEOF", TOK_SIZEOF, S | E },
	{ "SIZEOF_HEADERS", TOK_SIZEOF_HEADERS, S | E },
	{ "SORT_BY_ALIGNMENT", TOK_SORT_BY_ALIGNMENT, W },
	{ "SORT_BY_INIT_PRIORITY", TOK_SORT_BY_INIT_PRIORITY, W },
	{ "SORT_BY_NAME", TOK_SORT_BY_NAME, W },
	{ "SORT", TOK_SORT_BY_NAME, W },
	{ "SORT_NONE", TOK_SORT_NONE, W },
	{ "SPECIAL", TOK_SPECIAL, S | E },
	{ "SQUAD", TOK_SQUAD, W },
	{ "STARTUP", TOK_STARTUP, S },
	{ "SUBALIGN", TOK_SUBALIGN, S | E },
	{ "SYSLIB", TOK_SYSLIB, S },
	{ "TARGET", TOK_TARGET, S },
	{ "TYPE", TOK_TYPE, E },
	{ "VERSION", TOK_VERSION, S },
};

#define COUNT(array)	(sizeof (array) / sizeof (array)[0])

const char *token_name(enum token_kind kind)
{
	switch (kind) {
	case TOK_END: return "end of file";
	case TOK_NAME: return "a name";
	case TOK_LIBRARY: return "a library";
	case TOK_NUMBER: return "a number";
	default: break;
	}
	for (size_t i = 0; i < COUNT(operators); i++)
		if (operators[i].kind == kind)
			return operators[i].spelling;
	for (size_t i = 0; i < COUNT(keywords); i++)
		if (keywords[i].kind == kind)
			return keywords[i].spelling;
	return "?";
}

/* --- Characters -------------------------------------------------------- */

/* Which names a byte may be part of. */
enum {
	SYMBOL_FIRST = 1,	/* of a name in an expression */
	SYMBOL = 2,
	FILE_FIRST = 4,		/* of a file or section name in a script */
	FILE_ = 8,
	WILD = 16,		/* of a file or section pattern */
	TAG_FIRST = 32,		/* of a version's name */
	TAG = 64,
	IDENTIFIER_FIRST = 128,	/* of a symbol pattern of a version; "::" besides */
	IDENTIFIER = 256,
	DIGIT = 512,
	HEX = 1024,
};

static unsigned class_of(unsigned char c)
{
	unsigned always = SYMBOL | FILE_ | WILD;

	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
		return always | SYMBOL_FIRST | FILE_FIRST | TAG_FIRST | TAG | IDENTIFIER_FIRST |
		       IDENTIFIER | ((c | 32) >= 'a' && (c | 32) <= 'f' ? HEX : 0);
	if (c >= '0' && c <= '9')
		return always | TAG | IDENTIFIER | DIGIT | HEX;
	switch (c) {
	case '.': return always | SYMBOL_FIRST | FILE_FIRST | TAG_FIRST | TAG |
			 IDENTIFIER_FIRST | IDENTIFIER;
	case '$': return always | SYMBOL_FIRST | FILE_FIRST | TAG_FIRST |
			 IDENTIFIER_FIRST | IDENTIFIER;
	case '\\': return always | SYMBOL_FIRST | FILE_FIRST | IDENTIFIER_FIRST | IDENTIFIER;
	case '/': case '~': return always | FILE_FIRST;
	case '-': case '[': case ']': return FILE_ | WILD | IDENTIFIER_FIRST | IDENTIFIER;
	case '+': case ':': case ',': case '=': return FILE_ | WILD;
	case '*': case '?': case '^': case '!': return WILD | IDENTIFIER_FIRST | IDENTIFIER;
	default: return 0;
	}
}

static unsigned class_at(const struct source *source, size_t at)
{
	return at < source->size ? class_of((unsigned char)source->text[at]) : 0;
}

/* How many bytes from AT on are of CLASS. */
static uint32_t run_length(const struct source *source, size_t at, unsigned class)
{
	size_t end = at;

	while (class_at(source, end) & class)
		end++;
	return (uint32_t)(end - at);
}

/* --- Names ------------------------------------------------------------- */

static uint32_t name_length(const struct source *source, size_t at, unsigned first,
			    unsigned rest)
{
	return class_at(source, at) & first ? run_length(source, at, rest) : 0;
}

static uint32_t identifier_length(const struct source *source, size_t at)
{
	size_t end = at;

	if (!(class_at(source, at) & IDENTIFIER_FIRST))
		return 0;
	for (;;) {
		end += run_length(source, end, IDENTIFIER);
		if (end + 1 >= source->size || memcmp(source->text + end, "::", 2) != 0)
			return (uint32_t)(end - at);
		end += 2;
	}
}

/* The length of the name that begins at the lexer's place; 0: none does. */
static uint32_t match_name(const struct lexer *lexer)
{
	static const char discard[] = "/DISCARD/";
	const struct source *source = lexer->source;
	size_t at = lexer->at;

	switch (lexer->mode) {
	case LEX_SCRIPT:
		return name_length(source, at, FILE_FIRST, FILE_);
	case LEX_INPUT_LIST:
		/* "=" before a path puts the sysroot there. */
		if (source->text[at] == '=' && class_at(source, at + 1) & FILE_FIRST)
			return 1 + run_length(source, at + 1, FILE_);
		return name_length(source, at, FILE_FIRST, FILE_);
	case LEX_EXPRESSION:
		/* A fill expression may stand before it: not a division. */
		if (source->size - at >= strlen(discard) &&
		    memcmp(source->text + at, discard, strlen(discard)) == 0)
			return strlen(discard);
		return name_length(source, at, SYMBOL_FIRST, SYMBOL);
	case LEX_WILD:
		return run_length(source, at, WILD);
	case LEX_VERSION_START:
		return 0;
	case LEX_VERSION_SCRIPT:
		return name_length(source, at, TAG_FIRST, TAG);
	case LEX_VERSION_NODE:
		return identifier_length(source, at);
	}
	return 0;
}

/* --- Numbers ----------------------------------------------------------- */

static unsigned digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (class_of((unsigned char)c) & HEX)
		return (unsigned)((c | 32) - 'a' + 10);
	return UINT_MAX;
}

/* The digits of BASE at TEXT; what does not fit gives the largest number. */
static uint64_t scan_digits(const char *text, uint32_t length, unsigned base)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < length && digit_value(text[i]) < base; i++)
		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit_value(text[i]), &value))
			return UINT64_MAX;
	return value;
}

/*
 * 10H 17o 101b 12d 1Fx, in expressions.  ld 2.40 takes every run of hexadecimal
 * digits with such an end, even "add" and "feed"; later ones only what is a
 * number of its base.  Of what begins with a letter we follow the later ones,
 * as people mean a symbol; of what begins with a digit ld 2.40, which takes more.
 */
static uint32_t match_suffixed(const struct source *source, size_t at, uint64_t *value)
{
	uint32_t length = run_length(source, at, HEX);
	unsigned base;
	char suffix;

	/* The suffix stands behind the digits, or it is the last b or d among them. */
	suffix = at + length < source->size ? source->text[at + length] : '\0';
	if (length > 0 && suffix != '\0' && strchr("HhXxOo", suffix) != NULL) {
		length++;
	} else {
		while (length > 1 && strchr("BbDd", source->text[at + length - 1]) == NULL)
			length--;
		if (length <= 1)
			return 0;
		suffix = source->text[at + length - 1];
	}
	switch (suffix | 32) {
	case 'b': base = 2; break;
	case 'd': base = 10; break;
	case 'o': base = 8; break;
	default: base = 16; break;
	}
	if (!(class_at(source, at) & DIGIT) && base != 16)
		return 0;
	*value = scan_digits(source->text + at, length - 1, base);
	return length;
}

/* $1F 0x10 16K 4M 017, in scripts and expressions. */
static uint32_t match_plain_number(const struct source *source, size_t at, uint64_t *value)
{
	const char *text = source->text + at;
	uint32_t prefix = 0, length;
	unsigned base;

	if (text[0] == '$')
		prefix = 1;
	else if (text[0] == '0' && at + 1 < source->size && (text[1] | 32) == 'x')
		prefix = 2;
	length = prefix > 0 ? run_length(source, at + prefix, HEX) : 0;
	if (length > 0) {
		base = 16;
	} else {
		prefix = 0;
		length = run_length(source, at, DIGIT);
		if (length == 0)
			return 0;
		base = text[0] == '0' ? 8 : 10;
	}
	*value = scan_digits(text + prefix, length, base);
	length += prefix;
	if (at + length < source->size) {
		if ((text[length] | 32) == 'k')
			*value *= 1024, length++;
		else if ((text[length] | 32) == 'm')
			*value *= 1024 * 1024, length++;
	}
	return length;
}

static uint32_t match_number(const struct lexer *lexer, uint64_t *value)
{
	uint32_t suffixed = 0, plain;
	uint64_t suffixed_value = 0;

	if (lexer->mode != LEX_SCRIPT && lexer->mode != LEX_EXPRESSION)
		return 0;
	if (lexer->mode == LEX_EXPRESSION)
		suffixed = match_suffixed(lexer->source, lexer->at, &suffixed_value);
	plain = match_plain_number(lexer->source, lexer->at, value);
	if (suffixed == 0 || plain > suffixed)
		return plain;
	*value = suffixed_value;
	return suffixed;
}

/* --- Space, comments, what is no word ---------------------------------- */

static bool at_comment(const struct lexer *lexer)
{
	return lexer->source->size - lexer->at >= 2 &&
	       memcmp(lexer->source->text + lexer->at, "/*", 2) == 0;
}

static void skip_comment(struct lexer *lexer)
{
	const struct source *source = lexer->source;
	struct span span = { source, lexer->at, lexer->at + 2 };

	for (size_t at = lexer->at + 2; at + 1 < source->size; at++) {
		if (source->text[at] == '\0')	/* ld takes it for the end */
			break;
		if (source->text[at] == '*' && source->text[at + 1] == '/') {
			lexer->at = (uint32_t)at + 2;
			return;
		}
	}
	lexer->at = (uint32_t)source->size;
	lexer->cut_off = true;
	if (lexer->diag != NULL)
		diag_error(lexer->diag, &span, "expected '*/' to end this comment, "
			   "got end of file");
}

/* Bytes that are no word, up to the next that may begin one: ld passes over them. */
static void skip_invalid(struct lexer *lexer)
{
	struct span span = { lexer->source, lexer->at, lexer->at + 1 };
	unsigned char c = (unsigned char)lexer->source->text[lexer->at];

	lexer->at++;
	if (lexer->diag == NULL)
		return;
	if (c > ' ' && c < '\177')
		diag_warning(lexer->diag, "invalid-character", &span,
			     "ignoring invalid character '%c'", c);
	else
		diag_warning(lexer->diag, "invalid-character", &span,
			     "ignoring invalid character '\\%03o'", c);
}

static void skip_space(struct lexer *lexer)
{
	const struct source *source = lexer->source;

	while (lexer->at < source->size) {
		char c = source->text[lexer->at];
		const char *newline;

		if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
			lexer->at++;
		} else if (c == '#' && lexer->mode != LEX_INPUT_LIST) {
			newline = memchr(source->text + lexer->at, '\n',
					 source->size - lexer->at);
			lexer->at = newline != NULL ? (uint32_t)(newline - source->text)
						    : (uint32_t)source->size;
		} else if (at_comment(lexer)) {
			skip_comment(lexer);
		} else {
			break;
		}
	}
}

/* --- Words ------------------------------------------------------------- */

static const struct word *match_operator(const struct lexer *lexer)
{
	const char *text = lexer->source->text + lexer->at;	/* ends in a NUL */

	for (size_t i = 0; i < COUNT(operators); i++)
		if (operators[i].spelling[0] == text[0] &&
		    operators[i].modes & 1u << lexer->mode &&
		    strncmp(text, operators[i].spelling, strlen(operators[i].spelling)) == 0)
			return &operators[i];
	return NULL;
}

static const struct word *find_keyword(const struct lexer *lexer, uint32_t length)
{
	const char *text = lexer->source->text + lexer->at;

	for (size_t i = 0; i < COUNT(keywords); i++)
		if (keywords[i].spelling[0] == text[0] &&
		    keywords[i].modes & 1u << lexer->mode &&
		    strlen(keywords[i].spelling) == length &&
		    memcmp(text, keywords[i].spelling, length) == 0)
			return &keywords[i];
	return NULL;
}

/* "any bytes", in all modes but around version nodes; a lone quote is no word. */
static bool read_quoted(struct lexer *lexer, struct token *token)
{
	const char *text = lexer->source->text + lexer->at;
	const char *end;

	if (text[0] != '"' || lexer->mode == LEX_VERSION_START ||
	    lexer->mode == LEX_VERSION_SCRIPT)
		return false;
	end = memchr(text + 1, '"', lexer->source->size - lexer->at - 1);
	if (end == NULL)
		return false;
	token->kind = TOK_NAME;
	token->quoted = true;
	token->text = obstack_strndup(lexer->arena, text + 1, (size_t)(end - text) - 1);
	lexer->at += (uint32_t)(end - text) + 1;
	return true;
}

/* Braces lead into version nodes and out of them. */
static void follow_braces(struct lexer *lexer, enum token_kind kind)
{
	if (kind == TOK_LEFT_BRACE) {
		if (lexer->mode == LEX_VERSION_START) {
			lexer->mode = LEX_VERSION_SCRIPT;
		} else if (lexer->mode == LEX_VERSION_SCRIPT) {
			lexer->mode = LEX_VERSION_NODE;
			lexer->node_braces = 0;
		} else if (lexer->mode == LEX_VERSION_NODE) {
			lexer->node_braces++;
		}
	} else if (kind == TOK_RIGHT_BRACE && lexer->mode == LEX_VERSION_NODE) {
		if (--lexer->node_braces < 0)
			lexer->mode = LEX_VERSION_SCRIPT;
	}
}

/* Reads the word at the lexer's place, if one begins there. */
static bool has_word(struct lexer *lexer, struct token *token)
{
	const char *text = lexer->source->text + lexer->at;
	uint32_t name = match_name(lexer);
	uint32_t number = match_number(lexer, &token->number);
	const struct word *operator = match_operator(lexer);
	uint32_t operator_length = operator != NULL ? strlen(operator->spelling) : 0;
	const struct word *keyword;
	uint32_t library = 0;

	if (lexer->mode == LEX_INPUT_LIST && strncmp(text, "-l", 2) == 0)
		library = run_length(lexer->source, lexer->at + 2, FILE_);

	if (number > 0 && number >= name && number >= operator_length) {
		token->kind = TOK_NUMBER;
		lexer->at += number;
	} else if (operator_length > 0 && operator_length >= name) {
		token->kind = operator->kind;
		lexer->at += operator_length;
		follow_braces(lexer, token->kind);
	} else if (name > 0) {
		keyword = find_keyword(lexer, name);
		token->kind = keyword != NULL ? keyword->kind : TOK_NAME;
		token->text = obstack_strndup(lexer->arena, text, name);
		lexer->at += name;
	} else if (library > 0) {
		token->kind = TOK_LIBRARY;
		token->text = obstack_strndup(lexer->arena, text + 2, library);
		lexer->at += 2 + library;
	} else {
		return read_quoted(lexer, token);
	}
	return true;
}

/* Where the last line that is not empty ends: there people look for what is missing. */
static uint32_t text_end(const struct source *source)
{
	size_t end = source->size;

	while (end > 0 && strchr(" \t\r\n", source->text[end - 1]) != NULL &&
	       source->text[end - 1] != '\0')
		end--;
	return (uint32_t)end;
}

void lexer_next(struct lexer *lexer, struct token *token)
{
	*token = (struct token){ .kind = TOK_END };
	lexer->word_mode = lexer->mode;
	for (;;) {
		skip_space(lexer);
		token->span = (struct span){ lexer->source, lexer->at, lexer->at };
		if (lexer->at >= lexer->source->size) {
			token->span.begin = token->span.end = text_end(lexer->source);
			return;
		}
		if (has_word(lexer, token))
			break;
		skip_invalid(lexer);
	}
	token->span.end = lexer->at;
}
