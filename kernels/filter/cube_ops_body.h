/* The loops of cube_ops.h, for the ISA that halobeat_isa_body chooses. */

#include "kernels/filter/cube_ops.h"
#include "kernels/filter/lanes.h"

enum { LIST = FILTER_CUBE_LIST };

/* Networks as lists of operations on values v: SORT(a, b) puts the lesser of both into a and the
 * greater into b, LESS and MORE keep one of them. They are Batcher's merges (1968) without what is
 * not wanted, and were tried with all lists of zeroes and ones that are sorted. */

/* Three sorted triples from 0, 3 and 6 on become one list, in the order of SORTED. */
#define MERGE_TRIPLES(SORT) \
    SORT(0, 3)              \
    SORT(2, 5)              \
    SORT(2, 3)              \
    SORT(1, 4)              \
    SORT(1, 2)              \
    SORT(4, 3)              \
    SORT(0, 6)              \
    SORT(3, 6)              \
    SORT(2, 8)              \
    SORT(2, 3)              \
    SORT(8, 6)              \
    SORT(1, 7)              \
    SORT(5, 7)              \
    SORT(4, 5)              \
    SORT(1, 2)              \
    SORT(4, 3)              \
    SORT(5, 8)              \
    SORT(7, 6)
static const int sorted_at[LIST] = {0, 1, 2, 4, 3, 5, 8, 7, 6};

/* Two sorted lists from 0 and 9 on: ranks 4 to 13 of all come to 4 to 8 and 10 to 14. */
#define MERGE_LISTS(SORT, LESS, MORE) \
    MORE(0, 9)                        \
    LESS(8, 17)                       \
    SORT(8, 9)                        \
    SORT(4, 13)                       \
    SORT(4, 8)                        \
    SORT(13, 9)                       \
    SORT(2, 11)                       \
    SORT(6, 15)                       \
    SORT(6, 11)                       \
    MORE(2, 4)                        \
    SORT(6, 8)                        \
    SORT(11, 13)                      \
    LESS(15, 9)                       \
    MORE(1, 10)                       \
    SORT(5, 14)                       \
    SORT(5, 10)                       \
    SORT(3, 12)                       \
    LESS(7, 16)                       \
    SORT(7, 12)                       \
    SORT(3, 5)                        \
    SORT(7, 10)                       \
    SORT(12, 14)                      \
    MORE(3, 4)                        \
    SORT(5, 6)                        \
    SORT(7, 8)                        \
    SORT(10, 11)                      \
    SORT(12, 13)                      \
    LESS(14, 15)

/* Rank 13 of all 27: of the merged list it is rank 13 - i, or of the third one i - 1, whichever is
 * greater; the least of these for all i. */
#define SELECT_RANK(PAIR) \
    PAIR(13, 0)           \
    PAIR(12, 1)           \
    PAIR(11, 2)           \
    PAIR(10, 3)           \
    PAIR(8, 4)            \
    PAIR(7, 5)            \
    PAIR(6, 6)            \
    PAIR(5, 7)            \
    PAIR(4, 8)

#define LESS_OF(code, a, b) v[a] = min_##code(v[a], v[b]);
#define MORE_OF(code, a, b) v[b] = max_##code(v[a], v[b]);
#define SORT_OF(code, a, b)                        \
    {                                              \
        lanes_##code low = min_##code(v[a], v[b]); \
        v[b] = max_##code(v[a], v[b]);             \
        v[a] = low;                                \
    }
#define PAIR_OF(code, a, b) \
    least = min_##code(least, max_##code(v[a], load_##code(list + (b)*pitch)));

