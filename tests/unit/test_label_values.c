#include "base/memory.h"
#include "kernels/label/label_array.h"
#include "support/array_layouts.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Labels of arrays by values, which are read where they lie: the same as of a contiguous array, and
 * with memory for a few planes of them. The linker sends allocations here. */

static atomic_int_fast64_t allocated; /* bytes */

halo_status __real_halo_memory_create(void **out, size_t bytes, const char *what);
halo_status __wrap_halo_memory_create(void **out, size_t bytes, const char *what);
void *__real_halo_memory_large(size_t count, size_t size, const char *what, ...);
void *__wrap_halo_memory_large(size_t count, size_t size, const char *what, ...);
void *__real_halo_memory_zeroed(size_t count, size_t size, const char *what, ...);
void *__wrap_halo_memory_zeroed(size_t count, size_t size, const char *what, ...);

static void count(size_t bytes)
{
    atomic_fetch_add(&allocated, (int_fast64_t)bytes);
}

halo_status __wrap_halo_memory_create(void **out, size_t bytes, const char *what)
{
    count(bytes);
    return __real_halo_memory_create(out, bytes, what);
}

void *__wrap_halo_memory_large(size_t entries, size_t size, const char *what, ...)
{
    count(entries * size);
    return __real_halo_memory_large(entries, size, "%s", what);
}

void *__wrap_halo_memory_zeroed(size_t entries, size_t size, const char *what, ...)
{
    count(entries * size);
    return __real_halo_memory_zeroed(entries, size, "%s", what);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

typedef struct {
    int axes;
    int64_t n[HALO_AXES];
} shape;

static int64_t cells_of(const shape *s)
{
    int64_t cells = 1;
    for (int axis = 0; axis < s->axes; axis++) {
        cells *= s->n[axis];
    }
    return cells;
}

/* Blocks of a few elements with values 0 to 3, and others strewn between them. Of reals also NaN
 * and fractions. The caller frees it. */
static double *make_values(const shape *s, halo_sample_type type, uint64_t *random)
{
    int64_t cells = cells_of(s), row = s->n[s->axes - 1];
    double *values = malloc((size_t)cells * sizeof *values);
    for (int64_t i = 0; values != NULL && i < cells; i++) {
        int64_t block = i / row / 3 * 7 + i % row / 5 * 3, pick = random_below(random, 40);
        values[i] = (double)(pick < 4 ? pick : block % 11 % 4);
        if (halo_sample_types[type].real && pick < 6) {
            values[i] = pick == 4 ? NAN : pick == 5 ? 2.5 : values[i];
        }
    }
    return values;
}

/* Labels in C's order, which the caller frees. Sets *bytes to what was allocated meanwhile. */
static int32_t *label(const halo_array *array, const halo_label_array_options *options, int ranks,
                      int64_t *regions, int64_t *bytes)
{
    int64_t cells = cells_of(&(shape){array->axes, {array->n[0], array->n[1], array->n[2]}});
    int32_t *labels = malloc((size_t)cells * sizeof *labels);
    halo_array out = array_plain(HALO_SAMPLE_I32, array->axes, array->n, labels);
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, ranks));
    atomic_store(&allocated, 0);
    SUCCEEDS(halo_label_array(context, array, &out, options, regions));
    *bytes = atomic_load(&allocated);
    halo_context_destroy(&context);
    return labels;
}

typedef struct {
    shape shape;
    halo_sample_type type;
    halo_label_array_options options;
    int ranks;
} labelled;

/* Labels an array in a layout as `wanted` and returns the bytes that were allocated. */
static int64_t label_layout(const labelled *l, array_layout layout, const double *values,
                            const int32_t *wanted)
{
    int64_t regions, bytes;
    laid_array laid = array_lay_values(layout, l->type, l->shape.axes, l->shape.n, values);
    int32_t *labels = label(&laid.array, &l->options, l->ranks, &regions, &bytes);
    check(wanted == NULL ||
              memcmp(labels, wanted, (size_t)cells_of(&l->shape) * sizeof *labels) == 0,
          "%d axes of %s from %" PRId64 ", %s, %d ranks, structure %s, delta %s: labels differ",
          l->shape.axes, halo_sample_types[l->type].name, l->shape.n[0], array_layout_names[layout],
          l->ranks, l->options.structure != NULL ? l->options.structure : "none",
          l->options.delta != NULL ? l->options.delta : "0");
    free(labels);
    array_free(&laid);
    return bytes;
}

/* ---- the same labels ------------------------------------------------------------------------- */

static const char *const structures[HALO_AXES] = {"000", "001010100",
                                                  "000101000010010010000101000"};

