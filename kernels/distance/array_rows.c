#include "kernels/distance/array_rows.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <inttypes.h>
#include <math.h>

/* ---- rows and arrays ------------------------------------------------------------------------- */

halo_status distance_writer_create(distance_writer *writer, const halo_array *array)
{
    enum { ROWS = 32, BYTES = 1 << 20, LEAST = 8 };
    *writer = (distance_writer){.array = array_with_axes(array, HALO_AXES)};
    int64_t row = array->n[array->axes - 1] * array_element(array);
    writer->in_place = array_rows_are_contiguous(&writer->array);
    writer->room = halo_max(LEAST, halo_min(ROWS, BYTES / halo_max(1, row)));
    return writer->in_place
               ? HALO_OK
               : halo_memory_create(&writer->rows, (size_t)(writer->room * row), "rows");
}

/* Rows that wait are of one plane. */
void distance_writer_flush(distance_writer *writer)
{
    enum { BYTE = 8 };
    const halo_array *array = &writer->array;
    ptrdiff_t size = array_element(array), pitch = size * array->n[2];
    int64_t plane = writer->first / halo_max(1, array->n[1]);
    const halo_box box = {.lo = {plane, writer->first - plane * array->n[1], 0},
                          .n = {1, writer->count, array->n[2]}};
    const halo_view view = {.origin = writer->rows,
                            .axes = HALO_AXES,
                            .cell_bits = (int)size * BYTE,
                            .stride = {pitch * writer->count, pitch, size}};
    if (writer->count > 0) {
        array_put_box(array, &box, &view);
    }
    writer->count = 0;
}

void *distance_writer_row(distance_writer *writer, int64_t row)
{
    const halo_array *array = &writer->array;
    int64_t rows = array->n[1];
    if (writer->in_place) {
        return array_at(array, row / rows, row % rows, 0);
    }
    if (writer->count == writer->room || row % rows == 0) {
        distance_writer_flush(writer);
    }
    if (writer->count == 0) {
        writer->first = row;
    }
    return (char *)writer->rows + writer->count++ * array->n[2] * array_element(array);
}

void distance_writer_free(distance_writer *writer)
{
    halo_memory_free(writer->rows);
    *writer = (distance_writer){.rows = NULL};
}

/* ---- squares and elements -------------------------------------------------------------------- */

/* The value of a square; the largest one stands for infinity. */
static inline double value_of(const halo_distance_row *row, int64_t i)
{
    switch (row->type) {
    case HALO_SAMPLE_U16:
        return ((const uint16_t *)row->squares)[i];
    case HALO_SAMPLE_U32: {
        uint32_t square = ((const uint32_t *)row->squares)[i];
        return square == UINT32_MAX ? (double)INFINITY : square;
    }
    case HALO_SAMPLE_U64: {
        uint64_t square = ((const uint64_t *)row->squares)[i];
        return square == UINT64_MAX ? (double)INFINITY : (double)square;
    }
    default:
        return ((const double *)row->squares)[i];
    }
}

/* Roots, or squares of reals, which are subtracted from what is there. */
#define SUBTRACT(type)                                                             \
    for (int64_t i = 0; i < row->count; i++) {                                     \
        double square = value_of(row, i);                                          \
        type *to = (type *)out + i;                                                \
        *to = square > 0 ? (type) - (form->squared ? square : sqrt(square)) : *to; \
    }

/* Squares of reals. */
#define SQUARES(type)                              \
    for (int64_t i = 0; i < row->count; i++) {     \
        ((type *)out)[i] = (type)value_of(row, i); \
    }

static void put_reals(const halo_distance_row *row, halo_sample_type type,
                      const distance_form *form, void *out)
{
    bool wide = type == HALO_SAMPLE_F64;
    if (form->subtract && wide) {
        SUBTRACT(double)
    } else if (form->subtract) {
        SUBTRACT(float)
    } else if (form->squared && wide) {
        SQUARES(double)
    } else if (form->squared) {
        SQUARES(float)
    } else if (wide) {
        halo_distance_roots_wide(row, out);
    } else {
        halo_distance_roots(row, out);
    }
}

/* A square as a whole number; -1: it is infinite. */
static inline int64_t whole_of(const halo_distance_row *row, int64_t i)
{
    if (row->type == HALO_SAMPLE_U16) {
        return ((const uint16_t *)row->squares)[i];
    }
    if (row->type == HALO_SAMPLE_U64) {
        return (int64_t)((const uint64_t *)row->squares)[i];
    }
    uint32_t square = ((const uint32_t *)row->squares)[i];
    return square == UINT32_MAX ? -1 : (int64_t)square;
}

static halo_status fail_large(halo_sample_type type, int64_t square)
{
    return halo_fail(HALO_ARGUMENT,
                     "a squared distance is %" PRId64 ", which %s does not have; take uint32, "
                     "uint64 or float64",
                     square, halo_sample_types[type].name);
}

static halo_status put_whole(const halo_distance_row *row, halo_sample_type type,
                             const distance_form *form, void *out)
{
    int64_t largest = array_largest(type);
    for (int64_t i = 0; i < row->count; i++) {
        int64_t square = whole_of(row, i);
        if (square > largest) {
            return fail_large(type, square);
        }
        square = square < 0 ? largest : square;
        if (form->subtract && square == 0) {
            continue;
        }
        square = form->subtract ? -square : square;
        switch (type) {
#define PUT(code, c_type, ...)               \
    case HALO_SAMPLE_##code:                 \
        ((c_type *)out)[i] = (c_type)square; \
        break;
            HALO_SAMPLE_WHOLE_LIST(PUT)
#undef PUT
        default:
            break;
        }
    }
    return HALO_OK;
}

halo_status distance_convert(const halo_distance_row *row, halo_sample_type type,
                             const distance_form *form, void *out)
{
    if (!halo_sample_types[type].real) {
        return put_whole(row, type, form, out);
    }
    put_reals(row, type, form, out);
    return HALO_OK;
}
