#include "kernels/distance/convert.h"

#include "kernels/distance/distance_internal.h"

#include <inttypes.h>
#include <math.h>

/* Squares of distances as samples. */

/* A square as it is; the largest one stands for infinity. */
static inline double pixels_of(const halo_distance_row *row, int64_t i)
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

/* The root, or the square, in units of length. */
static inline double value_of(const halo_distance_row *row, int64_t i, bool squared)
{
    double unit = row->unit > 0 ? row->unit : 1, square = pixels_of(row, i);
    return squared ? square * (unit * unit) : sqrt(square) * unit;
}

static bool is_in_pixels(const halo_distance_row *row)
{
    return row->unit <= 0 || (row->unit >= 1 && row->unit <= 1);
}

void halo_distance_roots(const halo_distance_row *row, float *out, bool streams)
{
    const uint32_t exact = 1 << 24; /* below it a float holds all whole numbers */
    const distance_ops *ops = distance_best_ops();
    if (row->type == HALO_SAMPLE_U16 && is_in_pixels(row)) {
        ops->roots16(row->squares, row->count, out, streams);
        return;
    }
    if (row->type == HALO_SAMPLE_U32 && is_in_pixels(row) &&
        ops->largest32(row->squares, row->count) < exact) {
        ops->roots24(row->squares, row->count, out, streams);
        return;
    }
    for (int64_t i = 0; i < row->count; i++) {
        out[i] = (float)value_of(row, i, false);
    }
}

void halo_distance_roots_wide(const halo_distance_row *row, double *out, bool streams)
{
    const distance_ops *ops = distance_best_ops();
    if (row->type == HALO_SAMPLE_U16 && is_in_pixels(row)) {
        ops->roots16_wide(row->squares, row->count, out, streams);
        return;
    }
    if (row->type == HALO_SAMPLE_U32 && is_in_pixels(row) &&
        ops->largest32(row->squares, row->count) < UINT32_MAX) {
        ops->roots32_wide(row->squares, row->count, out);
        return;
    }
    for (int64_t i = 0; i < row->count; i++) {
        out[i] = value_of(row, i, false);
    }
}

/* Roots, or squares of reals, which are subtracted from what is there. */
#define SUBTRACT(type)                                  \
    for (int64_t i = 0; i < row->count; i++) {          \
        double value = value_of(row, i, form->squared); \
        type *to = (type *)out + i;                     \
        *to = value > 0 ? (type)-value : *to;           \
    }

/* Squares of reals. */
#define SQUARES(type)                                    \
    for (int64_t i = 0; i < row->count; i++) {           \
        ((type *)out)[i] = (type)value_of(row, i, true); \
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
        halo_distance_roots_wide(row, out, form->streams);
    } else {
        halo_distance_roots(row, out, form->streams);
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

/* The largest whole number up to which a type of whole numbers has all. */
static int64_t largest_of(halo_sample_type type)
{
    return type == HALO_SAMPLE_U64 ? INT64_MAX : halo_sample_types[type].key_max;
}

static halo_status put_whole(const halo_distance_row *row, halo_sample_type type,
                             const distance_form *form, void *out)
{
    int64_t largest = largest_of(type);
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
