/* The loops of extreme_ops.h, for the ISA that halobeat_isa_body chooses. */

#include "base/minmax.h"
#include "kernels/filter/extreme_ops.h"
#include "kernels/filter/lanes.h"

enum { LINE = 64, GROUP = 32 }; /* bytes of a line of the cache; outputs that share minima */

/* ---- columns --------------------------------------------------------------------------------- */

/* Outputs of a group have rows count - 1 to window - 1 in common. To these come, for each, rows
 * before and rows behind them, which both are minima of one more row from output to output: three
 * operations an output for any window (van Herk 1992, Gil and Werman 1993). */
#define COLUMN_GROUP(code, op, many)                                                            \
    static ALWAYS void column_group_##op##_##code##_##many(                                     \
        const void *const *rows, int64_t window, int64_t count, ptrdiff_t at, void *const *out) \
    {                                                                                           \
        lanes_##code before[GROUP][many], v[many];                                              \
        for (int k = 0; k < (many); k++) {                                                      \
            v[k] = load_##code((const char *)rows[window - 1] + at + k * BYTES);                \
        }                                                                                       \
        for (int64_t i = window - 2; i >= 0; i--) {                                             \
            for (int k = 0; k < (many); k++) {                                                  \
                if (i < count - 1) {                                                            \
                    before[i + 1][k] = v[k];                                                    \
                }                                                                               \
                v[k] = op##_##code(v[k], load_##code((const char *)rows[i] + at + k * BYTES));  \
            }                                                                                   \
        }                                                                                       \
        for (int k = 0; k < (many); k++) {                                                      \
            store_##code((char *)out[0] + at + k * BYTES, v[k]);                                \
        }                                                                                       \
        for (int64_t i = 1; i < count; i++) {                                                   \
            for (int k = 0; k < (many); k++) {                                                  \
                const char *row = (const char *)rows[window - 1 + i] + at + k * BYTES;          \
                v[k] = i > 1 ? op##_##code(v[k], load_##code(row)) : load_##code(row);          \
                store_##code((char *)out[i] + at + k * BYTES, op##_##code(before[i][k], v[k])); \
            }                                                                                   \
        }                                                                                       \
    }

#define COLUMNS(code, op)                                                                     \
    COLUMN_GROUP(code, op, 1)                                                                 \
    COLUMN_GROUP(code, op, 2)                                                                 \
    static void columns_##op##_##code(const void *const *rows, int64_t window, int64_t count, \
                                      ptrdiff_t from, ptrdiff_t to, void *const *out)         \
    {                                                                                         \
        int64_t group = halo_min(window, GROUP);                                              \
        for (int64_t i = 0; i < count; i += group) {                                          \
            int64_t some = halo_min(group, count - i);                                        \
            ptrdiff_t at = from;                                                              \
            for (; at + 2 * BYTES <= to; at += 2 * BYTES) {                                   \
                column_group_##op##_##code##_2(rows + i, window, some, at, out + i);          \
            }                                                                                 \
            for (; at < to; at += BYTES) {                                                    \
                column_group_##op##_##code##_1(rows + i, window, some, at, out + i);          \
            }                                                                                 \
        }                                                                                     \
    }

/* ---- along rows ------------------------------------------------------------------------------ */

/* Windows of three times the length are minima of three, and the last one of two or three that
 * overlap. In place: what is read comes before what is written. All rows have one length before the
 * next: what was stored at once before is loaded late where it is not in the same place. */
