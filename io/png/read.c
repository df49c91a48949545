#include "io/png/png_internal.h"

#include "base/memory.h"
#include "base/option.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct halo_png_reader {
    halo_source source;
    halo_png_header header;
    halo_png_extras extras;
    halo_png_conversion conversion;
    halo_png_info info;
    const halo_png_decoder_kind *kind;
    halo_png_decoder *decoder;
    int64_t row; /* the next one to be handed out */
    bool counts;
    int64_t clear;
};

static halo_status start(halo_png_reader *reader, const halo_png_read_options *options)
{
    static const char *const kinds[] = {"grey",           "", "colour",          "palette",
                                        "grey and alpha", "", "colour and alpha"};
    static const halo_png_read_options usual = {0};
    const halo_png_header *header = &reader->header;
    options = options != NULL ? options : &usual;
    HALO_TRY(halo_png_header_peek(&reader->header, &reader->source));
    memset(reader->extras.alpha, 255, sizeof reader->extras.alpha);
    reader->kind = header->interlaced || options->plain ? &halo_png_libpng : &halo_png_fast;
    HALO_TRY(reader->kind->open(&reader->decoder, &reader->source, header, &reader->extras));
    reader->info = (halo_png_info){.width = header->width,
                                   .height = header->height,
                                   .bits = header->bits,
                                   .channels = header->channels,
                                   .kind = kinds[header->colour_type],
                                   .interlaced = header->interlaced,
                                   .decoder = reader->kind->name};
    reader->info.orientation = reader->extras.orientation;
    reader->info.density = reader->extras.density;
    reader->info.alpha = reader->extras.transparent || header->channels % 2 == 0;
    if (options->samples && header->colour_type != HALO_PNG_GREY) {
        halo_png_samples_choose(&reader->conversion, &reader->info, header, &reader->extras);
        return HALO_OK;
    }
    reader->counts = options->count_clear && reader->info.alpha;
    (options->colour ? halo_png_colour_choose : halo_png_grey_choose)(
        &reader->conversion, &reader->info, header, &reader->extras, &options->ground);
    return HALO_OK;
}

/* As halo_source_open. */
static halo_status open_source(halo_png_reader **out, const char *name, const void *data,
                               size_t bytes, const halo_png_read_options *options)
{
    halo_status status;
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a PNG reader"));
    HALO_TRY_OR(failed, halo_source_open(&(*out)->source, name, data, bytes, false));
    HALO_TRY_OR(failed, start(*out, options));
    return HALO_OK;
failed:
    halo_png_reader_close(out);
    return status;
}

halo_status halo_png_reader_open_source(halo_png_reader **out, halo_source *source,
                                        const halo_png_read_options *options)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a PNG reader"));
    (*out)->source = *source;
    *source = (halo_source){0};
    halo_status status = start(*out, options);
    if (status != HALO_OK) {
        halo_png_reader_close(out);
    }
    return status;
}

halo_status halo_png_reader_open_sized(halo_png_reader **out, const char *path,
                                       const halo_png_read_options *given, size_t given_bytes)
{
    halo_png_read_options options;
    *out = NULL;
    HALO_TRY(
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_png_read_options"));
    return open_source(out, path, NULL, 0, &options);
}

halo_status halo_png_reader_open_memory_sized(halo_png_reader **out, const void *data, size_t bytes,
                                              const char *name, const halo_png_read_options *given,
                                              size_t given_bytes)
{
    halo_png_read_options options;
    *out = NULL;
    HALO_TRY(
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_png_read_options"));
    return open_source(out, name, bytes > 0 ? data : "", bytes, &options);
}

const halo_png_info *halo_png_reader_info(const halo_png_reader *reader)
{
    return &reader->info;
}

int64_t halo_png_reader_clear(const halo_png_reader *reader)
{
    return reader->clear;
}

size_t halo_png_grey_row_bytes(const halo_png_info *info)
{
    size_t width = (size_t)info->width;
    return info->grey_bits == 1 ? (width + 63) / 64 * 8 : width * (size_t)info->pixel_bits / 8;
}

halo_status halo_png_reader_rows(halo_png_reader *reader, int64_t rows, void *out, size_t pitch)
{
    int64_t left = reader->info.height - reader->row;
    size_t needed = halo_png_grey_row_bytes(&reader->info);
    size_t cell = reader->info.grey_bits == 1 ? 8 : (size_t)reader->info.grey_bits / 8;
    if (rows < 0 || rows > left || pitch < needed || pitch % cell != 0) {
        return halo_fail(HALO_ARGUMENT,
                         "%s: asked for %" PRId64 " rows at a pitch of %zu bytes; %" PRId64
                         " rows are left, of at least %zu bytes each, in steps of %zu",
                         reader->source.name, rows, pitch, left, needed, cell);
    }
    unsigned char *next = out;
    for (int64_t done = 0; done < rows;) {
        const unsigned char *first = NULL;
        size_t stride = 0;
        int64_t got = 0;
        HALO_TRY(reader->kind->rows(reader->decoder, rows - done, &first, &stride, &got));
        for (int64_t i = 0; i < got; i++) {
            const unsigned char *from = first + (size_t)i * stride;
            reader->conversion.convert(&reader->conversion, from, next);
            reader->clear += reader->counts
                                 ? halo_png_count_clear(&reader->conversion, &reader->header,
                                                        &reader->extras, from)
                                 : 0;
            next += pitch;
        }
        done += got;
        reader->row += got;
    }
    return HALO_OK;
}

halo_status halo_png_reader_finish(halo_png_reader *reader)
{
    if (reader->row < reader->info.height) {
        return halo_fail(HALO_ARGUMENT,
                         "%s: only %" PRId64 " of %" PRId64
                         " rows have been read; read all before finishing",
                         reader->source.name, reader->row, reader->info.height);
    }
    return reader->kind->finish(reader->decoder);
}

const char *halo_png_reader_warning(const halo_png_reader *reader)
{
    return reader->extras.warning;
}

void halo_png_reader_close(halo_png_reader **reader)
{
    if (*reader == NULL) {
        return;
    }
    if ((*reader)->decoder != NULL) {
        (*reader)->kind->close((*reader)->decoder);
    }
    halo_source_close(&(*reader)->source);
    free(*reader);
    *reader = NULL;
}
