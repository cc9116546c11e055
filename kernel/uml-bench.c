// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Benchmarks in the kernel, of code that all of it uses: kernel/build puts this file into
 * lib/ of the kernel uml-bench.  One line each:
 *
 *	bench sort: 341248 ns
 *
 * That of the fastest of some rounds, with interrupts off.  The work is the same at each
 * run, and so is its result.  What is worked on is static, so that its place is the link's.
 */
#include <linux/crc32.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/list_sort.h>
#include <linux/rbtree.h>
#include <linux/siphash.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/xarray.h>
#include <linux/xxhash.h>
#include <crypto/blake2s.h>

#define ROUNDS 31
#define COUNT 2048
#define BYTES 32768

struct item {
	u32 key;
	struct list_head list;
	struct rb_node node;
};

static u32 keys[COUNT], sorted[COUNT];
static struct item items[COUNT];
static u8 bytes[BYTES], copy[BYTES + 64];
static char text[BYTES + 1];
static DEFINE_XARRAY(array);

/* The same numbers at each run. */
static u32 next_random(u32 *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void fill(void)
{
	u32 state = 7;

	for (int i = 0; i < COUNT; i++)
		keys[i] = items[i].key = next_random(&state);
	for (int i = 0; i < BYTES; i++) {
		bytes[i] = next_random(&state);
		text[i] = next_random(&state) % 12 ? 'a' + next_random(&state) % 26 : ' ';
	}
}

static int compare_keys(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static u32 bench_sort(void)
{
	memcpy(sorted, keys, sizeof(keys));
	sort(sorted, COUNT, sizeof(sorted[0]), compare_keys, NULL);
	return sorted[COUNT / 2];
}

static int compare_items(void *data, const struct list_head *a, const struct list_head *b)
{
	return list_entry(a, struct item, list)->key > list_entry(b, struct item, list)->key;
}

static u32 bench_list_sort(void)
{
	LIST_HEAD(list);
	struct item *item;
	u32 result = 0;

	for (int i = 0; i < COUNT; i++)
		list_add(&items[i].list, &list);
	list_sort(NULL, &list, compare_items);
	list_for_each_entry(item, &list, list)
		result = result * 31 + item->key;
	return result;
}

static bool item_less(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct item, node)->key < rb_entry(b, struct item, node)->key;
}

static u32 bench_rbtree(void)
{
	struct rb_root root = RB_ROOT;
	struct rb_node *node;
	u32 result = 0;

	for (int i = 0; i < COUNT; i++)
		rb_add(&items[i].node, &root, item_less);
	for (node = rb_first(&root); node; node = rb_next(node))
		result = result * 31 + rb_entry(node, struct item, node)->key;
	for (int i = 0; i < COUNT; i++)
		rb_erase(&items[i].node, &root);
	return result;
}

static u32 bench_xarray(void)
{
	u32 result = 0;

	for (int i = 0; i < COUNT; i++)
		xa_store(&array, keys[i] & 0xffff, xa_mk_value(i), GFP_ATOMIC);
	for (int i = 0; i < COUNT * 4; i++)
		result = result * 31 + xa_to_value(xa_load(&array, keys[i % COUNT] & 0xffff));
	for (int i = 0; i < COUNT; i++)
		xa_erase(&array, keys[i] & 0xffff);
	return result;
}

static u32 bench_crc32(void)
{
	return crc32_le(~0, bytes, BYTES);
}

static u32 bench_xxhash(void)
{
	return xxh64(bytes, BYTES, 7);
}

static u32 bench_siphash(void)
{
	siphash_key_t key = { { 1, 2 } };

	for (int i = 0; i + 64 < BYTES; i += 20)
		key.key[0] = siphash(bytes + i, 20 + i % 32, &key);
	return key.key[0];
}

static u32 bench_blake2s(void)
{
	u8 hash[BLAKE2S_HASH_SIZE];

	blake2s(hash, bytes, NULL, sizeof(hash), BYTES, 0);
	return hash[0] << 16 | hash[1] << 8 | hash[2];
}

static u32 bench_string(void)
{
	const char *at = text, *word;
	u32 result = 0;

	while ((word = strchr(at, ' ')) != NULL) {
		result += strncmp(at, text + 100, word - at) < 0;
		result += strnlen(at, 5) + (memchr(at, 'e', word - at) != NULL);
		at = word + 1;
	}
	return result * 31 + strlen(text) + strcspn(text + 50, "~") + strspn(text, "abc ");
}

static u32 bench_memcpy(void)
{
	int size;

	for (int i = 0; i + 600 < BYTES; i += size) {
		size = keys[i % COUNT] % 8 ? keys[i % COUNT] % 60 + 1 : 500;
		memcpy(copy + i + 3, bytes + i, size);
		memmove(copy + i, copy + i + 3, size);
	}
	return copy[BYTES / 3] + !memcmp(copy, bytes, BYTES / 2);
}

static u32 bench_printf(void)
{
	u32 result = 0;

	for (int i = 0; i < COUNT; i++) {
		u32 key = keys[i];

		result += snprintf(copy, 256, "%s %5d: %#lx, %-12s|%*u %c %llu", "line", i % 1000,
				   (unsigned long)key, key % 2 ? "odd" : "even", key % 9, key % 77,
				   'a' + key % 26, (u64)key << key % 40);
		result = result * 31 + copy[result % 20];
	}
	return result;
}

static u32 bench_kmalloc(void)
{
	static void *held[64];
	u32 result = 0;

	for (int i = 0; i < COUNT; i++) {
		u32 size = keys[i] % 500 + 8;
		void **slot = &held[keys[(i * 7) % COUNT] % 64];

		kfree(*slot);
		*slot = kmalloc(size, GFP_ATOMIC);
		result += *slot != NULL;
	}
	for (int i = 0; i < 64; i++) {
		kfree(held[i]);
		held[i] = NULL;
	}
	return result;
}

static const struct {
	const char *name;
	u32 (*work)(void);
	int times;		/* in a round, so that it takes about 0.4 ms: short, to be left alone */
	u32 result;
} benches[] = {
	{ "sort", bench_sort, 2, 0x7bc4e4 },
	{ "list_sort", bench_list_sort, 5, 0x2642f730 },
	{ "rbtree", bench_rbtree, 2, 0x2642f730 },
	{ "xarray", bench_xarray, 1, 0xa19339d4 },
	{ "crc32", bench_crc32, 20, 0xca696be9 },
	{ "xxhash", bench_xxhash, 110, 0x9e5288c8 },
	{ "siphash", bench_siphash, 9, 0x0cf5906d },
	{ "blake2s", bench_blake2s, 6, 0xa45d75 },
	{ "string", bench_string, 3, 0x86597 },
	{ "memcpy", bench_memcpy, 45, 0xdc },
	{ "printf", bench_printf, 1, 0xc3f717a6 },
	{ "kmalloc", bench_kmalloc, 6, 0x800 },
};

static int __init bench_init(void)
{
	fill();
	for (int i = 0; i < ARRAY_SIZE(benches); i++) {
		u64 best = U64_MAX;
		u32 result = 0;

		for (int round = 0; round < ROUNDS; round++) {
			unsigned long flags;
			u64 time;

			local_irq_save(flags);
			time = ktime_get_ns();
			for (int j = 0; j < benches[i].times; j++)
				result = benches[i].work();
			time = ktime_get_ns() - time;
			local_irq_restore(flags);
			best = min(best, time);
		}
		if (result == benches[i].result)
			pr_info("bench %s: %llu ns\n", benches[i].name, best);
		else
			pr_err("bench %s: expected %#x, got %#x\n", benches[i].name,
			       benches[i].result, result);
	}
	return 0;
}
late_initcall(bench_init);
