#include "base/minmax.h"
#include "kernels/array/array_internal.h"
#include "kernels/label/rows/squares.h"

#include <string.h>

/* Elements from bits: the reverse of nonzero.c. */

enum { WORD = 64, BYTE_BITS = 8, STRETCH = 4096 };

typedef struct {
    const halo_view *from;
    halo_array to;                       /* of 3 axes and of bytes */
    int64_t lo[HALO_AXES], n[HALO_AXES]; /* the view's box, in 3 axes */
} put_job;

/* Bit i of `bits` becomes byte i: the byte is copied to all eight, each of which keeps one bit. */
static inline uint64_t spread(uint64_t bits)
{
    const uint64_t each = UINT64_MAX / UINT8_MAX, own = UINT64_C(0x8040201008040201);
    uint64_t bytes =
        (((bits & UINT8_MAX) * each & own) + each * INT8_MAX) >> (BYTE_BITS - 1) & each;
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(bytes) : bytes;
}

static void bytes_of_bits(const uint64_t *bits, int64_t count, char *bytes)
{
    int64_t whole = count / WORD, rest = count % WORD;
    for (int64_t w = 0; w < whole; w++) {
        for (int i = 0; i < BYTE_BITS; i++) {
            uint64_t eight = spread(bits[w] >> (i * BYTE_BITS));
            memcpy(bytes + w * WORD + (ptrdiff_t)i * BYTE_BITS, &eight, sizeof eight);
        }
    }
    for (int64_t i = 0; i < rest; i++) {
        bytes[whole * WORD + i] = (char)(bits[whole] >> i & 1);
    }
}

static const uint64_t *bits_of(const put_job *job, int64_t z, int64_t y)
{
    return job->from->axes == HALO_AXES ? halo_row_of_plane(job->from, z, y)
                                        : halo_row(job->from, y);
}

static void put_rows(const put_job *job)
{
    bool contiguous = job->to.stride[2] == 1;
    char buffer[STRETCH];
    for (int64_t row = 0; row < job->n[0] * job->n[1]; row++) {
        int64_t z = row / job->n[1], y = row % job->n[1];
        const uint64_t *bits = bits_of(job, z, y);
        int64_t to_z = job->lo[0] + z, to_y = job->lo[1] + y;
        if (contiguous) {
            bytes_of_bits(bits, job->n[2], array_at(&job->to, to_z, to_y, job->lo[2]));
        }
        for (int64_t x = 0; x < job->n[2] && !contiguous; x += STRETCH) {
            int64_t count = halo_min(STRETCH, job->n[2] - x);
            bytes_of_bits(bits + x / WORD, count, buffer);
            array_put(&job->to, to_z, to_y, job->lo[2] + x, count, buffer);
        }
    }
}

/* A square of up to 64 rows along the axis `inner`, which is contiguous, and 64 columns. */
static void put_square(const put_job *job, int inner, const int64_t at[HALO_AXES], int64_t rows,
                       int64_t columns)
{
    uint64_t square[WORD] = {0};
    for (int64_t i = 0; i < rows; i++) {
        int64_t z = at[0] + (inner == 0 ? i : 0), y = at[1] + (inner == 1 ? i : 0);
        square[i] = bits_of(job, z, y)[at[2] / WORD];
    }
    label_squares_transpose(square, WORD);
    for (int64_t i = 0; i < columns; i++) {
        bytes_of_bits(
            square + i, rows,
            array_at(&job->to, job->lo[0] + at[0], job->lo[1] + at[1], job->lo[2] + at[2] + i));
    }
}

static void put_columns(const put_job *job, int inner)
{
    int outer = 1 - inner;
    int64_t at[HALO_AXES];
    for (at[outer] = 0; at[outer] < job->n[outer]; at[outer]++) {
        for (at[inner] = 0; at[inner] < job->n[inner]; at[inner] += WORD) {
            for (at[2] = 0; at[2] < job->n[2]; at[2] += WORD) {
                put_square(job, inner, at, halo_min(WORD, job->n[inner] - at[inner]),
                           halo_min(WORD, job->n[2] - at[2]));
            }
        }
    }
}

halo_status array_check_bits_out(const halo_array *array, const char *name, int min, int max)
{
    HALO_TRY(array_check_out(array, name, min, max));
    return HALO_REQUIRE(array->type == HALO_SAMPLE_BIT || array_element(array) == 1, HALO_ARGUMENT,
                        "%s has elements of %s, and must have bool, uint8 or int8", name,
                        halo_sample_types[array->type].name);
}

void array_put_bits(const halo_array *array, const halo_view *bits)
{
    int added = HALO_AXES - array->axes;
    put_job job = {.from = bits, .to = array_with_axes(array, HALO_AXES)};
    job.to.type = HALO_SAMPLE_U8;
    job.to.swapped = false;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        job.lo[axis] = axis < added ? 0 : bits->owned.lo[axis - added];
        job.n[axis] = axis < added ? 1 : bits->owned.n[axis - added];
    }
    int columns = array_rows_are_contiguous(&job.to) ? -1 : array_column_axis(&job.to);
    if (columns >= 0) {
        put_columns(&job, columns);
    } else {
        put_rows(&job);
    }
}