/* All layouts, by a connectivity and by a structure. */
static void label_layouts(labelled *l, uint64_t *random)
{
    double *values = make_values(&l->shape, l->type, random);
    laid_array plain = array_lay_values(LAYOUT_C, l->type, l->shape.axes, l->shape.n, values);
    for (int i = 0; i < 2; i++) {
        int64_t regions = 0, bytes;
        l->options.connectivity = i > 0 || random_below(random, 2) == 0 ? 0
                                  : l->shape.axes == HALO_AXES          ? 26
                                                                        : 4 * l->shape.axes;
        l->options.connectivity = l->shape.axes == 1 ? 0 : l->options.connectivity;
        l->options.structure = i > 0 ? structures[l->shape.axes - 1] : NULL;
        int32_t *wanted = label(&plain.array, &l->options, 1, &regions, &bytes);
        check(regions > 0, "%" PRId64 " regions", regions);
        for (array_layout layout = LAYOUT_C + 1; layout < LAYOUTS; layout++) {
            label_layout(l, layout, values, wanted);
        }
        free(wanted);
    }
    array_free(&plain);
    free(values);
}

TEST("labels of a contiguous array, in all layouts, from tiles of its rows")
{
    static const shape shapes[] = {{2, {150, 70}},   {2, {30, 300}},   {3, {37, 45, 70}},
                                   {3, {3, 90, 40}}, {3, {70, 3, 40}}, {3, {20, 70, 130}}};
    uint64_t random = 3;
    for (int i = 0; i < unit_cases(18); i++) {
        labelled l = {.shape = shapes[(size_t)i % COUNT(shapes)],
                      .type = (halo_sample_type)(1 + random_below(&random, HALO_SAMPLE_TYPES - 1)),
                      .options = {.values = true, .min_area = random_below(&random, 3)},
                      .ranks = 1 + (int)random_below(&random, 3)};
        l.options.delta = random_below(&random, 3) == 0 ? "1" : NULL;
        l.options.background = random_below(&random, 3) == 0 ? "none" : NULL;
        for (int axis = 0; axis < l.shape.axes; axis++) {
            l.options.periodic[axis] = random_below(&random, 3) == 0;
        }
        label_layouts(&l, &random);
    }
}

/* More than a megabyte of them. */
TEST("labels of a few long rows, from pieces of them")
{
    static const shape shapes[] = {{1, {140001}}, {2, {3, 140001}}, {3, {2, 2, 35000}}};
    uint64_t random = 4;
    for (int i = 0; i < unit_cases(6); i++) {
        labelled l = {.shape = shapes[(size_t)i % COUNT(shapes)],
                      .type = i % 2 == 0 ? HALO_SAMPLE_I64 : HALO_SAMPLE_F64,
                      .options = {.values = true, .delta = i >= 3 ? "1" : NULL},
                      .ranks = 1 + i % 2};
        for (int axis = 0; axis < l.shape.axes; axis++) {
            l.options.periodic[axis] = random_below(&random, 3) == 0;
        }
        label_layouts(&l, &random);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void expect_memory(const labelled *l, array_layout layout, int64_t most)
{
    uint64_t random = 5;
    double *values = make_values(&l->shape, l->type, &random);
    int64_t plain = label_layout(l, LAYOUT_C, values, NULL);
    int64_t bytes = label_layout(l, layout, values, NULL);
    int64_t all = cells_of(&l->shape) * (int64_t)halo_sample_types[l->type].bytes;
    check(bytes - plain <= most,
          "%s, %d ranks: %" PRId64 " more bytes than of a contiguous array, and not %" PRId64
          "; the array has %" PRId64,
          array_layout_names[layout], l->ranks, bytes - plain, most, all);
    free(values);
}

TEST("memory for two planes of a volume, or for 40 in Fortran's order")
{
    enum { PLANES = 160, ROWS = 32, COLUMNS = 40, FEW = 40 };
    const int64_t plane = ROWS * COLUMNS * (int64_t)sizeof(uint32_t), objects = 4096;
    for (int i = 0; i < 2; i++) {
        labelled l = {.shape = {3, {PLANES, ROWS, COLUMNS}},
                      .type = HALO_SAMPLE_U32,
                      .options = {.values = true, .structure = i > 0 ? structures[2] : NULL}};
        for (l.ranks = 1; l.ranks <= 2; l.ranks++) {
            for (array_layout layout = LAYOUT_C + 1; layout < LAYOUTS; layout++) {
                int64_t planes = layout == LAYOUT_FORTRAN ? FEW : 2;
                expect_memory(&l, layout, l.ranks * (planes * plane + objects));
            }
        }
    }
}

TEST("memory for a quarter of an image, and for pieces of a row")
{
    const labelled rows = {
        .shape = {2, {200, 900}}, .type = HALO_SAMPLE_U16, .options = {.values = true}, .ranks = 1};
    const labelled row = {
        .shape = {1, {300000}}, .type = HALO_SAMPLE_U32, .options = {.values = true}, .ranks = 1};
    const int64_t quarter = 200 * 900 * (int64_t)sizeof(uint16_t) / 4;
    const int64_t pieces = 40000 * (int64_t)sizeof(uint32_t);
    for (array_layout layout = LAYOUT_C + 1; layout < LAYOUTS; layout++) {
        expect_memory(&rows, layout, 2 * quarter);
        if (layout == LAYOUT_REVERSED || layout == LAYOUT_SPACED || layout == LAYOUT_SWAPPED) {
            expect_memory(&row, layout, pieces);
        }
    }
}
