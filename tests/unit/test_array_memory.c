#include "base/memory.h"
#include "kernels/label/contacts_array.h"
#include "kernels/label/keep_array.h"
#include "kernels/label/label_array.h"
#include "kernels/label/regions_array.h"
#include "support/array_layouts.h"
#include "support/unit_check.h"

#include <stdarg.h>
#include <stdatomic.h>

/* Calls on arrays of labels while one allocation of the library fails, each in turn: they return
 * HALO_MEMORY, with all ranks, and leave no table behind. The linker sends allocations here. */

static atomic_int_fast64_t left; /* allocations that succeed; below 0 after the one that failed */

static bool refuse(void)
{
    return atomic_fetch_sub(&left, 1) == 0;
}

halo_status __real_halo_memory_create(void **out, size_t bytes, const char *what);
halo_status __wrap_halo_memory_create(void **out, size_t bytes, const char *what);
void *__real_halo_memory_large(size_t count, size_t size, const char *what, ...);
void *__wrap_halo_memory_large(size_t count, size_t size, const char *what, ...);
void *__real_halo_memory_zeroed(size_t count, size_t size, const char *what, ...);
void *__wrap_halo_memory_zeroed(size_t count, size_t size, const char *what, ...);
halo_status __real_halo_grow(void *array, int64_t *room, int64_t count, size_t size,
                             const char *what);
halo_status __wrap_halo_grow(void *array, int64_t *room, int64_t count, size_t size,
                             const char *what);

halo_status __wrap_halo_memory_create(void **out, size_t bytes, const char *what)
{
    *out = NULL;
    return refuse() ? halo_fail(HALO_MEMORY, "no memory for %s", what)
                    : __real_halo_memory_create(out, bytes, what);
}

void *__wrap_halo_memory_large(size_t count, size_t size, const char *what, ...)
{
    if (refuse()) {
        halo_fail(HALO_MEMORY, "no memory for %s", what);
        return NULL;
    }
    return __real_halo_memory_large(count, size, "%s", what);
}

void *__wrap_halo_memory_zeroed(size_t count, size_t size, const char *what, ...)
{
    if (refuse()) {
        halo_fail(HALO_MEMORY, "no memory for %s", what);
        return NULL;
    }
    return __real_halo_memory_zeroed(count, size, "%s", what);
}

halo_status __wrap_halo_grow(void *array, int64_t *room, int64_t count, size_t size,
                             const char *what)
{
    return refuse() ? halo_fail(HALO_MEMORY, "no memory for %s", what)
                    : __real_halo_grow(array, room, count, size, what);
}

/* ---- calls ----------------------------------------------------------------------------------- */

enum { SIDE = 12 };

static uint16_t grid[SIDE][SIDE];
static double values[SIDE][SIDE];
static const int64_t n[] = {SIDE, SIDE};

typedef halo_status array_test(halo_context *context, const halo_array *image);

static halo_status measure(halo_context *context, const halo_array *image)
{
    const halo_array samples = array_plain(HALO_SAMPLE_F64, 2, n, values);
    halo_array_table *table = NULL;
    halo_status status = halo_regions_array(
        context, image, &samples,
        &(halo_regions_array_options){.properties = "standard,solidity,euler_number,median"},
        &table);
    check((table != NULL) == (status == HALO_OK), "a table that is none");
    halo_array_table_destroy(&table);
    return status;
}

static halo_status find_contacts(halo_context *context, const halo_array *image)
{
    halo_array_table *table = NULL;
    halo_status status = halo_contacts_array(
        context, image, &(halo_contacts_array_options){.connectivity = 8}, &table);
    check((table != NULL) == (status == HALO_OK), "a table that is none");
    halo_array_table_destroy(&table);
    return status;
}

static halo_status keep_pieces(halo_context *context, const halo_array *image)
{
    static uint16_t kept[SIDE][SIDE];
    const halo_array out = array_plain(HALO_SAMPLE_U16, 2, n, kept);
    halo_keep_array_options options = {.values = true, .min_area = 3, .largest = 5};
    return halo_keep_array(context, image, &out, &options, NULL);
}

static halo_status keep_labels(halo_context *context, const halo_array *image)
{
    static uint16_t kept[SIDE][SIDE];
    const halo_array out = array_plain(HALO_SAMPLE_U16, 2, n, kept);
    halo_keep_array_options options = {.labels = true, .min_area = 3, .largest = 5};
    return halo_keep_array(context, image, &out, &options, NULL);
}

static halo_status label_values(halo_context *context, const halo_array *image)
{
    static int32_t labels[SIDE][SIDE];
    const halo_array out = array_plain(HALO_SAMPLE_I32, 2, n, labels);
    int64_t regions;
    return halo_label_array(context, image, &out, &(halo_label_array_options){.values = true},
                            &regions);
}

static halo_status label_structure(halo_context *context, const halo_array *image)
{
    static int32_t labels[SIDE][SIDE];
    const halo_array out = array_plain(HALO_SAMPLE_I32, 2, n, labels);
    halo_label_array_options options = {
        .structure = "001010100", .values = true, .min_area = 2, .largest = 5};
    return halo_label_array(context, image, &out, &options, NULL);
}

/* The image turned, so that rows are copied. */
static void fail_each(const char *name, array_test *call, int ranks, bool turned)
{
    halo_array image = array_plain(HALO_SAMPLE_U16, 2, n, grid);
    halo_context *context;
    int64_t nth = 0, refused = 0;
    atomic_store(&left, INT64_MAX);
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, ranks));
    if (turned) {
        image.stride[0] = sizeof grid[0][0];
        image.stride[1] = sizeof grid[0];
    }
    for (bool failed = true; failed; nth++) {
        atomic_store(&left, nth);
        halo_status status = call(context, &image);
        failed = atomic_exchange(&left, INT64_MAX) < 0;
        refused += status == HALO_MEMORY;
        check(status == HALO_MEMORY || status == HALO_OK,
              "%s, %d ranks, allocation %" PRId64 ": %s", name, ranks, nth, halo_last_message());
    }
    check(refused > 5, "%s: %" PRId64 " of %" PRId64 " allocations", name, refused, nth);
    SUCCEEDS(call(context, &image));
    halo_context_destroy(&context);
}

TEST("each allocation fails, with one rank and with several")
{
    static const struct {
        const char *name;
        array_test *call;
    } calls[] = {{"regions", measure},     {"contacts", find_contacts},
                 {"pieces", keep_pieces},  {"labels", keep_labels},
                 {"values", label_values}, {"structures", label_structure}};
    for (int i = 0; i < SIDE * SIDE; i++) {
        grid[i / SIDE][i % SIDE] = (uint16_t)(i / SIDE / 4 * 9 + i % SIDE / 3);
        values[i / SIDE][i % SIDE] = i % 17;
    }
    for (size_t i = 0; i < COUNT(calls); i++) {
        fail_each(calls[i].name, calls[i].call, 1, true);
        fail_each(calls[i].name, calls[i].call, 2, false);
    }
}
