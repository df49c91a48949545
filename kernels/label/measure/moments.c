#include "kernels/label/measure/moments.h"

#include "base/exact_sum.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/measure/second_pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An entry holds the sums of region `number`, one after the other: of samples, of squares, and of
 * samples times plane, row and column. */
enum { SUMS = 2 + HALO_AXES };

typedef struct {
    int64_t number;
    int64_t numbers;     /* samples that are not NaN */
    int64_t infinite;    /* samples that are infinite */
    int64_t huge;        /* samples whose square is infinite, but not they themselves */
    int64_t first, last; /* keys of the minimum and maximum, if there are any: equal samples deviate
                          * by 0, whatever their squares are */
    int8_t words[8];     /* [SUMS] of each sum; the rest avoids padding */
    uint64_t sums[];
} moment_sums;

/* The formats of the sums of a type. */
typedef struct {
    halo_sum_format sum, square, place;
} moment_formats;

struct halo_label_moments {
    label_second_pass pass; /* of moment_sums */
    halo_sample_type type;
    moment_formats formats;
};

/* Samples times positions below 2^31 have a word more than samples. */
static moment_formats formats_of(halo_sample_type type)
{
    moment_formats of = {halo_sum_of_whole, halo_sum_of_whole_squares, {0, 0}};
    if (type == HALO_SAMPLE_F32) {
        of = (moment_formats){halo_sum_of_floats, halo_sum_of_float_squares, {0, 0}};
    } else if (type == HALO_SAMPLE_F64) {
        of = (moment_formats){halo_sum_of_doubles, halo_sum_of_double_squares, {0, 0}};
    }
    of.place = (halo_sum_format){of.sum.words + 1, of.sum.low};
    return of;
}

static int words_of(const moment_formats *of)
{
    return of->sum.words + of->square.words + HALO_AXES * of->place.words;
}

static uint64_t *squares_of(const moment_formats *of, const moment_sums *sums)
{
    return (uint64_t *)sums->sums + of->sum.words;
}

static uint64_t *places_of(const moment_formats *of, const moment_sums *sums, int axis)
{
    return squares_of(of, sums) + of->square.words + axis * of->place.words;
}

/* Entries that arrive from other ranks are joined without the formats. */
static void set_words(const moment_formats *of, moment_sums *sums)
{
    sums->words[0] = (int8_t)of->sum.words;
    sums->words[1] = (int8_t)of->square.words;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        sums->words[2 + axis] = (int8_t)of->place.words;
    }
}

static void add_ends(moment_sums *sums, int64_t first, int64_t last)
{
    bool none = sums->numbers == 0;
    sums->first = none ? first : halo_min(sums->first, first);
    sums->last = none ? last : halo_max(sums->last, last);
}

/* ---- whole numbers --------------------------------------------------------------------------- */

