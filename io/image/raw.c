#include "io/image/packed.h"
#include "io/image/pieces.h"
#include "io/image/text_samples.h"

#include "base/memory.h"
#include "base/read_at.h"
#include "io/image/axes.h"
#include "io/image/bits.h"
#include "io/image/halves.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 20, BYTE_BITS = 8 };

static size_t file_row_bytes(const halo_image_layout *layout)
{
    return layout->sample_bytes == 0 ? ((size_t)layout->row_samples + BYTE_BITS - 1) / BYTE_BITS
                                     : (size_t)layout->row_samples * layout->sample_bytes;
}

/* Bytes from the first sample to the beginning of row `row`. */
static int64_t place_of(const halo_image_reader *reader, int64_t row)
{
    const halo_image_layout *layout = &reader->layout;
    int64_t bytes = (int64_t)file_row_bytes(layout), height = reader->info.height;
    int64_t step = layout->row_stride > 0 ? layout->row_stride : bytes;
    int64_t plane = layout->plane_stride > 0 ? layout->plane_stride : height * step;
    return row / height * plane + row % height * step;
}

/* The number of rows, of `rows` from row `first` on, that follow each other without a gap. */
static int64_t rows_together(const halo_image_reader *reader, int64_t first, int64_t rows)
{
    int64_t bytes = (int64_t)file_row_bytes(&reader->layout), height = reader->info.height;
    int64_t within = height - first % height;
    if (place_of(reader, first + 1) - place_of(reader, first) != bytes && within > 1) {
        return 1;
    }
    bool solid = place_of(reader, height) == height * bytes;
    return solid || rows < within ? rows : within;
}

bool halo_image_are_halves(halo_sample_type type, size_t bytes)
{
    return type == HALO_SAMPLE_F32 && bytes == sizeof(uint16_t);
}

bool halo_image_parse_dtype(const char *text, halo_sample_type *type, size_t *bytes, bool *swapped)
{
    *swapped = *text == (halo_image_big_endian() ? '<' : '>');
    text += *text == '<' || *text == '>' || *text == '|' || *text == '=';
    if (strcmp(text, "f2") == 0 || strcmp(text, "float16") == 0) {
        *type = HALO_SAMPLE_F32;
        *bytes = sizeof(uint16_t);
        return true;
    }
    bool known = halo_sample_find_type(text, type);
    *bytes = known ? halo_sample_types[*type].stored : 0;
    return known;
}

/* The next bytes of one file that can be read only in order. */
static halo_status read_file(halo_image_reader *reader, int64_t row, void *out, size_t bytes)
{
    if (reader->unpacker != NULL) {
        return halo_unpacker_read(reader->unpacker, out, bytes, row);
    }
    if (reader->texts) {
        int64_t count = (int64_t)(bytes / reader->layout.sample_bytes);
        return halo_text_samples_read(reader, out, count, row);
    }
    return halo_source_read(&reader->source, out, bytes) ? HALO_OK
                                                         : halo_image_fail_ended(reader, row);
}

/* The next bytes of what can be read only in order. */
static halo_status read_stream(halo_image_reader *reader, int64_t row, void *out, size_t bytes)
{
    if (reader->pieces == NULL) {
        return read_file(reader, row, out, bytes);
    }
    for (size_t done = 0, now; done < bytes; done += now) {
        HALO_TRY(halo_pieces_next(reader, row, (char *)out + done, bytes - done, read_file, &now));
    }
    return HALO_OK;
}

/* Bytes of a stream before row `row` that are of no row: the header, and other parts of the file.
 */
static halo_status skip_stream(halo_image_reader *reader, int64_t row, int64_t bytes)
{
    enum { SKIPPED = 1 << 14 };
    char skipped[SKIPPED];
    while (bytes > 0) {
        int64_t now = bytes < SKIPPED ? bytes : SKIPPED;
        HALO_TRY(read_stream(reader, row, skipped, (size_t)now));
        bytes -= now;
    }
    return HALO_OK;
}

