/* The inner loops with AVX-512 (VBMI2, BITALG, VPOPCNTDQ: Ice Lake, Zen 4 and later): labels of
 * runs. */

#include "kernels/label/rows/row_ops_avx512.h"
#include "kernels/label/rows/row_ops_body.h"

static inline __mmask16 first_lanes(int64_t count)
{
    return (__mmask16)(count >= 16 ? 0xffff : (1 << count) - 1);
}

/* Do the lanes count up by one? */
static inline bool counts_up(__mmask16 lanes, __m512i numbers)
{
    const __m512i ascending =
        _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i first = _mm512_broadcastd_epi32(_mm512_castsi512_si128(numbers));
    return _mm512_mask_cmpneq_epi32_mask(lanes, numbers, _mm512_add_epi32(first, ascending)) == 0;
}

static inline __m512i downwards(void)
{
    return _mm512_set_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

static inline bool counts_down(__m512i numbers)
{
    __m512i first = _mm512_broadcastd_epi32(_mm512_castsi512_si128(numbers));
    __m512i fifteen = _mm512_set1_epi32(15);
    __m512i down = _mm512_add_epi32(_mm512_sub_epi32(first, fifteen), downwards());
    return _mm512_cmpneq_epi32_mask(numbers, down) == 0;
}

static void copy(int32_t *labels, const int32_t *lower, const int32_t *upper, int64_t count)
{
    for (int64_t i = 0; i < count; i += 16) {
        __mmask16 lanes = first_lanes(count - i);
        __m512i from = _mm512_maskz_loadu_epi32(lanes, upper + i);
        __m512i to = _mm512_maskz_loadu_epi32(lanes, lower + i);
        if (counts_up(lanes, from) && counts_up(lanes, to)) { /* runs straight below each other */
            __m512i label = _mm512_maskz_loadu_epi32(lanes, labels + upper[i]);
            _mm512_mask_storeu_epi32(labels + lower[i], lanes, label);
            continue;
        }
        __m512i label = _mm512_mask_i32gather_epi32(from, lanes, from, labels, 4);
        _mm512_mask_i32scatter_epi32(labels, lanes, to, label, 4);
    }
}

static int64_t adopt(int32_t *labels, label_links *links)
{
    int64_t others = links->others, before = others;
    for (int64_t i = 0; i < links->firsts; i += 16) {
        __mmask16 lanes = first_lanes(links->firsts - i);
        __m512i upper = _mm512_maskz_loadu_epi32(lanes, links->first_upper + i);
        __m512i lower = _mm512_maskz_loadu_epi32(lanes, links->first_lower + i);
        __m512i label = _mm512_mask_i32gather_epi32(lower, lanes, lower, labels, 4);
        __mmask16 none = lanes & _mm512_movepi32_mask(label), has = lanes & (__mmask16)~none;
        label = _mm512_mask_i32gather_epi32(label, none, upper, labels, 4);
        _mm512_mask_i32scatter_epi32(labels, none, lower, label, 4);
        _mm512_storeu_si512(links->other_upper + others, _mm512_maskz_compress_epi32(has, upper));
        _mm512_storeu_si512(links->other_lower + others, _mm512_maskz_compress_epi32(has, lower));
        others += (int64_t)_mm_popcnt_u32(has);
    }
    links->others = others;
    return links->firsts - (others - before);
}

static int64_t differ(const int32_t *labels, const int32_t *parents, int32_t *upper, int32_t *lower,
                      int64_t count)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i += 16) {
        __mmask16 lanes = first_lanes(count - i);
        __m512i above = _mm512_maskz_loadu_epi32(lanes, upper + i);
        __m512i below = _mm512_maskz_loadu_epi32(lanes, lower + i);
        above = _mm512_mask_i32gather_epi32(above, lanes, above, labels, 4);
        below = _mm512_mask_i32gather_epi32(below, lanes, below, labels, 4);
        __m512i above_parent = _mm512_mask_i32gather_epi32(above, lanes, above, parents, 4);
        __m512i below_parent = _mm512_mask_i32gather_epi32(below, lanes, below, parents, 4);
        __mmask16 keep = _mm512_mask_cmpneq_epi32_mask(lanes, above_parent, below_parent);
        _mm512_storeu_si512(upper + kept, _mm512_maskz_compress_epi32(keep, above));
        _mm512_storeu_si512(lower + kept, _mm512_maskz_compress_epi32(keep, below));
        kept += (int64_t)_mm_popcnt_u32(keep);
    }
    return kept;
}

static int32_t found(int32_t *labels, int64_t count, int32_t *parents, int32_t next)
{
    const __m512i ascending =
        _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int64_t i = 0; i < count; i += 16) {
        __mmask16 lanes = first_lanes(count - i);
        __m512i label = _mm512_maskz_loadu_epi32(lanes, labels + i);
        __mmask16 fresh = _mm512_movepi32_mask(label);
        __m512i names = _mm512_add_epi32(_mm512_set1_epi32(next), ascending);
        _mm512_storeu_si512(parents + next, names);
        _mm512_mask_storeu_epi32(labels + i, lanes, _mm512_mask_expand_epi32(label, fresh, names));
        next += (int32_t)_mm_popcnt_u32(fresh);
    }
    return next;
}

/* A forest that is being flattened, and what is known so far. */
typedef struct {
    int32_t *parents, *aliases;
    int64_t found;
} flattening;

static void flatten_one(flattening *f, int64_t at, int32_t up)
{
    int32_t set = f->parents[up < 0 ? at : up];
    f->parents[at] = set;
    if (f->aliases != NULL) {
        f->aliases[f->found] = (int32_t)at;
        f->found += set < 0;
    }
}

