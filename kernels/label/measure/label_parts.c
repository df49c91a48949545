#include "kernels/label/measure/label_parts.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/watched_sort.h"
#include "kernels/label/measure/regions.h"

#include <stdlib.h>
#include <string.h>

/* ---- runs of a row --------------------------------------------------------------------------- */

/* Elements begin to end - 1 of a row, all of one label. */
typedef struct {
    uint64_t label;
    int64_t begin, end;
} label_run;

/* Elements are taken in stretches, so that a list of their runs stays in the cache. */
enum { STRETCH = 1024 };

typedef struct label_run_list {
    int64_t count;
    int64_t lowest; /* the lowest label below 0 that there was; 0: none */
    label_run runs[STRETCH];
} run_list;

/* Runs of elements `begin` to `end - 1` of a row. Labels below 0 are of no region, nor is 0 unless
 * it is one like others. */
typedef void find_runs(const void *row, int64_t begin, int64_t end, bool background, run_list *out);

#define IS_LABEL_UNSIGNED(value, background) ((value) != 0 || (background))
#define IS_LABEL_SIGNED(value, background)   ((value) > 0 || ((background) && (value) == 0))
#define LOWER_UNSIGNED(value, lowest)        (lowest)
#define LOWER_SIGNED(value, lowest)          ((value) < (lowest) ? (value) : (lowest))
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
            out->lowest = LOWER_##kind(value, out->lowest);                               \
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

/* ---- labels of rows -------------------------------------------------------------------------- */

static halo_status grow(label_parts *parts)
{
    int64_t mask = 2 * parts->mask + 1;
    label_part_place *places;
    halo_status status = HALO_OK;
    HALO_TRY(HALO_ALLOCATE_LARGE(places, mask + 1, "labels"));
    for (int64_t i = 0; i <= parts->mask && status == HALO_OK; i++) {
        if (parts->places[i].number != 0) {
            *label_parts_place(places, mask, parts->places[i].label) = parts->places[i];
        }
        status = halo_watch_entry(parts->world, i);
    }
    if (status != HALO_OK) {
        halo_memory_free(places);
        return status;
    }
    halo_memory_free(parts->places);
    parts->places = places;
    parts->mask = mask;
    return HALO_OK;
}

/* Sets *part to the region of a label, with no elements if it is new. */
static halo_status find_part(label_parts *parts, uint64_t label, halo_region **part)
{
    label_part_place *place = label_parts_place(parts->places, parts->mask, label);
    if (place->number == 0) {
        if (2 * parts->count > parts->mask) {
            HALO_TRY(grow(parts));
            place = label_parts_place(parts->places, parts->mask, label);
        }
        HALO_TRY(
            halo_grow(&parts->parts, &parts->room, parts->count, sizeof *parts->parts, "regions"));
        parts->parts[parts->count] = (halo_region){.area = 0};
        *place = (label_part_place){label, ++parts->count};
    }
    *part = &parts->parts[place->number - 1];
    return HALO_OK;
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

halo_status label_parts_add_row(label_parts *parts, int64_t row, const void *elements)
{
    find_runs *find = finders[parts->type];
    run_list *list = parts->list;
    int64_t z = row / parts->lines, y = row % parts->lines, width = parts->width;
    list->lowest = parts->lowest;
    for (int64_t x = 0; x < width; x += STRETCH) {
        find(elements, x, halo_min(x + STRETCH, width), parts->background, list);
        for (int64_t i = 0; i < list->count; i++) {
            halo_region *region;
            HALO_TRY(find_part(parts, list->runs[i].label, &region));
            add_run(region, &list->runs[i], z, y, row * width);
        }
    }
    parts->lowest = list->lowest;
    return HALO_OK;
}

void label_parts_fill_row(const label_parts *parts, const void *elements, int64_t *out)
{
    find_runs *find = finders[parts->type];
    run_list *list = parts->list;
    int64_t width = parts->width, done = 0;
    for (int64_t x = 0; x < width; x += STRETCH) {
        find(elements, x, halo_min(x + STRETCH, width), parts->background, list);
        for (int64_t k = 0; k < list->count; k++) {
            const label_run *run = &list->runs[k];
            int64_t number = label_parts_place(parts->places, parts->mask, run->label)->number;
            memset(out + done, 0, (size_t)(run->begin - done) * sizeof *out);
            for (done = run->begin; done < run->end; done++) {
                out[done] = number;
            }
        }
    }
    memset(out + done, 0, (size_t)(width - done) * sizeof *out);
}

/* ---- all of them ----------------------------------------------------------------------------- */

halo_status label_parts_create(label_parts *parts)
{
    enum { PLACES = 1024 };
    HALO_TRY(HALO_ALLOCATE_LARGE(parts->places, PLACES, "labels"));
    parts->mask = PLACES - 1;
    return HALO_ALLOCATE(parts->list, 1, "runs of labels");
}

void label_parts_free(label_parts *parts)
{
    halo_memory_free(parts->places);
    free(parts->parts);
    free(parts->list);
    *parts = (label_parts){.places = NULL};
}

static int compare_labels(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return one < other ? -1 : one > other;
}

halo_status label_parts_list(const label_parts *parts, uint64_t *labels)
{
    for (int64_t i = 0; i <= parts->mask; i++) {
        HALO_TRY(halo_watch_entry(parts->world, i));
        if (parts->places[i].number != 0) {
            labels[parts->places[i].number - 1] = parts->places[i].label;
        }
    }
    /* By first elements they mostly are in order. */
    return halo_watched_sort(parts->world, labels, parts->count, sizeof *labels, compare_labels);
}
