libkerning_a_SOURCES += \
	lib/diag.c lib/diag.h \
	lib/file.c lib/file.h \
	lib/memory.c lib/memory.h \
	lib/source.c lib/source.h \
	lib/vec.h
