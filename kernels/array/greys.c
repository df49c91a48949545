#include "kernels/array/array_internal.h"
#include "kernels/label/threshold/threshold.h"

#include <inttypes.h>
#include <math.h>

/* Greys of arrays. */

enum { BYTE = 8 };

/* ---- the range ------------------------------------------------------------------------------- */

typedef struct {
    halo_sample_extremes *extremes;
    halo_view row;
    const char *instructions;
} looking;

static halo_status look_at_row(void *context, int64_t row, const void *elements)
{
    looking *l = context;
    (void)row;
    l->row.origin = (void *)(uintptr_t)elements; /* which is read only */
    halo_extremes_add(l->extremes, &l->row, l->instructions);
    return HALO_OK;
}

static halo_status find_extremes(array_call *call, halo_world *world, const halo_array *array,
                                 const char *name, const halo_box *own,
                                 halo_sample_extremes *extremes)
{
    int64_t width = array_cells(array) / array->n[0];
    looking l = {.extremes = extremes, .instructions = call->instructions};
    l.row = (halo_view){.owned = {.n = {1, width, 1}},
                        .axes = 2,
                        .cell_bits = (int)array_element(array) * BYTE,
                        .stride = {width * array_element(array), array_element(array)}};
    *extremes = (halo_sample_extremes){.type = array->type};
    HALO_TRY(halo_agree(
        world, array_read_rows(call, world, array, own->lo[0], own->n[0], look_at_row, &l)));
    HALO_TRY(halo_extremes_share(world, extremes));
    HALO_FAIL_IF(extremes->nans > 0, HALO_ARGUMENT,
                 "%s has %" PRId64 " elements that are NaN, which is no grey; replace them", name,
                 extremes->nans);
    int64_t infinite = array_cells(array) - extremes->finite;
    return HALO_REQUIRE(infinite == 0, HALO_ARGUMENT,
                        "%s has %" PRId64 " infinite elements, which are no greys; replace them",
                        name, infinite);
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

halo_status array_greys_choose(array_greys *greys, array_call *call, halo_world *world,
                               const halo_array *array, const char *name, const halo_box *own,
                               const halo_sample_range *given)
{
    halo_array elements = *array;
    halo_sample_range range = *given;
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
        HALO_TRY(find_extremes(call, world, &elements, name, own, &greys->extremes));
    }
    if (!range.given) {
        const halo_sample_extremes all = {.type = HALO_SAMPLE_U16,
                                          .finite = 1,
                                          .max = halo_sample_types[HALO_SAMPLE_U16].key_max};
        range =
            halo_sample_range_of(halo_sample_are_greys(&greys->extremes) ? &all : &greys->extremes);
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

static halo_status convert_row(void *context, int64_t row, const void *elements)
{
    const converting *c = context;
    halo_sample_greys_row(&c->greys->greys, elements, c->to->owned.n[1],
                          halo_row_of_domain(c->to, row));
    return HALO_OK;
}

/* Elements that are greys as they are. */
static void get_greys(const halo_array *array, const halo_view *to)
{
    array_get_view(array, to);
    for (int64_t y = 0; y < to->owned.n[0] && array->type == HALO_SAMPLE_BIT; y++) {
        uint8_t *row = halo_row(to, y);
        for (int64_t x = 0; x < to->owned.n[1]; x++) {
            row[x] = row[x] != 0; /* a byte that is true may have any value but 0 */
        }
    }
}

halo_status array_greys_get(const array_greys *greys, array_call *call, const halo_world *world,
                            const halo_array *array, const halo_view *to)
{
    converting c = {greys, to};
    if (greys->converts) {
        return array_read_rows(call, world, array, to->owned.lo[0], to->owned.n[0], convert_row,
                               &c);
    }
    return array_pass_parts(call, world, array, to, get_greys);
}

double array_greys_value(const array_greys *greys, double grey)
{
    double span = greys->high - greys->low;
    if (!isfinite(span)) { /* the ends of a range may be farther apart than a number can say */
        double share = grey / greys->greys.top;
        return greys->low * (1 - share) + greys->high * share;
    }
    return greys->converts ? greys->low + grey * (span / greys->greys.top) : grey;
}
