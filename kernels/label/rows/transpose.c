#include "kernels/label/rows/transposed.h"

#include "base/minmax.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/rows/raster_rows.h"
#include "kernels/label/rows/squares.h"

#include <string.h>

/* Pixels of a narrow image, row after row, become rows of their columns. */

enum { WORD = 64 };

/* `count` bits, at most 64, from bit `at` on; those behind them are 0. */
static inline uint64_t bits_at(const uint64_t *bits, int64_t at, int64_t count)
{
    uint64_t low = bits[at / WORD] >> (at % WORD);
    bool two = at % WORD + count > WORD;
    uint64_t high = two ? bits[at / WORD + 1] << (WORD - at % WORD) : 0;
    return (low | high) & UINT64_MAX >> (WORD - count);
}

static inline uint64_t *word_of(const halo_view *to, int64_t column, int64_t row)
{
    return (uint64_t *)halo_row(to, column) + row / WORD;
}

/* The bits at even places, one after the other in the low half of the word (H. S. Warren, section
 * 7-4). */
static inline uint64_t even_bits(uint64_t word)
{
    word &= UINT64_C(0x5555555555555555);
    word = (word | word >> 1) & UINT64_C(0x3333333333333333);
    word = (word | word >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    word = (word | word >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word | word >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (word | word >> 16) & UINT32_MAX;
}

static void put_pairs(const uint64_t *bits, int64_t at, int64_t row, int64_t rows,
                      const halo_view *to)
{
    for (int64_t i = 0; i < rows; i += WORD / 2) {
        uint64_t pairs = bits_at(bits, at + 2 * i, 2 * halo_min(WORD / 2, rows - i));
        *word_of(to, 0, row) |= even_bits(pairs) << ((row + i) % WORD);
        *word_of(to, 1, row) |= even_bits(pairs >> 1) << ((row + i) % WORD);
    }
}

/* Whole rows of the image, `rows` from row `row` on, all of which go to the same words. Row i is
 * row i % size of square i / size. */
static void put_bit_rows(const uint64_t *bits, int64_t at, int64_t row, int64_t rows,
                         const halo_view *to)
{
    int64_t columns = label_view_rows(to);
    if (columns == 1) {
        *word_of(to, 0, row) |= bits_at(bits, at, rows) << (row % WORD);
        return;
    }
    if (columns == 2) {
        put_pairs(bits, at, row, rows, to);
        return;
    }
    uint64_t words[WORD] = {0};
    int log = label_squares_log(columns), size = 1 << log;
    int64_t together = WORD / columns; /* rows in a word */
    uint64_t mask = UINT64_MAX >> (WORD - columns);
    for (int64_t i = 0; i < rows; i += together) {
        int64_t end = halo_min(i + together, rows);
        uint64_t all = bits_at(bits, at + i * columns, (end - i) * columns);
        for (int64_t r = i; r < end; r++) {
            words[r & (size - 1)] |= (all & mask) << (r >> log << log);
            all = columns < WORD ? all >> columns : 0;
        }
    }
    label_squares_transpose(words, size);
    for (int64_t column = 0; column < columns; column++) {
        *word_of(to, column, row) |= words[column] << (row % WORD);
    }
}

/* The `count` pixels from bit `at` on. */
static void put_bits(const void *pixels, int64_t pixel, int64_t count, const halo_view *to)
{
    const uint64_t *bits = pixels;
    int64_t columns = label_view_rows(to);
    for (int64_t at = 0; at < count;) {
        int64_t row = (pixel + at) / columns, column = (pixel + at) % columns;
        int64_t rows = halo_min(WORD - row % WORD, (count - at) / columns);
        if (column == 0 && rows > 0) {
            put_bit_rows(bits, at, row, rows, to);
            at += rows * columns;
        } else { /* a part of a row, of volumes */
            *word_of(to, column, row) |= bits_at(bits, at, 1) << (row % WORD);
            at++;
        }
    }
}

/* Pixels of a type: column by column, of as many as stay in the cache. */
#define DEFINE_PUT(type)                                                                          \
    static void put_##type(const void *pixels, int64_t pixel, int64_t count, const halo_view *to) \
    {                                                                                             \
        int64_t columns = label_view_rows(to);                                                    \
        for (int64_t column = 0; column < columns; column++) {                                    \
            int64_t first = (column + columns - pixel % columns) % columns;                       \
            const type *from = pixels;                                                            \
            type *row = halo_row(to, column);                                                     \
            row += (pixel + first) / columns;                                                     \
            for (int64_t at = first; at < count; at += columns) {                                 \
                *row++ = from[at];                                                                \
            }                                                                                     \
        }                                                                                         \
    }
DEFINE_PUT(uint8_t)
DEFINE_PUT(uint16_t)
DEFINE_PUT(uint32_t)
DEFINE_PUT(uint64_t)
#undef DEFINE_PUT

static void put(int64_t pixel, const void *pixels, int64_t count, const halo_view *to)
{
    switch (to->cell_bits) {
    case HALO_BIT:
        put_bits(pixels, pixel, count, to);
        break;
    case 8:
        put_uint8_t(pixels, pixel, count, to);
        break;
    case 16:
        put_uint16_t(pixels, pixel, count, to);
        break;
    case 32:
        put_uint32_t(pixels, pixel, count, to);
        break;
    default:
        put_uint64_t(pixels, pixel, count, to);
        break;
    }
}

enum { PIECE = 4096 }; /* pixels */

/* Rows with gaps between them are joined: few of them at a time are put. */
static void scatter_pixels(int64_t pixel, const halo_view *from, const halo_view *to)
{
    uint64_t joined[PIECE];
    int64_t rows = label_view_rows(from), width = label_view_width(from), count = 0;
    bool bits = from->cell_bits == HALO_BIT;
    for (int64_t y = 0; y < rows; y++) {
        const void *row = label_view_row(from, y);
        if (bits) {
            const uint64_t word = bits_at(row, 0, width);
            uint64_t *out = joined + count / WORD;
            *out = count % WORD == 0 ? word : *out | word << (count % WORD);
            if (count % WORD + width > WORD) {
                out[1] = word >> (WORD - count % WORD);
            }
        } else {
            size_t cell = (size_t)from->stride[1];
            memcpy((char *)joined + (size_t)count * cell, row, (size_t)width * cell);
        }
        count += width;
        if (count + width > PIECE || y + 1 == rows) {
            put(pixel, joined, count, to);
            pixel += count;
            count = 0;
        }
    }
}

/* Pixels of `from`, row by row, are those of the image from local raster index `pixel` on: puts
 * them into `to`, whose rows are the columns of the image. Cells of 1 bit must be 0 before. */
static void put_rows(int64_t pixel, const halo_view *from, const halo_view *to)
{
    const halo_view all = label_view_joined(from);
    int64_t width = label_view_width(&all), cell = from->cell_bits / 8;
    if (label_view_rows(&all) > 1) {
        scatter_pixels(pixel, from, to);
        return;
    }
    int64_t step = PIECE; /* a multiple of 64 */
    for (int64_t at = 0; at < width && label_view_rows(&all) > 0; at += step) {
        const char *pixels =
            (const char *)all.origin + (from->cell_bits == HALO_BIT ? at / 8 : at * cell);
        put(pixel + at, pixels, halo_min(width - at, step), to);
    }
}

/* ---- of a labelling -------------------------------------------------------------------------- */

/* The axis of the image (planes, rows, columns) along which a narrow one is long, and the other one
 * that has pixels: that of its only column the last one. False if the image is not narrow. */
static bool find_axes(const label_job *job, int *longest, int *across)
{
    enum { TALL = 16 }; /* times the width: below, a row is no more than its pixels */
    const int64_t *n = job->n;
    *longest = n[0] > n[1] ? 0 : 1;
    *across = *longest == 0 && n[1] > 1 ? 1 : 2;
    int other = HALO_AXES - *longest - *across;
    return n[other] == 1 && n[*across] <= LABEL_TRANSPOSED_COLUMNS &&
           n[*longest] >= TALL * n[*across];
}

void label_choose_transposed(halo_label *label, const halo_label_options *options)
{
    label_job *job = &label->job;
    bool strips = label->given.parts[1] == 1 && label->given.parts[2] == 1 &&
                  halo_partition_equal(&label->given, &label->cut);
    job->transposed = options->transposes && options->balancing == NULL && strips &&
                      label->method->merges && find_axes(job, &job->column_axis, &job->row_axis);
}

bool halo_label_is_transposed(const halo_label *label)
{
    return label->job.transposed;
}

void halo_label_fields(const halo_label *label, halo_domain *domain, halo_box *mine)
{
    const label_job *job = &label->job;
    *domain = job->domain;
    *mine = halo_partition_box(&job->partition, halo_world_rank(job->world));
    if (job->transposed) {
        int axis = label_job_axis(&job->domain, job->column_axis);
        *domain = (halo_domain){
            .axes = 2,
            .n = {job->n[job->row_axis], job->n[job->column_axis], 1},
            .periodic = {job->periodic[job->row_axis], job->periodic[job->column_axis]}};
        *mine = (halo_box){.lo = {0, mine->lo[axis], 0},
                           .n = {domain->n[0], halo_box_cells(mine) / domain->n[0], 1}};
    }
}

halo_status halo_label_fields_partition(const halo_label *label, halo_partition *out)
{
    const label_job *job = &label->job;
    if (!job->transposed) {
        return halo_partition_copy(out, &label->given);
    }
    int ranks = halo_world_ranks(job->world);
    halo_domain domain;
    halo_box mine;
    halo_label_fields(label, &domain, &mine);
    HALO_TRY(halo_partition_blocks(out, &domain, (const int[]){1, ranks, 1}));
    bool whole = job->domain.axes == HALO_AXES && job->column_axis != 0; /* on one rank */
    for (int p = 0; p <= ranks; p++) {
        out->cuts[1][p] = label->given.cuts[0][p] * (whole ? domain.n[1] : 1);
    }
    return HALO_OK;
}

void halo_label_transpose(const halo_label *label, int64_t first_row, const halo_view *from,
                          const halo_view *to)
{
    const label_job *job = &label->job;
    int64_t first = to->owned.lo[1] * to->owned.n[0];
    put_rows(first_row * job->n[2] - first, from, to);
}
