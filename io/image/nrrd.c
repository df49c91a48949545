#include "io/image/nrrd_space.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* NRRD: lines "field: value" up to an empty one, and samples behind it (.nrrd) or in another file
 * (.nhdr). The first axis is the fastest one; it may be a pixel's colours. Fields: teem's
 * definition of the format. */

#define MAGIC "NRRD000"

const halo_text_type halo_nrrd_types[] = {
    {"int8", HALO_SAMPLE_I8},
    {"signed char", HALO_SAMPLE_I8},
    {"int8_t", HALO_SAMPLE_I8},
    {"uint8", HALO_SAMPLE_U8},
    {"uchar", HALO_SAMPLE_U8},
    {"unsigned char", HALO_SAMPLE_U8},
    {"uint8_t", HALO_SAMPLE_U8},
    {"int16", HALO_SAMPLE_I16},
    {"short", HALO_SAMPLE_I16},
    {"short int", HALO_SAMPLE_I16},
    {"signed short", HALO_SAMPLE_I16},
    {"signed short int", HALO_SAMPLE_I16},
    {"int16_t", HALO_SAMPLE_I16},
    {"uint16", HALO_SAMPLE_U16},
    {"ushort", HALO_SAMPLE_U16},
    {"unsigned short", HALO_SAMPLE_U16},
    {"unsigned short int", HALO_SAMPLE_U16},
    {"uint16_t", HALO_SAMPLE_U16},
    {"int32", HALO_SAMPLE_I32},
    {"int", HALO_SAMPLE_I32},
    {"signed int", HALO_SAMPLE_I32},
    {"int32_t", HALO_SAMPLE_I32},
    {"uint32", HALO_SAMPLE_U32},
    {"uint", HALO_SAMPLE_U32},
    {"unsigned int", HALO_SAMPLE_U32},
    {"uint32_t", HALO_SAMPLE_U32},
    {"int64", HALO_SAMPLE_I64},
    {"longlong", HALO_SAMPLE_I64},
    {"long long", HALO_SAMPLE_I64},
    {"long long int", HALO_SAMPLE_I64},
    {"signed long long", HALO_SAMPLE_I64},
    {"signed long long int", HALO_SAMPLE_I64},
    {"int64_t", HALO_SAMPLE_I64},
    {"uint64", HALO_SAMPLE_U64},
    {"ulonglong", HALO_SAMPLE_U64},
    {"unsigned long long", HALO_SAMPLE_U64},
    {"unsigned long long int", HALO_SAMPLE_U64},
    {"uint64_t", HALO_SAMPLE_U64},
    {"float", HALO_SAMPLE_F32},
    {"double", HALO_SAMPLE_F64},
    {NULL, HALO_SAMPLE_BIT},
};

static halo_status parse_type(halo_text_fields *h, const char *key, const char *value)
{
    return halo_text_find_type(h, key, value, halo_nrrd_types,
                               "integers of 8 to 64 bits, float and double can be read");
}

static halo_status parse_encoding(halo_text_fields *h, const char *key, const char *value)
{
    static const struct {
        const char *name;
        halo_image_encoding encoding;
    } encodings[] = {{"raw", HALO_IMAGE_RAW},     {"gzip", HALO_IMAGE_DEFLATED},
                     {"gz", HALO_IMAGE_DEFLATED}, {"text", HALO_IMAGE_TEXT},
                     {"txt", HALO_IMAGE_TEXT},    {"ascii", HALO_IMAGE_TEXT},
                     {"bzip2", HALO_IMAGE_BZIP2}, {"bz2", HALO_IMAGE_BZIP2}};
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        if (strcasecmp(value, encodings[i].name) == 0) {
            h->is.encoding = encodings[i].encoding;
            h->encoded = true;
            return HALO_OK;
        }
    }
    return halo_image_fail_field(h->reader, key, value,
                                 "raw, gzip, bzip2 and text can be read: unu save -f nrrd -e gzip "
                                 "-i IN.nrrd -o OUT.nrrd converts it");
}

