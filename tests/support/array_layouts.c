#include "support/array_layouts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 0xa5 };

const char *const array_layout_names[LAYOUTS] = {"C",       "Fortran",   "reversed", "spaced",
                                                 "swapped", "unaligned", "turned"};

/* The axes of a layout, from the one whose elements are closest. */
static void order_axes(array_layout layout, int axes, int order[HALO_AXES])
{
    for (int i = 0; i < axes; i++) {
        order[i] = layout == LAYOUT_FORTRAN ? i : axes - 1 - i;
    }
    if (layout == LAYOUT_TURNED && axes > 1) {
        order[0] = axes - 2;
        order[1] = axes - 1;
    }
}

halo_array array_plain(halo_sample_type type, int axes, const int64_t *n, void *data)
{
    halo_array array = {.data = data, .type = type, .axes = axes};
    ptrdiff_t step = (ptrdiff_t)halo_sample_types[type].stored;
    for (int axis = axes - 1; axis >= 0; axis--) {
        array.n[axis] = n[axis];
        array.stride[axis] = step;
        step *= n[axis];
    }
    return array;
}

laid_array array_lay(array_layout layout, halo_sample_type type, int axes, const int64_t *n)
{
    laid_array laid = {.array = {.type = type, .axes = axes, .swapped = layout == LAYOUT_SWAPPED}};
    int order[HALO_AXES];
    ptrdiff_t size = (ptrdiff_t)halo_sample_types[type].stored;
    ptrdiff_t step = layout == LAYOUT_SPACED ? 3 * size : size, first = 0;
    int64_t cells = 1;
    order_axes(layout, axes, order);
    for (int i = 0; i < axes; i++) {
        laid.array.n[order[i]] = n[order[i]];
        laid.array.stride[order[i]] = step;
        step = step * n[order[i]] + (layout == LAYOUT_SPACED ? size : 0);
        cells *= n[order[i]];
    }
    for (int axis = 0; axis < axes && layout == LAYOUT_REVERSED && cells > 0; axis++) {
        first += laid.array.stride[axis] * (n[axis] - 1);
        laid.array.stride[axis] = -laid.array.stride[axis];
    }
    laid.bytes = (size_t)step + 1;
    laid.block = malloc(laid.bytes);
    if (laid.block == NULL) {
        fprintf(stderr, "out of memory: an array\n");
        exit(EXIT_FAILURE);
    }
    memset(laid.block, GAP, laid.bytes);
    laid.array.data = laid.block + first + (layout == LAYOUT_UNALIGNED);
    for (int64_t i = 0; i < cells; i++) {
        array_set(&laid.array, i, 0);
    }
    return laid;
}

laid_array array_lay_values(array_layout layout, halo_sample_type type, int axes, const int64_t *n,
                            const double *values)
{
    laid_array laid = array_lay(layout, type, axes, n);
    int64_t cells = 1;
    for (int axis = 0; axis < axes; axis++) {
        cells *= n[axis];
    }
    for (int64_t i = 0; i < cells; i++) {
        array_set(&laid.array, i, values[i]);
    }
    return laid;
}

void array_free(laid_array *laid)
{
    free(laid->block);
    laid->block = NULL;
}

/* ---- elements -------------------------------------------------------------------------------- */

static unsigned char *address(const halo_array *array, int64_t i)
{
    ptrdiff_t at = 0;
    for (int axis = array->axes - 1; axis >= 0; axis--) {
        at += i % array->n[axis] * array->stride[axis];
        i /= array->n[axis];
    }
    return (unsigned char *)array->data + at;
}

static void copy_bytes(const halo_array *array, unsigned char *to, const unsigned char *from)
{
    size_t size = halo_sample_types[array->type].stored;
    for (size_t b = 0; b < size; b++) {
        to[array->swapped ? size - 1 - b : b] = from[b];
    }
}

double array_value(const halo_array *array, int64_t i)
{
    _Alignas(8) unsigned char bytes[8];
    copy_bytes(array, bytes, address(array, i));
    switch (array->type) {
#define VALUE_CASE(code, type, ...) \
    case HALO_SAMPLE_##code:        \
        return (double)*(const type *)(const void *)bytes;
        HALO_SAMPLE_VALUE_LIST(VALUE_CASE)
#undef VALUE_CASE
    default:
        return *bytes != 0;
    }
}

void array_set(const halo_array *array, int64_t i, double value)
{
    _Alignas(8) unsigned char bytes[8] = {0};
    switch (array->type) {
#define SET_CASE(code, type, ...)             \
    case HALO_SAMPLE_##code:                  \
        *(type *)(void *)bytes = (type)value; \
        break;
        HALO_SAMPLE_VALUE_LIST(SET_CASE)
#undef SET_CASE
    default:
        *bytes = value != 0;
    }
    copy_bytes(array, address(array, i), bytes);
}

bool array_gaps_are_kept(const laid_array *laid)
{
    const halo_array *array = &laid->array;
    size_t size = halo_sample_types[array->type].stored;
    int64_t cells = 1;
    bool kept = true;
    unsigned char *is_element = calloc(laid->bytes, 1);
    if (is_element == NULL) {
        return false;
    }
    for (int axis = 0; axis < array->axes; axis++) {
        cells *= array->n[axis];
    }
    for (int64_t i = 0; i < cells; i++) {
        memset(is_element + (address(array, i) - laid->block), 1, size);
    }
    for (size_t b = 0; b < laid->bytes; b++) {
        kept = kept && (is_element[b] != 0 || laid->block[b] == GAP);
    }
    free(is_element);
    return kept;
}
