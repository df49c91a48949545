#include "io/array/ome/ome_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "io/image/image_reader.h"
#include "io/image/zarr_whole.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a level from the level before, which is read again from its files: these are mostly in
 * the memory of the system still, and no rank has to keep a plane, or to get rows of another one.
 */

enum { ROWS = 4 }; /* at most two of two planes */

/* Samples of `count` rows, [width] each, that become one row: neighbours along it, too, if `pairs`.
 */
typedef struct {
    const void *rows[ROWS];
    int count;
    int64_t width;
    bool pairs;
    int64_t *sums; /* [width] */
} window;

typedef void mean_row(const window *w, void *out);

struct halo_ome_sampler {
    halo_image_reader *readers[2]; /* of even and odd planes, so that neither reads bands twice */
    halo_sample_type type;
    bool nearest;
    int64_t in[HALO_OME_AXES], out[HALO_OME_AXES];
    int64_t by[HALO_OME_AXES]; /* 1, or 2 */
    unsigned char *rows;       /* [ROWS][row_bytes] */
    size_t row_bytes;
    window window;
};

/* ---- means ----------------------------------------------------------------------------------- */

/* The sum divided by the number of samples, a power of two, with halves up. */
static int64_t divide(int64_t sum, int64_t count)
{
    int64_t up = sum + count / 2;
    return up >= 0 ? up / count : -((count - 1 - up) / count);
}

/* The last pair may be a single sample. */
static int64_t pair_end(const window *w, int64_t x)
{
    return w->pairs ? halo_min(2 * x + 2, w->width) : x + 1;
}

static int64_t out_width(const window *w)
{
    return w->pairs ? (w->width + 1) / 2 : w->width;
}

/* Sums of at most 8 samples of 32 bits fit into 64 bits. */
#define MEAN_NARROW(code, type)                                       \
    static void mean_##code(const window *w, void *out)               \
    {                                                                 \
        type *to = out;                                               \
        int64_t *sums = w->sums, pairs = w->pairs ? w->width / 2 : 0; \
        for (int64_t x = 0; x < w->width; x++) {                      \
            sums[x] = ((const type *)w->rows[0])[x];                  \
        }                                                             \
        for (int i = 1; i < w->count; i++) {                          \
            const type *row = w->rows[i];                             \
            for (int64_t x = 0; x < w->width; x++) {                  \
                sums[x] += row[x];                                    \
            }                                                         \
        }                                                             \
        for (int64_t x = 0; x < pairs; x++) {                         \
            int64_t sum = sums[2 * x] + sums[2 * x + 1];              \
            to[x] = (type)divide(sum, 2 * (int64_t)w->count);         \
        }                                                             \
        for (int64_t x = pairs; x < out_width(w); x++) {              \
            int64_t sum = sums[w->pairs ? 2 * x : x];                 \
            to[x] = (type)divide(sum, w->count);                      \
        }                                                             \
    }

/* Sums of 64 bits might not: quotients and remainders are summed. */
#define MEAN_WIDE(code, type)                                           \
    static void mean_##code(const window *w, void *out)                 \
    {                                                                   \
        type *to = out;                                                 \
        for (int64_t x = 0; x < out_width(w); x++) {                    \
            int64_t begin = w->pairs ? 2 * x : x, end = pair_end(w, x); \
            int64_t count = w->count * (end - begin), rest = 0;         \
            type whole = 0;                                             \
            for (int i = 0; i < w->count; i++) {                        \
                for (int64_t at = begin; at < end; at++) {              \
                    type sample = ((const type *)w->rows[i])[at];       \
                    whole = (type)(whole + sample / (type)count);       \
                    rest += (int64_t)(sample % (type)count);            \
                }                                                       \
            }                                                           \
            to[x] = (type)(whole + (type)divide(rest, count));          \
        }                                                               \
    }

/* Samples that are missing do not count. */
#define MEAN_REAL(code, type)                                                        \
    static void mean_##code(const window *w, void *out)                              \
    {                                                                                \
        type *to = out;                                                              \
        for (int64_t x = 0; x < out_width(w); x++) {                                 \
            double sum = 0;                                                          \
            int count = 0;                                                           \
            for (int i = 0; i < w->count; i++) {                                     \
                const type *row = w->rows[i];                                        \
                for (int64_t at = w->pairs ? 2 * x : x; at < pair_end(w, x); at++) { \
                    bool there = !isnan(row[at]);                                    \
                    sum += there ? (double)row[at] : 0;                              \
                    count += there;                                                  \
                }                                                                    \
            }                                                                        \
            to[x] = (type)(count > 0 ? sum / count : (double)NAN);                   \
        }                                                                            \
    }

MEAN_NARROW(U8, uint8_t)
MEAN_NARROW(I8, int8_t)
MEAN_NARROW(U16, uint16_t)
MEAN_NARROW(I16, int16_t)
MEAN_NARROW(U32, uint32_t)
MEAN_NARROW(I32, int32_t)
MEAN_WIDE(U64, uint64_t)
MEAN_WIDE(I64, int64_t)
MEAN_REAL(F32, float)
MEAN_REAL(F64, double)

