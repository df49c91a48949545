#include "kernels/label/measure/regions.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "core/world/rendezvous.h"
#include "core/world/watch.h"
#include "kernels/label/job.h"
#include "kernels/label/measure/filter.h"
#include "kernels/label/measure/grey_run.h"
#include "kernels/label/merge/raster.h"
#include "kernels/label/rows/transposed.h"

#include <string.h>

/* A row of the strip on the way through its runs. */
typedef struct {
    label_row row;
    int64_t plane, y; /* in the image */
    int64_t first;    /* pixel index of the image's column 0, ... */
    int64_t step;     /* ... and from a pixel of the strip to the next */
    int64_t left;     /* column of the strip's first pixel */
    const void *grey;
} measured_row;

static inline halo_region part_of_run(const measured_row *at, int64_t begin, int64_t end)
{
    int64_t area = end - begin, left = at->left + begin, right = at->left + end;
    return (halo_region){.area = area,
                         .top = at->y,
                         .left = left,
                         .bottom = at->y + 1,
                         .right = right,
                         .row_sum = at->y * area,
                         .column_sum = (left + right - 1) * area / 2,
                         .last = at->first + (right - 1) * at->step,
                         .front = at->plane,
                         .back = at->plane + 1,
                         .plane_sum = at->plane * area};
}

/* Add the runs of a row. Runs begin and end where neighbouring bits differ. `folded`: labels are
 * those of the runs of row.runs. */
static inline void measure_runs(const label_strip *strip, const measured_row *at, bool folded,
                                label_grey_run *grey, halo_region *parts)
{
    const uint64_t *bits = at->row.bits, *runs = at->row.runs;
    int64_t words = label_input_words(&strip->input);
    const int32_t *label = at->row.labels - 1;
    uint64_t carry = 0, run_carry = 0;
    int64_t begin = -1; /* of the run we are in */
    int32_t component = 0;
    for (int64_t i = 0; i <= words; i++) {
        /* A run up to the last column ends behind the last word. */
        uint64_t word = i < words ? bits[i] : 0, run = folded && i < words ? runs[i] : 0;
        uint64_t starts = run & ~(run << 1 | run_carry);
        for (uint64_t changes = word ^ (word << 1 | carry); changes != 0; changes &= changes - 1) {
            int64_t x = 64 * i + __builtin_ctzll(changes);
            if (begin < 0) {
                label += folded ? 0 : 1;
                int before = folded ? __builtin_popcountll(starts & (changes ^ (changes - 1))) : 0;
                component = strip->classes[label[before]];
                begin = x;
                continue;
            }
            halo_region part = part_of_run(at, begin, x);
            grey(at->grey, begin, x, &part);
            label_region_join(&parts[component], &part);
            begin = -1;
        }
        label += folded ? __builtin_popcountll(starts) : 0;
        carry = word >> 63;
        run_carry = run >> 63;
    }
}

/* The same where runs follow each other without a gap. */
static void measure_value_runs(const label_strip *strip, const measured_row *at,
                               label_grey_run *grey, halo_region *parts)
{
    const uint64_t *bits = at->row.bits, *begins = at->row.begins;
    int64_t words = label_input_words(&strip->input), begin = -1; /* of the run we are in */
    const int32_t *label = at->row.labels - 1;
    uint64_t carry = 0;
    for (int64_t i = 0; i <= words; i++) {
        uint64_t word = i < words ? bits[i] : 0, begun = i < words ? begins[i] : 0;
        uint64_t ended = ~word & (word << 1 | carry);
        for (uint64_t changes = begun | ended; changes != 0; changes &= changes - 1) {
            int64_t x = 64 * i + __builtin_ctzll(changes);
            if (begin >= 0) {
                halo_region part = part_of_run(at, begin, x);
                grey(at->grey, begin, x, &part);
                label_region_join(&parts[strip->classes[*label]], &part);
            }
            bool begins_here = (begun & changes & (0 - changes)) != 0;
            begin = begins_here ? x : -1;
            label += begins_here;
        }
        carry = word >> 63;
    }
}

/* Row y of plane z. */
static const void *grey_row(const halo_view *grey, int64_t z, int64_t y)
{
    return grey == NULL      ? NULL
           : grey->axes == 3 ? halo_row_of_plane(grey, z, y)
                             : halo_row(grey, y);
}

