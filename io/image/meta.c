#define _GNU_SOURCE
#include "io/image/text_header.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* MetaImage: lines "Key = value" in a file .mhd, with the samples in another file, or .mha, with
 * the samples behind the last line. The first axis, x, is the fastest one. Keys: ITK's MetaIO. */

static const struct {
    const char *name;
    halo_image_type type;
} types[] = {{"MET_CHAR", HALO_IMAGE_I8},       {"MET_UCHAR", HALO_IMAGE_U8},
             {"MET_SHORT", HALO_IMAGE_I16},     {"MET_USHORT", HALO_IMAGE_U16},
             {"MET_INT", HALO_IMAGE_I32},       {"MET_UINT", HALO_IMAGE_U32},
             {"MET_LONG", HALO_IMAGE_I32},      {"MET_ULONG", HALO_IMAGE_U32},
             {"MET_LONG_LONG", HALO_IMAGE_I64}, {"MET_ULONG_LONG", HALO_IMAGE_U64},
             {"MET_FLOAT", HALO_IMAGE_F32},     {"MET_DOUBLE", HALO_IMAGE_F64}};

typedef struct {
    const halo_image_reader *reader;
    halo_image_described is;
    int sizes, spacings; /* numbers of them in the header */
    bool big, ended;
} header;

typedef halo_status parse_value(header *h, const char *key, const char *value);

static halo_status parse_axes(header *h, const char *key, const char *value)
{
    int64_t axes;
    if (halo_text_integers(value, &axes, 1) != 1 || axes < 1 || axes > HALO_IMAGE_MAX_AXES) {
        return halo_image_fail_field(h->reader, key, value, "2 and 3 axes can be read");
    }
    h->is.axes = (int)axes;
    return HALO_OK;
}

static halo_status parse_sizes(header *h, const char *key, const char *value)
{
    h->sizes = halo_text_integers(value, h->is.sizes, HALO_IMAGE_MAX_AXES);
    return h->sizes > 0 ? HALO_OK
                        : halo_image_fail_field(h->reader, key, value,
                                                "give the number of samples along each axis");
}

static halo_status parse_spacing(header *h, const char *key, const char *value)
{
    h->spacings = halo_text_reals(value, h->is.spacing, HALO_IMAGE_MAX_AXES);
    return h->spacings > 0
               ? HALO_OK
               : halo_image_fail_field(h->reader, key, value, "give a number for each axis");
}

static halo_status parse_type(header *h, const char *key, const char *value)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcasecmp(value, types[i].name) == 0) {
            h->is.type = types[i].type;
            h->is.typed = true;
            return HALO_OK;
        }
    }
    return halo_image_fail_field(h->reader, key, value,
                                 "MET_UCHAR, MET_USHORT, MET_SHORT, MET_INT, MET_UINT, MET_FLOAT "
                                 "and the like can be read");
}

static halo_status parse_channels(header *h, const char *key, const char *value)
{
    int64_t channels;
    if (halo_text_integers(value, &channels, 1) != 1 || channels < 1 || channels > 4) {
        return halo_image_fail_field(h->reader, key, value, "1, 3 and 4 samples can be read");
    }
    h->is.channels = (int)channels;
    return HALO_OK;
}

static halo_status parse_offset(header *h, const char *key, const char *value)
{
    if (halo_text_integers(value, &h->is.offset, 1) != 1 || h->is.offset < -1 ||
        h->is.offset > (int64_t)1 << 56) {
        return halo_image_fail_field(h->reader, key, value,
                                     "give the number of bytes before the samples, or -1");
    }
    return HALO_OK;
}

static halo_status parse_order(header *h, const char *key, const char *value)
{
    (void)key;
    h->big = strcasecmp(value, "true") == 0 || strcmp(value, "1") == 0;
    return HALO_OK;
}

static halo_status parse_compressed(header *h, const char *key, const char *value)
{
    return strcasecmp(value, "true") != 0 && strcmp(value, "1") != 0
               ? HALO_OK
               : halo_image_fail_field(h->reader, key, value, "save the image without compression");
}

static halo_status parse_binary(header *h, const char *key, const char *value)
{
    return strcasecmp(value, "false") != 0 && strcmp(value, "0") != 0
               ? HALO_OK
               : halo_image_fail_field(h->reader, key, value, "save the samples as bytes");
}

static halo_status parse_data(header *h, const char *key, const char *value)
{
    h->ended = true;
    if (strcasecmp(value, "LOCAL") == 0) {
        return HALO_OK;
    }
    if (*value == '\0' || strncasecmp(value, "LIST", 4) == 0 || strchr(value, '%') != NULL) {
        return halo_image_fail_field(h->reader, key, value,
                                     "save all planes in one file, and name it");
    }
    snprintf(h->is.data, sizeof h->is.data, "%s", value);
    return HALO_OK;
}

static const struct {
    const char *key;
    parse_value *parse;
} keys[] = {{"NDims", parse_axes},
            {"DimSize", parse_sizes},
            {"ElementType", parse_type},
            {"ElementSpacing", parse_spacing},
            {"ElementNumberOfChannels", parse_channels},
            {"HeaderSize", parse_offset},
            {"ElementByteOrderMSB", parse_order},
            {"BinaryDataByteOrderMSB", parse_order},
            {"CompressedData", parse_compressed},
            {"BinaryData", parse_binary},
            {"ElementDataFile", parse_data}};

/* No magic bytes; but a text with keys that no other text has. */
static bool sniff(const unsigned char *bytes, size_t count)
{
    const unsigned char *line_end = memchr(bytes, '\n', count);
    return line_end != NULL && memchr(bytes, '=', (size_t)(line_end - bytes)) != NULL &&
           memmem(bytes, count, "NDims", 5) != NULL &&
           memmem(bytes, count, "ElementDataFile", 15) != NULL;
}

static halo_status parse_line(header *h, char *line)
{
    const char *value = halo_text_split(line, "=");
    for (size_t i = 0; value != NULL && i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(line, keys[i].key) == 0) {
            return keys[i].parse(h, line, value);
        }
    }
    return HALO_OK; /* names of patients, and others that do not matter here */
}

static halo_status open_meta(halo_image_reader *reader)
{
    header h = {.reader = reader};
    size_t count = halo_source_peek(&reader->source);
    halo_text_header text = {.bytes = reader->source.at, .count = count};
    while (!h.ended && halo_text_next(&text)) {
        HALO_TRY(parse_line(&h, text.line));
    }
    if (!h.ended || h.is.axes == 0 || h.sizes != h.is.axes || !h.is.typed) {
        return halo_fail(HALO_FORMAT,
                         "%s: the MetaImage header lacks NDims, ElementType, ElementDataFile, or "
                         "as many numbers in DimSize as NDims says; copy or make it again",
                         reader->path);
    }
    if (h.is.data[0] == '\0') { /* behind the last line, whatever else is said */
        h.is.offset = (int64_t)text.at;
    }
    h.is.swapped = h.big != halo_image_big_endian();
    return halo_image_start_described(reader, &h.is);
}

const halo_image_format halo_image_meta = {
    .name = "MetaImage", .sniff = sniff, .open = open_meta, .rows = halo_image_raw_rows};
