#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/array/array_internal.h"
#include "kernels/label/threshold/threshold.h"

#include <inttypes.h>

/* Greys of arrays. */

enum { BYTE = 8 };

/* ---- bands of rows --------------------------------------------------------------------------- */

typedef void use_band(void *context, const halo_view *band);

/* Calls `use` with rows of a box of an array of 2 axes: where they lie, or a few at a time as a
 * copy. */
static halo_status each_band(const halo_array *array, const halo_box *box, use_band *use,
                             void *context)
{
    enum { ROWS = 16 };
    halo_view band = {.axes = array->axes,
                      .owned = *box,
                      .cell_bits = (int)array_element(array) * BYTE,
                      .stride = {array->stride[0], array_element(array)}};
    if (halo_box_cells(box) == 0) {
        return HALO_OK;
    }
    if (array_rows_lie(array)) {
        band.origin =
            (char *)array->data + box->lo[0] * array->stride[0] + box->lo[1] * array->stride[1];
        use(context, &band);
        return HALO_OK;
    }
    band.stride[0] = box->n[1] * array_element(array);
    HALO_TRY(halo_memory_create(&band.origin, (size_t)band.stride[0] * ROWS, "rows of an array"));
    for (int64_t y = 0; y < box->n[0]; y += ROWS) {
        band.owned.lo[0] = box->lo[0] + y;
        band.owned.n[0] = halo_min(ROWS, box->n[0] - y);
        array_get_box(array, &band.owned, &band);
        use(context, &band);
    }
    halo_memory_free(band.origin);
    return HALO_OK;
}

/* ---- the range ------------------------------------------------------------------------------- */

typedef struct {
    halo_sample_extremes extremes;
    const char *instructions;
} looking;

static void look_at_band(void *context, const halo_view *band)
{
    looking *l = context;
    halo_extremes_add(&l->extremes, band, l->instructions);
}

static halo_status find_extremes(halo_world *world, const halo_array *array, const char *name,
                                 const halo_box *own, looking *l)
{
    l->extremes = (halo_sample_extremes){.type = array->type};
    HALO_TRY(halo_agree(world, each_band(array, own, look_at_band, l)));
    HALO_TRY(halo_extremes_share(world, &l->extremes));
    return HALO_REQUIRE(l->extremes.nans == 0, HALO_ARGUMENT,
                        "%s has %" PRId64 " elements that are NaN, which is no grey; replace them",
                        name, l->extremes.nans);
}

static halo_status refuse_range(const halo_array *array, const char *name)
{
    return halo_fail(
        HALO_ARGUMENT,
        "the range of greys is none of %s, whose elements are %s; give two %s numbers, "
        "the lower one first",
        name, halo_sample_types[array->type].name,
        halo_sample_types[array->type].real ? "finite" : "whole");
}

halo_status array_greys_choose(array_greys *greys, halo_world *world, const halo_array *array,
                               const char *name, const halo_box *own,
                               const halo_sample_range *given, const char *instructions)
{
    halo_array elements = *array;
    halo_sample_range range = *given;
    looking l = {.instructions = instructions};
    *greys = (array_greys){.bits = 2 * BYTE};
    if (elements.type == HALO_SAMPLE_BIT) {
        elements.type = HALO_SAMPLE_U8;
    }
    bool grey = elements.type == HALO_SAMPLE_U8 || elements.type == HALO_SAMPLE_U16;
    if (grey && !range.given) {
        greys->bits = (int)array_element(array) * BYTE;
        return HALO_OK;
    }
    if (!grey) {
        HALO_TRY(find_extremes(world, &elements, name, own, &l));
    }
    if (!range.given) {
        const halo_sample_extremes all = {.type = HALO_SAMPLE_U16,
                                          .finite = 1,
                                          .max = halo_sample_types[HALO_SAMPLE_U16].key_max};
        range = halo_sample_range_of(halo_sample_are_greys(&l.extremes) ? &all : &l.extremes);
    }
    greys->converts = true;
    greys->low = range.low.value;
    greys->high = range.high.value;
    return halo_sample_greys_prepare(&greys->greys, elements.type, &range, false)
               ? HALO_OK
               : refuse_range(array, name);
}

/* ---- converting ------------------------------------------------------------------------------ */

typedef struct {
    const array_greys *greys;
    const halo_view *to;
} converting;

static void convert_band(void *context, const halo_view *band)
{
    const converting *c = context;
    for (int64_t y = 0; y < band->owned.n[0]; y++) {
        halo_sample_greys_row(&c->greys->greys, halo_row(band, y), band->owned.n[1],
                              halo_row_of_domain(c->to, band->owned.lo[0] + y));
    }
}

halo_status array_greys_get(const array_greys *greys, const halo_array *array, const halo_view *to)
{
    converting c = {greys, to};
    if (greys->converts) {
        return each_band(array, &to->owned, convert_band, &c);
    }
    array_get_box(array, &to->owned, to);
    for (int64_t y = 0; y < to->owned.n[0] && array->type == HALO_SAMPLE_BIT; y++) {
        uint8_t *row = halo_row(to, y);
        for (int64_t x = 0; x < to->owned.n[1]; x++) {
            row[x] = row[x] != 0; /* a byte that is true may have any value but 0 */
        }
    }
    return HALO_OK;
}

double array_greys_value(const array_greys *greys, double grey)
{
    return greys->converts ? greys->low + grey * ((greys->high - greys->low) / greys->greys.top)
                           : grey;
}