halo_status label_measure(const label_strip *strip, const halo_view *grey, halo_region *parts)
{
    const label_input *input = &strip->input;
    int64_t since = 0;
    bool values = input->values != NULL;
    for (int64_t c = 0; c < strip->class_count; c++) {
        HALO_TRY(halo_watch_entry(strip->world, c));
        parts[c] = (halo_region){.top = INT64_MAX,
                                 .left = INT64_MAX,
                                 .front = INT64_MAX,
                                 .grey_min = grey != NULL ? INT64_MAX : 0,
                                 .grey_max = values && grey != NULL ? INT64_MIN : 0};
    }
    label_grey_run *run =
        values && grey != NULL ? label_value_run_of(input->near.type) : label_grey_run_of(grey);
    for (int64_t r = 0; r < input->height; r++) {
        HALO_TRY(halo_watch_piece(strip->world, &since, input->width));
        int64_t z = r / input->rows, y = r % input->rows;
        measured_row at = {.row = label_strip_row(strip, r),
                           .plane = input->front + z,
                           .y = input->top + y,
                           .left = input->left,
                           .step = input->transposed ? input->rows : 1,
                           .grey = grey_row(grey, z, y)};
        at.first =
            input->transposed ? at.y : (at.plane * input->image_rows + at.y) * input->image_width;
        if (values) {
            measure_value_runs(strip, &at, run, parts);
        } else if (input->folded) {
            measure_runs(strip, &at, true, run, parts);
        } else {
            measure_runs(strip, &at, false, run, parts);
        }
    }
    for (int64_t c = 0; input->transposed && c < strip->class_count; c++) {
        HALO_TRY(halo_watch_entry(strip->world, c));
        label_transposed_part(input, &parts[c]);
    }
    return HALO_OK;
}

/* A message to the rank of a region's first pixel about a component elsewhere. */
typedef struct {
    int64_t key;      /* of the region */
    halo_region part; /* left out where nothing was measured */
} part_query;

typedef struct {
    label_job *job;
    const label_strip *strip;
    label_raster *raster;
    halo_region *parts;
    const label_naming *naming;
    label_numbers *numbers;
    label_count count;
    size_t query_size;
    halo_status status; /* of this rank, until ranks agree on it: collective calls go on meanwhile
                         */
} numbering;

/* Asks what watches whether this rank goes on with entry `i` of a list. */
static inline bool goes_on(numbering *n, int64_t i)
{
    if (n->status == HALO_OK) {
        n->status = halo_watch_entry(n->job->world, i);
    }
    return n->status == HALO_OK;
}

/* Make numbers of the marks of the regions that begin here: those with another one than 0 are
 * counted, in raster order. Collective. */
static halo_status count_marked(numbering *n, int64_t *numbers)
{
    int64_t representatives = n->strip->representatives,
            kept = numbers == NULL ? representatives : 0;
    if (n->raster != NULL) {
        n->count.before = 0;
        return label_raster_number(n->raster, n->job, numbers, &n->count.total);
    }
    for (int64_t c = 0; numbers != NULL && c < representatives && goes_on(n, c); c++) {
        if (numbers[c] != 0) {
            numbers[c] = ++kept;
        }
    }
    n->count = (label_count){.before = kept, .mine = kept, .total = kept};
    HALO_TRY(halo_exscan(n->job->world, &n->count.before, 1));
    return halo_allreduce_sum(n->job->world, &n->count.total, 1);
}

/* Collective. Keeps the marks of the largest of the marked regions; among those as large as the
 * smallest of them, of the first. */
static halo_status keep_largest(numbering *n, int64_t *numbers)
{
    int64_t smallest, larger, representatives = n->strip->representatives;
    HALO_TRY(label_filter_rank(n->job->world, &n->naming->filter, n->parts, representatives,
                               numbers, &smallest, &larger));
    for (int64_t c = 0; c < representatives && goes_on(n, c); c++) {
        numbers[c] = numbers[c] != 0 && n->parts[c].area == smallest;
    }
    HALO_TRY(count_marked(n, numbers));
    int64_t left = n->naming->filter.largest - larger - n->count.before;
    for (int64_t c = 0; c < representatives && goes_on(n, c); c++) {
        bool first = numbers[c] != 0 && numbers[c] <= left;
        numbers[c] = first || (n->parts[c].area > smallest &&
                               label_filter_keeps(&n->naming->filter, n->job, &n->parts[c]));
    }
    return HALO_OK;
}

