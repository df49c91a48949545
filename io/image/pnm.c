#include "io/image/image_internal.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Portable bitmaps, greymaps and pixmaps: P1 to P6, plain and raw, of netpbm's definition. Only the
 * first image of a file counts. */

enum { BYTE = 255, SHORT = 65535 };

/* In P1 and P4, 1 is black. */
typedef struct {
    unsigned char digit;
    bool text;
    int channels;
    bool bits;
} pnm_kind;

static const pnm_kind kinds[] = {{'1', true, 1, true},   {'2', true, 1, false},
                                 {'3', true, 3, false},  {'4', false, 1, true},
                                 {'5', false, 1, false}, {'6', false, 3, false}};

static bool is_blank(int c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* A byte order mark may stand before the header. */
static bool sniff(const unsigned char *bytes, size_t count)
{
    size_t mark = halo_text_mark(bytes, count);
    bytes += mark;
    return count - mark >= 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
           (is_blank(bytes[2]) || bytes[2] == '#');
}

static void skip(halo_source *source)
{
    int next = halo_source_next(source);
    while (is_blank(next) || next == '#') {
        while (next == '#') { /* a comment, to the end of its line */
            while (next >= 0 && next != '\n' && next != '\r') {
                source->at++;
                next = halo_source_next(source);
            }
        }
        if (next >= 0) {
            source->at++;
        }
        next = halo_source_next(source);
    }
}

/* A number up to 2^31 - 1; -1 if there is none. */
static int64_t take_number(halo_source *source)
{
    int64_t number = -1;
    skip(source);
    for (int next = halo_source_next(source); next >= '0' && next <= '9';
         next = halo_source_next(source)) {
        number = (number < 0 ? 0 : number * 10) + (next - '0');
        if (number > INT32_MAX) {
            return -1;
        }
        source->at++;
    }
    return number;
}

static halo_status read_header(halo_image_reader *reader, const pnm_kind *kind, int64_t size[2],
                               int64_t *maximum)
{
    halo_source *source = &reader->source;
    source->at += 2;
    size[0] = take_number(source);
    size[1] = take_number(source);
    *maximum = kind->bits ? 1 : take_number(source);
    bool ended = !is_blank(halo_source_next(source));
    HALO_TRY(source->status);
    if (size[0] < 1 || size[1] < 1 || *maximum < 1 || *maximum > SHORT || ended) {
        return halo_fail(HALO_FORMAT,
                         "%s: the header of a portable image has width, height%s, then a blank; "
                         "here they are %" PRId64 ", %" PRId64 " and %" PRId64
                         "; copy or make the file again",
                         reader->path, kind->bits ? "" : " and the maximum, 1 to 65535", size[0],
                         size[1], *maximum);
    }
    source->at++;
    return HALO_OK;
}

static halo_status open_pnm(halo_image_reader *reader)
{
    halo_source *source = &reader->source;
    source->at += halo_text_mark(source->at, (size_t)(source->end - source->at));
    const pnm_kind *kind = &kinds[source->at[1] - '1'];
    int64_t size[2], maximum;
    HALO_TRY(read_header(reader, kind, size, &maximum));
    halo_sample_type type = kind->bits        ? HALO_SAMPLE_BIT
                            : maximum <= BYTE ? HALO_SAMPLE_U8
                                              : HALO_SAMPLE_U16;
    reader->state = (void *)kind;
    reader->samples =
        (halo_image_samples){.type = type, .channels = kind->channels, .maximum = maximum};
    HALO_TRY(halo_image_set_size(reader, 0, size[1], size[0]));
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    reader->layout = (halo_image_layout){.offset = source->before + (source->at - source->bytes),
                                         .row_samples = size[0] * kind->channels,
                                         .sample_bytes = halo_sample_types[type].bytes,
                                         .swapped = !big && type == HALO_SAMPLE_U16,
                                         .inverted = true};
    if (!kind->text) {
        /* The header of a pipe has been taken; of a file, rows are read from its place on. */
        int64_t offset = reader->layout.offset;
        reader->layout.offset = halo_image_is_plain(reader) ? offset : 0;
        return halo_image_raw_start(reader);
    }
    strcpy(reader->info.decoder, "text");
    /* A sample takes a digit, and but for bits a blank. */
    int64_t least = size[0] * size[1] * kind->channels * (kind->bits ? 1 : 2) - 1;
    if (halo_image_is_plain(reader) && reader->info.file_bytes - reader->layout.offset < least) {
        return halo_image_fail_ended(reader, 0);
    }
    return HALO_OK;
}

static halo_status take_sample(halo_image_reader *reader, const pnm_kind *kind, int64_t row,
                               int64_t *value)
{
    halo_source *source = &reader->source;
    if (kind->bits) { /* digits may stand without blanks between them */
        skip(source);
        int next = halo_source_next(source);
        *value = next == '0' || next == '1' ? '1' - next : -1;
        source->at += *value >= 0;
    } else {
        *value = take_number(source);
    }
    if (*value >= 0 && *value <= reader->samples.maximum) {
        return HALO_OK;
    }
    if (*value < 0 && halo_source_next(source) < 0) {
        return halo_image_fail_ended(reader, row);
    }
    return halo_fail(HALO_FORMAT,
                     "%s: line %" PRId64 " of rows: a sample is no number from 0 to %" PRId64
                     "; copy or make the file again",
                     reader->path, row + 1, reader->samples.maximum);
}

static halo_status text_row(halo_image_reader *reader, const pnm_kind *kind, int64_t row, void *out)
{
    uint64_t *words = out;
    if (kind->bits) {
        memset(out, 0, reader->one_row);
    }
    for (int64_t i = 0; i < reader->layout.row_samples; i++) {
        int64_t value;
        HALO_TRY(take_sample(reader, kind, row, &value));
        if (kind->bits) {
            words[i / 64] |= (uint64_t)value << (i % 64);
        } else if (reader->samples.type == HALO_SAMPLE_U8) {
            ((uint8_t *)out)[i] = (uint8_t)value;
        } else {
            ((uint16_t *)out)[i] = (uint16_t)value;
        }
    }
    return HALO_OK;
}

static halo_status pnm_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                            size_t pitch)
{
    const pnm_kind *kind = reader->state;
    if (!kind->text) {
        return halo_image_raw_rows(reader, first, rows, out, pitch);
    }
    for (int64_t i = 0; i < rows; i++) {
        HALO_TRY(text_row(reader, kind, first + i, (char *)out + (size_t)i * pitch));
    }
    return HALO_OK;
}

const halo_image_format halo_image_pnm = {
    .name = "PNM", .picture = true, .sniff = sniff, .open = open_pnm, .rows = pnm_rows};
