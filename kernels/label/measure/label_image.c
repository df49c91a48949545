#include "kernels/label/measure/label_image.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "core/world/rendezvous.h"
#include "core/world/watched_sort.h"
#include "kernels/label/measure/regions.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

static const void *row_of(const label_image *image, int64_t row)
{
    const label_image_pixels *pixels = &image->pixels;
    const halo_view *view = pixels->view;
    int64_t lo = view->owned.lo[0], lines = pixels->n[1];
    return pixels->axes == HALO_AXES ? halo_row_of_plane(view, row / lines - lo, row % lines)
                                     : halo_row(view, row - lo);
}

/* A halo_rows_fill of numbers. */
static halo_status fill_numbers(void *context, int64_t first_row, int64_t rows, void *out,
                                size_t pitch)
{
    const label_image *image = context;
    for (int64_t i = 0; i < rows; i++) {
        label_parts_fill_row(&image->parts, row_of(image, first_row + i),
                             (int64_t *)(void *)((char *)out + (size_t)i * pitch));
    }
    return HALO_OK;
}

static halo_status scan(label_image *image, halo_world *world)
{
    const label_image_pixels *pixels = &image->pixels;
    int ranks = halo_world_ranks(world), rank = halo_world_rank(world);
    HALO_TRY(HALO_ALLOCATE(image->rows, ranks + 1, "strips"));
    for (int r = 0; r <= ranks; r++) {
        image->rows[r] = pixels->cuts[r] * (pixels->axes == HALO_AXES ? pixels->n[1] : 1);
    }
    image->parts = (label_parts){
        .type = pixels->type, .lines = pixels->n[1], .width = pixels->n[2], .world = world};
    HALO_TRY(label_parts_create(&image->parts));
    for (int64_t row = image->rows[rank]; row < image->rows[rank + 1]; row++) {
        HALO_TRY(label_parts_add_row(&image->parts, row, row_of(image, row)));
    }
    return HALO_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The labels of this rank's strip on their way to the ranks that report their regions. */
typedef struct {
    label_image *image;
    halo_world *world;
    uint64_t *labels; /* [count] of the strip, in ascending order */
    int64_t count;
    int *ranks;       /* [count] that report them */
    int64_t *numbers; /* [count] */
    int64_t *shares;  /* [ranks + 1] of numbers */
} numbering;

static int compare_labels(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return one < other ? -1 : one > other;
}

enum { SAMPLES = 64 }; /* of each rank's labels */

typedef struct {
    int64_t count;
    uint64_t labels[SAMPLES];
} label_samples;

static label_samples take_samples(const numbering *n)
{
    label_samples mine = {.count = halo_min(n->count, SAMPLES)};
    for (int64_t i = 0; i < mine.count; i++) {
        mine.labels[i] = n->labels[i * n->count / mine.count];
    }
    return mine;
}

/* On rank 0. Sets limits[rank], [ranks], to the least label of a rank, of even shares of the
 * samples of all. */
static halo_status choose_limits(const label_samples *all, int ranks, uint64_t *limits)
{
    uint64_t *samples;
    int64_t count = 0;
    HALO_TRY(HALO_ALLOCATE_LARGE(samples, (int64_t)ranks * SAMPLES, "samples of labels"));
    for (int rank = 0; rank < ranks; rank++) {
        memcpy(samples + count, all[rank].labels, (size_t)all[rank].count * sizeof *samples);
        count += all[rank].count;
    }
    qsort(samples, (size_t)count, sizeof *samples, compare_labels);
    for (int rank = 0; rank < ranks; rank++) {
        limits[rank] = rank == 0 ? 0 : count > 0 ? samples[rank * count / ranks] : UINT64_MAX;
    }
    halo_memory_free(samples);
    return HALO_OK;
}

/* Collective. */
static halo_status share_limits(const numbering *n, uint64_t *limits)
{
    int ranks = halo_world_ranks(n->world);
    bool first = halo_world_rank(n->world) == 0;
    const label_samples mine = take_samples(n);
    label_samples *all = NULL;
    halo_status status = halo_agree(
        n->world, first ? HALO_ALLOCATE_LARGE(all, ranks, "samples of labels") : HALO_OK);
    HALO_IF_OK(status, halo_gather(n->world, &mine, sizeof mine, all));
    if (status == HALO_OK) {
        status = halo_agree(n->world, first ? choose_limits(all, ranks, limits) : HALO_OK);
    }
    HALO_IF_OK(status, halo_bcast(n->world, limits, (size_t)ranks * sizeof *limits, 0));
    halo_memory_free(all);
    return status;
}

/* Collective. Chooses the rank of each label. */
static halo_status choose_ranks(numbering *n)
{
    int ranks = halo_world_ranks(n->world), rank = 0;
    uint64_t *limits;
    HALO_TRY(halo_agree(n->world, HALO_ALLOCATE_LARGE(limits, ranks, "samples of labels")));
    halo_status status = share_limits(n, limits);
    for (int64_t i = 0; i < n->count && status == HALO_OK; i++) {
        while (rank + 1 < ranks && n->labels[i] >= limits[rank + 1]) {
            rank++;
        }
        n->ranks[i] = rank;
    }
    halo_memory_free(limits);
    return status;
}

/* Keeps the labels that come, each once, which are this rank's regions; the answer is the place of
 * a label among them, from 1. */
static halo_status answer_places(void *context, const void *data, int64_t count, int64_t *answers)
{
    const numbering *n = context;
    label_image *image = n->image;
    const uint64_t *came = data;
    int64_t kept = 0;
    HALO_TRY(HALO_ALLOCATE_LARGE(image->labels, count + 1, "labels"));
    uint64_t *labels = image->labels;
    if (count > 0) {
        memcpy(labels, came, (size_t)count * sizeof *labels);
    }
    HALO_TRY(halo_watched_sort(n->world, labels, count, sizeof *labels, compare_labels));
    for (int64_t i = 0; i < count; i++) {
        if (kept == 0 || labels[kept - 1] != labels[i]) {
            labels[kept++] = labels[i];
        }
    }
    for (int64_t i = 0; i < count; i++) {
        const uint64_t *at =
            bsearch(&came[i], labels, (size_t)kept, sizeof *labels, compare_labels);
        answers[i] = at - labels + 1;
    }
    image->image.count = kept;
    return HALO_OK;
}

/* Collective. Finds the numbers of this rank's labels. */
static halo_status find_numbers(numbering *n)
{
    int ranks = halo_world_ranks(n->world);
    label_image *image = n->image;
    const halo_queries queries = {
        .count = n->count, .size = sizeof *n->labels, .ranks = n->ranks, .data = n->labels};
    HALO_TRY(choose_ranks(n));
    HALO_TRY(halo_rendezvous(n->world, &queries, answer_places, n, n->numbers));
    n->shares[halo_world_rank(n->world) + 1] = image->image.count;
    HALO_TRY(halo_allreduce_sum(n->world, n->shares, ranks + 1));
    for (int rank = 0; rank < ranks; rank++) {
        n->shares[rank + 1] += n->shares[rank];
    }
    for (int64_t i = 0; i < n->count; i++) {
        n->numbers[i] += n->shares[n->ranks[i]];
    }
    image->image.total = n->shares[ranks];
    return HALO_OK;
}

static halo_status create_numbering(numbering *n)
{
    int64_t count = n->count;
    HALO_TRY(HALO_ALLOCATE_LARGE(n->labels, count + 1, "labels"));
    HALO_TRY(HALO_ALLOCATE_LARGE(n->ranks, count + 1, "labels"));
    HALO_TRY(HALO_ALLOCATE_LARGE(n->numbers, count + 1, "labels"));
    HALO_TRY(HALO_ALLOCATE_LARGE(n->shares, halo_world_ranks(n->world) + 1, "labels"));
    return label_parts_list(&n->image->parts, n->labels);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Local. Makes places hold numbers of regions, and joins the parts of regions. */
static halo_status join_parts(const numbering *n)
{
    label_image *image = n->image;
    label_parts *parts = &image->parts;
    for (int64_t i = 0; i < n->count; i++) {
        label_part_place *place = label_parts_place(parts->places, parts->mask, n->labels[i]);
        halo_region *region = label_by_number_find(&image->sums, n->numbers[i]);
        if (region == NULL) {
            return image->sums.failure;
        }
        label_region_add(region, &parts->parts[place->number - 1]);
        place->number = n->numbers[i];
    }
    free(parts->parts);
    parts->parts = NULL;
    return HALO_OK;
}

static void add_region(const void *context, void *to, const void *part)
{
    (void)context;
    label_region_add(to, part);
}

/* Collective. */
static halo_status number(numbering *n)
{
    label_image *image = n->image;
    int64_t lowest = image->parts.lowest;
    HALO_TRY(halo_agree(n->world, create_numbering(n)));
    HALO_TRY(find_numbers(n));
    HALO_TRY(label_by_number_create(&image->sums, &image->image, sizeof(halo_region)));
    HALO_TRY(halo_agree(n->world, join_parts(n)));
    HALO_TRY(halo_allreduce_min(n->world, &lowest, 1));
    image->lowest = lowest;
    return label_by_number_share(&image->sums, add_region, NULL);
}

halo_status label_image_find(label_image *image, halo_world *world,
                             const label_image_pixels *pixels)
{
    *image = (label_image){.pixels = *pixels};
    HALO_TRY(halo_agree(world, scan(image, world)));
    image->image = (label_numbered){.world = world,
                                    .axes = pixels->axes,
                                    .n = {pixels->n[0], pixels->n[1], pixels->n[2]},
                                    .cuts = image->rows,
                                    .layers = pixels->cuts,
                                    .rows = fill_numbers,
                                    .context = image};
    numbering n = {.image = image, .world = world, .count = image->parts.count};
    halo_status status = number(&n);
    halo_memory_free(n.labels);
    halo_memory_free(n.ranks);
    halo_memory_free(n.numbers);
    halo_memory_free(n.shares);
    return status;
}

void label_image_free(label_image *image)
{
    label_parts_free(&image->parts);
    label_by_number_free(&image->sums);
    free(image->rows);
    halo_memory_free(image->labels);
    *image = (label_image){.labels = NULL};
}

const halo_region *label_image_regions(const label_image *image)
{
    return (const halo_region *)(const void *)image->sums.own;
}

int64_t label_image_bytes(void)
{
    enum { PLACES = 4, LABELS = 4 }; /* of a hash table, at most; and copies of a label */
    return (int64_t)(2 * sizeof(halo_region) + PLACES * sizeof(label_part_place) +
                     LABELS * sizeof(uint64_t));
}
