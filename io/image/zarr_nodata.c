#include "io/image/zarr_internal.h"

#include <stdio.h>
#include <string.h>

/* Samples of zarr arrays that stand for no data. The attributes _FillValue and missing_value say it
 * (CF conventions); and, where xarray wrote an array of version 2, its fill value, as xarray reads
 * it. Fill values of others are what was not written: of OME-Zarr and label images mostly 0, which
 * is a sample like others. */

/* The value of a digit of base 64; -1: it is none. */
static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* A double, little-endian, in base 64, as xarray writes _FillValue of reals of version 3. */
static bool scan_packed(const char *text, halo_number *out)
{
    enum { LENGTH = 12, DIGITS = 11, BYTES = 8 };
    unsigned char bytes[BYTES + 1] = {0};
    if (strlen(text) != LENGTH || text[DIGITS] != '=') {
        return false;
    }
    for (int i = 0; i < DIGITS; i++) {
        int digit = digit_of(text[i]), bit = 6 * i;
        unsigned word = digit < 0 ? 0 : (unsigned)digit << (10 - bit % 8);
        bytes[bit / 8] |= (unsigned char)(word >> 8);
        if (bit / 8 + 1 <= BYTES) {
            bytes[bit / 8 + 1] |= (unsigned char)word;
        }
        if (digit < 0) {
            return false;
        }
    }
    *out = halo_number_of(halo_image_real(bytes, BYTES, false));
    return true;
}

static bool number_of(const json_t *value, halo_number *out)
{
    const char *text = json_string_value(value);
    json_int_t whole = json_integer_value(value);
    if (text != NULL) {
        return halo_image_scan_nodata(text, out) || scan_packed(text, out);
    }
    *out = halo_number_of(json_number_value(value));
    if (json_is_integer(value)) {
        out->whole = true;
        out->negative = whole < 0;
        out->magnitude = whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole;
    }
    return json_is_number(value);
}

/* Adds a value, or those of a list, and what says so. */
static void add(zarr_array *array, const json_t *value, const char *source)
{
    size_t count = json_is_array(value) ? json_array_size(value) : 1, used;
    int before = array->nodata_count;
    for (size_t i = 0; i < count && array->nodata_count < HALO_IMAGE_NODATA; i++) {
        const json_t *one = json_is_array(value) ? json_array_get(value, i) : value;
        array->nodata_count += number_of(one, &array->nodata[array->nodata_count]);
    }
    used = strlen(array->nodata_source);
    if (array->nodata_count > before) {
        snprintf(array->nodata_source + used, sizeof array->nodata_source - used, "%s%s",
                 used > 0 ? ", " : "", source);
    }
}

void halo_zarr_note_nodata(zarr_array *array, const json_t *text, const json_t *attributes,
                           bool old)
{
    add(array, json_object_get(attributes, "_FillValue"), "_FillValue");
    add(array, json_object_get(attributes, "missing_value"), "missing_value");
    bool by_xarray =
        old && !array->scene && json_object_get(attributes, "_ARRAY_DIMENSIONS") != NULL;
    if (by_xarray && array->nodata_count == 0) {
        add(array, json_object_get(text, "fill_value"), "fill_value");
    }
}
