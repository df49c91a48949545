#define _POSIX_C_SOURCE 200809L /* fseeko */
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/walk/job.h"
#include "core/world/collect.h"
#include "io/npy/npy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A medium from an array of two or three axes, which rank 0 reads, twice if it has to find a
 * threshold: a chunk of rows at a time, so that only bits are kept. */

enum { MAX_HEAD = 1 << 16, CHUNK_BYTES = 4 << 20 };

static halo_status fail_read(const char *path)
{
    return halo_fail(HALO_FILE, "the array \"%s\" cannot be read: %s", path,
                     errno != 0 ? strerror(errno) : "it ends too early");
}

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
    if (header->axes == 1 || header->width < 1 || header->height < 1) {
        return halo_fail(HALO_FORMAT,
                         "%s: a medium has two or three axes and at least one cell; of the array "
                         "these are %d and %" PRId64,
                         path, header->axes, header->width * header->height);
    }
    return HALO_OK;
}

static halo_status parse_head(walk_array *array, const char *path)
{
    unsigned char *head;
    HALO_TRY(HALO_ALLOCATE(head, MAX_HEAD, "the head of an array"));
    errno = 0;
    FILE *file = fopen(path, "rbe");
    size_t bytes = file != NULL ? fread(head, 1, MAX_HEAD, file) : 0;
    halo_status status =
        file == NULL || ferror(file)
            ? fail_read(path)
            : halo_npy_parse_axes(head, bytes, path, &array->header, &array->swapped, &array->head);
    if (file != NULL) {
        fclose(file);
    }
    free(head);
    return status == HALO_OK ? check_header(array, path) : status;
}

halo_status walk_array_open(app_run *run)
{
    walk_job *job = run->job;
    walk_array *array = &job->array;
    const char *path = run->arguments->image.first;
    bool first = halo_world_rank(run->world) == 0;
    HALO_TRY(halo_agree(run->world, first ? parse_head(array, path) : HALO_OK));
    HALO_TRY(halo_bcast(run->world, array, sizeof *array, 0));
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
        bool fluid = (samples[x] >= job->threshold) != r->invert;
        bits[x / WORD] |= (uint64_t)fluid << (x % WORD);
    }
    r->digest = XXH3_64bits_withSeed(samples, (size_t)width * sizeof *samples, r->digest);
}

/* As numbers of 16 bits; any true byte is 1. */
static void widen(const walk_array *array, const unsigned char *from, uint16_t *to)
{
    enum { BYTE = 8 };
    const int64_t width = array->header.width;
    if (array->header.type == HALO_NPY_U16) {
        int low = array->swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
        for (int64_t x = 0; x < width; x++) {
            unsigned sample = (unsigned)from[2 * x + 1 - low] << BYTE | from[2 * x + low];
            to[x] = (uint16_t)sample;
        }
        return;
    }
    for (int64_t x = 0; x < width; x++) {
        to[x] = from[x];
        if (array->header.type == HALO_NPY_BOOL && from[x] != 0) {
            to[x] = 1;
        }
    }
}

static halo_status read_rows(FILE *file, const char *path, reading *r, take_row *take)
{
    const walk_array *array = &r->job->array;
    const size_t bytes = halo_npy_row_bytes(&array->header);
    unsigned char *row;
    uint16_t *samples = NULL;
    halo_status status = HALO_ALLOCATE(row, bytes, "a row of an array");
    if (status == HALO_OK) {
        status = HALO_ALLOCATE(samples, array->header.width, "a row of an array");
    }
    errno = 0;
    bool good = status == HALO_OK && fseeko(file, (off_t)array->head, SEEK_SET) == 0;
    for (int64_t y = 0; y < array->header.height && good; y++) {
        good = fread(row, 1, bytes, file) == bytes;
        if (good) {
            widen(array, row, samples);
            take(r, y, samples);
        }
    }
    free(row);
    free(samples);
    return status != HALO_OK ? status : good ? HALO_OK : fail_read(path);
}

static halo_status read_file(app_run *run, FILE *file)
{
    const walk_options *asked = run->options;
    const char *path = run->arguments->image.first;
    walk_job *job = run->job;
    int64_t maximum = maximum_of(job->array.header.type);
    reading r = {.job = job, .invert = asked->invert};
    HALO_TRY(HALO_ALLOCATE(r.histogram, maximum + 1, "a histogram"));
    halo_status status = HALO_OK;
    if (asked->threshold.kind == THRESHOLD_OTSU) {
        status = read_rows(file, path, &r, count_row);
    }
    if (status == HALO_OK) {
        status = cli_threshold_find(&asked->threshold, maximum, r.histogram, maximum + 1,
                                    &job->threshold);
    }
    if (status == HALO_OK) {
        status = read_rows(file, path, &r, set_row);
    }
    free(r.histogram);
    snprintf(job->digest, sizeof job->digest, "%016" PRIx64, (uint64_t)r.digest);
    return status;
}

static halo_status read_array(app_run *run)
{
    const char *path = run->arguments->image.first;
    errno = 0;
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return fail_read(path);
    }
    halo_status status = read_file(run, file);
    fclose(file);
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
