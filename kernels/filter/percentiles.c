#include "kernels/filter/percentiles.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples become whole numbers of the same order, of 16 to 64 bits. A pass counts the values of a
 * digit, of 16 bits, among those that have the first digits of a sample that is looked for. */

enum { PERCENT = 100, DIGIT = 16, VALUES = 1 << DIGIT, WANTED = 2 * FILTER_PERCENTILES };

/* A sample of some rank among all. */
typedef struct {
    int64_t rank;    /* among those that have the same first digits */
    uint64_t prefix; /* its first digits */
} wanted;

struct filter_percentiles {
    halo_sample_type type;
    int digits, digit;
    double percent[FILTER_PERCENTILES], share[FILTER_PERCENTILES];
    int64_t samples;
    wanted want[WANTED];      /* those below and above each percentile */
    int prefixes;             /* different ones of these, */
    uint64_t prefix[WANTED];  /* and which they are */
    int64_t counts[][VALUES]; /* [WANTED] of each */
};

/* ---- keys ------------------------------------------------------------------------------------ */

static inline uint64_t key_of_F32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits >> 31) != 0 ? (uint32_t)~bits : bits | UINT32_C(1) << 31;
}

static inline uint64_t key_of_F64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits >> 63) != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static float real_of_F32(uint64_t key)
{
    uint32_t bits = (uint32_t)key;
    float value;
    bits = (bits >> 31) != 0 ? bits & UINT32_MAX >> 1 : ~bits;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double real_of_F64(uint64_t key)
{
    uint64_t bits = (key >> 63) != 0 ? key & UINT64_MAX >> 1 : ~key;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double value_of(halo_sample_type type, uint64_t key)
{
    const halo_sample_type_entry *entry = &halo_sample_types[type];
    return type == HALO_SAMPLE_F32   ? (double)real_of_F32(key)
           : type == HALO_SAMPLE_F64 ? real_of_F64(key)
           : type == HALO_SAMPLE_U64 ? (double)key
                                     : (double)(int64_t)(key + (uint64_t)entry->key_min);
}

/* ---- counting -------------------------------------------------------------------------------- */

static inline void count_key(filter_percentiles *p, uint64_t key, int shift)
{
    for (int k = 0; k < p->prefixes; k++) {
        if (key >> shift >> DIGIT == p->prefix[k]) {
            p->counts[k][key >> shift & (VALUES - 1)]++;
            return;
        }
    }
}

#define KEY_UNSIGNED(code, value) (uint64_t)(value)
#define KEY_SIGNED(code, value)   ((uint64_t)(int64_t)(value)-least)
#define KEY_REAL(code, value)     key_of_##code(value)
#define NAN_UNSIGNED(value)       false
#define NAN_SIGNED(value)         false
#define NAN_REAL(value)           isnan(value)

/* The first digit has no other before it. */
#define COUNT_CASE(code, c_type, kind, ...)                  \
    case HALO_SAMPLE_##code:                                 \
        for (int64_t i = 0; i < width; i++) {                \
            c_type value = ((const c_type *)row)[i];         \
            uint64_t key = KEY_##kind(code, value);          \
            if (NAN_##kind(value)) {                         \
                continue;                                    \
            }                                                \
            if (p->digit == 0) {                             \
                p->counts[0][key >> shift & (VALUES - 1)]++; \
            } else {                                         \
                count_key(p, key, shift);                    \
            }                                                \
        }                                                    \
        break;

static void count_row(filter_percentiles *p, const void *row, int64_t width)
{
    const uint64_t least = (uint64_t)halo_sample_types[p->type].key_min;
    int shift = DIGIT * (p->digits - 1 - p->digit);
    switch (p->type) {
        HALO_SAMPLE_VALUE_LIST(COUNT_CASE)
    default:
        break;
    }
}

void filter_percentiles_add(filter_percentiles *p, const halo_view *rows)
{
    int64_t count = halo_view_rows(rows);
    for (int64_t y = 0; y < count; y++) {
        count_row(p, halo_view_row(rows, y), rows->owned.n[rows->axes - 1]);
    }
}

/* ---- a digit --------------------------------------------------------------------------------- */

static void set_ranks(filter_percentiles *p)
{
    for (int64_t v = 0; v < VALUES; v++) {
        p->samples += p->counts[0][v];
    }
    int64_t last = halo_max(p->samples - 1, 0);
    for (int i = 0; i < FILTER_PERCENTILES; i++) {
        double place = p->percent[i] / PERCENT * (double)last, below = floor(place);
        p->share[i] = place - below;
        p->want[2 * i].rank = (int64_t)below;
        p->want[2 * i + 1].rank = halo_min((int64_t)below + (place > below), last);
    }
}

/* Finds the digit of a sample, and its rank among those that have it. */
static void find_digit(const filter_percentiles *p, wanted *want)
{
    int k = 0;
    uint64_t value = 0;
    while (k < p->prefixes - 1 && p->prefix[k] != want->prefix) {
        k++;
    }
    for (; value < VALUES - 1 && want->rank >= p->counts[k][value]; value++) {
        want->rank -= p->counts[k][value];
    }
    want->prefix = want->prefix << DIGIT | value;
}

/* Lists the different beginnings of the samples that are looked for. */
static void list_prefixes(filter_percentiles *p)
{
    p->prefixes = 0;
    for (int i = 0; i < WANTED; i++) {
        int k = 0;
        while (k < p->prefixes && p->prefix[k] != p->want[i].prefix) {
            k++;
        }
        p->prefix[k] = p->want[i].prefix;
        p->prefixes += k == p->prefixes;
    }
}

static double find_value(const filter_percentiles *p, int i)
{
    double below = value_of(p->type, p->want[2 * i].prefix);
    double above = value_of(p->type, p->want[2 * i + 1].prefix);
    return p->samples == 0 ? 0 : p->share[i] > 0 ? below + (above - below) * p->share[i] : below;
}

halo_status filter_percentiles_end(filter_percentiles *p, halo_world *world, bool *again,
                                   double values[FILTER_PERCENTILES])
{
    HALO_TRY(halo_allreduce_sum(world, p->counts[0], p->prefixes * VALUES));
    if (p->digit == 0) {
        set_ranks(p);
    }
    for (int i = 0; i < WANTED; i++) {
        find_digit(p, &p->want[i]);
    }
    list_prefixes(p);
    *again = ++p->digit < p->digits;
    memset(p->counts, 0, (size_t)WANTED * sizeof p->counts[0]);
    for (int i = 0; i < FILTER_PERCENTILES && !*again; i++) {
        values[i] = find_value(p, i);
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

halo_status filter_percentiles_create(filter_percentiles **out, halo_sample_type type,
                                      const double percent[FILTER_PERCENTILES])
{
    enum { BYTE = 8 };
    int bits = BYTE * (int)halo_sample_types[type].bytes;
    filter_percentiles *p = calloc(1, sizeof *p + WANTED * sizeof p->counts[0]);
    *out = p;
    HALO_FAIL_IF(p == NULL, HALO_MEMORY, "out of memory: histograms");
    p->type = type;
    p->digits = (int)halo_max(1, bits / DIGIT);
    p->prefixes = 1;
    memcpy(p->percent, percent, sizeof p->percent);
    return HALO_OK;
}

void filter_percentiles_destroy(filter_percentiles *p)
{
    free(p);
}
