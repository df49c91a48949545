#include "cli/bench/list.h"

#include <math.h>
#include <stdlib.h>

static const bench_column columns[] = {
    {"measure", BENCH_TEXT, "measure", 0, 0},
    {"way", BENCH_TEXT, "way", 0, 0},
    {"ranks", BENCH_COUNT, "ranks", 0, 0},
    {"bytes", BENCH_COUNT, "bytes", 0, 0},
    {"times", BENCH_COUNT, NULL, 0, 0},
    {"repeats", BENCH_COUNT, NULL, 0, 0},
    {"seconds", BENCH_NUMBER, "us", 1e6, 3},
    {"low_quartile", BENCH_NUMBER, "low", 1e6, 3},
    {"high_quartile", BENCH_NUMBER, "high", 1e6, 3},
    {"deviation", BENCH_NUMBER, NULL, 0, 0},
    {"rate", BENCH_NUMBER, "G/s", 1e-9, 3},
    {"rate_of", BENCH_TEXT, "of", 0, 0},
    {"ratio", BENCH_NUMBER, "ratio", 0, 3},
    {"real", BENCH_TEXT, "real", 0, 0},
};

void *bench_list_add(bench_list *list, const bench_item *item, const bench_label *label,
                     size_t size)
{
    size_t count = (size_t)list->count + 1;
    bench_item *items = realloc(list->items, count * sizeof *items);
    list->items = items != NULL ? items : list->items;
    bench_label *labels = realloc(list->labels, count * sizeof *labels);
    list->labels = labels != NULL ? labels : list->labels;
    void *context = calloc(1, size);
    if (items == NULL || labels == NULL || context == NULL) {
        free(context);
        list->failed = true;
        return NULL;
    }
    list->items[list->count] = *item;
    list->items[list->count].context = context;
    list->labels[list->count] = *label;
    list->count++;
    return context;
}

void bench_list_free(bench_list *list)
{
    bench_items_free(list->items, list->count);
    for (int i = 0; i < list->count; i++) {
        free(list->items[i].context);
    }
    free(list->items);
    free(list->labels);
    *list = (bench_list){0};
}

/* How it compares with what the list says. */
static void compare(const bench_list *list, int index, int repeats, bench_table *out)
{
    const bench_item *item = &list->items[index];
    int base = list->labels[index].base;
    if (base < 0 || base == index || list->items[base].lacks) {
        return;
    }
    const bench_item *other = &list->items[base];
    bool real = halo_samples_faster(item->samples, other->samples, repeats) ||
                halo_samples_faster(other->samples, item->samples, repeats);
    bench_table_number(out, "ratio", item->spread.median / other->spread.median);
    bench_table_text(out, "real", real ? "yes" : "no");
}

static void fill_row(const bench_list *list, int index, int repeats, bench_table *out)
{
    const bench_item *item = &list->items[index];
    const bench_label *label = &list->labels[index];
    bench_table_text(out, "measure", label->measure);
    bench_table_text(out, "way", label->way);
    bench_table_number(out, "ranks", item->ranks);
    bench_table_number(out, "bytes", label->bytes);
    if (item->lacks) {
        bench_table_text(out, "real", "not here");
        return;
    }
    bench_table_number(out, "times", (double)item->times);
    bench_table_number(out, "repeats", repeats);
    bench_table_number(out, "seconds", item->spread.median);
    bench_table_number(out, "low_quartile", item->spread.low);
    bench_table_number(out, "high_quartile", item->spread.high);
    bench_table_number(out, "deviation", item->spread.deviation);
    if (label->unit != NULL) {
        bench_table_number(out, "rate", label->amount / item->spread.median);
        bench_table_text(out, "rate_of", label->unit);
    }
    compare(list, index, repeats, out);
}

halo_status bench_list_table(const bench_list *list, int repeats, bench_table *out)
{
    *out = (bench_table){.columns = columns, .count = sizeof columns / sizeof columns[0]};
    for (int i = 0; i < list->count; i++) {
        if (bench_table_add(out) == NULL) {
            return halo_fail(HALO_MEMORY, "out of memory: a table of measurements");
        }
        fill_row(list, i, repeats, out);
    }
    return HALO_OK;
}
