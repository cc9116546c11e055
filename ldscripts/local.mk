libkerning_a_SOURCES += \
	ldscripts/ast.h \
	ldscripts/edit.c ldscripts/edit.h \
	ldscripts/lex.c ldscripts/lex.h \
	ldscripts/match.c ldscripts/match.h \
	ldscripts/parse-command.c \
	ldscripts/parse-exp.c \
	ldscripts/parse-input.c \
	ldscripts/parse-section.c \
	ldscripts/parse-version.c \
	ldscripts/parse.c ldscripts/parse.h \
	ldscripts/script.c ldscripts/script.h \
	ldscripts/seam.c ldscripts/seam.h \
	ldscripts/shape.c ldscripts/shape.h \
	ldscripts/token.h

EXTRA_DIST += testsuite/fuzz/fuzz-script.c
