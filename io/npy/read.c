#include "io/npy/npy.h"

#include <inttypes.h>
#include <string.h>

/* The text before the samples is a Python dictionary:
 * {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } */

static const char MAGIC[] = "\x93NUMPY";
enum { MAGIC_BYTES = 6, VERSION_BYTES = 2, VALUE_BYTES = 64 };

typedef struct {
    const char *name; /* of the file */
    const char *at, *end;
    bool had_type, had_order, had_shape;
    halo_npy_header *header;
    bool *swapped;
} parser;

static halo_status fail_damaged(const char *name, const char *defect)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the array file is damaged: %s; save it again with numpy.save", name,
                     defect);
}

static char next(const parser *text)
{
    return text->at < text->end ? *text->at : 0;
}

static void skip_blanks(parser *text)
{
    while (next(text) == ' ' || next(text) == '\n' || next(text) == '\t') {
        text->at++;
    }
}

/* One character, and the blanks around it. */
static bool take(parser *text, char wanted)
{
    skip_blanks(text);
    if (next(text) != wanted) {
        return false;
    }
    text->at++;
    skip_blanks(text);
    return true;
}

static bool take_string(parser *text, char value[VALUE_BYTES])
{
    skip_blanks(text);
    char quote = next(text);
    size_t length = 0;
    if (quote != '\'' && quote != '"') {
        return false;
    }
    for (text->at++; next(text) != quote; text->at++) {
        if (next(text) == 0 || length == VALUE_BYTES - 1) {
            return false;
        }
        value[length++] = next(text);
    }
    value[length] = 0;
    text->at++;
    return true;
}

static bool take_length(parser *text, int64_t *length)
{
    skip_blanks(text);
    *length = 0;
    if (next(text) < '0' || next(text) > '9') {
        return false;
    }
    for (; next(text) >= '0' && next(text) <= '9'; text->at++) {
        int digit = next(text) - '0';
        if (*length > (INT64_MAX - digit) / 10) {
            return false;
        }
        *length = *length * 10 + digit;
    }
    text->at += next(text) == 'L'; /* a long number of Python 2 */
    skip_blanks(text);
    return true;
}

static halo_status fail_type(const char *name, const char *type)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the array's samples are of type \"%s\"; bool, integers of 1 to 8 bytes, "
                     "f4 and f8 can be read: save array.astype(...) of one of these",
                     name, type);
}

static halo_status read_type(parser *text)
{
    char value[VALUE_BYTES];
    if (!take_string(text, value)) {
        /* Records have a list here. */
        return halo_fail(HALO_FORMAT,
                         "%s: the array's samples are no plain numbers; save one field of it",
                         text->name);
    }
    char order = value[0];
    for (size_t i = 0; i < HALO_SAMPLE_TYPES; i++) {
        bool halves = i == HALO_SAMPLE_F32 && strcmp(value + 1, "f2") == 0;
        if (order != 0 && strchr("<>|=", order) != NULL &&
            (halves || strcmp(value + 1, halo_sample_types[i].numpy) == 0)) {
            bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
            text->header->halves = halves;
            text->header->type = (halo_sample_type)i;
            *text->swapped = (order == '<' && !little) || (order == '>' && little);
            text->had_type = true;
            return HALO_OK;
        }
    }
    return fail_type(text->name, value);
}

static halo_status read_order(parser *text)
{
    size_t left = (size_t)(text->end - text->at);
    if (left >= 5 && memcmp(text->at, "False", 5) == 0) {
        text->at += 5;
        text->had_order = true;
        return HALO_OK;
    }
    if (left >= 4 && memcmp(text->at, "True", 4) == 0) {
        text->at += 4;
        text->had_order = text->header->by_columns = true;
        return HALO_OK;
    }
    return fail_damaged(text->name, "\"fortran_order\" is neither True nor False");
}

/* The product of all lengths stays below 2^59, so that bytes can be counted. */
static halo_status set_shape(parser *text, int axes)
{
    halo_npy_header *header = text->header;
    const int64_t limit = INT64_MAX / 16, *sizes = header->sizes;
    int64_t height = 1;
    bool fits = true;
    for (int i = 0; i < axes - (axes > 1); i++) {
        fits = fits && (height == 0 || sizes[i] <= limit / height);
        height = fits ? height * sizes[i] : height;
    }
    header->axes = axes;
    header->planes = axes == 3 ? sizes[0] : 0;
    header->height = height;
    header->width = axes == 1 ? 1 : sizes[axes - 1];
    if (fits && header->width <= limit && (height == 0 || header->width <= limit / height)) {
        return HALO_OK;
    }
    return halo_fail(HALO_FORMAT,
                     "%s: an array of %" PRId64 " x %" PRId64 "%s samples is too large: their "
                     "number must be below 2^59",
                     text->name, sizes[0], axes > 1 ? sizes[1] : 1, axes > 2 ? " x ..." : "");
}