#define ALONG(code, c_type, op)                                                                    \
    static ALWAYS lanes_##code three_##op##_##code(const c_type *at, int64_t second,               \
                                                   int64_t third)                                  \
    {                                                                                              \
        return op##_##code(op##_##code(load_##code(at), load_##code(at + second)),                 \
                           load_##code(at + third));                                               \
    }                                                                                              \
    static void last_##op##_##code(const c_type *row, int64_t second, int64_t third,               \
                                   int64_t width, c_type *out)                                     \
    {                                                                                              \
        enum { LANES = BYTES / sizeof(c_type) };                                                   \
        int64_t x = 0;                                                                             \
        for (; x + LANES <= width; x += LANES) {                                                   \
            store_##code(out + x, three_##op##_##code(row + x, second, third));                    \
        }                                                                                          \
        if (x < width) {                                                                           \
            lanes_##code rest = three_##op##_##code(row + x, second, third);                       \
            memcpy(out + x, &rest, (size_t)(width - x) * sizeof *out);                             \
        }                                                                                          \
    }                                                                                              \
    static void along_##op##_##code(void *const *rows, int64_t count, int64_t window,              \
                                    int64_t width, void *const *out)                               \
    {                                                                                              \
        enum { LANES = BYTES / sizeof(c_type) };                                                   \
        int64_t length = 1;                                                                        \
        for (; 3 * length < window; length *= 3) {                                                 \
            for (int64_t i = 0; i < count; i++) {                                                  \
                c_type *row = rows[i];                                                             \
                for (int64_t x = 0; x < width + window - 3 * length; x += LANES) {                 \
                    store_##code(row + x, three_##op##_##code(row + x, length, 2 * length));       \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        for (int64_t i = 0; i < count; i++) {                                                      \
            last_##op##_##code(rows[i], halo_min(length, window - length), window - length, width, \
                               out[i]);                                                            \
        }                                                                                          \
    }

/* ---- elements -------------------------------------------------------------------------------- */

/* Extremes of the rows of each level and those before it, of a block, to the scratch rows. */
#define LEVELS(code, op, many)                                                                   \
    static ALWAYS void levels_##op##_##code##_##many(const filter_element_rows *call, int64_t y, \
                                                     ptrdiff_t at, char *to)                     \
    {                                                                                            \
        const filter_chords *c = call->chords;                                                   \
        const void *const *rows = call->rows + y;                                                \
        lanes_##code v[many];                                                                    \
        for (int k = 0; k < (many); k++) {                                                       \
            v[k] = load_##code((const char *)rows[c->row[0]] + at + k * BYTES);                  \
        }                                                                                        \
        int64_t i = 1;                                                                           \
        for (int64_t level = 0; level < c->levels; level++) {                                    \
            for (; i < c->begin[level + 1]; i++) {                                               \
                const char *row = (const char *)rows[c->row[i]] + at;                            \
                for (int k = 0; k < (many); k++) {                                               \
                    v[k] = op##_##code(v[k], load_##code(row + k * BYTES));                      \
                }                                                                                \
            }                                                                                    \
            for (int k = 0; k < (many); k++) {                                                   \
                store_##code(to + (size_t)level * call->pitch + k * BYTES, v[k]);                \
            }                                                                                    \
        }                                                                                        \
    }

#define SHIFTS(code, op, many)                                                               \
    static ALWAYS void shifts_##op##_##code##_##many(const filter_element_rows *call,        \
                                                     int64_t count, ptrdiff_t at, char *out) \
    {                                                                                        \
        lanes_##code v[many];                                                                \
        for (int k = 0; k < (many); k++) {                                                   \
            v[k] = load_##code(call->shifted[0] + at + k * BYTES);                           \
        }                                                                                    \
        for (int64_t i = 1; i < count; i++) {                                                \
            for (int k = 0; k < (many); k++) {                                               \
                v[k] = op##_##code(v[k], load_##code(call->shifted[i] + at + k * BYTES));    \
            }                                                                                \
        }                                                                                    \
        for (int k = 0; k < (many); k++) {                                                   \
            store_##code(out + k * BYTES, v[k]);                                             \
        }                                                                                    \
    }

/* Samples first to first + count - 1 of an output: levels to scratch rows, and then what is
 * shifted. All outputs of a batch have the former before the latter. */
