#include "app/image/second.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "io/image/bits.h"

#include <stdlib.h>
#include <string.h>

/* A file, of which some rows are in memory. Steps ask for rows in order, but for some that they
 * asked for shortly before. */
typedef struct {
    const char *path;
    halo_image_options options;
    halo_image_reader *reader;
    const halo_image_info *info;
    char *band; /* [room] rows */
    size_t row_bytes;
    int64_t room, first, count; /* rows in it: `first` to first + count - 1 */
    int64_t next;               /* the row that the reader comes to */
} second_file;

struct app_image_seconds {
    int count;
    second_file of[FILTER_MOST_STEPS];
};

/* ---- rows ------------------------------------------------------------------------------------ */

static halo_status open_reader(second_file *f)
{
    halo_image_reader_close(&f->reader);
    f->next = f->first = f->count = 0;
    HALO_TRY(halo_image_reader_open(&f->reader, f->path, &f->options));
    f->info = halo_image_reader_info(f->reader);
    return HALO_OK;
}

/* Reads the next rows behind the second half of those that are there. */
static halo_status read_next(second_file *f)
{
    int64_t half = f->room / 2, kept = halo_min(f->count, half);
    memmove(f->band, f->band + (size_t)(f->count - kept) * f->row_bytes,
            (size_t)kept * f->row_bytes);
    f->first = f->next - kept;
    f->count = kept;
    int64_t rows = halo_min(f->room - half, f->info->rows - f->next);
    HALO_TRY(halo_image_reader_rows(f->reader, f->next, rows, f->band + (size_t)kept * f->row_bytes,
                                    f->row_bytes));
    f->next += rows;
    f->count += rows;
    bool ends = f->next == f->info->rows && !f->info->random_access;
    return ends ? halo_image_reader_finish(f->reader) : HALO_OK;
}

/* Brings a row into memory. Without random access rows before it are read, if need be from the
 * beginning. */
static halo_status seek(second_file *f, int64_t row)
{
    bool near = row >= f->next && row < f->next + f->room / 2;
    if (f->info->random_access && !near) {
        f->next = row;
        f->count = 0;
    } else if (row < f->first) {
        HALO_TRY(open_reader(f));
    }
    while (row >= f->first + f->count) {
        HALO_TRY(read_next(f));
    }
    return HALO_OK;
}

static halo_status read_row(void *context, int64_t z, int64_t y, void *out)
{
    second_file *f = context;
    int64_t row = z * f->info->height + y;
    if (row < f->first || row >= f->first + f->count) {
        HALO_TRY(seek(f, row));
    }
    const char *found = f->band + (size_t)(row - f->first) * f->row_bytes;
    if (f->info->type == HALO_SAMPLE_BIT) {
        halo_bits_unpack(f->info->width, (const uint64_t *)(const void *)found, 1, out);
    } else {
        memcpy(out, found, f->row_bytes);
    }
    return HALO_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

static halo_status check(const filter_step *step, const second_file *f)
{
    HALO_FAIL_IF(
        f->info->file_bytes < 0, HALO_ARGUMENT,
        "step %d, %s: %s is no plain file, and each rank reads it; save it as a file first",
        step->number, step->filter->name, f->path);
    return HALO_REQUIRE(
        f->info->nodata.missing != HALO_MISSING_CELL, HALO_FORMAT,
        "%s: samples of some value stand for no data, which this filter cannot leave out; "
        "--nodata none takes them as they are",
        f->path);
}

static halo_status open_step(second_file *f, filter_step *step, const app_image_options *how,
                             int axes)
{
    enum { ROWS = 256, BYTES = 1 << 18, ALL = 1 << 25 };
    bool solid = axes == HALO_AXES;
    HALO_FAIL_IF(strcmp(step->second.name, "-") == 0, HALO_ARGUMENT,
                 "step %d, %s: each rank reads the second image, which cannot come from standard "
                 "input; give the name of a file",
                 step->number, step->filter->name);
    f->path = step->second.name;
    f->options = (halo_image_options){.want = HALO_IMAGE_SAMPLES,
                                      .nodata = how->nodata,
                                      .as_stored = how->as_stored,
                                      .follow_links = how->follow_links,
                                      .volumes = solid,
                                      .narrow = solid, /* the last axis has no colours then */
                                      .solid = solid};
    HALO_TRY(open_reader(f));
    HALO_TRY(check(step, f));
    const halo_image_info *info = f->info;
    const int64_t n[HALO_AXES] = {info->axes == HALO_AXES ? info->planes : 1, info->height,
                                  info->width};
    f->row_bytes = halo_image_row_bytes(info);
    f->room = halo_max(ROWS, BYTES / (int64_t)f->row_bytes);
    if (info->rows * (int64_t)f->row_bytes <= ALL) { /* frames ask for all rows again and again */
        f->room = 2 * info->rows;
    }
    step->second.row = read_row;
    step->second.context = f;
    step->second.type = info->type == HALO_SAMPLE_BIT ? HALO_SAMPLE_U8 : info->type;
    step->second.axes = info->axes;
    memcpy(step->second.n, n, sizeof n);
    return HALO_ALLOCATE_LARGE(f->band, (size_t)f->room * f->row_bytes, "rows of an image");
}

halo_status app_image_seconds_open(app_image_seconds **out, filter_chain *chain,
                                   const app_image_options *how, int axes)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "second images"));
    for (int i = 0; i < chain->count; i++) {
        if (chain->step[i].second.name != NULL) {
            HALO_TRY(open_step(&(*out)->of[(*out)->count++], &chain->step[i], how, axes));
        }
    }
    return HALO_OK;
}

void app_image_seconds_close(app_image_seconds **seconds)
{
    for (int i = 0; *seconds != NULL && i < (*seconds)->count; i++) {
        halo_image_reader_close(&(*seconds)->of[i].reader);
        halo_memory_free((*seconds)->of[i].band);
    }
    free(*seconds);
    *seconds = NULL;
}
