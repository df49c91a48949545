#include "kernels/label/measure/array_labels.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/label/measure/regions.h"

#include <stdlib.h>
#include <string.h>

/* From labels in memory to numbers of regions and their sums. */

/* ---- runs of a row --------------------------------------------------------------------------- */

/* Elements begin to end - 1 of a row, all of one label. */
typedef struct {
    uint64_t label;
    int64_t begin, end;
} label_run;

/* Elements are taken in stretches, so that a list of their runs stays in the cache. */
enum { STRETCH = 1024 };

typedef struct {
    int64_t count;
    label_run runs[STRETCH];
} run_list;

/* Runs of elements `begin` to `end - 1` of a row. Labels below 0 are of no region, nor is 0 unless
 * it is one like others. */
typedef void find_runs(const void *row, int64_t begin, int64_t end, bool background, run_list *out);

#define IS_LABEL_UNSIGNED(value, background) ((value) != 0 || (background))
#define IS_LABEL_SIGNED(value, background)   ((value) > 0 || ((background) && (value) == 0))
#define DEFINE_FIND(code, type, kind, ...)                                                \
    static void find_##code(const void *row, int64_t begin, int64_t end, bool background, \
                            run_list *out)                                                \
    {                                                                                     \
        const type *v = row;                                                              \
        int64_t count = 0;                                                                \
        for (int64_t x = begin; x < end;) {                                               \
            type value = v[x];                                                            \
            int64_t first = x++;                                                          \
            while (x < end && v[x] == value) {                                            \
                x++;                                                                      \
            }                                                                             \
            out->runs[count] = (label_run){(uint64_t)value, first, x};                    \
            count += IS_LABEL_##kind(value, background);                                  \
        }                                                                                 \
        out->count = count;                                                               \
    }
HALO_SAMPLE_WHOLE_LIST(DEFINE_FIND)
#undef DEFINE_FIND

static find_runs *const finders[HALO_SAMPLE_TYPES] = {
#define FIND_ENTRY(code, ...) [HALO_SAMPLE_##code] = find_##code,
    HALO_SAMPLE_WHOLE_LIST(FIND_ENTRY)
#undef FIND_ENTRY
};

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

/* ---- labels of a strip ----------------------------------------------------------------------- */

/* The place of a label, which is free if it is new. */
static inline array_label_place *find_place(array_label_place *places, int64_t mask, uint64_t label)
{
    uint64_t hash = label * UINT64_C(0x9e3779b97f4a7c15);
    int64_t at = (int64_t)(hash >> 20) & mask;
    while (places[at].number != 0 && places[at].label != label) {
        at = (at + 1) & mask;
    }
    return &places[at];
}

static halo_status grow(array_label_part *part)
{
    int64_t mask = 2 * part->mask + 1;
    array_label_place *places;
    HALO_TRY(HALO_ALLOCATE_LARGE(places, mask + 1, "labels"));
    for (int64_t i = 0; i <= part->mask; i++) {
        if (part->places[i].number != 0) {
            *find_place(places, mask, part->places[i].label) = part->places[i];
        }
    }
    halo_memory_free(part->places);
    part->places = places;
    part->mask = mask;
    return HALO_OK;
}

/* The region of a label, with no elements if it is new. NULL if there is no memory. */
static halo_region *find_part(array_label_part *part, uint64_t label)
{
    array_label_place *place = find_place(part->places, part->mask, label);
    if (place->number != 0) {
        return &part->parts[place->number - 1];
    }
    if (2 * part->count > part->mask) {
        if (grow(part) != HALO_OK) {
            return NULL;
        }
        place = find_place(part->places, part->mask, label);
    }
    if (halo_grow(&part->parts, &part->part_room, part->count, sizeof *part->parts, "regions") !=
        HALO_OK) {
        return NULL;
    }
    part->parts[part->count] = (halo_region){.area = 0};
    *place = (array_label_place){label, ++part->count};
    return &part->parts[part->count - 1];
}