/* What STRETCH samples come to: few enough that 64 bits hold the sum of samples of 32 bits, times
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
static void add_stretch(const moment_formats *of, moment_sums *sums, const stretch_sums *stretch,
                        int64_t count, const int64_t at[HALO_AXES])
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

static void add_real(const moment_formats *of, moment_sums *sums, double value,
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

static void add_pixels(void *context, void *entry, const void *row, int64_t begin, int64_t end)
{
    typedef stretch_sums stretch_add(const void *row, int64_t count);
    static stretch_add *const adds[] = {
        [HALO_SAMPLE_U8] = add_U8,   [HALO_SAMPLE_I8] = add_I8,   [HALO_SAMPLE_U16] = add_U16,
        [HALO_SAMPLE_I16] = add_I16, [HALO_SAMPLE_U32] = add_U32, [HALO_SAMPLE_I32] = add_I32,
        [HALO_SAMPLE_U64] = add_U64, [HALO_SAMPLE_I64] = add_I64};
    const halo_label_moments *moments = context;
    const label_second_pass *pass = &moments->pass;
    const moment_formats *of = &moments->formats;
    bool single = moments->type == HALO_SAMPLE_F32, real = halo_sample_is_real(moments->type);
    moment_sums *sums = entry;
    if (sums->words[0] == 0) {
        set_words(of, sums);
    }
    int64_t at[HALO_AXES] = {pass->plane, pass->line, pass->left + begin};
    for (int64_t x = begin; x < end && real; x++, at[2]++) {
        add_real(of, sums, single ? (double)((const float *)row)[x] : ((const double *)row)[x], at);
    }
    for (int64_t x = begin; x < end && !real; x += STRETCH, at[2] += STRETCH) {
        int64_t count = halo_min(end - x, STRETCH);
        size_t bytes = halo_sample_bytes(moments->type);
        const stretch_sums stretch =
            adds[moments->type]((const char *)row + (size_t)x * bytes, count);
        add_stretch(of, sums, &stretch, count, at);
    }
}

static size_t entry_bytes(halo_sample_type type)
{
    enum { ALIGNMENT = 16 };
    const moment_formats of = formats_of(type);
    size_t bytes = sizeof(moment_sums) + (size_t)words_of(&of) * sizeof(uint64_t);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

int64_t halo_label_moments_bytes(halo_sample_type type)
{
    return (int64_t)(entry_bytes(type) + sizeof(halo_moments));
}

halo_status halo_label_moments_create(halo_label_moments **out, halo_label *label,
                                      halo_sample_type type, bool part)
{
    *out = NULL;
    HALO_TRY(halo_agree(label->job.world, HALO_ALLOCATE(*out, 1, "moments of regions")));
    (*out)->type = type;
    (*out)->formats = formats_of(type);
    halo_status status = label_second_pass_create(&(*out)->pass, label, entry_bytes(type),
                                                  part ? LABEL_PASS_PART : LABEL_PASS_STRIPS);
    if (status != HALO_OK) {
        halo_label_moments_destroy(out);
    }
    return status;
}

const int64_t *halo_label_moments_cuts(const halo_label_moments *moments)
{
    return halo_label_painting_cuts(moments->pass.painting);
}

halo_status halo_label_moments_take(void *context, int64_t first_row, int64_t rows,
                                    const void *data, size_t pitch)
{
    halo_label_moments *moments = context;
    return label_second_pass_take(&moments->pass, first_row, rows, data, pitch, add_pixels,
                                  moments);
}

static void join(void *to, const void *part)
{
    moment_sums *sums = to;
    const moment_sums *more = part;
    if (more->numbers > 0) {
        add_ends(sums, more->first, more->last);
    }
    sums->numbers += more->numbers;
    sums->infinite += more->infinite;
    sums->huge += more->huge;
    memcpy(sums->words, more->words, sizeof sums->words);
    for (int i = 0, at = 0; i < SUMS; at += sums->words[i++]) {
        halo_sum_join(sums->sums + at, more->sums + at, more->words[i]);
    }
}

static halo_moments finish_region(const moment_formats *of, const moment_sums *sums)
{
    halo_moments found = {NAN, {NAN, NAN, NAN}};
    if (sums->numbers == 0 || sums->infinite > 0) {
        return found;
    }
    bool equal = sums->first == sums->last;
    found.deviation = equal ? 0
                      : sums->huge > 0
                          ? (double)INFINITY
                          : halo_sum_deviation(sums->sums, of->sum, squares_of(of, sums),
                                               of->square, sums->numbers);
    double sum = halo_sum_mean(sums->sums, of->sum, 1);
    for (int axis = 0; axis < HALO_AXES && fabs(sum) > 0; axis++) {
        found.weighted[axis] = halo_sum_mean(places_of(of, sums, axis), of->place, 1) / sum;
    }
    return found;
}

halo_status halo_label_moments_finish(halo_label_moments *moments, halo_moments **out,
                                      int64_t *count)
{
    label_by_number *table = &moments->pass.table;
    *out = NULL;
    *count = 0;
    HALO_TRY(label_by_number_share(table, join));
    HALO_TRY(halo_agree(table->world,
                        HALO_ALLOCATE_LARGE(*out, table->count + 1, "moments of regions")));
    *count = table->count;
    for (int64_t i = 0; i < *count; i++) {
        (*out)[i] = finish_region(&moments->formats, label_by_number_own(table, i));
    }
    return HALO_OK;
}

void halo_label_moments_destroy(halo_label_moments **moments)
{
    if (*moments != NULL) {
        label_second_pass_free(&(*moments)->pass);
        free(*moments);
        *moments = NULL;
    }
}
