/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions, by precedence.  As ld does, numbers are reckoned while they are
 * read: a division by a zero that is known here is an error here.
 */
#include "config.h"

#include "ldscripts/parse.h"

#include <string.h>

/* Far more than a script written by hand has, far less than a stack holds. */
#define MAX_OPERATIONS	10000

/* --- Values ------------------------------------------------------------ */

static uint64_t log2_ceil(uint64_t value)
{
	uint64_t result = 0;

	while (result < 64 && (uint64_t)1 << result < value)
		result++;
	return result;
}

static uint64_t align_up(uint64_t value, uint64_t alignment)
{
	if (alignment <= 1)
		return value;
	return (value + alignment - 1) / alignment * alignment;
}

static uint64_t divide(uint64_t dividend, uint64_t divisor, bool remainder)
{
	/* The one quotient that does not fit. */
	if (divisor == UINT64_MAX)
		return remainder ? 0 : -dividend;
	if (remainder)
		return (uint64_t)((int64_t)dividend % (int64_t)divisor);
	return (uint64_t)((int64_t)dividend / (int64_t)divisor);
}

static uint64_t shift(uint64_t value, uint64_t count, bool left)
{
	if (count >= 64)
		return 0;
	return left ? value << count : value >> count;
}

static uint64_t binary_value(int op, uint64_t a, uint64_t b)
{
	switch (op) {
	case TOK_PLUS: return a + b;
	case TOK_MINUS: return a - b;
	case TOK_STAR: return a * b;
	case TOK_SLASH: return divide(a, b, false);
	case TOK_PERCENT: return divide(a, b, true);
	case TOK_SHIFT_LEFT: return shift(a, b, true);
	case TOK_SHIFT_RIGHT: return shift(a, b, false);
	case TOK_EQUAL: return a == b;
	case TOK_NOT_EQUAL: return a != b;
	case TOK_LESS: return a < b;
	case TOK_GREATER: return a > b;
	case TOK_LESS_EQUAL: return a <= b;
	case TOK_GREATER_EQUAL: return a >= b;
	case TOK_AND: return a & b;
	case TOK_OR: return a | b;
	case TOK_XOR: return a ^ b;
	case TOK_AND_AND: return a && b;
	case TOK_OR_OR: return a || b;
	case TOK_MAX: return a > b ? a : b;
	case TOK_MIN: return a < b ? a : b;
	case TOK_ALIGN: return align_up(a, b);
	default: return 0;
	}
}

/* Sets the value of what is made of numbers alone. */
static void reckon(struct parser *parser, struct expr *expr)
{
	const struct expr *a = expr->arg[0], *b = expr->arg[1];

	if (a == NULL || !a->constant || (b != NULL && !b->constant))
		return;
	expr->constant = true;
	switch (expr->kind) {
	case EXPR_UNARY:
		expr->number = expr->op == TOK_MINUS ? -a->number :
			       expr->op == TOK_NOT ? !a->number :
			       expr->op == TOK_COMPLEMENT ? ~a->number : a->number;
		break;
	case EXPR_CONDITIONAL:
		expr->constant = expr->arg[a->number ? 1 : 2]->constant;
		expr->number = expr->arg[a->number ? 1 : 2]->number;
		break;
	case EXPR_BINARY:
		if ((expr->op == TOK_SLASH || expr->op == TOK_PERCENT) && b->number == 0) {
			parser_error(parser, b->span, "division by zero");
			expr->constant = false;
			break;
		}
		expr->number = binary_value(expr->op, a->number, b->number);
		break;
	case EXPR_CALL:
		if (b != NULL && (expr->op == TOK_MAX || expr->op == TOK_MIN ||
				  expr->op == TOK_ALIGN))
			expr->number = binary_value(expr->op, a->number, b->number);
		else if (expr->op == TOK_LOG2CEIL)
			expr->number = log2_ceil(a->number);
		else if (expr->op == TOK_ABSOLUTE)
			expr->number = a->number;
		else
			expr->constant = false;
		break;
	default:
		expr->constant = false;
		break;
	}
}

