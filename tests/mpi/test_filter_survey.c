#include "kernels/filter/survey.h"
#include "partition/cuts.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Surveys of images of all types, whose rows are with any rank, against those of all samples. */

enum { PLANES = 5, ROWS = 23, WIDTH = 150, LARGEST = 40, BINS = 16, MAX_RANKS = 64 };

typedef struct {
    halo_sample_type type;
    halo_domain domain;
    int64_t n[HALO_AXES];
    int64_t layers, unit; /* rows of a layer */
} image;

static uint64_t mixed(uint64_t value)
{
    value = (value ^ value >> 31) * UINT64_C(0x7fb5d329728ea185);
    value = (value ^ value >> 27) * UINT64_C(0x81dadef4bc2dd44d);
    return value ^ value >> 33;
}

/* Row `y` of all. Reals have NaN and infinities; whole numbers any bits, half of the rows few. */
static void make_row(const image *of, int64_t y, uint64_t row[WIDTH])
{
    size_t bytes = halo_sample_types[of->type].bytes;
    memset(row, 0, WIDTH * sizeof *row);
    for (int64_t x = 0; x < WIDTH; x++) {
        uint64_t bits = mixed((uint64_t)(y * WIDTH + x) + 1);
        double value = (double)(bits % 2001) / 8 - 100;
        value = bits % 97 == 0 ? (double)NAN : bits % 89 == 0 ? (double)INFINITY : value;
        float near = (float)value;
        value = bits % 83 == 0 ? 1e300 : value; /* which is no float */
        if (of->type == HALO_SAMPLE_BIT) {
            row[x / 64] |= (bits >> 40 & 1) << x % 64;
        } else if (of->type == HALO_SAMPLE_F32) {
            memcpy((char *)row + (size_t)x * bytes, &near, bytes);
        } else if (of->type == HALO_SAMPLE_F64) {
            memcpy((char *)row + (size_t)x * bytes, &value, bytes);
        } else {
            bits = y % 2 == 0 ? bits : bits & 15;
            memcpy((char *)row + (size_t)x * bytes, &bits, bytes);
        }
    }
}

/* What there is to find. */
typedef struct {
    int64_t min, max, numbers;
    double sum;
    double bins[BINS];
    double dots[LARGEST * LARGEST]; /* sums */
    int64_t counts[LARGEST * LARGEST];
} truth;

static void add_sample(truth *found, const image *of, const filter_survey *s, const uint64_t *row,
                       int64_t at[2], int64_t x)
{
    double value;
    halo_sample_to_doubles(of->type, row, x, 1, &value);
    int64_t key = halo_sample_key_of(of->type, row, x);
    if (isnan(value)) {
        return;
    }
    found->min = key < found->min ? key : found->min;
    found->max = key > found->max ? key : found->max;
    if (!isfinite(value)) {
        return;
    }
    found->numbers++;
    found->sum += value;
    int64_t dot = at[1] * s->height / ROWS * s->width + x * s->width / WIDTH;
    if (at[0] == s->plane) { /* of so small an image no pixel is passed over */
        found->dots[dot] += value;
        found->counts[dot]++;
    }
}

static void find_truth(truth *found, const image *of, const filter_survey *s)
{
    uint64_t row[WIDTH];
    *found = (truth){.min = INT64_MAX, .max = INT64_MIN};
    for (int64_t y = 0; y < of->layers * of->unit; y++) {
        int64_t at[] = {of->unit > 1 ? y / of->unit : 0, of->unit > 1 ? y % of->unit : y};
        make_row(of, y, row);
        for (int64_t x = 0; x < WIDTH; x++) {
            add_sample(found, of, s, row, at, x);
        }
    }
}

static void check_dots(const truth *found, const filter_survey *s, const char *name)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < s->width * s->height; i++) {
        double near = 1e-12 * fabs(found->dots[i]) + 1e-9;
        wrong += found->counts[i] != s->counts[i] || !(fabs(found->dots[i] - s->sums[i]) <= near);
    }
    expect(wrong == 0, "%s: %" PRId64 " dots are wrong", name, wrong);
}

