#include "base/memory.h"
#include "base/minmax.h"
#include "cli/walk/job.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

/* A medium from an array of two or three axes, which rank 0 reads, twice if it has to find a
 * threshold: a row at a time, so that only bits are kept. */

/* ---- what it is ------------------------------------------------------------------------------ */

static int64_t maximum_of(halo_npy_type type)
{
    return type == HALO_NPY_BOOL ? 1 : type == HALO_NPY_U8 ? UINT8_MAX : UINT16_MAX;
}

static halo_status check_header(const walk_array *array, const char *path)
{
    const halo_npy_header *header = &array->header;
    bool known = header->type == HALO_NPY_BOOL || header->type == HALO_NPY_U8 ||
                 header->type == HALO_NPY_U16;
    if (!known) {
        return halo_fail(HALO_FORMAT,
                         "%s: a medium's samples are of type bool, u1 or u2; save "
                         "array.astype(\"u1\")",
                         path);
    }
    return header->axes > 1
               ? HALO_OK
               : halo_fail(HALO_FORMAT, "%s: a medium has two or three axes, and the array one",
                           path);
}

static halo_status open_array(walk_array *array, const char *path)
{
    bool twice = true; /* before the medium is made, for its threshold */
    HALO_TRY(halo_npy_reals_open(&array->reader, path, twice));
    array->header = *halo_npy_reals_header(array->reader);
    return check_header(array, path);
}

halo_status walk_array_open(app_run *run)
{
    walk_job *job = run->job;
    walk_array *array = &job->array;
    const char *path = run->arguments->image.first;
    bool first = halo_world_rank(run->world) == 0;
    HALO_TRY(halo_agree(run->world, first ? open_array(array, path) : HALO_OK));
    HALO_TRY(halo_bcast(run->world, &array->header, sizeof array->header, 0));
    const halo_npy_header *header = &array->header;
    int64_t planes = header->axes == HALO_AXES ? header->planes : 1;
    run->domain.axes = header->axes;
    if (header->axes == HALO_AXES) {
        run->domain.n[0] = planes;
        run->domain.n[1] = header->height / planes;
        run->domain.n[2] = header->width;
    } else {
        run->domain.n[0] = header->height;
        run->domain.n[1] = header->width;
        run->domain.n[2] = 1;
    }
    return HALO_OK;
}

/* ---- its samples ----------------------------------------------------------------------------- */

typedef struct {
    walk_job *job;
    int64_t *histogram;
    bool invert;
    XXH64_hash_t digest;
} reading;

typedef void take_row(reading *r, int64_t row, const uint16_t *samples);

static void count_row(reading *r, int64_t row, const uint16_t *samples)
{
    const int64_t width = r->job->array.header.width;
    (void)row;
    for (int64_t x = 0; x < width; x++) {
        r->histogram[samples[x]]++;
    }
}

static void set_row(reading *r, int64_t row, const uint16_t *samples)
{
    enum { WORD = 64 };
    const walk_job *job = r->job;
    const int64_t width = job->array.header.width;
    uint64_t *bits = job->fluid + row * job->row_words;
    for (int64_t x = 0; x < width; x++) {
        bool in_range = samples[x] >= job->fluid_greys.min && samples[x] <= job->fluid_greys.max;
        bool fluid = in_range != r->invert;
        bits[x / WORD] |= (uint64_t)fluid << (x % WORD);
    }
    r->digest = XXH3_64bits_withSeed(samples, (size_t)width * sizeof *samples, r->digest);
}

static halo_status read_rows(reading *r, take_row *take)
{
    const walk_array *array = &r->job->array;
    const int64_t width = array->header.width;
    double *row;
    uint16_t *samples = NULL;
    halo_status status = HALO_ALLOCATE(row, width, "a row of an array");
    if (status == HALO_OK) {
        status = HALO_ALLOCATE(samples, width, "a row of an array");
    }
    for (int64_t y = 0; y < array->header.height && status == HALO_OK; y++) {
        status = halo_npy_reals_rows(array->reader, 1, row, 0);
        for (int64_t x = 0; x < width && status == HALO_OK; x++) {
            samples[x] = (uint16_t)row[x];
        }
        if (status == HALO_OK) {
            take(r, y, samples);
        }
    }
    free(row);
    free(samples);
    return status;
}

static halo_status read_array(app_run *run)
{
    const walk_options *asked = run->options;
    walk_job *job = run->job;
    int64_t maximum = maximum_of(job->array.header.type);
    reading r = {.job = job, .invert = asked->invert};
    HALO_TRY(HALO_ALLOCATE(r.histogram, maximum + 1, "a histogram"));
    halo_status status = HALO_OK;
    if (asked->threshold.kind == THRESHOLD_OTSU) {
        status = read_rows(&r, count_row);
        status = status == HALO_OK ? halo_npy_reals_rewind(job->array.reader) : status;
    }
    if (status == HALO_OK) {
        status = cli_threshold_find(&asked->threshold, maximum, r.histogram, maximum + 1,
                                    &job->fluid_greys);
    }
    if (status == HALO_OK) {
        status = read_rows(&r, set_row);
    }
    free(r.histogram);
    halo_npy_reals_close(&job->array.reader);
    snprintf(job->digest, sizeof job->digest, "%016" PRIx64, (uint64_t)r.digest);
    return status;
}

halo_status walk_array_read(app_run *run)
{
    progress_phase(&run->progress, "reading");
    bool first = halo_world_rank(run->world) == 0;
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = halo_agree(run->world, first ? read_array(run) : HALO_OK);
    halo_clock_end(&run->clock, HALO_PHASE_DECODE, stretch, run->world);
    HALO_TRY(status);
    return walk_medium_share(run);
}
