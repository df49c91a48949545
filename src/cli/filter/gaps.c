#include "app/image/samples.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/filter/job.h"
#include "io/image/bits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Smoothing an image some of whose samples stand for no data: each result is the mean of the
 * samples that there are, by the weights of the steps (normalised convolution; H. Knutsson, C.-F.
 * Westin, Normalized and differential convolution, CVPR 1993). The chain filters pairs: samples,
 * with 0 where one is missing, and 1 or 0 for whether it is there. */

struct filter_gaps {
    halo_sample_type type; /* of the result */
    int64_t words, lo;     /* of a row of bits; the first row of this rank */
    uint64_t *missing;     /* [rows][words] */
    double *pairs;         /* a row */
};

enum { SAMPLE, WEIGHT, PAIR };

/* What stands for no data has a name: reals may be NaN, too, which is seen only later. */
static bool names_nodata(const halo_image_info *info)
{
    return info->nodata.missing != HALO_MISSING_NEVER && info->nodata.source[0] != '\0';
}

bool filter_gaps_apply(const app_run *run)
{
    const filter_job *job = run->job;
    const filter_options *options = run->options;
    const halo_image_info *info = &run->image->info;
    return names_nodata(info) && info->axes < HALO_AXES && info->pixel_bits == info->cell_bits &&
           info->pixel_bits > HALO_BIT && options->folder == NULL && !run->image->options.digest &&
           halo_filter_chain_smooths(&job->chain);
}

halo_status filter_gaps_create(app_run *run)
{
    filter_job *job = run->job;
    int rank = halo_world_rank(run->world);
    int64_t width = run->domain.n[1], rows = job->row_cuts[rank + 1] - job->row_cuts[rank];
    const filter_colours_layout layout = {.pixels = {HALO_SAMPLE_F64, PAIR}, .filtered = PAIR};
    filter_gaps *gaps;
    HALO_TRY(HALO_ALLOCATE(gaps, 1, "missing samples"));
    job->gaps = gaps;
    gaps->type = halo_filter_chain_type(&job->chain);
    gaps->words = halo_bits_words(width);
    gaps->lo = job->row_cuts[rank];
    HALO_TRY(
        HALO_ALLOCATE_LARGE(gaps->missing, (size_t)(rows * gaps->words + 1), "missing samples"));
    HALO_TRY(HALO_ALLOCATE_LARGE(gaps->pairs, (size_t)(PAIR * width), "a row"));
    HALO_TRY(halo_filter_chain_resolve_domain(&job->chain, HALO_SAMPLE_F64, &run->domain));
    return halo_filter_colours_create(&job->colours, run->world, &job->chain, &job->strips,
                                      &layout);
}

static bool is_missing(const uint64_t *bits, int64_t x)
{
    enum { WORD = 64 };
    return (bits[x / WORD] >> (x % WORD) & 1) != 0;
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const app_run *run = context;
    const filter_job *job = run->job;
    const filter_gaps *gaps = job->gaps;
    int64_t width = run->domain.n[1];
    for (int64_t i = 0; i < rows; i++) {
        const char *row = (const char *)data + (size_t)i * pitch;
        uint64_t *bits = gaps->missing + (first + i - gaps->lo) * gaps->words;
        halo_image_find_missing(&run->image->info, row, bits);
        for (int64_t x = 0; x < width; x++) {
            bool is = is_missing(bits, x);
            halo_sample_to_doubles(app_image_type(run->image), row, x, 1,
                                   &gaps->pairs[PAIR * x + SAMPLE]);
            gaps->pairs[PAIR * x + SAMPLE] = is ? 0 : gaps->pairs[PAIR * x + SAMPLE];
            gaps->pairs[PAIR * x + WEIGHT] = is ? 0 : 1;
        }
        HALO_TRY(halo_filter_colours_take(job->colours, first + i, 1, gaps->pairs, 0));
    }
    return HALO_OK;
}

halo_status filter_gaps_read(app_run *run)
{
    const filter_job *job = run->job;
    return app_image_stream(run->image, job->strips.cuts[0], &run->progress, take_rows, run,
                            &run->clock);
}

halo_sample_type filter_gaps_type(const filter_gaps *gaps)
{
    return gaps->type;
}

/* The whole number that marks missing samples; of results of another type 0. */
static double cell_of(const app_run *run, halo_sample_type type)
{
    const uint64_t bits = run->image->info.nodata.cell;
    size_t bytes = halo_sample_types[type].bytes;
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    double cell = 0;
    if (type == app_image_type(run->image)) {
        halo_sample_to_doubles(type, (const char *)&bits + (big ? sizeof bits - bytes : 0), 0, 1,
                               &cell);
    }
    return cell;
}

/* A result that would be taken for a missing sample becomes the next number. */
static double avoid_cell(halo_sample_type type, double cell, double value)
{
    return fabs(rint(value) - cell) > 0                     ? value
           : cell < (double)halo_sample_types[type].key_max ? cell + 1
                                                            : cell - 1;
}

/* Missing samples stay what they were: NaN of reals, and of whole numbers their value, or 0 if the
 * type is another one. */
void filter_gaps_put(const app_run *run, int64_t row, const void *made, void *out)
{
    enum { PIECE = 512 };
    const filter_job *job = run->job;
    const filter_gaps *gaps = job->gaps;
    const halo_image_info *info = &run->image->info;
    const uint64_t *bits = gaps->missing + (row - gaps->lo) * gaps->words;
    halo_sample_type pairs = halo_filter_colours_made(job->colours).type;
    bool whole = !halo_sample_types[gaps->type].real;
    double in[PAIR * PIECE];
    const double cell = whole ? cell_of(run, gaps->type) : 0;
    for (int64_t x = 0; x < info->width; x += PIECE) {
        int64_t count = halo_min(info->width - x, PIECE);
        halo_sample_to_doubles(pairs, made, PAIR * x, PAIR * count, in);
        for (int64_t i = 0; i < count; i++) {
            double mean = in[PAIR * i + SAMPLE] / in[PAIR * i + WEIGHT];
            in[i] = is_missing(bits, x + i) ? (whole ? cell : NAN)
                    : whole                 ? avoid_cell(gaps->type, cell, mean)
                                            : mean;
        }
        halo_filter_put_doubles(gaps->type, in, count,
                                (char *)out + (size_t)x * halo_sample_types[gaps->type].bytes);
    }
}

void filter_gaps_destroy(filter_gaps **gaps)
{
    if (*gaps != NULL) {
        halo_memory_free((*gaps)->missing);
        halo_memory_free((*gaps)->pairs);
        free(*gaps);
    }
    *gaps = NULL;
}
