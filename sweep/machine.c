/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine as /proc and /sys tell it, and as the store keeps it.
 */
#include "config.h"

#include "sweep/machine.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/memory.h"
#include "sweep/noise.h"

/* --- Files of /proc and /sys ---------------------------------------------- */

#define TEXT_MAX (64u << 10)

/* What a terminal and a store can take, whatever a process is called. */
static void make_plain(char *text)
{
	for (; *text != '\0'; text++)
		if (!isprint((unsigned char)*text) && !isspace((unsigned char)*text))
			*text = '?';
}

static char *read_all(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	size_t size = 0;
	char *text;

	if (file < 0)
		return NULL;
	text = xmalloc(TEXT_MAX + 1);
	while (size < TEXT_MAX) {
		ssize_t part = read(file, text + size, TEXT_MAX - size);

		if (part == 0 || (part < 0 && errno != EINTR))
			break;
		if (part > 0)
			size += (size_t)part;
	}
	close(file);
	while (size > 0 && isspace((unsigned char)text[size - 1]))
		size--;
	text[size] = '\0';
	return xrealloc(text, size + 1);
}

char *look_read(const struct look *look, const char *format, ...)
{
	va_list arguments;
	char *name, *path, *text;

	va_start(arguments, format);
	name = xvasprintf(format, arguments);
	va_end(arguments);
	path = xasprintf("%s%s", look->root, name);
	text = read_all(path);
	free(path);
	free(name);
	if (text != NULL && text[0] == '\0') {
		free(text);
		text = NULL;
	}
	if (text != NULL)
		make_plain(text);
	return text;
}

long look_number(const struct look *look, const char *path, long otherwise)
{
	char *text = look_read(look, "%s", path), *end = text;
	long number = text != NULL ? strtol(text, &end, 10) : otherwise;

	if (end == text)
		number = otherwise;
	free(text);
	return number;
}

