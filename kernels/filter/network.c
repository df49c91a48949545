#include "kernels/filter/network.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Networks that sort, and the values in them. */

static const char what[] = "a sorting network";

/* ---- nodes ----------------------------------------------------------------------------------- */

static uint64_t hash_of(const filter_node *n)
{
    uint64_t h = (uint64_t)n->kind;
    const int part[] = {n->a.node, n->a.shift, n->b.node, n->b.shift};
    for (int i = 0; i < 4; i++) {
        h = (h ^ (uint64_t)part[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return h;
}

static bool same_value(filter_value a, filter_value b)
{
    return a.node == b.node && a.shift == b.shift;
}

/* The place of a node in the table, where it is or may be entered. */
static int *find_place(const filter_network *w, const filter_node *n)
{
    uint64_t at = hash_of(n) & (uint64_t)(w->slots - 1);
    for (; w->table[at] >= 0; at = (at + 1) & (uint64_t)(w->slots - 1)) {
        const filter_node *other = &w->node[w->table[at]];
        if (other->kind == n->kind && same_value(other->a, n->a) && same_value(other->b, n->b)) {
            break;
        }
    }
    return &w->table[at];
}

static halo_status grow_table(filter_network *w)
{
    const int64_t least = 256;
    if (2 * w->count < w->slots) {
        return HALO_OK;
    }
    free(w->table);
    w->slots = w->slots > 0 ? 2 * w->slots : least;
    HALO_TRY(HALO_ALLOCATE(w->table, w->slots, what));
    memset(w->table, 0xff, (size_t)w->slots * sizeof *w->table);
    for (int64_t i = 0; i < w->count; i++) {
        *find_place(w, &w->node[i]) = (int)i;
    }
    return HALO_OK;
}

static filter_value add_node(filter_network *w, const filter_node *n)
{
    HALO_IF_OK(w->status, grow_table(w));
    HALO_IF_OK(w->status, halo_grow(&w->node, &w->room, w->count, sizeof *w->node, what));
    if (w->status != HALO_OK) {
        return (filter_value){0, 0};
    }
    int *place = find_place(w, n);
    if (*place < 0) {
        *place = (int)w->count;
        w->node[w->count++] = *n;
    }
    return (filter_value){*place, 0};
}

filter_value filter_network_input(filter_network *w)
{
    const int number = (int)w->count;
    return add_node(w, &(filter_node){FILTER_NETWORK_INPUT, {number, 0}, {number, 0}});
}

void filter_network_free(filter_network *w)
{
    free(w->node);
    free(w->table);
    *w = (filter_network){0};
}

/* The minimum or maximum of two values: of those with the least shift. */
static filter_value combine(filter_network *w, int kind, filter_value a, filter_value b)
{
    if (a.node > b.node || (a.node == b.node && a.shift > b.shift)) {
        filter_value other = a;
        a = b;
        b = other;
    }
    int shift = a.shift < b.shift ? a.shift : b.shift;
    a.shift -= shift;
    b.shift -= shift;
    filter_value value = add_node(w, &(filter_node){kind, a, b});
    value.shift = shift;
    return value;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* A list of which every `step`th value counts. */
typedef struct {
    const filter_value *value;
    int step, count;
} sorted;

/* Values 0, 2, 4 ... of a list, or 1, 3, 5 ... */
static sorted half_of(sorted list, int odd)
{
    return (sorted){list.value + (odd ? list.step : 0), 2 * list.step,
                    odd ? list.count / 2 : (list.count + 1) / 2};
}

static void merge(filter_network *w, sorted a, sorted b, filter_value *out, filter_value *work)
{
    int total = a.count + b.count;
    if (a.count == 0 || b.count == 0) {
        sorted all = a.count > 0 ? a : b;
        for (int i = 0; i < total; i++) {
            out[i] = all.value[i * all.step];
        }
        return;
    }
    if (total == 2) {
        filter_value x = a.value[0], y = b.value[0];
        out[0] = combine(w, FILTER_NETWORK_MIN, x, y);
        out[1] = combine(w, FILTER_NETWORK_MAX, x, y);
        return;
    }
    int evens = (a.count + 1) / 2 + (b.count + 1) / 2, odds = total - evens;
    filter_value *even = work, *odd = work + evens;
    merge(w, half_of(a, 0), half_of(b, 0), even, work + total);
    merge(w, half_of(a, 1), half_of(b, 1), odd, work + total);
    int at = 0;
    out[at++] = even[0];
    for (int i = 0; i < odds || i + 1 < evens; i++) {
        if (i < odds && i + 1 < evens) {
            out[at++] = combine(w, FILTER_NETWORK_MIN, even[i + 1], odd[i]);
            out[at++] = combine(w, FILTER_NETWORK_MAX, even[i + 1], odd[i]);
        } else {
            out[at++] = i < odds ? odd[i] : even[i + 1];
        }
    }
}

void filter_network_merge(filter_network *w, const filter_value *a, int m, const filter_value *b,
                          int n, filter_value *out)
{
    enum { SPARE = 64 };
    filter_value *work = NULL;
    HALO_IF_OK(w->status, HALO_ALLOCATE(work, 4 * (m + n) + SPARE, what));
    if (work != NULL) {
        merge(w, (sorted){a, 1, m}, (sorted){b, 1, n}, out, work);
    }
    free(work);
}

void filter_network_sort(filter_network *w, filter_value *list, int n)
{
    filter_value *out = NULL;
    int half = n / 2;
    if (n < 2) {
        return;
    }
    filter_network_sort(w, list, half);
    filter_network_sort(w, list + half, n - half);
    HALO_IF_OK(w->status, HALO_ALLOCATE(out, n, what));
    if (out != NULL) {
        filter_network_merge(w, list, half, list + half, n - half, out);
        memcpy(list, out, (size_t)n * sizeof *out);
    }
    free(out);
}

/* The greatest of i values of a and rank + 1 - i of b is at least the one that is sought, and for
 * one i it is that. */
filter_value filter_network_select(filter_network *w, const filter_value *a, int m,
                                   const filter_value *b, int n, int rank)
{
    filter_value least = {0, 0};
    bool any = false;
    for (int i = 0; i <= m && i <= rank + 1; i++) {
        int rest = rank + 1 - i;
        if (rest > n) {
            continue;
        }
        filter_value greatest = i == 0      ? b[rest - 1]
                                : rest == 0 ? a[i - 1]
                                            : combine(w, FILTER_NETWORK_MAX, a[i - 1], b[rest - 1]);
        least = any ? combine(w, FILTER_NETWORK_MIN, least, greatest) : greatest;
        any = true;
    }
    return least;
}