/* Count the regions that begin here and are kept; the others get number 0. Then make the counts
 * numbers. Collective. */
static halo_status count_own(numbering *n)
{
    int64_t *numbers = n->numbers->representatives;
    for (int64_t c = 0; numbers != NULL && c < n->strip->representatives && goes_on(n, c); c++) {
        numbers[c] =
            n->parts == NULL || label_filter_keeps(&n->naming->filter, n->job, &n->parts[c]);
    }
    if (n->naming->filter.largest > 0) {
        HALO_TRY(keep_largest(n, numbers));
    }
    return count_marked(n, numbers);
}

/* Number the regions that begin in our strip. Collective. */
static halo_status number_own(numbering *n)
{
    HALO_TRY(count_own(n));
    int64_t representatives = n->strip->representatives, *numbers = n->numbers->representatives;
    for (int64_t c = 0; n->parts != NULL && c < representatives && goes_on(n, c); c++) {
        int64_t number = numbers != NULL ? numbers[c] : c + 1;
        n->parts[c].number = number > 0 ? number + n->count.before : 0;
        if (numbers != NULL && number > 0) {
            numbers[c] = n->naming->seeds ? n->parts[c].last + 1 : n->parts[c].number;
        }
    }
    return HALO_OK;
}

static const part_query *query_at(const numbering *n, const void *queries, int64_t i)
{
    return (const part_query *)(const void *)((const char *)queries + (size_t)i * n->query_size);
}

static int32_t component_of(const numbering *n, const part_query *query)
{
    return label_strip_class_of(n->strip, label_strip_of_key(n->strip, query->key));
}

/* Add up the parts that came in, number the regions, and answer with the numbers. */
static halo_status answer_parts(void *context, const void *queries, int64_t count, int64_t *answers)
{
    numbering *n = context;
    for (int64_t i = 0; n->parts != NULL && i < count && goes_on(n, i); i++) {
        const part_query *query = query_at(n, queries, i);
        label_region_join(&n->parts[component_of(n, query)], &query->part);
    }
    HALO_TRY(number_own(n));
    for (int64_t i = 0; i < count; i++) {
        int32_t c = component_of(n, query_at(n, queries, i));
        answers[i] = n->numbers->representatives != NULL ? n->numbers->representatives[c]
                                                         : n->count.before + 1 + c;
    }
    return n->status;
}

static halo_status write_queries(const numbering *n, int64_t aliases, int *ranks, char *queries)
{
    const int64_t *keys = n->job->keys;
    for (int64_t i = 0; i < aliases; i++) {
        HALO_TRY(halo_watch_entry(n->job->world, i));
        ranks[i] = label_job_owner(n->job, keys[i]);
        part_query *query = (part_query *)(void *)(queries + (size_t)i * n->query_size);
        query->key = keys[i];
        if (n->parts != NULL) {
            query->part = n->parts[n->strip->representatives + i];
        }
    }
    return HALO_OK;
}

halo_status label_number(label_job *job, label_raster *raster, halo_region *parts,
                         const label_naming *naming, label_numbers *numbers, label_count *count)
{
    const label_strip *strip = &job->strip;
    numbering n = {.job = job,
                   .strip = strip,
                   .raster = raster,
                   .parts = parts,
                   .naming = naming,
                   .numbers = numbers,
                   .query_size = parts != NULL ? sizeof(part_query) : sizeof(int64_t)};
    int64_t aliases = strip->class_count - strip->representatives;
    int *ranks;
    char *queries = NULL;
    halo_status status = HALO_ALLOCATE_LARGE(ranks, aliases + 1, "ranks of regions");
    if (status == HALO_OK) {
        status =
            HALO_ALLOCATE_LARGE(queries, (size_t)aliases * n.query_size + 1, "parts of regions");
    }
    HALO_IF_OK(status, write_queries(&n, aliases, ranks, queries));
    HALO_TRY_OR(done, halo_agree(job->world, status));
    halo_queries all = {.count = aliases, .size = n.query_size, .ranks = ranks, .data = queries};
    HALO_TRY_OR(done, halo_rendezvous(job->world, &all, answer_parts, &n, numbers->aliases));
    *count = n.count;
done:
    halo_memory_free(ranks);
    halo_memory_free(queries);
    return status;
}
