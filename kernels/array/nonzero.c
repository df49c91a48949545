#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/array/array_internal.h"
#include "kernels/label/rows/squares.h"
#include "kernels/label/threshold/range_ops.h"

#include <string.h>

/* Bits of the elements that are not 0, or above 0. */

enum { WORD = 64, STRETCH = 4096, STRETCH_WORDS = STRETCH / WORD };

/* Rows between two looks whether the call is cancelled. */
enum { STRIDE = 64 };

typedef struct {
    halo_array from; /* of 3 axes; of bool as bytes */
    const halo_view *to;
    int64_t lo[HALO_AXES], n[HALO_AXES]; /* the view's box, in 3 axes */
    label_within *within;
    _Alignas(8) unsigned char low[8], high[8]; /* of the type: bits are 1 from low to high, or */
    bool inverts;                              /* elsewhere */
    array_call *call;
    const halo_world *world;
} nonzero_job;

static uint64_t *bits_of(const nonzero_job *job, int64_t z, int64_t y)
{
    return job->to->axes == HALO_AXES ? halo_row_of_plane(job->to, z, y) : halo_row(job->to, y);
}

/* The bits of contiguous elements; those past the last one are 0. NaN is within no range. */
static void bits_of_row(const nonzero_job *job, const void *values, int64_t count, uint64_t *bits)
{
    int64_t words = (count + WORD - 1) / WORD;
    job->within(values, count, job->low, job->high, bits);
    for (int64_t i = 0; i < words && job->inverts; i++) {
        bits[i] = ~bits[i];
    }
    if (count % WORD != 0) {
        bits[words - 1] &= UINT64_MAX >> (WORD - count % WORD);
    }
}

/* Reports the number of rows that are done. HALO_CANCELLED if the call is cancelled. */
static halo_status look(const nonzero_job *job, int64_t done)
{
    return array_call_watch(job->call, job->world, done, job->n[0] * job->n[1]) ? array_call_stop()
                                                                                : HALO_OK;
}

static halo_status nonzero_in_rows(const nonzero_job *job)
{
    bool contiguous = array_rows_are_contiguous(&job->from);
    _Alignas(8) char buffer[STRETCH * sizeof(int64_t)];
    for (int64_t z = 0; z < job->n[0]; z++) {
        for (int64_t y = 0; y < job->n[1]; y++) {
            uint64_t *bits = bits_of(job, z, y);
            int64_t from_z = job->lo[0] + z, from_y = job->lo[1] + y, width = job->n[2];
            if (contiguous) {
                bits_of_row(job, array_at(&job->from, from_z, from_y, job->lo[2]), width, bits);
            }
            for (int64_t x = 0; x < width && !contiguous; x += STRETCH) {
                int64_t count = halo_min(STRETCH, width - x);
                array_get(&job->from, from_z, from_y, job->lo[2] + x, count, buffer);
                bits_of_row(job, buffer, count, bits + x / WORD);
            }
            if (y % STRIDE == STRIDE - 1 || y + 1 == job->n[1]) {
                HALO_TRY(look(job, z * job->n[1] + y + 1));
            }
        }
    }
    return HALO_OK;
}

/* 64 columns of up to STRETCH elements along the axis `inner`, which is contiguous, become words of
 * as many rows. */
static void put_columns(const nonzero_job *job, int inner, const int64_t first[HALO_AXES],
                        int64_t columns, int64_t rows, uint64_t (*words)[WORD])
{
    const halo_array *from = &job->from;
    for (int64_t i = 0; i < columns; i++) {
        uint64_t column[STRETCH_WORDS];
        const char *at =
            array_at(from, job->lo[0] + first[0], job->lo[1] + first[1], job->lo[2] + first[2] + i);
        bits_of_row(job, at, rows, column);
        for (int64_t w = 0; w < (rows + WORD - 1) / WORD; w++) {
            words[w][i] = column[w];
        }
    }
    for (int64_t w = 0; w < (rows + WORD - 1) / WORD; w++) {
        memset(words[w] + columns, 0, (size_t)(WORD - columns) * sizeof(uint64_t));
        label_squares_transpose(words[w], WORD);
        for (int64_t i = 0; i < halo_min(WORD, rows - w * WORD); i++) {
            int64_t row = first[inner] + w * WORD + i;
            uint64_t *bits = bits_of(job, inner == 0 ? row : first[0], inner == 1 ? row : first[1]);
            bits[first[2] / WORD] = words[w][i];
        }
    }
}

static halo_status nonzero_in_columns(const nonzero_job *job, int inner)
{
    uint64_t words[STRETCH_WORDS][WORD];
    int outer = 1 - inner;
    int64_t at[HALO_AXES];
    for (at[outer] = 0; at[outer] < job->n[outer]; at[outer]++) {
        for (at[inner] = 0; at[inner] < job->n[inner]; at[inner] += STRETCH) {
            int64_t rows = halo_min(STRETCH, job->n[inner] - at[inner]);
            for (at[2] = 0; at[2] < job->n[2]; at[2] += WORD) {
                put_columns(job, inner, at, halo_min(WORD, job->n[2] - at[2]), rows, words);
            }
            HALO_TRY(look(job, at[outer] * job->n[inner] + at[inner] + rows));
        }
    }
    return HALO_OK;
}

static nonzero_job begin(array_call *call, const halo_world *world, const halo_array *array,
                         const halo_view *bits)
{
    nonzero_job job = {
        .from = array_with_axes(array, HALO_AXES), .to = bits, .call = call, .world = world};
    if (job.from.type == HALO_SAMPLE_BIT) {
        job.from.type = HALO_SAMPLE_U8;
    }
    return job;
}

static halo_status find_bits(nonzero_job job)
{
    const halo_view *bits = job.to;
    int added = HALO_AXES - bits->axes;
    job.within = label_range_ops_of(job.call->instructions)->within[job.from.type];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        job.lo[axis] = axis < added ? 0 : bits->owned.lo[axis - added];
        job.n[axis] = axis < added ? 1 : bits->owned.n[axis - added];
    }
    int columns = array_rows_are_contiguous(&job.from) ? -1 : array_column_axis(&job.from);
    return columns >= 0 ? nonzero_in_columns(&job, columns) : nonzero_in_rows(&job);
}

halo_status array_nonzero(array_call *call, const halo_world *world, const halo_array *array,
                          const halo_view *bits)
{
    nonzero_job job = begin(call, world, array, bits);
    job.inverts = true; /* from 0 to 0, of any type */
    return find_bits(job);
}

halo_status array_positive(array_call *call, const halo_world *world, const halo_array *array,
                           const halo_view *bits)
{
    nonzero_job job = begin(call, world, array, bits);
    halo_sample_type type = job.from.type;
    /* The number next to 0 has the bits of 1 in all types. */
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    job.low[big ? array_element(&job.from) - 1 : 0] = 1;
    halo_sample_of_key(type, halo_sample_types[type].key_max, job.high);
    return find_bits(job);
}
