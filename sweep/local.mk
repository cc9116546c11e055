libkerning_a_SOURCES += \
	sweep/axis.c sweep/axis.h \
	sweep/begin.c \
	sweep/check.c sweep/check.h \
	sweep/clone.c sweep/clone.h \
	sweep/counters.c sweep/counters.h \
	sweep/db.c sweep/db.h \
	sweep/fork.c sweep/fork.h \
	sweep/formats.c sweep/formats.h \
	sweep/formats-json.c \
	sweep/formats-text.c \
	sweep/guard.c sweep/guard.h \
	sweep/helper.c sweep/helper.h \
	sweep/inner.h \
	sweep/join.c sweep/join.h \
	sweep/json-path.c sweep/json-path.h \
	sweep/json-text.c sweep/json-text.h \
	sweep/kbuild.c sweep/kbuild.h \
	sweep/kernel.c \
	sweep/machine.c sweep/machine.h \
	sweep/maker.h \
	sweep/maker-build.c \
	sweep/maker-bundle.c \
	sweep/metric.c sweep/metric.h \
	sweep/metric-option.c sweep/metric-option.h \
	sweep/noise.c sweep/noise.h \
	sweep/once.c \
	sweep/process.c sweep/process.h \
	sweep/progress.c sweep/progress.h \
	sweep/record.c sweep/record.h \
	sweep/store.c sweep/store.h \
	sweep/store-load.c sweep/store-load.h \
	sweep/sweep.c sweep/sweep.h \
	sweep/workshop.c sweep/workshop.h
