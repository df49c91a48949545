#define _POSIX_C_SOURCE 200809L
#include "io/image/made.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Rows that the program makes of those of a file. */

typedef struct {
    halo_image_reader *file;
    const halo_image_making *make;
    void *state; /* of `make` */
} made_state;

static halo_status made_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                             size_t pitch)
{
    const made_state *m = reader->state;
    int64_t end = reader->expected > first ? reader->expected : reader->info.rows;
    HALO_TRY(m->make->rows(m->state, m->file, first, rows, end, out, pitch));
    halo_image_warn(reader, m->file->warning);
    return HALO_OK;
}

static halo_status finish_made(halo_image_reader *reader)
{
    const made_state *m = reader->state;
    return halo_image_finish_inner(m->file, reader->warning);
}

static void close_made(halo_image_reader *reader)
{
    made_state *m = reader->state;
    if (m != NULL) {
        if (m->make != NULL) {
            m->make->close(m->state);
        }
        halo_image_reader_close(&m->file);
    }
    free(m);
}

static const halo_image_format made_format = {
    .name = "made", .rows = made_rows, .finish = finish_made, .close = close_made};

/* A missing sample would become one that is not. NaN stays what it is, or spreads. */
static halo_status check_missing(const halo_image_reader *file)
{
    return HALO_REQUIRE(
        file->info.nodata.missing != HALO_MISSING_CELL, HALO_FORMAT,
        "%s: samples of some value stand for no data, which this filter cannot leave out; "
        "--fill-missing VALUE gives them another, and --nodata none takes them as "
        "they are",
        file->path);
}

static halo_status describe(halo_image_reader *reader, made_state *m)
{
    enum { BYTE_BITS = 8 };
    const int channels = m->file->info.pixel_bits / m->file->info.cell_bits;
    halo_sample_type type;
    HALO_TRY(m->make->open(m->make->context, &m->file->info, &type, &m->state));
    reader->info = m->file->info;
    reader->info.nodata = (halo_image_nodata){0};
    reader->info.alpha = reader->info.colourful = reader->info.labels = false;
    reader->info.in_place = false;
    reader->info.buffer += m->make->buffer != NULL ? m->make->buffer(m->state) : 0;
    reader->info.channels = channels;
    reader->info.type = type;
    reader->info.bits =
        halo_sample_types[type].bytes > 0 ? (int)halo_sample_types[type].bytes * BYTE_BITS : 1;
    halo_image_set_samples(reader, type, channels);
    HALO_TRY(halo_image_choose(reader));
    return halo_image_prepare_nodata(reader);
}

static halo_status create(halo_image_reader **out, halo_image_reader *file,
                          const halo_image_options *options)
{
    made_state *m;
    halo_image_reader *reader;
    HALO_TRY(HALO_ALLOCATE(reader, 1, "a reader of images"));
    *out = reader;
    reader->file = reader->pick = -1;
    reader->options = *options;
    /* The file's reader has seen to samples that are missing. */
    reader->options.nodata = (halo_image_nodata_choice){.given = false};
    reader->options.fill = (halo_image_fill){.given = false};
    reader->format = &made_format;
    HALO_TRY(HALO_ALLOCATE(m, 1, "a reader of images"));
    reader->state = m;
    reader->path = strdup(file->path);
    HALO_FAIL_IF(reader->path == NULL, HALO_MEMORY, "out of memory: the name of a file");
    HALO_TRY(check_missing(file));
    m->make = options->make;
    m->file = file;
    return describe(reader, m);
}

halo_status halo_image_make_rows(halo_image_reader **reader, const halo_image_options *options)
{
    halo_image_reader *out = NULL, *file = *reader;
    halo_status status = create(&out, file, options);
    bool owned = out != NULL && out->state != NULL && ((made_state *)out->state)->file == file;
    if (status != HALO_OK) {
        halo_image_reader_close(&out);
        if (!owned) {
            halo_image_reader_close(&file);
        }
    }
    *reader = out;
    return status;
}
