libkerning_a_SOURCES += \
	stats/components.c stats/components.h \
	stats/discovery.c stats/discovery.h \
	stats/drift.c stats/drift.h \
	stats/interval.h \
	stats/look.c stats/look.h \
	stats/moments.c stats/moments.h \
	stats/paired.c stats/paired.h \
	stats/ratio.c stats/ratio.h \
	stats/sample.c stats/sample.h \
	stats/shuffle.c stats/shuffle.h \
	stats/single.c stats/single.h \
	stats/verdict.c stats/verdict.h
