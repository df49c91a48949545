#include "kernels/synthetic/profile.h"

#include "base/minmax.h"
#include "base/scan.h"
#include "kernels/synthetic/chains.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000, MAX_TEXT = 100 };

/* ---- the shapes: steps of a row beyond `work` ------------------------------------------------ */

static int64_t constant_extra(const synthetic_profile *p, int64_t row, int64_t beat)
{
    (void)p, (void)row, (void)beat;
    return 0;
}

static int64_t linear_extra(const synthetic_profile *p, int64_t row, int64_t beat)
{
    (void)beat;
    return p->rows > 1 ? p->extra * row / (p->rows - 1) : 0;
}

static int64_t step_extra(const synthetic_profile *p, int64_t row, int64_t beat)
{
    (void)beat;
    return row >= p->first_dear ? p->extra : 0;
}

/* The products stay below 2^63 at every beat. */
static int64_t hot_extra(const synthetic_profile *p, int64_t row, int64_t beat)
{
    int64_t whole = beat % p->rows * (p->speed % p->rows) % p->rows;
    int64_t rest = beat / MILLION * p->speed_rest + beat % MILLION * p->speed_rest / MILLION;
    int64_t first = (whole + rest) % p->rows;
    return (row - first + p->rows) % p->rows < p->dear_rows ? p->extra : 0;
}

static int64_t random_extra(const synthetic_profile *p, int64_t row, int64_t beat)
{
    (void)beat;
    uint64_t draw = synthetic_mixed(p->seed ^ synthetic_mixed((uint64_t)row)) >> 32;
    return (int64_t)(((uint64_t)p->extra + 1) * draw >> 32);
}

/* -log2 of an even draw, straight between powers of two: of `extra`, a sixteenth where it is 1. */
static int64_t exponential_extra(const synthetic_profile *p, int64_t row, int64_t beat)
{
    enum { BITS = 64, FRACTION = 20, PARTS = 16 };
    (void)beat;
    uint64_t draw = synthetic_mixed(p->seed ^ synthetic_mixed((uint64_t)row)) | 1;
    int zeros = 0;
    for (; draw >> (BITS - 1) == 0; draw <<= 1) {
        zeros++;
    }
    int64_t below = INT64_C(1) << FRACTION;
    int64_t rest = (int64_t)(draw << 1 >> (BITS - FRACTION));
    int64_t found = ((int64_t)zeros << FRACTION) + below - rest;
    return p->extra * halo_min(found, (int64_t)PARTS << FRACTION) / below / PARTS;
}

/* Heights that are drawn, as squares, so that low ones are more frequent, and straight lines
 * between them. */
static int64_t hills_extra(const synthetic_profile *p, int64_t row, int64_t beat)
{
    enum { HALF = 32 };
    int64_t heights[2], first = row / p->dear_rows, along = row % p->dear_rows;
    (void)beat;
    for (int i = 0; i < 2; i++) {
        uint64_t draw = synthetic_mixed(p->seed ^ synthetic_mixed((uint64_t)(first + i))) >> HALF;
        heights[i] = (int64_t)(((uint64_t)p->extra + 1) * (draw * draw >> HALF) >> HALF);
    }
    return heights[0] + (heights[1] - heights[0]) * along / p->dear_rows;
}

static const struct {
    const char *name, *keys;
    int64_t (*extra)(const synthetic_profile *p, int64_t row, int64_t beat);
} shapes[] = {
#define SHAPE_ENTRY(name, keys, help) {#name, keys, name##_extra},
    HALO_SYNTHETIC_PROFILE_LIST(SHAPE_ENTRY)
#undef SHAPE_ENTRY
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* ---- their text ------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    double min, max, default_value;
    bool whole;
} keys[] = {
#define KEY_ENTRY(name, min, max, default_value, whole) {#name, min, max, default_value, whole},
    SYNTHETIC_KEY_LIST(KEY_ENTRY)
#undef KEY_ENTRY
};

/* Is the word at `text` one of `words`, with single blanks between them? */
static bool is_among(const char *words, const char *text, size_t length)
{
    while (*words != '\0') {
        size_t word = strcspn(words, " ");
        if (word == length && strncmp(words, text, length) == 0) {
            return true;
        }
        words += word + (words[word] == ' ');
    }
    return false;
}

static halo_status unknown_shape(const char *text)
{
    char names[128] = "";
    for (int s = 0; s < SHAPES; s++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", s > 0 ? ", " : "", shapes[s].name);
    }
    return halo_fail(HALO_ARGUMENT, "there is no profile '%s'; there are %s", text, names);
}

static halo_status read_shape(synthetic_profile *out, const char *text, size_t length)
{
    for (int s = 0; s < SHAPES; s++) {
        if (strlen(shapes[s].name) == length && strncmp(shapes[s].name, text, length) == 0) {
            out->shape = s;
            return HALO_OK;
        }
    }
    return unknown_shape(text);
}

