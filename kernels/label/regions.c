#include "kernels/label/regions.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "core/world/rendezvous.h"
#include "kernels/label/job.h"
#include "kernels/label/raster.h"

#include <string.h>

/* Sum of the grey values of columns begin to end - 1. */
typedef int64_t (*grey_sum)(const void *row, int64_t begin, int64_t end);

static int64_t sum_none(const void *row, int64_t begin, int64_t end)
{
    (void)row, (void)begin, (void)end;
    return 0;
}

static int64_t sum_bits(const void *row, int64_t begin, int64_t end)
{
    const uint64_t *words = row;
    int64_t sum = 0;
    while (begin < end) {
        int64_t stop = (begin / 64 + 1) * 64;
        uint64_t word = words[begin / 64] >> (begin % 64);
        if (stop > end) {
            word &= (UINT64_C(1) << (end - begin)) - 1;
        }
        sum += __builtin_popcountll(word);
        begin = stop;
    }
    return sum;
}

/* Eight bytes at a time, as four pairs of 16 bits whose sum the multiplication brings to the top.
 */
static int64_t sum_bytes(const void *row, int64_t begin, int64_t end)
{
    const uint8_t *grey = row;
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    int64_t sum = 0, x = begin;
    for (; x + 8 <= end; x += 8) {
        uint64_t eight;
        memcpy(&eight, grey + x, sizeof eight);
        uint64_t pairs = (eight & even) + (eight >> 8 & even);
        sum += (int64_t)(pairs * UINT64_C(0x0001000100010001) >> 48);
    }
    for (; x < end; x++) {
        sum += grey[x];
    }
    return sum;
}

static int64_t sum_shorts(const void *row, int64_t begin, int64_t end)
{
    const uint16_t *grey = row;
    int64_t sum = 0;
    for (int64_t x = begin; x < end; x++) {
        sum += grey[x];
    }
    return sum;
}

static grey_sum sum_for(const halo_view *grey)
{
    if (grey == NULL) {
        return sum_none;
    }
    return grey->cell_bits == 1 ? sum_bits : grey->cell_bits == 8 ? sum_bytes : sum_shorts;
}

static inline void add_part(halo_region *to, const halo_region *part)
{
    to->area += part->area;
    to->top = halo_min(to->top, part->top);
    to->left = halo_min(to->left, part->left);
    to->bottom = halo_max(to->bottom, part->bottom);
    to->right = halo_max(to->right, part->right);
    to->row_sum += part->row_sum;
    to->column_sum += part->column_sum;
    to->grey_sum += part->grey_sum;
    to->last = halo_max(to->last, part->last);
    to->front = halo_min(to->front, part->front);
    to->back = halo_max(to->back, part->back);
    to->plane_sum += part->plane_sum;
}

/* A row of the strip on the way through its runs. */
typedef struct {
    label_row row;
    int64_t plane, y; /* in the image */
    int64_t first;    /* pixel index of the image's column 0 */
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
                         .last = at->first + right - 1,
                         .front = at->plane,
                         .back = at->plane + 1,
                         .plane_sum = at->plane * area};
}

/* Add the runs of a row. Runs begin and end where neighbouring bits differ. `folded`: labels are
 * those of the runs of row.runs. */
static inline void measure_runs(const label_strip *strip, const measured_row *at, bool folded,
                                grey_sum sum, halo_region *parts)
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
            part.grey_sum = sum(at->grey, begin, x);
            add_part(&parts[component], &part);
            begin = -1;
        }
        label += folded ? __builtin_popcountll(starts) : 0;
        carry = word >> 63;
        run_carry = run >> 63;
    }
}

/* Row y of plane z. */
static const void *grey_row(const halo_view *grey, int64_t z, int64_t y)
{
    return grey == NULL      ? NULL
           : grey->axes == 3 ? halo_row_of_plane(grey, z, y)
                             : halo_row(grey, y);
}