char *look_field(const char *text, const char *name)
{
	size_t length = strlen(name);
	const char *line = text;

	while (line != NULL && *line != '\0') {
		if (strncmp(line, name, length) == 0) {
			const char *value = line + length + strspn(line + length, " \t");

			if (*value == ':') {
				value += 1 + strspn(value + 1, " \t");
				return xasprintf("%.*s", (int)strcspn(value, "\n"), value);
			}
		}
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return xstrdup("");
}

void look_processors(const char *text, cpu_set_t *cpus)
{
	CPU_ZERO(cpus);
	while (isdigit((unsigned char)*text)) {
		char *end;
		unsigned long first = strtoul(text, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (unsigned long cpu = first; cpu <= last && cpu < CPU_SETSIZE; cpu++)
			CPU_SET(cpu, cpus);
		text = end + (*end == ',');
	}
}

/* --- The machine ---------------------------------------------------------- */

static char *or_unknown(char *text)
{
	if (text != NULL && text[0] != '\0')
		return text;
	free(text);
	return xstrdup("unknown");
}

/* x86 has a model name, others a machine's or a processor's; device trees a model. */
static char *find_model(const struct look *look, const char *cpuinfo)
{
	static const char *const names[] = { "model name", "Model", "cpu", "machine", "uarch" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char *model = look_field(cpuinfo, names[i]);

		if (model[0] != '\0')
			return model;
		free(model);
	}
	return look_read(look, "/proc/device-tree/model");
}

/* Whether a hypervisor says so, by the processor's flags or by what the machine is called. */
static bool is_virtual(const struct look *look, const char *cpuinfo)
{
	static const char *const products[] = { "QEMU", "KVM", "VMware", "VirtualBox", "Bochs",
						"Xen", "Virtual Machine", "Amazon EC2",
						"Google Compute Engine", "OpenStack" };
	char *flags = look_field(cpuinfo, "flags");
	char *hypervisor = look_read(look, "/sys/hypervisor/type");
	char *vendor = look_read(look, "/sys/class/dmi/id/sys_vendor");
	char *product = look_read(look, "/sys/class/dmi/id/product_name");
	bool found = strstr(flags, " hypervisor") != NULL || hypervisor != NULL;

	for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
		found |= (vendor != NULL && strstr(vendor, products[i]) != NULL) ||
			 (product != NULL && strstr(product, products[i]) != NULL);
	free(flags);
	free(hypervisor);
	free(vendor);
	free(product);
	return found;
}

void machine_look_below(struct machine *machine, const char *root, const cpu_set_t *cpus)
{
	struct look look = { .root = root, .machine = machine };
	char *cpuinfo = look_read(&look, "/proc/cpuinfo");
	char *online = look_read(&look, "/sys/devices/system/cpu/online");
	const char *facts = cpuinfo != NULL ? cpuinfo : "";

	*machine = (struct machine){
		.cpu = or_unknown(find_model(&look, facts)),
		.kernel = or_unknown(look_read(&look, "/proc/sys/kernel/osrelease")),
		.host = or_unknown(look_read(&look, "/proc/sys/kernel/hostname")),
		.virtual = is_virtual(&look, facts),
	};
	look_processors(online != NULL ? online : "0", &look.online);
	machine->processors = (unsigned)CPU_COUNT(&look.online);
	look.used = look.online;
	if (cpus != NULL)
		CPU_AND(&look.used, &look.online, cpus);
	look.pinned = !CPU_EQUAL(&look.used, &look.online);
	noise_look(&look);
	free(cpuinfo);
	free(online);
}

void machine_look(struct machine *machine, const cpu_set_t *cpus)
{
	machine_look_below(machine, "", cpus);
}

void machine_release(struct machine *machine)
{
	free(machine->cpu);
	free(machine->kernel);
	free(machine->host);
	for (size_t i = 0; i < machine->noises.count; i++) {
		free(machine->noises.at[i].name);
		free(machine->noises.at[i].state);
		free(machine->noises.at[i].advice);
	}
	vec_release(&machine->noises);
	*machine = (struct machine){ 0 };
}

/* --- In the store --------------------------------------------------------- */

json_t *machine_to_json(const struct machine *machine)
{
	json_t *noises = json_array();

	for (size_t i = 0; i < machine->noises.count; i++) {
		const struct noise *noise = &machine->noises.at[i];

		json_array_append_new(noises, json_pack("{s:s, s:s, s:s}", "name", noise->name,
							"state", noise->state, "advice",
							noise->advice));
	}
	return json_pack("{s:s, s:s, s:s, s:i, s:b, s:o}", "cpu", machine->cpu, "kernel",
			 machine->kernel, "host", machine->host, "processors",
			 (int)machine->processors, "virtual", (int)machine->virtual, "noises",
			 noises);
}

bool machine_from_json(struct machine *machine, const json_t *json)
{
	const char *cpu, *kernel, *host;
	json_t *noises, *element;
	int processors, virtual;
	size_t i;

	*machine = (struct machine){ 0 };
	if (json_unpack((json_t *)json, "{s:s, s:s, s:s, s:i, s:b, s:o}", "cpu", &cpu, "kernel",
			&kernel, "host", &host, "processors", &processors, "virtual", &virtual,
			"noises", &noises) != 0 ||
	    !json_is_array(noises) || processors < 0)
		return false;
	*machine = (struct machine){ .cpu = xstrdup(cpu), .kernel = xstrdup(kernel),
				     .host = xstrdup(host), .processors = (unsigned)processors,
				     .virtual = virtual };
	json_array_foreach(noises, i, element) {
		const char *name, *state, *advice;

		if (json_unpack(element, "{s:s, s:s, s:s}", "name", &name, "state", &state,
				"advice", &advice) != 0) {
			machine_release(machine);
			return false;
		}
		*vec_push(&machine->noises) = (struct noise){ xstrdup(name), xstrdup(state),
							      xstrdup(advice) };
	}
	return true;
}