/* Takes over the sets of those of 16 labels whose parents, `far`, are final. */
static __m512i flatten_far(flattening *f, __m512i value, __mmask16 far, __m512i parent, __m512i own)
{
    value = _mm512_mask_i32gather_epi32(value, far, parent, f->parents, 4);
    __mmask16 found = far & _mm512_movepi32_mask(value);
    if (found != 0) {
        _mm512_storeu_si512(f->aliases + f->found, _mm512_maskz_compress_epi32(found, own));
        f->found += (int64_t)_mm_popcnt_u32(found);
    }
    return value;
}

/* Roots are numbered together. The others follow their parents, together where many have parents
 * before these 16, otherwise one by one. Stores are whole, as loads soon after a part would wait.
 */
static int64_t flatten(int32_t *parents, int64_t count, int32_t *aliases, int64_t *alias_count)
{
    enum { MANY = 4 };
    const __m512i ascending =
        _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    flattening f = {.parents = parents, .aliases = aliases};
    int32_t before[16], sets = 0;
    int64_t whole = count / 16 * 16;
    for (int64_t i = 0; i < whole; i += 16) {
        __m512i parent = _mm512_loadu_si512(parents + i), first = _mm512_set1_epi32((int32_t)i);
        __m512i own = _mm512_add_epi32(first, ascending);
        __mmask16 roots = _mm512_cmpeq_epi32_mask(parent, own), others = (__mmask16)~roots;
        __mmask16 far = _mm512_mask_cmplt_epu32_mask(others, parent, first);
        __m512i numbers = _mm512_add_epi32(_mm512_set1_epi32(sets), ascending);
        __m512i value = _mm512_mask_expand_epi32(parent, roots, numbers);
        sets += (int32_t)_mm_popcnt_u32(roots);
        if (_mm_popcnt_u32(far) > MANY) {
            value = flatten_far(&f, value, far, parent, own);
            others &= (__mmask16)~far;
        }
        _mm512_storeu_si512(parents + i, value);
        _mm512_storeu_si512(before, parent);
        for (uint32_t rest = others; rest != 0; rest &= rest - 1) {
            flatten_one(&f, i + (int64_t)_tzcnt_u32(rest), before[_tzcnt_u32(rest)]);
        }
    }
    for (int64_t i = whole; i < count; i++) {
        if (parents[i] == (int32_t)i) {
            parents[i] = sets++;
        } else {
            flatten_one(&f, i, parents[i]);
        }
    }
    *alias_count = f.found;
    return sets;
}

static void look_up(const int32_t *labels, int64_t count, const int32_t *table, int32_t add,
                    int32_t *values)
{
    __m512i added = _mm512_set1_epi32(add);
    for (int64_t i = 0; i < count; i += 16) {
        __mmask16 lanes = first_lanes(count - i);
        __m512i label = _mm512_maskz_loadu_epi32(lanes, labels + i), value;
        if (counts_up(lanes, label)) { /* regions one beside the other */
            value = _mm512_maskz_loadu_epi32(lanes, table + labels[i]);
        } else if (lanes == 0xffff && counts_down(label)) { /* and in the other order, as rings */
            value =
                _mm512_permutexvar_epi32(downwards(), _mm512_loadu_si512(table + labels[i] - 15));
        } else {
            value = _mm512_mask_i32gather_epi32(label, lanes, label, table, 4);
        }
        _mm512_mask_storeu_epi32(values + i, lanes, _mm512_add_epi32(value, added));
    }
}

static bool reach(const int32_t *labels, int64_t count, const int32_t *table, int32_t min,
                  const int32_t *names, int32_t *places, uint64_t *unnamed)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i before = _mm512_set1_epi32(min - 1);
    uint64_t any = 0, word = 0;
    for (int64_t i = 0; i < count; i += 16) {
        __mmask16 lanes = first_lanes(count - i);
        __m512i label = _mm512_maskz_loadu_epi32(lanes, labels + i);
        __m512i value = _mm512_mask_i32gather_epi32(before, lanes, label, table, 4);
        __m512i place = _mm512_max_epi32(_mm512_sub_epi32(value, before), zero);
        __mmask16 late = _mm512_test_epi32_mask(place, place);
        if (late != 0) {
            __m512i name = _mm512_mask_i32gather_epi32(zero, late, place, names, 4);
            late = _mm512_movepi32_mask(name);
        }
        _mm512_mask_storeu_epi32(places + i, lanes, _mm512_maskz_mov_epi32(late, place));
        word |= (uint64_t)late << i % 64;
        if (i % 64 == 48 || i + 16 >= count) {
            unnamed[i / 64] = word;
            any |= word;
            word = 0;
        }
    }
    return any != 0;
}

const label_row_ops label_row_ops_avx512 = {
    .count_runs = label_avx512_count_runs,
    .fold = label_avx512_fold,
    .either = label_avx512_either,
    .all = label_avx512_all,
    .link = label_avx512_link,
    .link_begun = label_avx512_link_begun,
    .copy = copy,
    .adopt = adopt,
    .differ = differ,
    .found = found,
    .flatten = flatten,
    .look_up = look_up,
    .reach = reach,
    .name = portable_name,
    .paint8 = label_avx512_paint8,
    .paint16 = label_avx512_paint16,
    .paint32 = label_avx512_paint32,
    .paint64 = portable_paint64,
    .fill32 = label_avx512_fill32,
};
