/* The loops over a sheet, compiled once for each ISA (halobeat_isa_body). No include guard on
 * purpose. */

#include "kernels/heat/row_ops.h"

#define INLINE static inline __attribute__((always_inline))

/* Vectors as GCC and Clang have them in C: operators mean the same at any length. */
typedef double vector __attribute__((vector_size(HALO_ISA_BYTES), aligned(8), may_alias));

enum { LANES = HALO_ISA_BYTES / 8 };

/* STREAM(pointer, vector) writes past the caches, where processors can; END_STREAM() comes last. */
#if defined(__SSE2__)
#include <immintrin.h>
#define END_STREAM() _mm_sfence()
#else
#define END_STREAM() ((void)0)
#endif
#if HALO_ISA_BYTES == 64
#define STREAM(pointer, value) _mm512_stream_pd(pointer, (__m512d)(value))
#elif HALO_ISA_BYTES == 32
#define STREAM(pointer, value) _mm256_stream_pd(pointer, (__m256d)(value))
#elif defined(__SSE2__)
#define STREAM(pointer, value) _mm_stream_pd(pointer, (__m128d)(value))
#else
#define STREAM(pointer, value) (*(vector *)(pointer) = (value))
#endif

/* Rows done together: what is loaded as one's neighbour is the next one's middle, and memory is
 * faster at several rows at once than at one after the other. */
enum { TOGETHER = 4 };

/* What is compiled into loops of its own. */
typedef struct {
    int rows;
    bool seven, adds, stream;
} loop_kind;

/* A cell, or a vector of them, after a beat: one formula, so that both are rounded alike. */
#define DEFINE_UPDATE(name, type)                                                                  \
    INLINE type name(const heat_sheet *sheet, const loop_kind *kind, const double *at, type above, \
                     type here, type below)                                                        \
    {                                                                                              \
        type sum = (above + below) + (*(const type *)(at - 1) + *(const type *)(at + 1));          \
        if (kind->seven) {                                                                         \
            sum += *(const type *)(at - sheet->in_plane) + *(const type *)(at + sheet->in_plane);  \
            sum = 0.25 * here + 0.125 * sum;                                                       \
        } else {                                                                                   \
            sum = 0.25 * sum;                                                                      \
        }                                                                                          \
        if (kind->adds) {                                                                          \
            sum += sheet->source;                                                                  \
        }                                                                                          \
        return sum;                                                                                \
    }
DEFINE_UPDATE(updated_vector, vector)
DEFINE_UPDATE(updated_cell, double)
#undef DEFINE_UPDATE

/* A vector in each of the rows. */
INLINE void update_column(const heat_sheet *sheet, loop_kind kind, const double *in, double *out)
{
    vector cells[TOGETHER + 2];
    for (int r = 0; r < kind.rows + 2; r++) {
        cells[r] = *(const vector *)(in + (r - 1) * sheet->in_pitch);
    }
    for (int r = 0; r < kind.rows; r++) {
        vector value = updated_vector(sheet, &kind, in + r * sheet->in_pitch, cells[r],
                                      cells[r + 1], cells[r + 2]);
        if (kind.stream) {
            STREAM(out + r * sheet->out_pitch, value);
        } else {
            *(vector *)(out + r * sheet->out_pitch) = value;
        }
    }
}

/* Rows that are shorter than a vector. */
INLINE void update_narrow(const heat_sheet *sheet, loop_kind kind, const double *in, double *out)
{
    for (int r = 0; r < kind.rows; r++) {
        const double *here = in + r * sheet->in_pitch;
        for (int64_t x = 0; x < sheet->columns; x++) {
            const double *at = here + x;
            out[r * sheet->out_pitch + x] =
                updated_cell(sheet, &kind, at, at[-sheet->in_pitch], *at, at[sheet->in_pitch]);
        }
    }
}

/* Some rows from `y` on. What is no whole, aligned vector at either end is done by one that
 * overlaps its neighbour: the same cells get the same values twice. */
INLINE void update_rows(const heat_sheet *sheet, loop_kind kind, int64_t y)
{
    const double *in = sheet->in + y * sheet->in_pitch;
    double *out = sheet->out + y * sheet->out_pitch;
    loop_kind ragged = kind;
    ragged.stream = false;
    if (sheet->columns < LANES) {
        update_narrow(sheet, ragged, in, out);
        return;
    }
    int64_t x = (int64_t)((HALO_ISA_BYTES - (uintptr_t)out % HALO_ISA_BYTES) % HALO_ISA_BYTES / 8);
    if (x > 0) {
        update_column(sheet, ragged, in, out);
    }
    for (; x + LANES <= sheet->columns; x += LANES) {
        update_column(sheet, kind, in + x, out + x);
    }
    if (x < sheet->columns) {
        int64_t last = sheet->columns - LANES;
        update_column(sheet, ragged, in + last, out + last);
    }
}

INLINE void update_sheet(const heat_sheet *sheet, loop_kind kind)
{
    int64_t y = 0;
    for (kind.rows = TOGETHER; y + TOGETHER <= sheet->rows; y += TOGETHER) {
        update_rows(sheet, kind, y);
    }
    for (kind.rows = 1; y < sheet->rows; y++) {
        update_rows(sheet, kind, y);
    }
    if (kind.stream) {
        END_STREAM();
    }
}

/* Streaming needs vectors that are aligned in all rows, which those of narrow fields are not. */
INLINE bool can_stream(const heat_sheet *sheet)
{
    return sheet->stream && sheet->out_pitch % LANES == 0;
}

INLINE void choose_loop(const heat_sheet *sheet, bool seven)
{
    if (sheet->source != 0) { /* rare enough to do without streaming */
        update_sheet(sheet, (loop_kind){.seven = seven, .adds = true});
    } else if (can_stream(sheet)) {
        update_sheet(sheet, (loop_kind){.seven = seven, .stream = true});
    } else {
        update_sheet(sheet, (loop_kind){.seven = seven});
    }
}

static void five(const heat_sheet *sheet)
{
    choose_loop(sheet, false);
}

static void seven(const heat_sheet *sheet)
{
    choose_loop(sheet, true);
}

const heat_row_ops HALO_ISA_OPS(heat_row_ops) = {five, seven};