/* KEY=VALUE in `length` characters. */
static halo_status read_key(synthetic_profile *out, const char *text, size_t length)
{
    const char *name = shapes[out->shape].name, *known = shapes[out->shape].keys;
    const char *equals = memchr(text, '=', length);
    size_t word = equals != NULL ? (size_t)(equals - text) : length;
    if (!is_among(known, text, word)) {
        return halo_fail(HALO_ARGUMENT, "profile %s has no option '%.*s'; it has %s", name,
                         (int)word, text, known[0] != '\0' ? known : "none");
    }
    int k = 0;
    while (strlen(keys[k].name) != word || strncmp(keys[k].name, text, word) != 0) {
        k++;
    }
    const char *at = equals != NULL ? equals + 1 : text + length;
    double *value = &out->values[k];
    if (!halo_scan_number(&at, keys[k].min, keys[k].max, value) || at != text + length ||
        (keys[k].whole && *value != floor(*value))) {
        return halo_fail(HALO_ARGUMENT,
                         "profile %s: '%.*s' is not %s=N with N a %snumber from %g to %g", name,
                         (int)length, text, keys[k].name, keys[k].whole ? "whole " : "",
                         keys[k].min, keys[k].max);
    }
    return HALO_OK;
}

static halo_status read_text(synthetic_profile *out, const char *text)
{
    if (strlen(text) > MAX_TEXT) {
        return halo_fail(HALO_ARGUMENT, "a profile of %zu characters; at most %d", strlen(text),
                         MAX_TEXT);
    }
    size_t name = strcspn(text, ":");
    HALO_TRY(read_shape(out, text, name));
    const char *next = text[name] == ':' ? text + name + 1 : NULL;
    while (next != NULL) {
        size_t length = strcspn(next, ",");
        HALO_TRY(read_key(out, next, length));
        next = next[length] == ',' ? next + length + 1 : NULL;
    }
    return HALO_OK;
}

void synthetic_profile_write(const synthetic_profile *profile,
                             char text[HALO_SYNTHETIC_PROFILE_SIZE])
{
    const char *known = shapes[profile->shape].keys;
    size_t size = HALO_SYNTHETIC_PROFILE_SIZE;
    snprintf(text, size, "%s", shapes[profile->shape].name);
    char before = ':';
    for (int k = 0; k < SYNTHETIC_KEYS; k++) {
        if (is_among(known, keys[k].name, strlen(keys[k].name))) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%c%s=%.16g", before, keys[k].name,
                     profile->values[k]);
            before = ',';
        }
    }
}

/* ---- their numbers --------------------------------------------------------------------------- */

static int64_t millionths(double value)
{
    return (int64_t)(value * MILLION + .5);
}

static int64_t share(double of_all, int64_t rows)
{
    return (millionths(of_all) * rows + MILLION / 2) / MILLION;
}

halo_status synthetic_profile_read(synthetic_profile *out, const char *text, int64_t rows,
                                   int64_t work)
{
    *out = (synthetic_profile){.rows = rows, .work = work};
    for (int k = 0; k < SYNTHETIC_KEYS; k++) {
        out->values[k] = keys[k].default_value;
    }
    HALO_TRY(read_text(out, text != NULL ? text : shapes[0].name));
    if (rows < 1 || rows > INT32_MAX || work < 1 || work > HALO_SYNTHETIC_MAX_STEPS) {
        return halo_fail(HALO_ARGUMENT,
                         "%" PRId64 " rows of %" PRId64 " steps each; use 1 to %d rows and 1 to %d"
                         " steps",
                         rows, work, INT32_MAX, HALO_SYNTHETIC_MAX_STEPS);
    }
    out->extra = work * (millionths(out->values[SYNTHETIC_KEY_ratio]) - MILLION) / MILLION;
    if (work + out->extra > HALO_SYNTHETIC_MAX_STEPS) {
        return halo_fail(HALO_ARGUMENT,
                         "rows of up to %" PRId64 " steps are beyond the limit of %d; use less work"
                         " or a smaller ratio",
                         work + out->extra, HALO_SYNTHETIC_MAX_STEPS);
    }
    out->first_dear = share(out->values[SYNTHETIC_KEY_at], rows);
    out->dear_rows = halo_max(share(out->values[SYNTHETIC_KEY_width], rows), 1);
    out->speed = millionths(out->values[SYNTHETIC_KEY_speed]) / MILLION;
    out->speed_rest = millionths(out->values[SYNTHETIC_KEY_speed]) % MILLION;
    out->seed = (uint64_t)out->values[SYNTHETIC_KEY_seed];
    return HALO_OK;
}

halo_status synthetic_profile_of(synthetic_profile *out, const halo_synthetic_options *options)
{
    int64_t columns = options->columns;
    HALO_TRY(synthetic_profile_read(out, options->profile, options->rows,
                                    options->work != 0 ? options->work : HALO_SYNTHETIC_WORK));
    return columns >= 1 && columns <= INT32_MAX
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT, "rows of %" PRId64 " cells; use 1 to %d", columns,
                           INT32_MAX);
}

int64_t synthetic_profile_steps(const synthetic_profile *profile, int64_t row, int64_t beat)
{
    return profile->work + shapes[profile->shape].extra(profile, row, beat);
}

int64_t synthetic_profile_sum(const synthetic_profile *profile)
{
    int64_t sum = 0;
    for (int64_t row = 0; row < profile->rows; row++) {
        sum += synthetic_profile_steps(profile, row, 0);
    }
    return sum;
}
