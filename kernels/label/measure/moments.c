#include "base/minmax.h"
#include "kernels/label/measure/sample_measures.h"

#include <math.h>

/* Standard deviations of samples, and centroids weighted by them. An entry holds the sums of region
 * `number`, one after the other: of samples, of squares, and of samples times plane, row and
 * column. */
typedef struct {
    int64_t number;
    int64_t numbers;     /* samples that are not NaN */
    int64_t infinite;    /* samples that are infinite */
    int64_t huge;        /* samples whose square is infinite, but not they themselves */
    int64_t first, last; /* keys of the minimum and maximum, if there are any: equal samples deviate
                          * by 0, whatever their squares are */
    uint64_t sums[];
} moment_sums;

static int words_of(const label_sample_format *of)
{
    return of->sum.words + of->square.words + HALO_AXES * of->place.words;
}

static uint64_t *squares_of(const label_sample_format *of, const moment_sums *sums)
{
    return (uint64_t *)sums->sums + of->sum.words;
}

static uint64_t *places_of(const label_sample_format *of, const moment_sums *sums, int axis)
{
    return squares_of(of, sums) + of->square.words + axis * of->place.words;
}

static void add_ends(moment_sums *sums, int64_t first, int64_t last)
{
    bool none = sums->numbers == 0;
    sums->first = none ? first : halo_min(sums->first, first);
    sums->last = none ? last : halo_max(sums->last, last);
}

/* ---- whole numbers --------------------------------------------------------------------------- */

/* Sums of STRETCH samples: few enough that 64 bits hold the sum of samples of 32 bits, times
 * their places from the first one. */
typedef struct {
    halo_wide sum, place;
    halo_wide low, high; /* of squares: low + high * 2^64 */
    int64_t first, last; /* keys */
} stretch_sums;

enum { STRETCH = 1 << 15, WORD_BITS = 64 };