/* True where ld knows the value while it reads: CONSTANT(...) besides numbers. */
bool expr_is_constant(const struct expr *expr)
{
	if (expr->constant)
		return true;
	if (expr->kind == EXPR_SECTION_CALL)
		return expr->op == TOK_CONSTANT;
	if (expr->kind != EXPR_UNARY && expr->kind != EXPR_BINARY &&
	    expr->kind != EXPR_CONDITIONAL)
		return false;
	for (int i = 0; i < 3 && expr->arg[i] != NULL; i++)
		if (!expr_is_constant(expr->arg[i]))
			return false;
	return true;
}

/* --- Nodes ------------------------------------------------------------- */

static struct expr *new_expr(struct parser *parser, enum expr_kind kind, int op, uint32_t begin)
{
	struct expr *expr = parser_alloc(parser, sizeof *expr);

	if (++parser->operations > MAX_OPERATIONS) {
		parser_error(parser, parser_span(parser, begin),
			     "expression is too large: more than %d operations", MAX_OPERATIONS);
		return NULL;
	}
	expr->kind = kind;
	expr->op = op;
	expr->span = parser_span(parser, begin);
	return expr;
}

/* --- Primaries --------------------------------------------------------- */

static struct expr *parse_binary(struct parser *parser, unsigned level);

/* How many expressions stand between the parentheses of a call; 0: it is none. */
static unsigned call_arguments(enum token_kind kind)
{
	switch (kind) {
	case TOK_ABSOLUTE: case TOK_ALIGN: case TOK_BLOCK: case TOK_DATA_SEGMENT_END:
	case TOK_LOG2CEIL: case TOK_NEXT:
		return 1;
	case TOK_DATA_SEGMENT_ALIGN: case TOK_DATA_SEGMENT_RELRO_END: case TOK_MAX: case TOK_MIN:
		return 2;
	default:
		return 0;
	}
}

/* exp: ABSOLUTE '(' exp ')' | ALIGN_K '(' exp [ ',' exp ] ')' | MAX_K '(' exp ',' exp ')' ... */
static struct expr *parse_call(struct parser *parser)
{
	struct token keyword = parser_take(parser);
	unsigned arguments = call_arguments(keyword.kind);
	struct expr *first, *second = NULL, *expr;

	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return NULL;
	first = parse_exp(parser);
	if (first == NULL)
		return NULL;
	if (keyword.kind == TOK_ALIGN && parser_peek(parser) == TOK_COMMA)
		arguments = 2;
	if (arguments == 2) {
		if (!parser_expect(parser, TOK_COMMA))
			return NULL;
		second = parse_exp(parser);
		if (second == NULL)
			return NULL;
	}
	if (!parser_expect(parser, TOK_RIGHT_PAREN))
		return NULL;
	expr = new_expr(parser, EXPR_CALL, keyword.kind, keyword.span.begin);
	if (expr != NULL) {
		expr->arg[0] = first;
		expr->arg[1] = second;
		reckon(parser, expr);
	}
	return expr;
}

/*
 * exp: ALIGNOF paren_script_name | SIZEOF paren_script_name | ADDR paren_script_name
 *	| LOADADDR paren_script_name | ORIGIN paren_script_name | LENGTH paren_script_name
 *	| DEFINED '(' NAME ')' | CONSTANT '(' NAME ')'
 * paren_script_name: '(' NAME ')'	read as a script's name, not an expression's
 */
static struct expr *parse_named_call(struct parser *parser)
{
	struct token keyword = parser_take(parser);
	struct token name;
	struct expr *expr;

	if (keyword.kind != TOK_DEFINED && keyword.kind != TOK_CONSTANT)
		parser->lexer.mode = LEX_SCRIPT;
	if (!parser_expect(parser, TOK_LEFT_PAREN) ||
	    !parser_expect_name(parser, "a name", &name) ||
	    !parser_expect(parser, TOK_RIGHT_PAREN))
		return NULL;
	parser->lexer.mode = LEX_EXPRESSION;
	expr = new_expr(parser, EXPR_SECTION_CALL, keyword.kind, keyword.span.begin);
	if (expr != NULL)
		expr->name = name.text;
	return expr;
}

