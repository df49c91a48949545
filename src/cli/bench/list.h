#ifndef HALOBEAT_CLI_BENCH_LIST_H
#define HALOBEAT_CLI_BENCH_LIST_H

#include "cli/bench/measure.h"
#include "cli/bench/table.h"

/* Things to be measured, and what they are called. All local. */

/* How something stands in the table. */
typedef struct {
    char measure[BENCH_TEXT_SIZE], way[BENCH_TEXT_SIZE];
    double bytes;     /* of a message or block; NAN where there are none */
    double amount;    /* of `unit` that one time gets done; NAN where that is no question */
    const char *unit; /* such as "B": the rate is so many a second. NULL: none */
    int base;         /* the item it is compared with, or -1 */
} bench_label;

/* Zero-initialise it. */
typedef struct {
    bench_item *items;   /* [count] */
    bench_label *labels; /* [count] */
    int count;
    int base;    /* that the next ones are compared with; for who fills the list */
    bool failed; /* there was no memory for one */
} bench_list;

/* Add an item, whose zeroed context of `size` bytes belongs to the list. Returns the context; NULL
 * for want of memory, which the list remembers. */
void *bench_list_add(bench_list *list, const bench_item *item, const bench_label *label,
                     size_t size);
void bench_list_free(bench_list *list);

/* The table of what was measured, in the order of the list; HALO_MEMORY. Zeroed `out` is filled
 * in also on failure; the caller frees it. */
halo_status bench_list_table(const bench_list *list, int repeats, bench_table *out);

#endif