halo_status halo_image_raw_start(halo_image_reader *reader)
{
    const halo_image_layout *layout = &reader->layout;
    int64_t row = (int64_t)file_row_bytes(layout), rows = reader->info.rows;
    int64_t wanted = place_of(reader, rows - 1) + row;
    size_t chunk = (size_t)row > CHUNK_BYTES ? (size_t)row : CHUNK_BYTES;
    bool encoded = reader->unpacker != NULL || reader->texts, gaps = wanted != row * rows;
    if (reader->file < 0 && !encoded && reader->pieces == NULL && halo_image_is_plain(reader)) {
        HALO_TRY(halo_image_make_seekable(reader));
    }
    int64_t there = reader->data_bytes - layout->offset;
    if (reader->file >= 0 && reader->pieces == NULL && there < wanted) {
        return halo_image_fail_ended(reader, there > 0 && !gaps ? there / row : 0);
    }
    reader->info.buffer += (int64_t)chunk;
    reader->info.in_place = reader->info.random_access;
    if (reader->info.decoder[0] == '\0') {
        strcpy(reader->info.decoder, reader->file >= 0          ? "rows in place"
                                     : reader->unpacker != NULL ? "zlib"
                                                                : "stream");
    }
    HALO_TRY(halo_memory_create(&reader->raw_chunk, chunk, "rows of an image"));
    return reader->file < 0 ? skip_stream(reader, 0, layout->offset) : HALO_OK;
}

/* `bytes` bytes from the beginning of row `first` on, which has as many without a gap. */
static halo_status read_together(halo_image_reader *reader, int64_t first, void *out, size_t bytes)
{
    if (reader->file < 0) {
        int64_t gap = place_of(reader, first) - reader->streamed;
        HALO_TRY(skip_stream(reader, first, gap));
        HALO_TRY(read_stream(reader, first, out, bytes));
        reader->streamed += gap + (int64_t)bytes;
        return HALO_OK;
    }
    int64_t at = reader->layout.offset + place_of(reader, first);
    if (reader->pieces != NULL) {
        return halo_pieces_read(reader, at, out, bytes, first);
    }
    int64_t got = halo_read_at(reader->file, out, bytes, at);
    if (got < 0) {
        return halo_fail(HALO_FILE,
                         "%s: cannot be read on after %" PRId64 " of %" PRId64 " rows: %s",
                         reader->path, first, reader->info.rows, strerror(errno));
    }
    return got == (int64_t)bytes ? HALO_OK : halo_image_fail_ended(reader, first);
}

/* Rows as in the file, one after the other. */
static halo_status read_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out)
{
    size_t row = file_row_bytes(&reader->layout);
    for (int64_t done = 0; done < rows;) {
        int64_t now = rows_together(reader, first + done, rows - done);
        HALO_TRY(read_together(reader, first + done, (char *)out + (size_t)done * row,
                               (size_t)now * row));
        done += now;
    }
    return HALO_OK;
}

static void swap_bytes(unsigned char *samples, int64_t n, size_t bytes)
{
    for (int64_t i = 0; i < n; i++, samples += bytes) {
        for (size_t b = 0; b < bytes / 2; b++) {
            unsigned char other = samples[bytes - 1 - b];
            samples[bytes - 1 - b] = samples[b];
            samples[b] = other;
        }
    }
}

void halo_image_unpack_row(const halo_image_layout *layout, const unsigned char *from,
                           unsigned char *out)
{
    if (layout->sample_bytes == 0) {
        halo_bits_pack(layout->row_samples, from, layout->inverted, (uint64_t *)(void *)out);
    } else if (layout->booleans) {
        halo_bits_pack_bytes(layout->row_samples, from, (uint64_t *)(void *)out);
    } else if (layout->halves) {
        halo_halves_widen(layout->row_samples, from, layout->swapped, (float *)(void *)out);
    } else {
        memcpy(out, from, file_row_bytes(layout));
        if (layout->swapped) {
            swap_bytes(out, layout->row_samples, layout->sample_bytes);
        }
    }
}