/* exp: SEGMENT_START '(' NAME ',' exp ')'	the name as a script's */
static struct expr *parse_segment_start(struct parser *parser)
{
	uint32_t begin = parser_take(parser).span.begin;
	struct expr *address, *expr;
	struct token name;

	parser->lexer.mode = LEX_SCRIPT;
	if (!parser_expect(parser, TOK_LEFT_PAREN) ||
	    !parser_expect_name(parser, "a segment's name", &name))
		return NULL;
	parser->lexer.mode = LEX_EXPRESSION;
	if (!parser_expect(parser, TOK_COMMA))
		return NULL;
	address = parse_exp(parser);
	if (address == NULL || !parser_expect(parser, TOK_RIGHT_PAREN))
		return NULL;
	expr = new_expr(parser, EXPR_SECTION_CALL, TOK_SEGMENT_START, begin);
	if (expr != NULL) {
		expr->name = name.text;
		expr->arg[0] = address;
	}
	return expr;
}

/* exp: ASSERT_K '(' exp ',' NAME ')' */
static struct expr *parse_assert_exp(struct parser *parser)
{
	uint32_t begin = parser_take(parser).span.begin;
	struct expr *condition, *expr;
	struct token text;

	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return NULL;
	condition = parse_exp(parser);
	if (condition == NULL || !parser_expect(parser, TOK_COMMA) ||
	    !parser_expect_name(parser, "a text", &text) ||
	    !parser_expect(parser, TOK_RIGHT_PAREN))
		return NULL;
	expr = new_expr(parser, EXPR_ASSERT, TOK_ASSERT, begin);
	if (expr != NULL) {
		expr->name = text.text;
		expr->arg[0] = condition;
	}
	return expr;
}

/* exp: INT | NAME | SIZEOF_HEADERS | '(' exp ')' | calls */
static struct expr *parse_primary(struct parser *parser)
{
	struct token token;
	struct expr *expr;

	switch (parser_peek(parser)) {
	case TOK_NUMBER:
		token = parser_take(parser);
		expr = new_expr(parser, EXPR_NUMBER, 0, token.span.begin);
		if (expr != NULL) {
			expr->number = token.number;
			expr->constant = true;
		}
		return expr;
	case TOK_NAME:
		token = parser_take(parser);
		expr = new_expr(parser, EXPR_NAME, 0, token.span.begin);
		if (expr != NULL)
			expr->name = token.text;
		return expr;
	case TOK_SIZEOF_HEADERS:
		token = parser_take(parser);
		return new_expr(parser, EXPR_CALL, token.kind, token.span.begin);
	case TOK_LEFT_PAREN:
		parser_take(parser);
		expr = parse_exp(parser);
		return expr != NULL && parser_expect(parser, TOK_RIGHT_PAREN) ? expr : NULL;
	case TOK_ALIGNOF: case TOK_SIZEOF: case TOK_ADDR: case TOK_LOADADDR: case TOK_ORIGIN:
	case TOK_LENGTH: case TOK_DEFINED: case TOK_CONSTANT:
		return parse_named_call(parser);
	case TOK_SEGMENT_START:
		return parse_segment_start(parser);
	case TOK_ASSERT:
		return parse_assert_exp(parser);
	default:
		if (call_arguments(parser->token.kind) > 0)
			return parse_call(parser);
		parser_expected(parser, "an expression");
		return NULL;
	}
}

/* --- Operators --------------------------------------------------------- */

/* How strongly an operator binds; 0: not one between two operands. */
static unsigned binding(enum token_kind kind)
{
	switch (kind) {
	case TOK_OR_OR: return 1;
	case TOK_AND_AND: return 2;
	case TOK_OR: return 3;
	case TOK_XOR: return 4;
	case TOK_AND: return 5;
	case TOK_EQUAL: case TOK_NOT_EQUAL: return 6;
	case TOK_LESS: case TOK_GREATER: case TOK_LESS_EQUAL: case TOK_GREATER_EQUAL: return 7;
	case TOK_SHIFT_LEFT: case TOK_SHIFT_RIGHT: return 8;
	case TOK_PLUS: case TOK_MINUS: return 9;
	case TOK_STAR: case TOK_SLASH: case TOK_PERCENT: return 10;
	default: return 0;
	}
}