static mean_row *const means[HALO_SAMPLE_TYPES] = {
#define MEAN_ENTRY(code, ...) [HALO_SAMPLE_##code] = mean_##code,
    HALO_SAMPLE_VALUE_LIST(MEAN_ENTRY)
#undef MEAN_ENTRY
};

static void first_row(const halo_ome_sampler *s, unsigned char *out)
{
    size_t bytes = halo_sample_types[s->type].stored;
    const unsigned char *row = s->window.rows[0];
    if (s->by[2] == 1) {
        memcpy(out, row, bytes * (size_t)s->out[2]);
        return;
    }
    for (int64_t x = 0; x < s->out[2]; x++) {
        memcpy(out + (size_t)x * bytes, row + 2 * (size_t)x * bytes, bytes);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Reads the rows that become row y of plane z. */
static halo_status read_window(halo_ome_sampler *s, int64_t z, int64_t y)
{
    int64_t planes = s->nearest ? 1 : halo_min(s->by[0], s->in[0] - z * s->by[0]);
    int64_t rows = s->nearest ? 1 : halo_min(s->by[1], s->in[1] - y * s->by[1]);
    s->window.count = 0;
    for (int64_t plane = 0; plane < planes; plane++) {
        unsigned char *to = s->rows + (size_t)s->window.count * s->row_bytes;
        int64_t first = (z * s->by[0] + plane) * s->in[1] + y * s->by[1];
        HALO_TRY(halo_image_reader_rows(s->readers[plane], first, rows, to, s->row_bytes));
        for (int64_t i = 0; i < rows; i++) {
            s->window.rows[s->window.count++] = to + (size_t)i * s->row_bytes;
        }
    }
    return HALO_OK;
}

halo_status halo_ome_sampler_fill(void *context, int64_t first, int64_t rows, void *out,
                                  size_t pitch)
{
    halo_ome_sampler *s = context;
    for (int64_t i = 0; i < rows; i++) {
        unsigned char *to = (unsigned char *)out + (size_t)i * pitch;
        HALO_TRY(read_window(s, (first + i) / s->out[1], (first + i) % s->out[1]));
        if (s->nearest) {
            first_row(s, to);
        } else {
            means[s->type](&s->window, to);
        }
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status open_reader(halo_ome_sampler *s, int which, const char *folder, int64_t channel)
{
    char number[24];
    halo_image_options options = {
        .want = HALO_IMAGE_SAMPLES, .volumes = true, .narrow = true, .solid = true};
    snprintf(number, sizeof number, "%" PRId64, channel);
    options.choices.of[HALO_IMAGE_CHANNEL] = channel >= 0 ? number : NULL;
    HALO_TRY(halo_image_reader_open(&s->readers[which], folder, &options));
    const halo_image_info *info = halo_image_reader_info(s->readers[which]);
    s->type = info->type;
    halo_zarr_expect_whole(s->readers[which]);
    return HALO_REQUIRE(info->rows == s->in[0] * s->in[1] && info->width == s->in[2], HALO_FILE,
                        "%s has changed while it was written; write it to a folder of your own",
                        folder);
}

static halo_status prepare(halo_ome_sampler *s, const char *folder, int64_t channel)
{
    for (int i = 0; i < (s->by[0] > 1 && !s->nearest ? 2 : 1); i++) {
        HALO_TRY(open_reader(s, i, folder, channel));
    }
    s->row_bytes = (size_t)s->in[2] * halo_sample_types[s->type].stored;
    s->row_bytes = (s->row_bytes + sizeof(int64_t) - 1) / sizeof(int64_t) * sizeof(int64_t);
    HALO_TRY(HALO_ALLOCATE_LARGE(s->rows, ROWS * s->row_bytes, "rows of an image"));
    return HALO_ALLOCATE_LARGE(s->window.sums, s->in[2], "sums of a row");
}

halo_status halo_ome_sampler_create(halo_ome_sampler **out, const char *folder,
                                    const halo_ome_levels *levels, int level, int64_t channel,
                                    bool nearest)
{
    const halo_ome_level *from = &levels->level[level - 1], *to = &levels->level[level];
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a smaller image"));
    halo_ome_sampler *s = *out;
    s->nearest = nearest;
    for (int axis = 0; axis < HALO_OME_AXES; axis++) {
        s->in[axis] = from->n[axis];
        s->out[axis] = to->n[axis];
        s->by[axis] = to->factor[axis] / from->factor[axis];
    }
    s->window.width = s->in[2];
    s->window.pairs = s->by[2] > 1;
    halo_status status = prepare(s, folder, channel);
    if (status != HALO_OK) {
        halo_ome_sampler_destroy(out);
    }
    return status;
}

void halo_ome_sampler_destroy(halo_ome_sampler **sampler)
{
    halo_ome_sampler *s = *sampler;
    if (s != NULL) {
        halo_image_reader_close(&s->readers[0]);
        halo_image_reader_close(&s->readers[1]);
        halo_memory_free(s->rows);
        halo_memory_free(s->window.sums);
        free(s);
    }
    *sampler = NULL;
}