static halo_status parse_order(halo_text_fields *h, const char *key, const char *value)
{
    h->big = strcasecmp(value, "big") == 0;
    h->ordered = true;
    return h->big || strcasecmp(value, "little") == 0
               ? HALO_OK
               : halo_image_fail_field(h->reader, key, value, "it is little or big");
}

static halo_status parse_line_skip(halo_text_fields *h, const char *key, const char *value)
{
    int64_t *lines = &h->is.skip_lines;
    return halo_text_integers(value, lines, 1) == 1 && *lines >= 0
               ? HALO_OK
               : halo_image_fail_field(h->reader, key, value, "it is a number of lines");
}

/* Return the kind of an axis; SERIES: of space, or not known. */
static halo_axis_kind kind_of(const char *word, size_t length)
{
    static const struct {
        const char *word;
        halo_axis_kind kind;
    } kinds[] = {{"RGB-color", HALO_AXIS_COLOUR},  {"RGBA-color", HALO_AXIS_COLOUR},
                 {"3-color", HALO_AXIS_COLOUR},    {"4-color", HALO_AXIS_COLOUR},
                 {"3-vector", HALO_AXIS_COLOUR},   {"vector", HALO_AXIS_COLOUR},
                 {"time", HALO_AXIS_TIME},         {"list", HALO_AXIS_UNKNOWN},
                 {"point", HALO_AXIS_CHANNEL},     {"complex", HALO_AXIS_CHANNEL},
                 {"scalar", HALO_AXIS_CHANNEL},    {"2-vector", HALO_AXIS_CHANNEL},
                 {"4-vector", HALO_AXIS_CHANNEL},  {"3-gradient", HALO_AXIS_CHANNEL},
                 {"3-normal", HALO_AXIS_CHANNEL},  {"covariant-vector", HALO_AXIS_CHANNEL},
                 {"normal", HALO_AXIS_CHANNEL},    {"quaternion", HALO_AXIS_CHANNEL},
                 {"HSV-color", HALO_AXIS_CHANNEL}, {"XYZ-color", HALO_AXIS_CHANNEL}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strlen(kinds[i].word) == length && strncasecmp(word, kinds[i].word, length) == 0) {
            return kinds[i].kind;
        }
    }
    return HALO_AXIS_SERIES;
}

static halo_status parse_kinds(halo_text_fields *h, const char *key, const char *value)
{
    (void)key;
    for (int axis = 0; *value != '\0' && axis < HALO_IMAGE_MAX_AXES; axis++) {
        size_t length = strcspn(value, " \t");
        h->is.kinds[axis] = kind_of(value, length);
        value += length;
        value += strspn(value, " \t");
    }
    h->coloured = h->is.kinds[0] != HALO_AXIS_SERIES;
    return HALO_OK;
}

static const halo_text_field table[] = {{"dimension", halo_text_parse_axes},
                                        {"sizes", halo_text_parse_sizes},
                                        {"type", parse_type},
                                        {"encoding", parse_encoding},
                                        {"endian", parse_order},
                                        {"data file", halo_text_parse_data},
                                        {"datafile", halo_text_parse_data},
                                        {"byte skip", halo_text_parse_offset},
                                        {"byteskip", halo_text_parse_offset},
                                        {"line skip", parse_line_skip},
                                        {"lineskip", parse_line_skip},
                                        {"spacings", halo_text_parse_spacings},
                                        {"space", halo_nrrd_parse_space},
                                        {"space dimension", halo_nrrd_parse_dimension},
                                        {"space directions", halo_nrrd_parse_directions},
                                        {"space origin", halo_nrrd_parse_origin},
                                        {"space units", halo_nrrd_parse_units},
                                        {"units", halo_nrrd_parse_units},
                                        {"axis mins", halo_nrrd_parse_mins},
                                        {"axismins", halo_nrrd_parse_mins},
                                        {"axis maxs", halo_nrrd_parse_maxs},
                                        {"axismaxs", halo_nrrd_parse_maxs},
                                        {"centers", halo_nrrd_parse_centers},
                                        {"centerings", halo_nrrd_parse_centers},
                                        {"content", halo_text_parse_content},
                                        {"kinds", parse_kinds}};