/* Adds a run of row `y` of plane `z`, whose first element has the row-major index `index`. */
static inline void add_run(halo_region *to, const label_run *run, int64_t z, int64_t y,
                           int64_t index)
{
    int64_t area = run->end - run->begin;
    const halo_region part = {.area = area,
                              .top = y,
                              .bottom = y + 1,
                              .left = run->begin,
                              .right = run->end,
                              .front = z,
                              .back = z + 1,
                              .row_sum = y * area,
                              .column_sum = (run->begin + run->end - 1) * area / 2,
                              .plane_sum = z * area,
                              .last = index + run->end - 1};
    label_region_add(to, &part);
}

static halo_status scan_row(array_label_part *part, run_list *list, int64_t row)
{
    const array_labels *all = part->all;
    find_runs *find = finders[all->array.type];
    int64_t z = row / all->array.n[1], y = row % all->array.n[1], width = all->array.n[2];
    const void *elements = array_reader_row(&part->reader, z, y);
    for (int64_t x = 0; x < width; x += STRETCH) {
        find(elements, x, halo_min(x + STRETCH, width), all->background, list);
        for (int64_t i = 0; i < list->count; i++) {
            halo_region *region = find_part(part, list->runs[i].label);
            if (region == NULL) {
                return HALO_MEMORY;
            }
            add_run(region, &list->runs[i], z, y, row * width);
        }
    }
    return HALO_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Collective. Makes places hold numbers of regions, and joins the parts of regions. */
static halo_status join_parts(array_label_part *part)
{
    halo_status status = HALO_OK;
    HALO_TRY(label_by_number_create(&part->sums, &part->image, sizeof(halo_region)));
    for (int64_t i = 0; i <= part->mask && status == HALO_OK; i++) {
        array_label_place *place = &part->places[i];
        status = halo_watch_entry(part->world, i);
        if (place->number != 0 && status == HALO_OK) {
            const halo_region *mine = &part->parts[place->number - 1];
            place->number = array_labels_number(part->all, place->label);
            halo_region *region = label_by_number_find(&part->sums, place->number);
            status = region != NULL ? HALO_OK : HALO_MEMORY;
            if (region != NULL) {
                label_region_add(region, mine);
            }
        }
    }
    free(part->parts);
    part->parts = NULL;
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
    const array_labels *all = part->all;
    find_runs *find = finders[all->array.type];
    int64_t lines = all->array.n[1], width = all->array.n[2];
    run_list list;
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first_row + i, *to = (int64_t *)(void *)((char *)out + (size_t)i * pitch);
        const void *elements = array_reader_row(&part->reader, row / lines, row % lines);
        int64_t done = 0;
        for (int64_t x = 0; x < width; x += STRETCH) {
            find(elements, x, halo_min(x + STRETCH, width), all->background, &list);
            for (int64_t k = 0; k < list.count; k++) {
                const label_run *run = &list.runs[k];
                int64_t number = find_place(part->places, part->mask, run->label)->number;
                memset(to + done, 0, (size_t)(run->begin - done) * sizeof *to);
                for (done = run->begin; done < run->end; done++) {
                    to[done] = number;
                }
            }
        }
        memset(to + done, 0, (size_t)(width - done) * sizeof *to);
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
    enum { PLACES = 1024, ROWS = 32 };
    run_list *list;
    HALO_TRY(cut(part));
    HALO_TRY(array_reader_create(&part->reader, &part->all->array));
    part->reader.end = array_labels_layers(part)[1];
    HALO_TRY(HALO_ALLOCATE_LARGE(part->places, PLACES, "labels"));
    part->mask = PLACES - 1;
    HALO_TRY(HALO_ALLOCATE(list, 1, "runs of labels"));
    const int64_t *cuts = part->cuts + halo_world_rank(part->world);
    halo_status status = HALO_OK;
    for (int64_t row = cuts[0]; row < cuts[1] && status == HALO_OK; row++) {
        status = scan_row(part, list, row);
        if (row % ROWS == 0) {
            HALO_IF_OK(status, halo_watch_work(part->world, row - cuts[0], cuts[1] - cuts[0]));
        }
    }
    free(list);
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
    halo_memory_free(part->places);
    free(part->parts);
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
