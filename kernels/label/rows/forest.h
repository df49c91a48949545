#ifndef HALOBEAT_LABEL_FOREST_H
#define HALOBEAT_LABEL_FOREST_H

#include <stdint.h>

/* Union-find on an array of parents in which no parent is larger than its child. Internal to the
 * label kernel. Source: Rem's algorithm with splicing (Dijkstra, A Discipline of Programming,
 * 1976). */

/* Unites the sets of a and b; the smaller root becomes the root of both. */
static inline void forest_unite(int32_t *parents, int32_t a, int32_t b)
{
    while (parents[a] != parents[b]) {
        if (parents[a] < parents[b]) {
            int32_t other = a;
            a = b;
            b = other;
        }
        int32_t up = parents[a];
        parents[a] = parents[b];
        if (up == a) {
            return;
        }
        a = up;
    }
}

/* Replaces every parent by the number of its set; sets are numbered from 0 in the order of their
 * roots. Returns the number of sets. */
static inline int64_t forest_flatten(int32_t *parents, int64_t count)
{
    int32_t sets = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t parent = parents[i];
        int32_t is_root = parent == (int32_t)i;
        int32_t set = parents[parent]; /* final, unless i is a root */
        parents[i] = is_root ? sets : set;
        sets += is_root;
    }
    return sets;
}

/* As forest_flatten, but a root with a negative parent is not numbered: its set gets that negative
 * number. Writes the members of such sets to `aliases` ([count + 1]) and their number to
 * *alias_count, without an unpredictable branch. */
static inline int64_t forest_flatten_aliases(int32_t *parents, int64_t count, int32_t *aliases,
                                             int64_t *alias_count)
{
    int32_t sets = 0;
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t parent = parents[i];
        int32_t is_root = parent == (int32_t)i;
        int32_t set = parents[parent < 0 ? i : parent];
        set = is_root ? sets : set;
        parents[i] = set;
        sets += is_root;
        aliases[found] = (int32_t)i;
        found += set < 0;
    }
    *alias_count = found;
    return sets;
}

#endif
