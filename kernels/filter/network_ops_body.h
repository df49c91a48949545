/* The loops of network_ops.h, for the ISA that halobeat_isa_body chooses. A row is read before what
 * is behind it is written, so that a register may be written that is read, too. */

#include "kernels/filter/lanes.h"
#include "kernels/filter/network_ops.h"

enum { TOGETHER = 4 }; /* vectors */

/* One operation on some vectors; `low` and `high` may be one of `a` and `b`. */
#define STEP(code, many)                                                                         \
    static ALWAYS void sort_##code##_##many(const char *a, const char *b, char *low, char *high) \
    {                                                                                            \
        lanes_##code u[many], v[many];                                                           \
        for (int k = 0; k < (many); k++) {                                                       \
            u[k] = load_##code(a + k * BYTES);                                                   \
            v[k] = load_##code(b + k * BYTES);                                                   \
        }                                                                                        \
        for (int k = 0; k < (many); k++) {                                                       \
            store_##code(low + k * BYTES, min_##code(u[k], v[k]));                               \
            store_##code(high + k * BYTES, max_##code(u[k], v[k]));                              \
        }                                                                                        \
    }                                                                                            \
    static ALWAYS void min_##code##_##many(const char *a, const char *b, char *low, char *high)  \
    {                                                                                            \
        lanes_##code u[many];                                                                    \
        (void)high;                                                                              \
        for (int k = 0; k < (many); k++) {                                                       \
            u[k] = min_##code(load_##code(a + k * BYTES), load_##code(b + k * BYTES));           \
        }                                                                                        \
        for (int k = 0; k < (many); k++) {                                                       \
            store_##code(low + k * BYTES, u[k]);                                                 \
        }                                                                                        \
    }                                                                                            \
    static ALWAYS void max_##code##_##many(const char *a, const char *b, char *low, char *high)  \
    {                                                                                            \
        lanes_##code u[many];                                                                    \
        (void)high;                                                                              \
        for (int k = 0; k < (many); k++) {                                                       \
            u[k] = max_##code(load_##code(a + k * BYTES), load_##code(b + k * BYTES));           \
        }                                                                                        \
        for (int k = 0; k < (many); k++) {                                                       \
            store_##code(low + k * BYTES, u[k]);                                                 \
        }                                                                                        \
    }

#define ROWS(code, name)                                                                      \
    static ALWAYS void name##_row_##code(const char *a, const char *b, char *low, char *high, \
                                         int64_t bytes)                                       \
    {                                                                                         \
        int64_t x = 0;                                                                        \
        for (; x + (TOGETHER - 1) * BYTES < bytes; x += TOGETHER * BYTES) {                   \
            name##_##code##_4(a + x, b + x, low + x, high + x);                               \
        }                                                                                     \
        for (; x < bytes; x += BYTES) {                                                       \
            name##_##code##_1(a + x, b + x, low + x, high + x);                               \
        }                                                                                     \
    }

/* The minimum of the maxima of pairs of registers. */
#define SELECT(code, many)                                                                      \
    static ALWAYS void select_##code##_##many(int(*pair)[2], int pairs, char *const *registers, \
                                              int64_t x, char *out)                             \
    {                                                                                           \
        lanes_##code v[many];                                                                   \
        const char *a = registers[pair[0][0]] + x, *b = registers[pair[0][1]] + x;              \
        for (int k = 0; k < (many); k++) {                                                      \
            v[k] = max_##code(load_##code(a + k * BYTES), load_##code(b + k * BYTES));          \
        }                                                                                       \
        for (int i = 1; i < pairs; i++) {                                                       \
            a = registers[pair[i][0]] + x;                                                      \
            b = registers[pair[i][1]] + x;                                                      \
            for (int k = 0; k < (many); k++) {                                                  \
                v[k] = min_##code(                                                              \
                    v[k], max_##code(load_##code(a + k * BYTES), load_##code(b + k * BYTES)));  \
            }                                                                                   \
        }                                                                                       \
        for (int k = 0; k < (many); k++) {                                                      \
            store_##code(out + x + k * BYTES, v[k]);                                            \
        }                                                                                       \
    }

#define RUN(code, c_type)                                                                        \
    STEP(code, 1)                                                                                \
    STEP(code, 4)                                                                                \
    ROWS(code, sort)                                                                             \
    ROWS(code, min)                                                                              \
    ROWS(code, max)                                                                              \
    SELECT(code, 1)                                                                              \
    SELECT(code, 4)                                                                              \
    static ALWAYS void select_row_##code(int(*pair)[2], int pairs, char *const *registers,       \
                                         char *out, int64_t bytes)                               \
    {                                                                                            \
        int64_t x = 0;                                                                           \
        for (; x + (TOGETHER - 1) * BYTES < bytes; x += TOGETHER * BYTES) {                      \
            select_##code##_4(pair, pairs, registers, x, out);                                   \
        }                                                                                        \
        for (; x < bytes; x += BYTES) {                                                          \
            select_##code##_1(pair, pairs, registers, x, out);                                   \
        }                                                                                        \
    }                                                                                            \
    static void run_##code(const filter_program *program, int64_t count, char *const *registers) \
    {                                                                                            \
        const int64_t size = (int64_t)sizeof(c_type);                                            \
        const filter_operation *end = program->operation + program->operations;                  \
        for (const filter_operation *o = program->operation; o < end; o++) {                     \
            int64_t bytes = (count + o->more) * size;                                            \
            if (o->kind == FILTER_NETWORK_SELECT) {                                              \
                select_row_##code(program->pair + o->a, o->b, registers, registers[o->low],      \
                                  bytes);                                                        \
                continue;                                                                        \
            }                                                                                    \
            const char *a = registers[o->a] + o->shift_a * size;                                 \
            const char *b = registers[o->b] + o->shift_b * size;                                 \
            char *low = registers[o->low], *high = registers[o->high];                           \
            switch (o->kind) {                                                                   \
            case FILTER_NETWORK_SORT:                                                            \
                sort_row_##code(a, b, low, high, bytes);                                         \
                break;                                                                           \
            case FILTER_NETWORK_MIN:                                                             \
                min_row_##code(a, b, low, high, bytes);                                          \
                break;                                                                           \
            default:                                                                             \
                max_row_##code(a, b, low, high, bytes);                                          \
            }                                                                                    \
        }                                                                                        \
    }
FILTER_KEY_LIST(RUN)
#undef RUN

#define RUN_ENTRY(code, c_type) [HALO_SAMPLE_##code] = run_##code,

const filter_network_ops HALO_ISA_OPS(filter_network_ops) = {.run = {FILTER_KEY_LIST(RUN_ENTRY)}};
