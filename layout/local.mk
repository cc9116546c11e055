libkerning_a_SOURCES += \
	layout/check.c layout/check.h \
	layout/directive.c layout/directive.h \
	layout/escape.c layout/escape.h \
	layout/nearest.c layout/nearest.h \
	layout/number.c layout/number.h \
	layout/option.c layout/option.h \
	layout/pattern.c layout/pattern.h \
	layout/plan.c layout/plan.h \
	layout/policy.c layout/policy.h \
	layout/record.c layout/record.h \
	layout/rule.c layout/rule.h \
	layout/seed.c layout/seed.h \
	layout/symbol.c layout/symbol.h \
	layout/unit.c layout/unit.h \
	layout/value.c layout/value.h