/* All samples are in bins, reals evenly; codes do not tell where exactly those at borders are. */
static void check_bins(const image *of, const filter_survey *s, const char *name)
{
    double bins[BINS], all = 0, codes = 0;
    halo_filter_survey_bins(s, -100, 156, BINS, bins);
    for (int i = 0; i < BINS; i++) {
        all += bins[i];
    }
    for (int i = 0; i < FILTER_SURVEY_CODES; i++) {
        codes += (double)s->codes[i];
    }
    expect(fabs(all - codes) < 1e-6 * codes, "%s: %g samples in bins, %g codes", name, all, codes);
    if (halo_sample_types[of->type].real) { /* 16 of 250 units */
        double share = codes * 16 / 250.125;
        for (int i = 1; i < BINS - 1; i++) {
            expect(bins[i] > .7 * share && bins[i] < 1.3 * share, "%s: bin %d has %g, not %g", name,
                   i, bins[i], share);
        }
    }
}

static void check_survey(const image *of, const filter_survey *s)
{
    const char *name = halo_sample_types[of->type].name;
    truth *found = malloc(sizeof *found);
    find_truth(found, of, s);
    expect(s->known && s->min == found->min && s->max == found->max,
           "%s: from %" PRId64 " to %" PRId64 ", not %" PRId64 " to %" PRId64, name, s->min, s->max,
           found->min, found->max);
    expect(s->numbers == found->numbers, "%s: %" PRId64 " numbers, not %" PRId64, name, s->numbers,
           found->numbers);
    if (my_rank() == 0) {
        double mean = found->sum / (double)found->numbers;
        expect(fabs(s->mean - mean) <= 1e-12 * fabs(mean) + 1e-12, "%s: mean %.17g, not %.17g",
               name, s->mean, mean);
        check_dots(found, s, name);
    }
    check_bins(of, s, name);
    free(found);
}

/* Layers beside the strip are passed, too: those of halos. */
static void add_layers(const image *of, filter_survey *s, int64_t lo, int64_t hi)
{
    uint64_t(*rows)[WIDTH] = calloc((size_t)of->unit, sizeof *rows);
    void *row[ROWS];
    for (int64_t layer = lo - 2; layer < hi + 2; layer++) {
        for (int64_t y = 0; y < of->unit; y++) {
            make_row(of, layer * of->unit + y, rows[y]);
            row[y] = rows[y];
        }
        halo_filter_survey_add(s, layer, 1, row);
    }
    free(rows);
}

static void check_image(halo_sample_type type, int axes)
{
    image of = {.type = type, .layers = axes == HALO_AXES ? PLANES : ROWS};
    of.unit = axes == HALO_AXES ? ROWS : 1;
    of.domain.axes = axes;
    memcpy(of.n, (int64_t[]){axes == HALO_AXES ? PLANES : 1, ROWS, WIDTH}, sizeof of.n);
    memcpy(of.domain.n, of.n + (HALO_AXES - axes), (size_t)axes * sizeof of.n[0]);
    int64_t cuts[MAX_RANKS + 1];
    filter_survey *s = NULL;
    halo_cuts_even(of.layers, all_ranks(), cuts);
    int64_t lo = cuts[my_rank()], hi = cuts[my_rank() + 1];
    expect_ok(halo_filter_survey_create(&s, type, &of.domain, lo, hi, LARGEST));
    if (s != NULL) {
        add_layers(&of, s, lo, hi);
        expect_ok(halo_filter_survey_join(s, mpi_check_world()));
        check_survey(&of, s);
    }
    halo_filter_survey_destroy(&s);
}

static void test_types(void)
{
    for (int type = 0; type < HALO_SAMPLE_TYPES; type++) {
        check_image((halo_sample_type)type, 2);
        check_image((halo_sample_type)type, HALO_AXES);
    }
    EXPECT_AGREED();
}

/* An image of NaN has no range. */
static void test_nothing(void)
{
    float row[WIDTH];
    void *rows[] = {row};
    const halo_domain domain = {.axes = 2, .n = {all_ranks(), WIDTH, 1}};
    filter_survey *s = NULL;
    for (int64_t x = 0; x < WIDTH; x++) {
        row[x] = NAN;
    }
    expect_ok(
        halo_filter_survey_create(&s, HALO_SAMPLE_F32, &domain, my_rank(), my_rank() + 1, LARGEST));
    halo_filter_survey_add(s, my_rank(), 1, rows);
    expect_ok(halo_filter_survey_join(s, mpi_check_world()));
    expect(!s->known && s->numbers == 0, "%" PRId64 " numbers", s->numbers);
    halo_filter_survey_destroy(&s);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("surveys of images", {"samples of all types", test_types},
               {"no numbers at all", test_nothing})
