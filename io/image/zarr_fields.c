#include "io/image/halves.h"
#include "io/image/zarr_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Fields that both versions of zarr have. */

enum { MOST_BYTES = 16 << 20 };

halo_status halo_zarr_load(const halo_image_reader *reader, const char *path, json_t **out)
{
    struct stat about;
    json_error_t error;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > MOST_BYTES) {
        return halo_fail(HALO_FILE,
                         "%s: %s is no ordinary file of at most %d bytes that can be read; copy or "
                         "make the array again",
                         reader->path, path, MOST_BYTES);
    }
    *out = json_load_file(path, 0, &error);
    return *out != NULL
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
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
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
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

static bool real_of(const json_t *value, double *out)
{
    static const struct {
        const char *name;
        double value;
    } names[] = {{"NaN", NAN}, {"Infinity", INFINITY}, {"-Infinity", -INFINITY}};
    *out = json_number_value(value);
    const char *text = json_string_value(value);
    for (size_t i = 0; text != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i].name) == 0) {
            *out = names[i].value;
            return true;
        }
    }
    return json_is_number(value);
}

static bool is_signed(halo_image_type type)
{
    return type == HALO_IMAGE_I8 || type == HALO_IMAGE_I16 || type == HALO_IMAGE_I32 ||
           type == HALO_IMAGE_I64;
}

/* Also 0.0, which some write for whole numbers. */
static bool whole_of(const json_t *value, const zarr_array *array, int64_t *out)
{
    double real = json_number_value(value);
    *out = json_is_boolean(value)   ? json_is_true(value)
           : json_is_integer(value) ? json_integer_value(value)
                                    : (int64_t)(fabs(real) < 0x1p53 ? real : 0);
    if (!json_is_boolean(value) && !(json_is_number(value) && (double)*out == real)) {
        return false;
    }
    int bits = 8 * (int)array->bytes;
    if (array->type == HALO_IMAGE_BIT) {
        return *out == 0 || *out == 1;
    }
    if (is_signed(array->type)) {
        return bits == 64 || (*out >= -(INT64_C(1) << (bits - 1)) && *out >> (bits - 1) < 1);
    }
    return *out >= 0 && (bits == 64 || *out >> bits == 0);
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
    bool real = array->type == HALO_IMAGE_F32 || array->type == HALO_IMAGE_F64;
    uint64_t bits = 0;
    int64_t whole = 0;
    double number = 0;
    if (value == NULL || json_is_null(value)) {
        return HALO_OK; /* zeros */
    }
    if (real ? !real_of(value, &number) : !whole_of(value, array, &whole)) {
        return halo_zarr_fail_field(reader, "fill_value", value, remedy);
    }
    if (halo_image_are_halves(array->type, array->bytes)) {
        bits = halo_half_round(number);
    } else if (array->type == HALO_IMAGE_F32) {
        float single = (float)number;
        uint32_t word;
        memcpy(&word, &single, sizeof word);
        bits = word;
    } else if (real) {
        memcpy(&bits, &number, sizeof bits);
    } else {
        bits = (uint64_t)whole;
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

halo_status halo_zarr_find_codec(const halo_image_reader *reader, const json_t *name,
                                 zarr_codec *out)
{
    static const struct {
        const char *name, *lacks;
        zarr_codec codec;
    } codecs[] = {{"zlib", NULL, ZARR_ZLIB},
                  {"gzip", NULL, ZARR_GZIP},
#ifdef HALOBEAT_BLOSC
                  {"blosc", NULL, ZARR_BLOSC},
#else
                  {"blosc", "libblosc", ZARR_BLOSC},
#endif
#ifdef HALOBEAT_ZSTD
                  {"zstd", NULL, ZARR_ZSTD}
#else
                  {"zstd", "libzstd", ZARR_ZSTD}
#endif
    };
    const char *text = json_string_value(name);
    for (size_t i = 0; text != NULL && i < sizeof codecs / sizeof codecs[0]; i++) {
        if (strcmp(text, codecs[i].name) != 0) {
            continue;
        }
        *out = codecs[i].codec;
        return codecs[i].lacks == NULL
                   ? HALO_OK
                   : halo_fail(HALO_FORMAT,
                               "%s: the array is compressed with %s, and this build has no %s; "
                               "save it with zlib, or build Halobeat again with the library",
                               reader->path, text, codecs[i].lacks);
    }
    return halo_zarr_fail_field(reader, "compressor", name,
                                "none, zlib, gzip, blosc and zstd can be read: save it with one of "
                                "them");
}