void label_measure(const label_strip *strip, const halo_view *grey, halo_region *parts)
{
    const label_input *input = &strip->input;
    for (int64_t c = 0; c < strip->class_count; c++) {
        parts[c] = (halo_region){.top = INT64_MAX, .left = INT64_MAX, .front = INT64_MAX};
    }
    grey_sum sum = sum_for(grey);
    for (int64_t r = 0; r < input->height; r++) {
        int64_t z = r / input->rows, y = r % input->rows;
        measured_row at = {.row = label_strip_row(strip, r),
                           .plane = input->front + z,
                           .y = input->top + y,
                           .left = input->left,
                           .grey = grey_row(grey, z, y)};
        at.first = (at.plane * input->image_rows + at.y) * input->image_width;
        if (input->folded) {
            measure_runs(strip, &at, true, sum, parts);
        } else {
            measure_runs(strip, &at, false, sum, parts);
        }
    }
}

/* What is sent to the rank of a region's first pixel about a component elsewhere. */
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
} numbering;

/* Count the regions that begin here and are large enough; the others get number 0. Then make the
 * counts numbers. Collective. */
static halo_status count_own(numbering *n)
{
    int64_t representatives = n->strip->representatives, *numbers = n->numbers->representatives,
            kept = numbers ? 0 : representatives;
    for (int64_t c = 0; numbers != NULL && c < representatives; c++) {
        bool small = n->parts != NULL && n->parts[c].area < n->naming->min_area;
        numbers[c] = small ? 0 : ++kept;
    }
    n->count = (label_count){.before = kept, .mine = kept, .total = kept};
    if (n->raster != NULL) {
        n->count.before = 0;
        return label_raster_number(n->raster, n->job, numbers, &n->count.total);
    }
    HALO_TRY(halo_exscan(n->job->world, &n->count.before, 1));
    return halo_allreduce_sum(n->job->world, &n->count.total, 1);
}

/* Number the regions that begin in our strip. Collective. */
static halo_status number_own(numbering *n)
{
    HALO_TRY(count_own(n));
    int64_t representatives = n->strip->representatives, *numbers = n->numbers->representatives;
    for (int64_t c = 0; n->parts != NULL && c < representatives; c++) {
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
    return n->strip->class_of[label_strip_of_key(n->strip, query->key)];
}

/* Add up the parts that came in, number the regions, and answer with the numbers. */
static halo_status answer_parts(void *context, const void *queries, int64_t count, int64_t *answers)
{
    numbering *n = context;
    for (int64_t i = 0; n->parts != NULL && i < count; i++) {
        const part_query *query = query_at(n, queries, i);
        add_part(&n->parts[component_of(n, query)], &query->part);
    }
    HALO_TRY(number_own(n));
    for (int64_t i = 0; i < count; i++) {
        int32_t c = component_of(n, query_at(n, queries, i));
        answers[i] = n->numbers->representatives != NULL ? n->numbers->representatives[c]
                                                         : n->count.before + 1 + c;
    }
    return HALO_OK;
}

static void write_queries(const numbering *n, int64_t aliases, int *ranks, char *queries)
{
    const int64_t *keys = n->job->keys;
    for (int64_t i = 0; i < aliases; i++) {
        ranks[i] = label_job_owner(n->job, keys[i]);
        part_query *query = (part_query *)(void *)(queries + (size_t)i * n->query_size);
        query->key = keys[i];
        if (n->parts != NULL) {
            query->part = n->parts[n->strip->representatives + i];
        }
    }
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
    HALO_TRY_OR(done, halo_agree(job->world, status));
    write_queries(&n, aliases, ranks, queries);
    halo_queries all = {.count = aliases, .size = n.query_size, .ranks = ranks, .data = queries};
    HALO_TRY_OR(done, halo_rendezvous(job->world, &all, answer_parts, &n, numbers->aliases));
    *count = n.count;
done:
    halo_memory_free(ranks);
    halo_memory_free(queries);
    return status;
}
