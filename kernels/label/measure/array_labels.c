#include "kernels/label/measure/array_labels.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/label/measure/regions.h"

#include <stdlib.h>
#include <string.h>

/* From labels in memory to numbers of regions and their sums. */

halo_status array_labels_check(const halo_array *array)
{
    HALO_TRY(array_check(array, "the array of labels", 1, HALO_AXES));
    HALO_FAIL_IF(
        array->type == HALO_SAMPLE_BIT, HALO_ARGUMENT,
        "the labels are of a type of truth, which says nothing of regions; label the array "
        "first (halo_label_array), or pass it as uint8 for a single region");
    return HALO_REQUIRE(!halo_sample_types[array->type].real, HALO_ARGUMENT,
                        "the labels are of %s; they must be whole numbers, such as int32",
                        halo_sample_types[array->type].name);
}

void array_labels_take(array_labels *all, const halo_array *array)
{
    *all = (array_labels){.array = array_with_axes(array, HALO_AXES),
                          .axes = array->axes < HALO_AXES ? 2 : HALO_AXES,
                          .used = array->axes};
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Collective. Makes places hold numbers of regions, and joins the parts of regions. */
static halo_status join_parts(array_label_part *part)
{
    label_parts *parts = &part->labels;
    enum { PIECE = HALO_WATCH_ENTRIES / 256 }; /* each may touch a huge page for the first time */
    halo_status status = HALO_OK;
    HALO_TRY(label_by_number_create(&part->sums, &part->image, sizeof(halo_region)));
    for (int64_t i = 0; i <= parts->mask && status == HALO_OK; i++) {
        label_part_place *place = &parts->places[i];
        status = i % PIECE == 0 ? halo_watch_work(part->world, 0, 0) : HALO_OK;
        if (place->number != 0 && status == HALO_OK) {
            const halo_region *mine = &parts->parts[place->number - 1];
            place->number = array_labels_number(part->all, place->label);
            halo_region *region = label_by_number_find(&part->sums, place->number);
            status = region != NULL ? HALO_OK : part->sums.failure;
            if (region != NULL) {
                label_region_add(region, mine);
            }
        }
    }
    free(parts->parts);
    parts->parts = NULL;
    return halo_agree(part->world, status);
}

static void add_region(const void *context, void *to, const void *part)
{
    (void)context;
    label_region_add(to, part);
}

/* ---- an image of numbers --------------------------------------------------------------------- */

/* A halo_rows_fill of the array's numbers. */
static halo_status fill_numbers(void *context, int64_t first_row, int64_t rows, void *out,
                                size_t pitch)
{
    array_label_part *part = context;
    int64_t lines = part->all->array.n[1];
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first_row + i;
        label_parts_fill_row(&part->labels,
                             array_reader_row(&part->reader, row / lines, row % lines),
                             (int64_t *)(void *)((char *)out + (size_t)i * pitch));
    }
    const int64_t *cuts = part->cuts + halo_world_rank(part->world);
    return halo_watch_work(part->world, first_row + rows - cuts[0], cuts[1] - cuts[0]);
}

static void make_image(array_label_part *part)
{
    const array_labels *all = part->all;
    int64_t rank = halo_world_rank(part->world), ranks = halo_world_ranks(part->world);
    part->image = (label_numbered){
        .world = part->world,
        .axes = all->axes,
        .n = {all->array.n[0], all->array.n[1], all->array.n[2]},
        .total = all->total,
        .count = all->total * (rank + 1) / ranks - all->total * rank / ranks,
        .cuts = part->cuts,
        .layers = part->strips.cuts[0],
        .rows = fill_numbers,
        .context = part,
    };
}

/* ---------------------------------------------------------------------------------------------- */

const int64_t *array_labels_layers(const array_label_part *part)
{
    bool deep = part->all->array.n[0] > 1;
    return (deep ? part->strips.cuts[0] : part->cuts) + halo_world_rank(part->world);
}

/* Strips of layers: of planes of a volume, of rows of an image. */
static halo_status cut(array_label_part *part)
{
    const halo_array *array = &part->all->array;
    bool deep = part->all->axes == HALO_AXES;
    halo_domain domain = {
        .axes = part->all->axes,
        .n = {array->n[deep ? 0 : 1], array->n[deep ? 1 : 2], deep ? array->n[2] : 1}};
    int ranks = halo_world_ranks(part->world);
    HALO_TRY(halo_partition_strips(&part->strips, &domain, ranks));
    HALO_TRY(HALO_ALLOCATE(part->cuts, ranks + 1, "strips"));
    for (int rank = 0; rank <= ranks; rank++) {
        part->cuts[rank] = part->strips.cuts[0][rank] * (deep ? array->n[1] : 1);
    }
    return HALO_OK;
}

/* Reads this rank's strip. */
static halo_status scan(array_label_part *part)
{
    enum { ROWS = 32 };
    const halo_array *array = &part->all->array;
    int64_t lines = array->n[1];
    HALO_TRY(cut(part));
    HALO_TRY(array_reader_create(&part->reader, array));
    part->reader.end = array_labels_layers(part)[1];
    part->labels = (label_parts){.type = array->type,
                                 .background = part->all->background,
                                 .lines = lines,
                                 .width = array->n[2],
                                 .world = part->world};
    HALO_TRY(label_parts_create(&part->labels));
    const int64_t *cuts = part->cuts + halo_world_rank(part->world);
    halo_status status = HALO_OK;
    for (int64_t row = cuts[0]; row < cuts[1] && status == HALO_OK; row++) {
        status = label_parts_add_row(&part->labels, row,
                                     array_reader_row(&part->reader, row / lines, row % lines));
        if (row % ROWS == 0) {
            HALO_IF_OK(status, halo_watch_work(part->world, row - cuts[0], cuts[1] - cuts[0]));
        }
    }
    HALO_IF_OK(status, array_labels_list(part));
    return status;
}

static halo_status create_lists(array_labels *all, int ranks)
{
    all->ranks = ranks;
    return HALO_ALLOCATE(all->lists, ranks, "labels");
}

halo_status array_labels_find(array_label_part *part, array_labels *all, array_call *call,
                              halo_world *world)
{
    bool first = halo_world_rank(world) == 0;
    part->all = all;
    part->call = call;
    part->world = world;
    HALO_TRY(halo_agree(world, first ? create_lists(all, halo_world_ranks(world)) : HALO_OK));
    HALO_TRY(halo_agree(world, scan(part)));
    HALO_TRY(halo_agree(world, first ? array_labels_merge(world, all) : HALO_OK));
    make_image(part);
    HALO_TRY(join_parts(part));
    return label_by_number_share(&part->sums, add_region, NULL);
}

void array_label_part_free(array_label_part *part)
{
    halo_partition_free(&part->strips);
    free(part->cuts);
    array_reader_free(&part->reader);
    label_parts_free(&part->labels);
    label_by_number_free(&part->sums);
    *part = (array_label_part){.all = NULL};
}

void array_labels_free(array_labels *all)
{
    for (int rank = 0; all->lists != NULL && rank < all->ranks; rank++) {
        halo_memory_free(all->lists[rank].labels);
    }
    free(all->lists);
    halo_memory_free(all->labels);
    *all = (array_labels){.labels = NULL};
}
