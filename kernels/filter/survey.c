#include "kernels/filter/survey.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/filter/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Surveys of images, row by row. */

enum { CHUNK = 512, LANES = 64, SHIFT = 16, SAMPLED = 4, WORD = 64 };

/* ---- extremes -------------------------------------------------------------------------------- */

/* Comparisons with NaN are false, so that it changes nothing. Lanes are what vectors compare at
 * once. */
#define TOP_UNSIGNED(most)  (most)
#define TOP_SIGNED(most)    (most)
#define TOP_REAL(most)      INFINITY
#define LOW_UNSIGNED(least) (least)
#define LOW_SIGNED(least)   (least)
#define LOW_REAL(least)     (-INFINITY)
#define EXTREMES(code, c_type, kind, range, name, numpy, least, most)           \
    static bool extremes_##code(const void *row, int64_t width, int64_t key[2]) \
    {                                                                           \
        const c_type *at = row;                                                 \
        c_type low[LANES], high[LANES];                                         \
        for (int j = 0; j < LANES; j++) {                                       \
            low[j] = TOP_##kind(most);                                          \
            high[j] = LOW_##kind(least);                                        \
        }                                                                       \
        int64_t i = 0;                                                          \
        for (; i + LANES <= width; i += LANES) {                                \
            for (int j = 0; j < LANES; j++) {                                   \
                low[j] = at[i + j] < low[j] ? at[i + j] : low[j];               \
                high[j] = at[i + j] > high[j] ? at[i + j] : high[j];            \
            }                                                                   \
        }                                                                       \
        for (; i < width; i++) {                                                \
            low[0] = at[i] < low[0] ? at[i] : low[0];                           \
            high[0] = at[i] > high[0] ? at[i] : high[0];                        \
        }                                                                       \
        for (int j = 1; j < LANES; j++) {                                       \
            low[0] = low[j] < low[0] ? low[j] : low[0];                         \
            high[0] = high[j] > high[0] ? high[j] : high[0];                    \
        }                                                                       \
        key[0] = halo_sample_key(HALO_SAMPLE_##code, &low[0]);                  \
        key[1] = halo_sample_key(HALO_SAMPLE_##code, &high[0]);                 \
        return low[0] <= high[0];                                               \
    }
HALO_SAMPLE_VALUE_LIST(EXTREMES)
#undef EXTREMES

/* Bits past the width are 0. */
static bool extremes_BIT(const void *row, int64_t width, int64_t key[2])
{
    const uint64_t *words = row;
    uint64_t any = 0, all = UINT64_MAX;
    for (int64_t i = 0; i < (width + WORD - 1) / WORD; i++) {
        int64_t left = width - i * WORD;
        any |= words[i];
        all &= words[i] | (left < WORD ? UINT64_MAX << left : 0);
    }
    key[0] = all == UINT64_MAX;
    key[1] = any != 0;
    return width > 0;
}

static void add_extremes(filter_survey *s, const void *row)
{
    static bool (*const functions[])(const void *row, int64_t width, int64_t key[2]) = {
#define FUNCTION(code, ...) extremes_##code,
        HALO_SAMPLE_TYPE_LIST(FUNCTION)
#undef FUNCTION
    };
    int64_t key[2];
    if (functions[s->type](row, s->n[2], key)) {
        s->min = halo_min(s->min, key[0]);
        s->max = halo_max(s->max, key[1]);
        s->known = true;
    }
}

/* ---- histograms ------------------------------------------------------------------------------ */

/* Do whole numbers have a code each? */
static bool is_short(halo_sample_type type)
{
    return !halo_sample_types[type].real && halo_sample_types[type].bytes <= sizeof(uint16_t);
}

/* The first bits of a float, with the order of the numbers. */
static uint32_t code_of_real(double value)
{
    float near = (float)value;
    uint32_t bits;
    memcpy(&bits, &near, sizeof bits);
    return (bits >> 31 != 0 ? ~bits : bits | UINT32_C(1) << 31) >> SHIFT;
}

static double real_of_code(uint32_t code)
{
    uint32_t bits = code << SHIFT;
    float near;
    bits = bits >> 31 != 0 ? bits & ~(UINT32_C(1) << 31) : ~bits;
    memcpy(&near, &bits, sizeof near);
    return near;
}

static void add_chunk(filter_survey *s, const double *values, int64_t count)
{
    double least = is_short(s->type) ? (double)halo_sample_types[s->type].key_min : 0;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(values[i])) {
            continue;
        }
        s->codes[is_short(s->type) ? (uint32_t)(values[i] - least) : code_of_real(values[i])]++;
        s->numbers += isfinite(values[i]) != 0;
    }
    halo_sum_add_doubles(s->sum, values, count);
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* Distance of the rows and columns that are read for a dot, of large images. */
static int64_t step_of(int64_t from, int64_t to)
{
    return halo_max(1, from / (to * SAMPLED));
}

static void add_dots(filter_survey *s, const void *row, int64_t z, int64_t y)
{
    int64_t step = step_of(s->n[2], s->width), line = y * s->height / s->n[1];
    if (z != s->plane || y % step_of(s->n[1], s->height) != 0) {
        return;
    }
    for (int64_t x = 0; x < s->n[2]; x += step) {
        int64_t dot = line * s->width + x * s->width / s->n[2];
        double value;
        halo_sample_to_doubles(s->type, row, x, 1, &value);
        if (isfinite(value)) {
            s->sums[dot] += value;
            s->counts[dot]++;
        }
    }
}

static void add_details(filter_survey *s, const void *row, int64_t z, int64_t y)
{
    double values[CHUNK];
    for (int64_t x = 0; x < s->n[2]; x += CHUNK) {
        int64_t count = halo_min(CHUNK, s->n[2] - x);
        halo_sample_to_doubles(s->type, row, x, count, values);
        add_chunk(s, values, count);
    }
    add_dots(s, row, z, y);
}

void halo_filter_survey_add_row(filter_survey *s, int64_t layer, int64_t y, const void *row)
{
    add_extremes(s, row);
    if (s->detailed) {
        add_details(s, row, s->axis == 0 ? layer : 0, s->axis == 0 ? y : layer);
    }
}

void halo_filter_survey_add(filter_survey *s, int64_t first, int64_t count, void *const *rows)
{
    int64_t unit = s->axis == 0 ? s->n[1] : 1;
    for (int64_t i = 0; i < count * unit; i++) {
        int64_t layer = first + i / unit;
        if (layer >= s->lo && layer < s->hi) {
            halo_filter_survey_add_row(s, layer, i % unit, rows[i]);
        }
    }
}

/* ---- all ranks ------------------------------------------------------------------------------- */

/* The dots of a rank, on their way to rank 0: this, then sums and counts. */
typedef struct {
    int64_t first, dots;
} piece;

/* The dots that this rank's rows lie in. */
static piece find_own(const filter_survey *s)
{
    bool solid = s->axis == 0, any = solid ? s->lo <= s->plane && s->plane < s->hi : s->lo < s->hi;
    int64_t lo = solid ? 0 : s->lo, hi = solid ? s->n[1] : s->hi;
    int64_t first = lo * s->height / s->n[1], end = (hi - 1) * s->height / s->n[1] + 1;
    return any ? (piece){first * s->width, (end - first) * s->width} : (piece){0, 0};
}

static halo_status pack(const filter_survey *s, halo_buffer *out)
{
    const piece own = find_own(s);
    HALO_TRY(halo_buffer_append(out, &own, sizeof own));
    HALO_TRY(halo_buffer_append(out, s->sums + own.first, (size_t)own.dots * sizeof *s->sums));
    HALO_TRY(halo_buffer_append(out, s->counts + own.first, (size_t)own.dots * sizeof *s->counts));
    return halo_buffer_append(out, s->sum, sizeof s->sum);
}

/* On rank 0: everything of all ranks, its own included. */
static void unpack(filter_survey *s, const char *all, size_t bytes)
{
    uint64_t more[HALO_SUM_MAX_WORDS];
    memset(s->sums, 0, (size_t)(s->width * s->height) * sizeof *s->sums);
    memset(s->counts, 0, (size_t)(s->width * s->height) * sizeof *s->counts);
    memset(s->sum, 0, sizeof s->sum);
    for (const char *at = all; at < all + bytes;) {
        piece of;
        memcpy(&of, at, sizeof of);
        at += sizeof of;
        const char *counts = at + (size_t)of.dots * sizeof(double);
        for (int64_t i = 0; i < of.dots; i++) {
            double sum;
            int64_t count;
            memcpy(&sum, at + (size_t)i * sizeof sum, sizeof sum);
            memcpy(&count, counts + (size_t)i * sizeof count, sizeof count);
            s->sums[of.first + i] += sum;
            s->counts[of.first + i] += count;
        }
        at = counts + (size_t)of.dots * sizeof(int64_t);
        memcpy(more, at, sizeof more);
        halo_sum_join(s->sum, more, halo_sum_of_doubles.words);
        at += sizeof more;
    }
}

/* Collective. */
static halo_status join_details(filter_survey *s, halo_world *world)
{
    halo_buffer mine = {0};
    void *all = NULL;
    size_t bytes = 0;
    halo_status status = halo_agree(world, pack(s, &mine));
    HALO_IF_OK(status, halo_agree(world, halo_gatherv(world, mine.data, mine.size, &all, &bytes)));
    HALO_IF_OK(status, halo_allreduce_sum(world, s->codes, FILTER_SURVEY_CODES));
    HALO_IF_OK(status, halo_allreduce_sum(world, &s->numbers, 1));
    if (status == HALO_OK && all != NULL) {
        unpack(s, all, bytes);
        s->mean =
            s->numbers > 0 ? halo_sum_mean(s->sum, halo_sum_of_doubles, s->numbers) : (double)NAN;
    }
    halo_memory_free(all);
    halo_buffer_free(&mine);
    return halo_agree(world, status);
}

halo_status halo_filter_survey_join(filter_survey *s, halo_world *world)
{
    int64_t known = s->known;
    halo_status status = halo_allreduce_min(world, &s->min, 1);
    HALO_IF_OK(status, halo_allreduce_max(world, &s->max, 1));
    HALO_IF_OK(status, halo_allreduce_max(world, &known, 1));
    s->known = known != 0;
    HALO_TRY(halo_agree(world, status));
    return s->detailed ? join_details(s, world) : HALO_OK;
}

/* ---- bins ------------------------------------------------------------------------------------ */

/* Spreads what lies between two values over the bins that they touch. */
static void spread(double from, double to, double count, int bins, double *out)
{
    from = fmin(fmax(from, 0), bins);
    to = fmin(fmax(to, from), bins);
    if (!(to > from)) {
        out[(int)fmin(from, bins - 1)] += count;
        return;
    }
    for (int i = (int)from; i < bins && i < to; i++) {
        out[i] += count * (fmin(to, i + 1) - fmax(from, i)) / (to - from);
    }
}

void halo_filter_survey_bins(const filter_survey *s, double low, double high, int bins, double *out)
{
    double scale = high > low ? bins / (high - low) : 0;
    double least = is_short(s->type) ? (double)halo_sample_types[s->type].key_min : 0;
    memset(out, 0, (size_t)bins * sizeof *out);
    for (uint32_t code = 0; code < FILTER_SURVEY_CODES; code++) {
        if (s->codes[code] > 0) {
            double from = is_short(s->type) ? least + code : real_of_code(code);
            double to = is_short(s->type) ? from + 1 : real_of_code(code + 1);
            spread((from - low) * scale, (to - low) * scale, (double)s->codes[code], bins, out);
        }
    }
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status create_details(filter_survey *s, int64_t largest)
{
    static const char what[] = "what is reported of steps";
    int64_t longest = halo_max(halo_max(s->n[1], s->n[2]), largest);
    s->detailed = true;
    s->plane = s->n[0] / 2;
    s->width = halo_max(s->n[2] * largest / longest, 1);
    s->height = halo_max(s->n[1] * largest / longest, 1);
    HALO_TRY(HALO_ALLOCATE(s->codes, FILTER_SURVEY_CODES, what));
    HALO_TRY(HALO_ALLOCATE(s->sums, s->width * s->height, what));
    return HALO_ALLOCATE(s->counts, s->width * s->height, what);
}

halo_status halo_filter_survey_create(filter_survey **out, halo_sample_type type,
                                      const halo_domain *domain, int64_t lo, int64_t hi,
                                      int largest)
{
    filter_survey *s;
    bool solid = domain->axes == HALO_AXES;
    HALO_TRY(HALO_ALLOCATE(s, 1, "what is reported of steps"));
    *s = (filter_survey){
        .type = type,
        .axis = filter_layer_axis(domain->axes),
        .n = {solid ? domain->n[0] : 1, domain->n[solid ? 1 : 0], domain->n[solid ? 2 : 1]},
        .lo = lo,
        .hi = hi,
        .min = INT64_MAX,
        .max = INT64_MIN};
    *out = s;
    return largest > 0 ? create_details(s, largest) : HALO_OK;
}

void halo_filter_survey_destroy(filter_survey **survey)
{
    if (*survey != NULL) {
        free((*survey)->codes);
        free((*survey)->sums);
        free((*survey)->counts);
        free(*survey);
    }
    *survey = NULL;
}