static bool sniff(const unsigned char *bytes, size_t count)
{
    size_t mark = halo_text_mark(bytes, count);
    return count >= mark + 8 && memcmp(bytes + mark, MAGIC, strlen(MAGIC)) == 0;
}

static halo_status parse_line(halo_text_fields *h, char *line)
{
    bool passed = *line == '#', own = !passed && strstr(line, ":=") != NULL; /* keys of users */
    if (own) {
        h->labels = h->labels || strncmp(line, "Segment0_ID:=", 13) == 0; /* of 3D Slicer */
        const char *value = halo_text_split(line, ":=");
        halo_text_take_nodata(h, line, value);
        return HALO_OK;
    }
    return passed ? HALO_OK : halo_text_take(h, table, sizeof table / sizeof table[0], line, ":");
}

/* The first axis becomes samples of a pixel. */
static void take_colours(halo_image_described *is)
{
    const size_t others = HALO_IMAGE_MAX_AXES - 1;
    bool grey = is->type == HALO_SAMPLE_U8 || is->type == HALO_SAMPLE_U16;
    bool colours = grey && (is->sizes[0] == 3 || is->sizes[0] == 4);
    is->channels = (int)is->sizes[0];
    is->of_samples =
        is->kinds[0] == HALO_AXIS_COLOUR && !colours ? HALO_AXIS_CHANNEL : is->kinds[0];
    memmove(is->sizes, is->sizes + 1, others * sizeof is->sizes[0]);
    memmove(is->spacing, is->spacing + 1, others * sizeof is->spacing[0]);
    memmove(is->kinds, is->kinds + 1, others * sizeof is->kinds[0]);
    is->axes--;
}

static halo_status check(const halo_text_fields *h, bool ended)
{
    bool order_known =
        h->ordered || halo_sample_types[h->is.type].bytes == 1 || h->is.encoding == HALO_IMAGE_TEXT;
    if (ended && h->is.typed && h->encoded && order_known && h->is.axes > 0 &&
        h->sizes == h->is.axes) {
        return HALO_OK;
    }
    return halo_fail(HALO_FORMAT,
                     "%s: the NRRD header lacks type, encoding, endian, or as many sizes as "
                     "dimension says; copy or make it again",
                     h->reader->path);
}

static halo_status check_samples(const halo_image_reader *reader, const halo_image_described *is)
{
    return is->sizes[0] >= 1 && is->sizes[0] <= UINT16_MAX
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the header tells of %" PRId64 " samples a pixel; 1 to 65535 can be "
                           "read",
                           reader->path, is->sizes[0]);
}

static halo_status open_nrrd(halo_image_reader *reader)
{
    halo_text_fields h = {.reader = reader};
    size_t count = halo_source_peek(&reader->source);
    halo_text_header text = {.bytes = reader->source.at, .count = count};
    bool ended = false;
    while (!ended && !h.is.listed && halo_text_next(&text)) { /* a list is the last field */
        ended = text.line[0] == '\0';
        HALO_TRY(parse_line(&h, text.line));
    }
    h.is.list_at = (int64_t)text.at;
    /* A header of its own needs no empty line. */
    HALO_TRY(check(&h, ended || h.is.data[0] != '\0'));
    if (h.is.offset >= 0) { /* which is behind the lines that are to be skipped */
        h.is.skip_bytes = h.is.offset;
        h.is.offset = h.is.data[0] == '\0' ? (int64_t)text.at : 0;
    }
    if (h.coloured) {
        HALO_TRY(check_samples(reader, &h.is));
        take_colours(&h.is);
        h.is.dims -= h.is.dims > 0;
    }
    h.is.swapped = h.big != halo_image_big_endian();
    h.is.geometry = halo_nrrd_geometry(&h);
    halo_image_say_nodata_text(reader, h.nodata_key, h.nodata);
    reader->info.labels = h.labels;
    return halo_image_start_described(reader, &h.is);
}

const halo_image_format halo_image_nrrd = {.name = "NRRD",
                                           .sniff = sniff,
                                           .open = open_nrrd,
                                           .rows = halo_image_raw_rows,
                                           .finish = halo_image_raw_finish,
                                           .files = halo_image_described_files};
