#include "base/memory.h"
#include "core/world/watched_sort.h"
#include "kernels/label/measure/array_labels.h"

#include <stdlib.h>

/* The labels of an array in ascending order, which are the numbers of its regions. */

static int compare_labels(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return one < other ? -1 : one > other;
}

halo_status array_labels_list(array_label_part *part)
{
    array_label_list *list = &part->all->lists[halo_world_rank(part->world)];
    list->count = part->labels.count;
    HALO_TRY(HALO_ALLOCATE_LARGE(list->labels, list->count + 1, "labels"));
    return label_parts_list(&part->labels, list->labels);
}

/* Two lists as one, with each label once. */
static halo_status merge(const halo_world *world, const array_label_list *a,
                         const array_label_list *b, array_label_list *out)
{
    int64_t i = 0, j = 0;
    HALO_TRY(HALO_ALLOCATE_LARGE(out->labels, a->count + b->count + 1, "labels"));
    out->count = 0;
    while (i < a->count || j < b->count) {
        HALO_TRY(halo_watch_entry(world, out->count));
        bool first = j == b->count || (i < a->count && a->labels[i] <= b->labels[j]);
        bool both = i < a->count && j < b->count && a->labels[i] == b->labels[j];
        out->labels[out->count++] = first ? a->labels[i] : b->labels[j];
        i += first;
        j += !first || both;
    }
    return HALO_OK;
}

halo_status array_labels_merge(const halo_world *world, array_labels *all)
{
    int ranks = all->ranks;
    for (int step = 1; step < ranks; step *= 2) {
        for (int rank = 0; rank + step < ranks; rank += 2 * step) {
            array_label_list merged;
            array_label_list *one = &all->lists[rank], *other = &all->lists[rank + step];
            halo_status status = merge(world, one, other, &merged);
            if (status != HALO_OK) {
                halo_memory_free(merged.labels);
                return status;
            }
            halo_memory_free(one->labels);
            halo_memory_free(other->labels);
            *one = merged;
            *other = (array_label_list){.count = 0};
        }
    }
    all->labels = all->lists[0].labels;
    all->total = all->lists[0].count;
    all->lists[0] = (array_label_list){.count = 0};
    return HALO_OK;
}

int64_t array_labels_number(const array_labels *all, uint64_t label)
{
    uint64_t least = all->labels[0], last = (uint64_t)all->total - 1;
    if (all->labels[last] - least == last) {
        return (int64_t)(label - least) + 1; /* there are no gaps */
    }
    const uint64_t *at =
        bsearch(&label, all->labels, (size_t)all->total, sizeof label, compare_labels);
    return at - all->labels + 1;
}