#define CUBE(code, c_type)                                                                        \
    static void sort_##code(const void *const rows[3], int64_t count, char *list, size_t pitch)   \
    {                                                                                             \
        const int64_t size = (int64_t)sizeof(c_type);                                             \
        for (int64_t x = 0; x < count * size; x += BYTES) {                                       \
            lanes_##code v[LIST];                                                                 \
            for (int i = 0; i < LIST; i++) {                                                      \
                v[i] = load_##code((const char *)rows[i % 3] + x + (i / 3 - 1) * size);           \
            }                                                                                     \
            SORT_##code(0, 1) SORT_##code(3, 4) SORT_##code(6, 7);                                \
            SORT_##code(1, 2) SORT_##code(4, 5) SORT_##code(7, 8);                                \
            SORT_##code(0, 1) SORT_##code(3, 4) SORT_##code(6, 7);                                \
            MERGE_TRIPLES(SORT_##code)                                                            \
            for (int i = 0; i < LIST; i++) {                                                      \
                store_##code(list + (size_t)i * pitch + x, v[sorted_at[i]]);                      \
            }                                                                                     \
        }                                                                                         \
    }                                                                                             \
    static ALWAYS lanes_##code select_##code(const lanes_##code *v, const char *list,             \
                                             size_t pitch)                                        \
    {                                                                                             \
        lanes_##code least = v[14];                                                               \
        SELECT_RANK(PAIR_##code)                                                                  \
        return least;                                                                             \
    }                                                                                             \
    static ALWAYS void put_##code(char *out, int64_t left, lanes_##code result)                   \
    {                                                                                             \
        if (left >= BYTES) {                                                                      \
            store_##code(out, result);                                                            \
        } else {                                                                                  \
            memcpy(out, &result, (size_t)left);                                                   \
        }                                                                                         \
    }                                                                                             \
    static void median_##code(const char *const lists[FILTER_CUBE_ROWS], size_t pitch,            \
                              int64_t count, void *const out[2])                                  \
    {                                                                                             \
        const int64_t bytes = count * (int64_t)sizeof(c_type);                                    \
        for (int64_t x = 0; x < bytes; x += BYTES) {                                              \
            lanes_##code v[2 * LIST];                                                             \
            for (int i = 0; i < LIST; i++) {                                                      \
                v[i] = load_##code(lists[1] + (size_t)i * pitch + x);                             \
                v[LIST + i] = load_##code(lists[2] + (size_t)i * pitch + x);                      \
            }                                                                                     \
            MERGE_LISTS(SORT_##code, LESS_##code, MORE_##code)                                    \
            put_##code((char *)out[0] + x, bytes - x, select_##code(v, lists[0] + x, pitch));     \
            if (out[1] != NULL) {                                                                 \
                put_##code((char *)out[1] + x, bytes - x, select_##code(v, lists[3] + x, pitch)); \
            }                                                                                     \
        }                                                                                         \
    }
#define SORT_U8(a, b)  SORT_OF(U8, a, b)
#define LESS_U8(a, b)  LESS_OF(U8, a, b)
#define MORE_U8(a, b)  MORE_OF(U8, a, b)
#define PAIR_U8(a, b)  PAIR_OF(U8, a, b)
#define SORT_U16(a, b) SORT_OF(U16, a, b)
#define LESS_U16(a, b) LESS_OF(U16, a, b)
#define MORE_U16(a, b) MORE_OF(U16, a, b)
#define PAIR_U16(a, b) PAIR_OF(U16, a, b)
#define SORT_I32(a, b) SORT_OF(I32, a, b)
#define LESS_I32(a, b) LESS_OF(I32, a, b)
#define MORE_I32(a, b) MORE_OF(I32, a, b)
#define PAIR_I32(a, b) PAIR_OF(I32, a, b)
#define SORT_I64(a, b) SORT_OF(I64, a, b)
#define LESS_I64(a, b) LESS_OF(I64, a, b)
#define MORE_I64(a, b) MORE_OF(I64, a, b)
#define PAIR_I64(a, b) PAIR_OF(I64, a, b)
FILTER_KEY_LIST(CUBE)
#undef CUBE

#define SORT_ENTRY(code, c_type)   [HALO_SAMPLE_##code] = sort_##code,
#define MEDIAN_ENTRY(code, c_type) [HALO_SAMPLE_##code] = median_##code,

const filter_cube_ops HALO_ISA_OPS(filter_cube_ops) = {.sort = {FILTER_KEY_LIST(SORT_ENTRY)},
                                                       .median = {FILTER_KEY_LIST(MEDIAN_ENTRY)}};