static halo_status read_shape(parser *text)
{
    int axes = 0;
    if (!take(text, '(')) {
        return fail_damaged(text->name, "its shape does not begin with a bracket");
    }
    while (!take(text, ')')) {
        int64_t length = 0;
        if (!take_length(text, &length) || (!take(text, ',') && next(text) != ')')) {
            return fail_damaged(text->name, "its shape is no list of numbers up to 2^63 - 1");
        }
        if (axes < HALO_NPY_AXES) {
            text->header->sizes[axes] = length;
        }
        axes += axes <= HALO_NPY_AXES;
    }
    if (axes < 1 || axes > HALO_NPY_AXES) {
        return halo_fail(
            HALO_FORMAT,
            "%s: the array has %s axes; 1 to %d can be read: save a part of it, such as "
            "array[0]",
            text->name, axes < 1 ? "no" : "more", HALO_NPY_AXES);
    }
    text->had_shape = true;
    return set_shape(text, axes);
}

static halo_status read_entry(parser *text)
{
    static const struct {
        const char *key;
        halo_status (*read)(parser *text);
    } entries[] = {{"descr", read_type}, {"fortran_order", read_order}, {"shape", read_shape}};
    char key[VALUE_BYTES];
    if (!take_string(text, key) || !take(text, ':')) {
        return fail_damaged(text->name, "its header is no dictionary");
    }
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (strcmp(key, entries[i].key) == 0) {
            return entries[i].read(text);
        }
    }
    return fail_damaged(text->name, "its header has an entry that is not descr, fortran_order or "
                                    "shape");
}

static halo_status read_dictionary(parser *text)
{
    if (!take(text, '{')) {
        return fail_damaged(text->name, "its header is no dictionary");
    }
    while (!take(text, '}')) {
        HALO_TRY(read_entry(text));
        if (!take(text, ',') && next(text) != '}') {
            return fail_damaged(text->name, "its header is no dictionary");
        }
    }
    if (!text->had_type || !text->had_order || !text->had_shape) {
        return fail_damaged(text->name, "its header lacks descr, fortran_order or shape");
    }
    return HALO_OK;
}

/* Bytes before the dictionary, or 0; *length are those of the dictionary. */
static size_t prefix_bytes(const unsigned char *file, size_t bytes, size_t *length)
{
    size_t prefix = MAGIC_BYTES + VERSION_BYTES;
    if (bytes < HALO_NPY_PREFIX || memcmp(file, MAGIC, MAGIC_BYTES) != 0) {
        return 0;
    }
    size_t width = file[MAGIC_BYTES] == 1 ? 2 : 4;
    *length = 0;
    for (size_t i = 0; i < width; i++) {
        *length |= (size_t)file[prefix + i] << (8 * i);
    }
    return prefix + width;
}

size_t halo_npy_head_bytes(const void *data, size_t bytes)
{
    size_t length, prefix = prefix_bytes(data, bytes, &length);
    return prefix == 0 ? 0 : prefix + length;
}

halo_status halo_npy_parse_axes(const void *data, size_t bytes, const char *name,
                                halo_npy_header *header, bool *swapped, size_t *head)
{
    const unsigned char *file = data;
    size_t length, prefix = prefix_bytes(file, bytes, &length);
    if (prefix == 0) {
        return fail_damaged(name, "it does not begin as NumPy's files do");
    }
    int version = file[MAGIC_BYTES];
    if (version < 1 || version > 3) {
        return halo_fail(HALO_FORMAT, "%s: is an array file of version %d; 1 to 3 can be read",
                         name, version);
    }
    if (length > bytes - prefix) {
        return fail_damaged(name, "it ends within its header");
    }
    *header = (halo_npy_header){0};
    parser text = {.name = name,
                   .at = (const char *)file + prefix,
                   .end = (const char *)file + prefix + length,
                   .header = header,
                   .swapped = swapped};
    *head = prefix + length;
    HALO_TRY(read_dictionary(&text));
    header->by_columns = header->by_columns && header->axes > 1;
    return HALO_OK;
}

halo_status halo_npy_check_flat(const halo_npy_header *header, const char *name)
{
    return header->axes == 2
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the array has %d ax%s; two are needed, rows and columns: save "
                           "array.reshape(rows, columns), or one plane of it",
                           name, header->axes, header->axes == 1 ? "is" : "es");
}

halo_status halo_npy_parse(const void *data, size_t bytes, const char *name,
                           halo_npy_header *header, bool *swapped, size_t *head)
{
    HALO_TRY(halo_npy_parse_axes(data, bytes, name, header, swapped, head));
    HALO_TRY(header->halves ? fail_type(name, "f2") : HALO_OK);
    return halo_npy_check_flat(header, name);
}
