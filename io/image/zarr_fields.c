#include "base/json_internal.h"
#include "base/number.h"
#include "base/scan.h"
#include "io/image/halves.h"
#include "io/image/zarr_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Fields that both versions of zarr have. */

enum { MOST_BYTES = 16 << 20 };

/* The length of a token that is no JSON for jansson, though Python and others write it: NaN,
 * Infinity, and whole numbers beyond 2^63; 0 for others. */
static size_t odd_token(const char *at)
{
    enum { MOST_DIGITS = 18 };
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            return strlen(words[i]);
        }
    }
    size_t length = strspn(at + (*at == '-'), "0123456789") + (*at == '-');
    return length > MOST_DIGITS && strchr(".eE", at[length]) == NULL ? length : 0;
}

/* The text with such tokens in quotes. */
static halo_status quote_tokens(const char *from, halo_buffer *text)
{
    bool quoted = false;
    for (char before = ' '; *from != '\0'; before = *from++) {
        size_t odd = quoted || strchr(" \t\r\n:[,", before) == NULL ? 0 : odd_token(from);
        if (odd > 0) {
            HALO_TRY(halo_buffer_append(text, "\"", 1));
            HALO_TRY(halo_buffer_append(text, from, odd));
            HALO_TRY(halo_buffer_append(text, "\"", 1));
            from += odd - 1;
            continue;
        }
        if (quoted && *from == '\\' && from[1] != '\0') {
            HALO_TRY(halo_buffer_append(text, from++, 1));
        } else {
            quoted = quoted != (*from == '"');
        }
        HALO_TRY(halo_buffer_append(text, from, 1));
    }
    return HALO_OK;
}

static halo_status load_text(const char *path, const halo_image_reader *reader, halo_buffer *text)
{
    halo_source source;
    halo_buffer all = {0};
    const unsigned char *bytes;
    halo_status status = halo_source_open(&source, path, NULL, 0, false);
    status = status == HALO_OK ? halo_source_begin_text(&source) : status;
    for (size_t taken; status == HALO_OK && all.size <= MOST_BYTES &&
                       (taken = halo_source_take(&source, MOST_BYTES, &bytes)) > 0;) {
        status = halo_buffer_append(&all, bytes, taken);
    }
    status = status == HALO_OK ? source.status : status;
    status = status == HALO_OK ? halo_buffer_append(&all, "", 1) : status;
    if (status == HALO_OK && strlen((const char *)all.data) + 1 != all.size) {
        status = halo_fail(HALO_FORMAT, "%s: %s has a byte of 0; copy or make the array again",
                           reader->path, path);
    }
    status = status == HALO_OK ? quote_tokens((const char *)all.data, text) : status;
    halo_source_close(&source);
    halo_buffer_free(&all);
    return status;
}

halo_status halo_zarr_load(const halo_image_reader *reader, const char *path, json_t **out)
{
    struct stat about;
    json_error_t error;
    halo_buffer text = {0};
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > MOST_BYTES) {
        return halo_fail(HALO_FILE,
                         "%s: %s is no ordinary file of at most %d bytes that can be read; copy or "
                         "make the array again",
                         reader->path, path, MOST_BYTES);
    }
    HALO_TRY(load_text(path, reader, &text));
    *out = json_loadb((const char *)text.data, text.size, 0, &error);
    halo_buffer_free(&text);
    if (*out != NULL) {
        return HALO_OK;
    }
    if (error.text[0] == '\0') { /* jansson has no words for it */
        return halo_fail(HALO_MEMORY, "out of memory: %s: %s cannot be read", reader->path, path);
    }
    return halo_fail(HALO_FORMAT,
                     "%s: %s cannot be read: line %d: %s; copy or make the array again",
                     reader->path, path, error.line, error.text);
}

halo_status halo_zarr_fail_field(const halo_image_reader *reader, const char *field,
                                 const json_t *value, const char *remedy)
{
    if (value == NULL) {
        return halo_fail(HALO_FORMAT, "%s: the array's description lacks %s; %s", reader->path,
                         field, remedy);
    }
    char *text = halo_json_text(value, JSON_ENCODE_ANY | JSON_COMPACT);
    halo_status status = halo_fail(HALO_FORMAT, "%s: the array's %s is %.80s; %s", reader->path,
                                   field, text != NULL ? text : "unreadable", remedy);
    free(text);
    return status;
}

halo_status halo_zarr_parse_sizes(const halo_image_reader *reader, const char *field,
                                  const json_t *value, int64_t least, zarr_array *array,
                                  int64_t *sizes)
{
    static const char remedy[] = "give a whole number for each of two to eight axes";
    size_t count = json_array_size(value);
    bool fits = array->axes == 0 ? count >= 2 && count <= HALO_IMAGE_MAX_AXES
                                 : count == (size_t)array->axes;
    if (!fits) {
        return halo_zarr_fail_field(reader, field, value, remedy);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *size = json_array_get(value, i);
        sizes[i] = json_integer_value(size);
        if (!json_is_integer(size) || sizes[i] < least) {
            return halo_zarr_fail_field(reader, field, value, remedy);
        }
    }
    array->axes = (int)count;
    return HALO_OK;
}

