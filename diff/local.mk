libkerning_a_SOURCES += \
	diff/band.c diff/band.h \
	diff/change.c diff/change.h \
	diff/company.c diff/company.h \
	diff/filter.c diff/filter.h \
	diff/hot.c diff/hot.h \
	diff/image.c diff/image.h \
	diff/system-map.c \
	diff/owner.c diff/owner.h \
	diff/pair.c diff/pair.h \
	diff/program.c \
	diff/sides.c diff/sides.h \
	diff/step.c diff/step.h \
	diff/svg.c diff/svg.h \
	diff/word.c diff/word.h