halo_status halo_image_raw_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                                size_t pitch)
{
    const halo_image_layout *layout = &reader->layout;
    size_t row = file_row_bytes(layout);
    bool direct = layout->sample_bytes > 0 && !layout->booleans && !layout->halves && pitch == row;
    if (direct) { /* no copy on the way */
        HALO_TRY(read_rows(reader, first, rows, out));
        if (layout->swapped) {
            swap_bytes(out, rows * layout->row_samples, layout->sample_bytes);
        }
        return HALO_OK;
    }
    int64_t step = row < CHUNK_BYTES ? CHUNK_BYTES / (int64_t)row : 1;
    for (int64_t done = 0; done < rows; done += step) {
        int64_t now = rows - done < step ? rows - done : step;
        const unsigned char *from = reader->raw_chunk;
        HALO_TRY(read_rows(reader, first + done, now, reader->raw_chunk));
        for (int64_t i = 0; i < now; i++) {
            halo_image_unpack_row(layout, from + (size_t)i * row,
                                  (unsigned char *)out + (size_t)(done + i) * pitch);
        }
    }
    return HALO_OK;
}

halo_status halo_image_raw_finish(halo_image_reader *reader)
{
    return reader->unpacker != NULL ? halo_unpacker_finish(reader->unpacker) : HALO_OK;
}

/* ---- files without a header ------------------------------------------------------------------ */

/* A wrong shape or type would give a picture of stripes, and no message. */
static halo_status check_end(const halo_image_reader *reader, size_t bytes)
{
    const halo_image_raw *raw = &reader->options.raw;
    int64_t planes = raw->planes > 0 ? raw->planes : 1;
    int64_t wanted = planes * raw->height * raw->width * (int64_t)bytes; /* as was checked */
    int64_t more = reader->data_bytes - raw->offset - wanted;
    return reader->file < 0 || more == 0
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: %" PRId64 " bytes follow the last sample; check --shape, --dtype "
                           "and --offset, or cut them off",
                           reader->path, more);
}

static halo_status open_raw(halo_image_reader *reader)
{
    const halo_image_raw *raw = &reader->options.raw;
    halo_sample_type type;
    size_t bytes;
    bool swapped;
    if (!halo_image_parse_type_name(raw->dtype, &type, &bytes, &swapped) || raw->offset < 0) {
        return halo_fail(
            HALO_ARGUMENT,
            "--dtype takes u1, i1, <u2, >u2, <i2, <u4, <i4, <u8, <i8, <f2, <f4 or <f8, or a "
            "name such as uint16, short or float, and --offset bytes from 0 on, not \"%.40s\" and "
            "%" PRId64,
            raw->dtype, raw->offset);
    }
    halo_image_axes axes = {.count = 0};
    halo_image_part part;
    if (raw->planes > 0) {
        halo_image_add_axis(&axes, HALO_AXIS_SPACE, raw->planes);
    }
    halo_image_add_axis(&axes, HALO_AXIS_SPACE, raw->height);
    halo_image_add_axis(&axes, HALO_AXIS_SPACE, raw->width);
    halo_image_set_samples(reader, type, 1);
    reader->layout = (halo_image_layout){.sample_bytes = bytes,
                                         .booleans = type == HALO_SAMPLE_BIT,
                                         .halves = halo_image_are_halves(type, bytes),
                                         .swapped = swapped};
    HALO_TRY(halo_image_choose_part(reader, &axes, &part));
    HALO_TRY(halo_image_lay_out(reader, &axes, &part, bytes, raw->offset));
    HALO_TRY(halo_image_raw_start(reader));
    return check_end(reader, bytes);
}

const halo_image_format halo_image_raw_format = {
    .name = "raw", .open = open_raw, .rows = halo_image_raw_rows};