/* ---- what missing chunks are full of --------------------------------------------------------- */

/* "0x7fc00000": the bits of a real number of so many bytes, as version 3 writes some. */
static bool bits_of(const json_t *value, size_t bytes, uint64_t *out)
{
    enum { HEXADECIMAL = 16 };
    const char *text = json_string_value(value);
    if (text == NULL || strncmp(text, "0x", 2) != 0 || strlen(text) != 2 + 2 * bytes ||
        strspn(text + 2, "0123456789abcdefABCDEF") != 2 * bytes) {
        return false;
    }
    *out = strtoull(text + 2, NULL, HEXADECIMAL);
    return true;
}

static bool real_of(const json_t *value, double *out)
{
    static const struct {
        const char *name;
        double value;
    } names[] = {{"NaN", NAN},
                 {"Infinity", INFINITY},
                 {"-Infinity", -INFINITY},
                 {"inf", INFINITY}, /* as NumPy prints them */
                 {"-inf", -INFINITY}};
    *out = json_number_value(value);
    const char *text = json_string_value(value);
    for (size_t i = 0; text != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (strcasecmp(text, names[i].name) == 0) {
            *out = names[i].value;
            return true;
        }
    }
    return json_is_number(value) ||
           (text != NULL && halo_scan_number(&text, -HUGE_VAL, HUGE_VAL, out) && *text == '\0');
}

static bool is_signed(halo_sample_type type)
{
    return halo_sample_types[type].numpy[0] == 'i';
}

/* Also 0.0, which some write for whole numbers, and texts, which those of many digits have become.
 */
static bool whole_of(const json_t *value, const zarr_array *array, uint64_t *out)
{
    const char *text = json_string_value(value);
    halo_number number = {.whole = true, .magnitude = json_is_true(value)};
    int bits = array->type == HALO_SAMPLE_BIT ? 1 : 8 * (int)array->bytes;
    if (text != NULL) {
        return halo_scan_exact(&text, -HUGE_VAL, HUGE_VAL, &number) && *text == '\0' &&
               halo_number_bits(&number, is_signed(array->type), bits, out);
    }
    if (json_is_integer(value)) {
        int64_t whole = json_integer_value(value);
        number.negative = whole < 0;
        number.magnitude = whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole;
    } else if (json_is_real(value)) {
        number = halo_number_of(json_real_value(value));
    }
    return (json_is_boolean(value) || json_is_number(value)) &&
           halo_number_bits(&number, is_signed(array->type), bits, out);
}

static void store_fill(zarr_array *array, uint64_t bits)
{
    bool big = halo_image_big_endian() != array->swapped;
    for (size_t i = 0; i < array->bytes; i++) {
        array->fill[big ? array->bytes - 1 - i : i] = (unsigned char)(bits >> (8 * i));
    }
}

halo_status halo_zarr_parse_fill(const halo_image_reader *reader, const json_t *value,
                                 zarr_array *array)
{
    static const char remedy[] = "give a number that a sample can be, or null";
    bool real = halo_sample_types[array->type].real;
    uint64_t bits = 0;
    double number = 0;
    if (value == NULL || json_is_null(value)) {
        return HALO_OK; /* zeros */
    }
    if (real && bits_of(value, array->bytes, &bits)) {
        store_fill(array, bits);
        return HALO_OK;
    }
    if (real ? !real_of(value, &number) : !whole_of(value, array, &bits)) {
        return halo_zarr_fail_field(reader, "fill_value", value, remedy);
    }
    if (halo_image_are_halves(array->type, array->bytes)) {
        bits = halo_half_round(number);
    } else if (array->type == HALO_SAMPLE_F32) {
        float single = (float)number;
        uint32_t word;
        memcpy(&word, &single, sizeof word);
        bits = word;
    } else if (real) {
        memcpy(&bits, &number, sizeof bits);
    }
    store_fill(array, bits);
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

halo_status halo_zarr_parse_separator(const halo_image_reader *reader, const json_t *value,
                                      char standard, zarr_array *array)
{
    const char *text = json_string_value(value);
    bool known = text != NULL && (strcmp(text, ".") == 0 || strcmp(text, "/") == 0);
    array->separator = known ? text[0] : standard;
    return value == NULL || known ? HALO_OK
                                  : halo_zarr_fail_field(reader, "separator of chunks' numbers",
                                                         value, "\".\" and \"/\" can be read");
}