/* `wide` holds the sums; the squares of samples of up to 16 bits, or of 32, add up to `square`. */
#define DEFINE_STRETCH(code, type, wide, square)                                    \
    static stretch_sums add_##code(const void *row, int64_t count)                  \
    {                                                                               \
        const type *v = row;                                                        \
        type least = v[0], most = v[0];                                             \
        wide sum = 0, place = 0;                                                    \
        square squares = 0;                                                         \
        for (int32_t i = 0; i < (int32_t)count; i++) {                              \
            sum += v[i];                                                            \
            place += (wide)v[i] * i;                                                \
            squares += (square)v[i] * (square)v[i];                                 \
            least = v[i] < least ? v[i] : least;                                    \
            most = v[i] > most ? v[i] : most;                                       \
        }                                                                           \
        return (stretch_sums){.sum = sum,                                           \
                              .place = place,                                       \
                              .low = squares,                                       \
                              .first = halo_sample_key(HALO_SAMPLE_##code, &least), \
                              .last = halo_sample_key(HALO_SAMPLE_##code, &most)};  \
    }
DEFINE_STRETCH(U8, uint8_t, int64_t, int64_t)
DEFINE_STRETCH(I8, int8_t, int64_t, int64_t)
DEFINE_STRETCH(U16, uint16_t, int64_t, int64_t)
DEFINE_STRETCH(I16, int16_t, int64_t, int64_t)
DEFINE_STRETCH(U32, uint32_t, int64_t, halo_wide)
DEFINE_STRETCH(I32, int32_t, int64_t, halo_wide)
#undef DEFINE_STRETCH

/* Squares of 64 bits are added as two halves. */
#define DEFINE_LONG(code, type)                                             \
    static stretch_sums add_##code(const void *row, int64_t count)          \
    {                                                                       \
        const type *v = row;                                                \
        stretch_sums of = {.first = INT64_MAX, .last = INT64_MIN};          \
        for (int64_t i = 0; i < count; i++) {                               \
            halo_wide value = v[i];                                         \
            halo_wide size = value < 0 ? -value : value, half = size >> 32; \
            halo_wide rest = size & UINT32_MAX, cross = 2 * half * rest;    \
            int64_t key = halo_sample_key(HALO_SAMPLE_##code, &v[i]);       \
            of.sum += value;                                                \
            of.place += value * i;                                          \
            of.low += rest * rest + ((cross & UINT32_MAX) << 32);           \
            of.high += half * half + (cross >> 32);                         \
            of.first = halo_min(of.first, key);                             \
            of.last = halo_max(of.last, key);                               \
        }                                                                   \
        return of;                                                          \
    }
DEFINE_LONG(U64, uint64_t)
DEFINE_LONG(I64, int64_t)
#undef DEFINE_LONG

/* Adds a stretch of `count` whole numbers whose first pixel has the position `at`. */
static void add_stretch(const label_sample_format *of, moment_sums *sums,
                        const stretch_sums *stretch, int64_t count, const int64_t at[HALO_AXES])
{
    add_ends(sums, stretch->first, stretch->last);
    sums->numbers += count;
    halo_sum_add(sums->sums, of->sum.words, stretch->sum, 0);
    halo_sum_add(squares_of(of, sums), of->square.words, stretch->low, 0);
    halo_sum_add(squares_of(of, sums), of->square.words, stretch->high, WORD_BITS);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        halo_wide place = stretch->sum * at[axis] + (axis == 2 ? stretch->place : 0);
        halo_sum_add(places_of(of, sums, axis), of->place.words, place, 0);
    }
}

/* ---- reals ----------------------------------------------------------------------------------- */

/* Adds a product without a rounding: as its nearest double, and what that leaves. */
static void add_product(uint64_t *sum, halo_sum_format format, double a, double b)
{
    double product = a * b, rest = fma(a, b, -product);
    halo_sum_add_real(sum, format, product);
    if (fabs(rest) > 0) {
        halo_sum_add_real(sum, format, rest);
    }
}

static void add_real(const label_sample_format *of, moment_sums *sums, double value,
                     const int64_t at[HALO_AXES])
{
    if (isnan(value)) {
        return;
    }
    int64_t key = halo_sample_key_of_real(value);
    add_ends(sums, key, key);
    sums->numbers++;
    if (isinf(value)) {
        sums->infinite++;
        return;
    }
    if (isinf(value * value)) {
        sums->huge++;
    } else {
        add_product(squares_of(of, sums), of->square, value, value);
    }
    halo_sum_add_real(sums->sums, of->sum, value);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        if (at[axis] != 0) {
            add_product(places_of(of, sums, axis), of->place, value, (double)at[axis]);
        }
    }
}

/* ---------------------------------------------------------------------------------------------- */

static void add(const void *context, void *entry, const label_region_run *run)
{
    typedef stretch_sums stretch_add(const void *row, int64_t count);
#define ADD_ENTRY(code, ...) [HALO_SAMPLE_##code] = add_##code,
    static stretch_add *const adds[] = {HALO_SAMPLE_WHOLE_LIST(ADD_ENTRY)};
#undef ADD_ENTRY
    const label_sample_format *of = context;
    const void *row = run->row;
    int64_t begin = run->begin, end = run->end,
            at[HALO_AXES] = {run->plane, run->line, run->left + begin};
    bool single = of->type == HALO_SAMPLE_F32, real = halo_sample_types[of->type].real;
    for (int64_t x = begin; x < end && real; x++, at[2]++) {
        add_real(of, entry, single ? (double)((const float *)row)[x] : ((const double *)row)[x],
                 at);
    }
    for (int64_t x = begin; x < end && !real; x += STRETCH, at[2] += STRETCH) {
        int64_t count = halo_min(end - x, STRETCH);
        size_t bytes = halo_sample_types[of->type].bytes;
        const stretch_sums stretch = adds[of->type]((const char *)row + (size_t)x * bytes, count);
        add_stretch(of, entry, &stretch, count, at);
    }
}

static size_t entry_bytes(const label_sample_format *of)
{
    enum { ALIGNMENT = 16 };
    size_t bytes = sizeof(moment_sums) + (size_t)words_of(of) * sizeof(uint64_t);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void join(const void *context, void *to, const void *part)
{
    const label_sample_format *of = context;
    moment_sums *sums = to;
    const moment_sums *more = part;
    if (more->numbers > 0) {
        add_ends(sums, more->first, more->last);
    }
    sums->numbers += more->numbers;
    sums->infinite += more->infinite;
    sums->huge += more->huge;
    halo_sum_join(sums->sums, more->sums, of->sum.words);
    halo_sum_join(squares_of(of, sums), squares_of(of, more), of->square.words);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        halo_sum_join(places_of(of, sums, axis), places_of(of, more, axis), of->place.words);
    }
}

static bool finish(const label_sample_format *of, const void *entry, void *out)
{
    const moment_sums *sums = entry;
    halo_moments *found = out;
    *found = (halo_moments){NAN, {NAN, NAN, NAN}};
    if (sums->numbers == 0 || sums->infinite > 0) {
        return true;
    }
    bool equal = sums->first == sums->last;
    found->deviation = equal ? 0
                       : sums->huge > 0
                           ? (double)INFINITY
                           : halo_sum_deviation(sums->sums, of->sum, squares_of(of, sums),
                                                of->square, sums->numbers);
    double sum = halo_sum_mean(sums->sums, of->sum, 1);
    for (int axis = 0; axis < HALO_AXES && fabs(sum) > 0; axis++) {
        found->weighted[axis] = halo_sum_mean(places_of(of, sums, axis), of->place, 1) / sum;
    }
    return true;
}

const label_sample_measure label_moment_measure = {.what = "moments of regions",
                                                   .entry_bytes = entry_bytes,
                                                   .result_bytes = sizeof(halo_moments),
                                                   .add = add,
                                                   .join = join,
                                                   .finish = finish};
