/* The loops of cap_ops.h, for the ISA that halobeat_isa_body chooses. */

#include "base/minmax.h"
#include "kernels/filter/cap_ops.h"

#include <math.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define ALWAYS inline __attribute__((always_inline))

enum { BYTES = HALO_ISA_BYTES, PIECE = FILTER_CAP_PIECE };

/* ---- vectors --------------------------------------------------------------------------------- */

#define LANES_OF(code, c_type)                                                \
    enum { LANES_##code = BYTES / sizeof(c_type) };                           \
    typedef c_type lanes_##code __attribute__((vector_size(HALO_ISA_BYTES))); \
    static ALWAYS lanes_##code load_##code(const c_type *at)                  \
    {                                                                         \
        lanes_##code v;                                                       \
        memcpy(&v, at, sizeof v);                                             \
        return v;                                                             \
    }                                                                         \
    static ALWAYS void store_##code(c_type *at, lanes_##code v)               \
    {                                                                         \
        memcpy(at, &v, sizeof v);                                             \
    }                                                                         \
    static ALWAYS lanes_##code all_##code(c_type value)                       \
    {                                                                         \
        return value - (lanes_##code){0};                                     \
    }
FILTER_CAP_LIST(LANES_OF)
#undef LANES_OF

/* min is the lesser of a and b, and b if one is NaN. */
#define BY_INSTRUCTION(code, vector, least, add)                          \
    static ALWAYS lanes_##code min_##code(lanes_##code a, lanes_##code b) \
    {                                                                     \
        return (lanes_##code)least((vector)a, (vector)b);                 \
    }                                                                     \
    static ALWAYS lanes_##code add_##code(lanes_##code a, lanes_##code b) \
    {                                                                     \
        return (lanes_##code)add((vector)a, (vector)b);                   \
    }

#if HALO_ISA_BYTES == 64
BY_INSTRUCTION(U8, __m512i, _mm512_min_epu8, _mm512_adds_epu8)
BY_INSTRUCTION(U16, __m512i, _mm512_min_epu16, _mm512_adds_epu16)
BY_INSTRUCTION(F32, __m512, _mm512_min_ps, _mm512_add_ps)
BY_INSTRUCTION(F64, __m512d, _mm512_min_pd, _mm512_add_pd)
#elif HALO_ISA_BYTES == 32
BY_INSTRUCTION(U8, __m256i, _mm256_min_epu8, _mm256_adds_epu8)
BY_INSTRUCTION(U16, __m256i, _mm256_min_epu16, _mm256_adds_epu16)
BY_INSTRUCTION(F32, __m256, _mm256_min_ps, _mm256_add_ps)
BY_INSTRUCTION(F64, __m256d, _mm256_min_pd, _mm256_add_pd)
#elif defined(__SSE2__)
/* SSE2 has no minima of unsigned numbers of 16 bits. */
#define LESS_OF_16(a, b) _mm_sub_epi16(a, _mm_subs_epu16(a, b))
BY_INSTRUCTION(U8, __m128i, _mm_min_epu8, _mm_adds_epu8)
BY_INSTRUCTION(U16, __m128i, LESS_OF_16, _mm_adds_epu16)
BY_INSTRUCTION(F32, __m128, _mm_min_ps, _mm_add_ps)
BY_INSTRUCTION(F64, __m128d, _mm_min_pd, _mm_add_pd)
#else
#define BY_LANE(code, c_type, most)                                       \
    static ALWAYS lanes_##code min_##code(lanes_##code a, lanes_##code b) \
    {                                                                     \
        for (int i = 0; i < LANES_##code; i++) {                          \
            b[i] = a[i] < b[i] ? a[i] : b[i];                             \
        }                                                                 \
        return b;                                                         \
    }                                                                     \
    static ALWAYS lanes_##code add_##code(lanes_##code a, lanes_##code b) \
    {                                                                     \
        for (int i = 0; i < LANES_##code; i++) {                          \
            b[i] = b[i] > (most)-a[i] ? (most) : (c_type)(a[i] + b[i]);   \
        }                                                                 \
        return b;                                                         \
    }
BY_LANE(U8, uint8_t, UINT8_MAX)
BY_LANE(U16, uint16_t, UINT16_MAX)
BY_LANE(F32, float, INFINITY)
BY_LANE(F64, double, (double)INFINITY)
#endif

/* No sample is greater than these. */
#define MOST_U8  UINT8_MAX
#define MOST_U16 UINT16_MAX
#define MOST_F32 INFINITY
#define MOST_F64 ((double)INFINITY)

/* The largest square of a distance at which the cap rises by less than `rise`; of a cap that is
 * rounded to a type, one that is larger by less than 1. */
static int64_t square_below(const filter_cap *cap, double rise)
{
    double left = cap->radius - rise;
    if (!(left > 0)) {
        return cap->square;
    }
    return halo_min(cap->square, (int64_t)(cap->radius * cap->radius - left * left) + 1);
}

/* The largest whole number whose square is at most `square`, or one more. */
static int64_t root_above(int64_t square)
{
    return (int64_t)sqrt((double)square) + 1;
}

/* ---- least samples of pieces ----------------------------------------------------------------- */

/* Those of a row; the last piece may be shorter. Then those within `reach` pieces of each. */
#define LOW(code, c_type)                                                                  \
    static void find_pieces_##code(const c_type *row, int64_t width, c_type *low)          \
    {                                                                                      \
        for (int64_t x = 0; x < width; x += PIECE) {                                       \
            c_type lanes[LANES_##code], least = MOST_##code;                               \
            lanes_##code v = all_##code(MOST_##code);                                      \
            int64_t i = x, end = halo_min(x + PIECE, width);                               \
            for (; i + LANES_##code <= end; i += LANES_##code) {                           \
                v = min_##code(load_##code(row + i), v);                                   \
            }                                                                              \
            store_##code(lanes, v);                                                        \
            for (int k = 0; k < LANES_##code; k++) {                                       \
                least = lanes[k] < least ? lanes[k] : least;                               \
            }                                                                              \
            for (; i < end; i++) {                                                         \
                least = row[i] < least ? row[i] : least;                                   \
            }                                                                              \
            low[x / PIECE] = least;                                                        \
        }                                                                                  \
    }                                                                                      \
    static void widen_##code(const c_type *of, int64_t pieces, int64_t reach, c_type *low) \
    {                                                                                      \
        for (int64_t b = 0; b < pieces; b++) {                                             \
            int64_t end = halo_min(b + reach + 1, pieces);                                 \
            c_type least = of[b];                                                          \
            for (int64_t i = halo_max(b - reach, 0); i < end; i++) {                       \
                least = of[i] < least ? of[i] : least;                                     \
            }                                                                              \
            low[b] = least;                                                                \
        }                                                                                  \
    }                                                                                      \
    static void lower_##code(const c_type *by, int64_t count, c_type *low)                 \
    {                                                                                      \
        for (int64_t i = 0; i < count; i++) {                                              \
            low[i] = by[i] < low[i] ? by[i] : low[i];                                      \
        }                                                                                  \
    }                                                                                      \
    static void find_low_##code(const filter_cap_call *call)                               \
    {                                                                                      \
        const filter_cap *cap = call->cap;                                                 \
        int64_t plane = call->in_pitch * call->pieces, row = call->pieces;                 \
        int64_t reach = (cap->depth[2] + PIECE - 1) / PIECE;                               \
        c_type *low = call->low, *column = call->column, *near = call->near;               \
        for (int64_t i = 0; i < (2 * cap->depth[0] + 1) * call->in_pitch; i++) {           \
            find_pieces_##code(call->in[i], call->width, call->line);                      \
            widen_##code(call->line, row, reach, low + i * row);                           \
        }                                                                                  \
        memcpy(column, low, (size_t)plane * sizeof *low);                                  \
        for (int64_t k = 1; k <= 2 * cap->depth[0]; k++) {                                 \
            lower_##code(low + k * plane, plane, column);                                  \
        }                                                                                  \
        for (int64_t y = 0; y < call->rows; y++) {                                         \
            memcpy(near + y * row, column + y * row, (size_t)row * sizeof *low);           \
            for (int64_t k = 1; k <= 2 * cap->depth[1]; k++) {                             \
                lower_##code(column + (y + k) * row, row, near + y * row);                 \
            }                                                                              \
        }                                                                                  \
    }

/* ---- some vectors of an output --------------------------------------------------------------- */

/* The rows at a distance, of which there are up to four, around output `y`: their number, and the
 * index of each. */
static ALWAYS int find_rows(const filter_cap_call *call, const filter_cap_rows *rows, int64_t y,
                            int64_t index[4])
{
    const int64_t *depth = call->cap->depth;
    int64_t middle = depth[0] * call->in_pitch + depth[1] + y;
    int64_t planes = rows->planes * call->in_pitch;
    int count = 0;
    for (int i = 0; i < 4; i++) {
        bool other = ((i & 1) != 0 && planes == 0) || ((i & 2) != 0 && rows->rows == 0);
        if (!other) {
            index[count++] = middle + ((i & 1) != 0 ? -planes : planes) +
                             ((i & 2) != 0 ? -rows->rows : rows->rows);
        }
    }
    return count;
}

#define BLOCK(code, c_type, many)                                                                  \
    /* The greatest of the first `valid` samples. */                                               \
    static ALWAYS c_type greatest_##code##_##many(const lanes_##code *best, int64_t valid)         \
    {                                                                                              \
        c_type lanes[(many)*LANES_##code], most;                                                   \
        for (int k = 0; k < (many); k++) {                                                         \
            store_##code(lanes + k * LANES_##code, best[k]);                                       \
        }                                                                                          \
        most = lanes[0];                                                                           \
        if (valid >= (many)*LANES_##code) {                                                        \
            for (int k = 0; k < (many)*LANES_##code; k++) {                                        \
                most = lanes[k] > most ? lanes[k] : most;                                          \
            }                                                                                      \
            return most;                                                                           \
        }                                                                                          \
        for (int64_t k = 1; k < valid; k++) {                                                      \
            most = lanes[k] > most ? lanes[k] : most;                                              \
        }                                                                                          \
        return most;                                                                               \
    }                                                                                              \
    /* The least of rows, from `from` on, `count` samples, to the scratch. */                      \
    static ALWAYS const c_type *fold_##code##_##many(                                              \
        const filter_cap_call *call, int rows, const int64_t *index, int64_t from, int64_t count)  \
    {                                                                                              \
        const c_type *const row[] = {call->in[index[0]], call->in[index[rows > 1 ? 1 : 0]],        \
                                     call->in[index[rows > 2 ? 2 : 0]],                            \
                                     call->in[index[rows > 2 ? 3 : 0]]};                           \
        c_type *to = call->scratch;                                                                \
        for (int64_t i = 0; i < count; i += LANES_##code) {                                        \
            int64_t at = halo_min(i, count - LANES_##code);                                        \
            lanes_##code v = min_##code(load_##code(row[0] + from + at), all_##code(MOST_##code)); \
            v = min_##code(load_##code(row[1] + from + at), v);                                    \
            if (rows > 2) {                                                                        \
                v = min_##code(load_##code(row[2] + from + at), v);                                \
                v = min_##code(load_##code(row[3] + from + at), v);                                \
            }                                                                                      \
            store_##code(to + at, v);                                                              \
        }                                                                                          \
        return to;                                                                                 \
    }                                                                                              \
    /* Rows whose distance is at most `reach`, with samples up to it to each side. */              \
    static ALWAYS void rise_##code##_##many(const filter_cap_call *call,                           \
                                            const filter_cap_rows *rows, const c_type *line,       \
                                            int64_t reach, lanes_##code *best)                     \
    {                                                                                              \
        const c_type *rise = (const c_type *)call->cap->rise + rows->square;                       \
        lanes_##code up = all_##code(rise[0]);                                                     \
        line += reach;                                                                             \
        for (int k = 0; k < (many); k++) {                                                         \
            lanes_##code v = load_##code(line + k * LANES_##code);                                 \
            best[k] = min_##code(add_##code(v, up), best[k]);                                      \
        }                                                                                          \
        for (int64_t x = 1; x <= reach; x++) {                                                     \
            up = all_##code(rise[x * x]);                                                          \
            for (int k = 0; k < (many); k++) {                                                     \
                lanes_##code v = min_##code(load_##code(line - x + k * LANES_##code),              \
                                            load_##code(line + x + k * LANES_##code));             \
                best[k] = min_##code(add_##code(v, up), best[k]);                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    /* The least that the cap may rise upon from rows, or any (index -1), for samples from x on.   \
     */                                                                                            \
    static ALWAYS c_type low_##code##_##many(const c_type *low, int64_t pieces, int count,         \
                                             const int64_t *index, int64_t x)                      \
    {                                                                                              \
        int64_t b = x / PIECE;                                                                     \
        int64_t more = (x % PIECE + (many)*LANES_##code - 1) / PIECE;                              \
        c_type least = MOST_##code;                                                                \
        for (int i = 0; i < count; i++) {                                                          \
            const c_type *of = low + index[i] * pieces;                                            \
            for (int64_t k = b; k <= halo_min(b + more, pieces - 1); k++) {                        \
                least = of[k] < least ? of[k] : least;                                             \
            }                                                                                      \
        }                                                                                          \
        return least;                                                                              \
    }                                                                                              \
    static void block_##code##_##many(const filter_cap_call *call, int64_t y, int64_t x,           \
                                      int64_t valid)                                               \
    {                                                                                              \
        const filter_cap *cap = call->cap;                                                         \
        lanes_##code best[many];                                                                   \
        for (int k = 0; k < (many); k++) {                                                         \
            best[k] = all_##code(MOST_##code);                                                     \
        }                                                                                          \
        c_type most = MOST_##code;                                                                 \
        c_type near = low_##code##_##many(call->near, call->pieces, 1, &y, x);                     \
        int64_t within = cap->square;                                                              \
        for (int64_t i = 0; i < cap->count && cap->rows[i].square <= within; i++) {                \
            const filter_cap_rows *rows = &cap->rows[i];                                           \
            int64_t index[4];                                                                      \
            int count = find_rows(call, rows, y, index);                                           \
            c_type low = low_##code##_##many(call->low, call->pieces, count, index, x);            \
            if (!(low < most)) {                                                                   \
                continue;                                                                          \
            }                                                                                      \
            int64_t left = square_below(cap, (double)most - (double)low) - rows->square;           \
            if (left < 0) {                                                                        \
                continue;                                                                          \
            }                                                                                      \
            int64_t reach = halo_min(root_above(left), cap->depth[2]);                             \
            for (; rows->square + reach * reach > cap->square; reach--) {                          \
            }                                                                                      \
            const c_type *line = fold_##code##_##many(call, count, index, x - reach,               \
                                                      2 * reach + (many)*LANES_##code);            \
            rise_##code##_##many(call, rows, line, reach, best);                                   \
            most = greatest_##code##_##many(best, valid);                                          \
            within = near < most ? square_below(cap, (double)most - (double)near) : -1;            \
        }                                                                                          \
        c_type *out = (c_type *)call->out[y] + x;                                                  \
        if (valid >= (many)*LANES_##code) {                                                        \
            for (int k = 0; k < (many); k++) {                                                     \
                store_##code(out + k * LANES_##code, best[k]);                                     \
            }                                                                                      \
        } else {                                                                                   \
            memcpy(out, best, (size_t)valid * sizeof *out);                                        \
        }                                                                                          \
    }

/* ---- a tile ---------------------------------------------------------------------------------- */

/* Blocks of a row have several vectors; the last one overlaps the one before. */
#define ERODE(code, c_type)                                                               \
    LOW(code, c_type)                                                                     \
    BLOCK(code, c_type, 1)                                                                \
    BLOCK(code, c_type, 2)                                                                \
    static void erode_##code(const filter_cap_call *call)                                 \
    {                                                                                     \
        const int64_t width = call->width, block = 2 * LANES_##code;                      \
        find_low_##code(call);                                                            \
        for (int64_t y = 0; y < call->rows; y++) {                                        \
            for (int64_t x = 0; width >= block && x < width; x += block) {                \
                block_##code##_2(call, y, halo_min(x, width - block), block);             \
            }                                                                             \
            for (int64_t x = 0; width < block && x < width; x += LANES_##code) {          \
                block_##code##_1(call, y, x, halo_min(width - x, (int64_t)LANES_##code)); \
            }                                                                             \
        }                                                                                 \
    }
FILTER_CAP_LIST(ERODE)
#undef ERODE

#define ERODE_ENTRY(code, c_type) [HALO_SAMPLE_##code] = erode_##code,

const filter_cap_ops HALO_ISA_OPS(filter_cap_ops) = {{FILTER_CAP_LIST(ERODE_ENTRY)}};
