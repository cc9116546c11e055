libkerning_a_SOURCES += \
	lib/diag.c lib/diag.h \
	lib/file.c lib/file.h \
	lib/json.c lib/json.h \
	lib/memory.c lib/memory.h \
	lib/shell.c lib/shell.h \
	lib/source.c lib/source.h \
	lib/table.c lib/table.h \
	lib/vec.h