/* exp: '-' exp | '!' exp | '+' exp | '~' exp */
static struct expr *parse_unary(struct parser *parser)
{
	struct expr *operand, *expr = NULL;
	struct token op;

	switch (parser_peek(parser)) {
	case TOK_MINUS: case TOK_NOT: case TOK_PLUS: case TOK_COMPLEMENT:
		break;
	default:
		return parse_primary(parser);
	}
	op = parser_take(parser);
	if (!parser_enter(parser))
		return NULL;
	operand = parse_unary(parser);
	if (operand != NULL)
		expr = new_expr(parser, EXPR_UNARY, op.kind, op.span.begin);
	if (expr != NULL) {
		expr->arg[0] = operand;
		reckon(parser, expr);
	}
	parser_leave(parser);
	return expr;
}

/* What follows LEFT, which began at BEGIN, as long as it binds at LEVEL or stronger. */
static struct expr *parse_binary_rest(struct parser *parser, struct expr *left, uint32_t begin,
				      unsigned level)
{
	while (left != NULL && binding(parser_peek(parser)) >= level) {
		struct token op = parser_take(parser);
		struct expr *right = parse_binary(parser, binding(op.kind) + 1);
		struct expr *expr;

		if (right == NULL)
			return NULL;
		expr = new_expr(parser, EXPR_BINARY, op.kind, begin);
		if (expr != NULL) {
			expr->arg[0] = left;
			expr->arg[1] = right;
			reckon(parser, expr);
		}
		left = expr;
	}
	return left;
}

/* exp: exp '*' exp | exp '/' exp | ... | exp OROR exp */
static struct expr *parse_binary(struct parser *parser, unsigned level)
{
	uint32_t begin = parser_begin(parser);

	return parse_binary_rest(parser, parse_unary(parser), begin, level);
}

/* exp: exp '?' exp ':' exp */
static struct expr *parse_conditional_rest(struct parser *parser, struct expr *condition,
					   uint32_t begin)
{
	struct expr *yes, *no, *expr;

	condition = parse_binary_rest(parser, condition, begin, 1);
	if (condition == NULL || !parser_accept(parser, TOK_QUESTION))
		return condition;
	yes = parse_exp(parser);
	if (yes == NULL || !parser_expect(parser, TOK_COLON))
		return NULL;
	no = parse_exp(parser);
	if (no == NULL)
		return NULL;
	expr = new_expr(parser, EXPR_CONDITIONAL, TOK_QUESTION, begin);
	if (expr != NULL) {
		expr->arg[0] = condition;
		expr->arg[1] = yes;
		expr->arg[2] = no;
		reckon(parser, expr);
	}
	return expr;
}

/* exp: in EXPRESSION mode; the word behind it is read in that mode too */
struct expr *parse_exp(struct parser *parser)
{
	struct expr *expr = NULL;
	uint32_t begin;

	if (!parser_enter(parser))
		return NULL;
	if (parser->expressions++ == 0)
		parser->operations = 0;
	begin = parser_begin(parser);
	expr = parse_conditional_rest(parser, parse_unary(parser), begin);
	parser->expressions--;
	parser_leave(parser);
	return expr;
}

struct expr *parse_exp_in_paren(struct parser *parser, uint32_t begin)
{
	struct expr *expr = parse_exp(parser);

	if (expr == NULL || !parser_expect(parser, TOK_RIGHT_PAREN))
		return NULL;
	return parse_conditional_rest(parser, expr, begin);
}

/* mustbe_exp: exp	in EXPRESSION mode */
struct expr *parse_mustbe_exp(struct parser *parser)
{
	enum lex_mode mode = parser->lexer.mode;
	struct expr *expr;

	parser->lexer.mode = LEX_EXPRESSION;
	expr = parse_exp(parser);
	parser->lexer.mode = mode;
	return expr;
}

/* fill_exp: mustbe_exp	whose value is known now */
struct expr *parse_fill_exp(struct parser *parser)
{
	struct expr *expr = parse_mustbe_exp(parser);

	if (expr != NULL && !expr_is_constant(expr))
		parser_error(parser, expr->span, "expected a constant to fill with");
	return expr;
}
