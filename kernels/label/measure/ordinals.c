#include "base/memory.h"
#include "base/option.h"
#include "core/world/rendezvous.h"
#include "kernels/label/label_internal.h"

#include <stdlib.h>

/* Numbers 1 to n of components whose labels are seeds. Ranks that have pixels of a region know its
 * seed, and the rank that reports the region knows its number: both tell a rank that the seed
 * chooses. */

typedef struct {
    int64_t seed;   /* plus 1; 0 of components that are left out */
    int64_t number; /* or 0: it is asked for */
} ordinal_query;

static int compare(const void *a, const void *b)
{
    const ordinal_query *one = a, *other = b;
    return (one->seed > other->seed) - (one->seed < other->seed);
}

/* The number of a seed, among entries in the order of their seeds. */
static int64_t number_of(const ordinal_query *known, int64_t count, int64_t seed)
{
    const ordinal_query key = {.seed = seed};
    const ordinal_query *found =
        count > 0 ? bsearch(&key, known, (size_t)count, sizeof *known, compare) : NULL;
    return found != NULL ? found->number : 0;
}

static halo_status answer_numbers(void *context, const void *queries, int64_t count,
                                  int64_t *answers)
{
    const ordinal_query *query = queries;
    ordinal_query *known;
    int64_t found = 0;
    (void)context;
    HALO_TRY(HALO_ALLOCATE_LARGE(known, count + 1, "numbers of regions"));
    for (int64_t i = 0; i < count; i++) {
        if (query[i].number != 0) {
            known[found++] = query[i];
        }
    }
    if (found > 0) {
        qsort(known, (size_t)found, sizeof *known, compare);
    }
    for (int64_t i = 0; i < count; i++) {
        answers[i] = query[i].number != 0 ? 0 : number_of(known, found, query[i].seed);
    }
    halo_memory_free(known);
    return HALO_OK;
}

/* Queries about this rank's components, and then the answers about the regions it reports. */
typedef struct {
    int64_t count;
    ordinal_query *queries;
    int *ranks;
    int64_t *numbers;
} ordinal_search;

static halo_status create(ordinal_search *s, int64_t count)
{
    static const char what[] = "numbers of regions";
    s->count = count;
    HALO_TRY(HALO_ALLOCATE_LARGE(s->queries, count + 1, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->ranks, count + 1, what));
    return HALO_ALLOCATE_LARGE(s->numbers, count + 1, what);
}

static void fill(const halo_label *label, ordinal_search *s)
{
    int64_t classes = label->job.strip.class_count, regions;
    const halo_region *region = halo_label_regions(label, &regions);
    int ranks = halo_world_ranks(label->job.world);
    for (int64_t i = 0; i < s->count; i++) {
        s->queries[i] =
            i < classes ? (ordinal_query){label->numbers[i], 0}
                        : (ordinal_query){region[i - classes].last + 1, region[i - classes].number};
        s->ranks[i] = (int)(s->queries[i].seed % ranks);
    }
}

int64_t halo_label_scan_bytes_sized(const halo_label_options *given, size_t given_bytes)
{
    enum { TIMES = 2 }; /* a query and its reply have a record each */
    halo_label_options options;
    halo_options_take_known(&options, sizeof options, given, given_bytes);
    size_t bytes = sizeof(ordinal_query) + sizeof(int) + sizeof(int64_t);
    return options.numbering == HALO_LABEL_SEED ? TIMES * (int64_t)bytes : 0;
}

halo_status halo_label_paint_scan(halo_label *label, bool scan)
{
    halo_world *world = label->job.world;
    label_strip *strip = &label->job.strip;
    ordinal_search s = {0};
    int64_t regions;
    if (!label->naming.seeds || !label->requested) {
        return HALO_OK;
    }
    label->scan = scan;
    if (!scan) {
        return halo_agree(world, label_painter_prepare(&label->painter, strip, label->numbers, true,
                                                       label->count.total));
    }
    halo_label_regions(label, &regions);
    halo_status status = halo_agree(world, create(&s, strip->class_count + regions));
    if (status == HALO_OK) {
        fill(label, &s);
        const halo_queries queries = {
            .count = s.count, .size = sizeof *s.queries, .ranks = s.ranks, .data = s.queries};
        status = halo_rendezvous(world, &queries, answer_numbers, NULL, s.numbers);
    }
    if (status == HALO_OK) { /* a wide table leaves the classes as they are */
        status = halo_agree(
            world, label_painter_prepare(&label->painter, strip, s.numbers, false, INT64_MAX));
    }
    halo_memory_free(s.queries);
    halo_memory_free(s.ranks);
    halo_memory_free(s.numbers);
    return status;
}