#define ELEMENT(code, c_type, op)                                                                 \
    LEVELS(code, op, 1)                                                                           \
    LEVELS(code, op, 4)                                                                           \
    SHIFTS(code, op, 1)                                                                           \
    SHIFTS(code, op, 4)                                                                           \
    static void element_levels_##op##_##code(const filter_element_rows *call, int64_t y,          \
                                             char *scratch, int64_t first, int64_t count)         \
    {                                                                                             \
        const int64_t reach = call->chords->half[0];                                              \
        ptrdiff_t from = (first - reach) * (ptrdiff_t)sizeof(c_type) & -LINE;                     \
        ptrdiff_t to = ((first + count + reach) * (ptrdiff_t)sizeof(c_type) + LINE - 1) & -LINE;  \
        ptrdiff_t at = from;                                                                      \
        for (; at + 4 * BYTES <= to; at += 4 * BYTES) {                                           \
            levels_##op##_##code##_4(call, y, at, scratch + (at - from));                         \
        }                                                                                         \
        for (; at < to; at += BYTES) {                                                            \
            levels_##op##_##code##_1(call, y, at, scratch + (at - from));                         \
        }                                                                                         \
    }                                                                                             \
    static void element_shifts_##op##_##code(const filter_element_rows *call, int64_t y,          \
                                             const char *scratch, int64_t first, int64_t count)   \
    {                                                                                             \
        const filter_chords *c = call->chords;                                                    \
        const int64_t reach = c->half[0], shifts = 2 * reach + 1;                                 \
        ptrdiff_t from = (first - reach) * (ptrdiff_t)sizeof(c_type) & -LINE;                     \
        ptrdiff_t at = 0, bytes = count * (ptrdiff_t)sizeof(c_type);                              \
        for (int64_t i = 0; i < shifts; i++) {                                                    \
            int64_t x = i - reach;                                                                \
            call->shifted[i] = scratch + (size_t)c->level[x < 0 ? -x : x] * call->pitch +         \
                               ((first + x) * (ptrdiff_t)sizeof(c_type) - from);                  \
        }                                                                                         \
        char *out = (char *)call->out[y] + first * (ptrdiff_t)sizeof(c_type), rest[BYTES];        \
        for (; at + 4 * BYTES <= bytes; at += 4 * BYTES) {                                        \
            shifts_##op##_##code##_4(call, shifts, at, out + at);                                 \
        }                                                                                         \
        for (; at + BYTES <= bytes; at += BYTES) {                                                \
            shifts_##op##_##code##_1(call, shifts, at, out + at);                                 \
        }                                                                                         \
        if (at < bytes) {                                                                         \
            shifts_##op##_##code##_1(call, shifts, at, rest);                                     \
            memcpy(out + at, rest, (size_t)(bytes - at));                                         \
        }                                                                                         \
    }                                                                                             \
    static void element_##op##_##code(const filter_element_rows *call)                            \
    {                                                                                             \
        const size_t row = (size_t)call->chords->levels * call->pitch;                            \
        for (int64_t x = 0; x < call->width; x += call->block) {                                  \
            int64_t some = halo_min(call->block, call->width - x);                                \
            for (int64_t y = 0; y < call->count; y += call->batch) {                              \
                int64_t rows = halo_min(call->batch, call->count - y);                            \
                for (int64_t i = 0; i < rows; i++) {                                              \
                    element_levels_##op##_##code(call, y + i, call->scratch + (size_t)i * row, x, \
                                                 some);                                           \
                }                                                                                 \
                for (int64_t i = 0; i < rows; i++) {                                              \
                    element_shifts_##op##_##code(call, y + i, call->scratch + (size_t)i * row, x, \
                                                 some);                                           \
                }                                                                                 \
            }                                                                                     \
        }                                                                                         \
    }

#define LOOPS(code, c_type)    \
    COLUMNS(code, min)         \
    COLUMNS(code, max)         \
    ALONG(code, c_type, min)   \
    ALONG(code, c_type, max)   \
    ELEMENT(code, c_type, min) \
    ELEMENT(code, c_type, max)
FILTER_KEY_LIST(LOOPS)
#undef LOOPS

#define COLUMNS_MIN(code, c_type) [HALO_SAMPLE_##code] = columns_min_##code,
#define COLUMNS_MAX(code, c_type) [HALO_SAMPLE_##code] = columns_max_##code,
#define ALONG_MIN(code, c_type)   [HALO_SAMPLE_##code] = along_min_##code,
#define ALONG_MAX(code, c_type)   [HALO_SAMPLE_##code] = along_max_##code,
#define ELEMENT_MIN(code, c_type) [HALO_SAMPLE_##code] = element_min_##code,
#define ELEMENT_MAX(code, c_type) [HALO_SAMPLE_##code] = element_max_##code,

const filter_extreme_ops HALO_ISA_OPS(filter_extreme_ops) = {
    {{{FILTER_KEY_LIST(COLUMNS_MIN)}, {FILTER_KEY_LIST(ALONG_MIN)}, {FILTER_KEY_LIST(ELEMENT_MIN)}},
     {{FILTER_KEY_LIST(COLUMNS_MAX)},
      {FILTER_KEY_LIST(ALONG_MAX)},
      {FILTER_KEY_LIST(ELEMENT_MAX)}}}};
