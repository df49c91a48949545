#include "base/filename_pattern.h"
#include "io/image/content.h"
#include "io/image/text_header.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

halo_status halo_text_parse_axes(halo_text_fields *fields, const char *key, const char *value)
{
    int64_t axes;
    if (halo_text_integers(value, &axes, 1) != 1 || axes < 1 || axes > HALO_IMAGE_MAX_AXES) {
        return halo_image_fail_field(fields->reader, key, value, "2 to 8 axes can be read");
    }
    fields->is.axes = (int)axes;
    return HALO_OK;
}

halo_status halo_text_parse_sizes(halo_text_fields *fields, const char *key, const char *value)
{
    fields->sizes = halo_text_integers(value, fields->is.sizes, HALO_IMAGE_MAX_AXES);
    return fields->sizes > 0 ? HALO_OK
                             : halo_image_fail_field(fields->reader, key, value,
                                                     "give the number of samples along each axis");
}

/* "nan" where there is none, as of colours. */
halo_status halo_text_parse_spacings(halo_text_fields *fields, const char *key, const char *value)
{
    fields->spaced = true;
    return halo_text_reals(value, fields->is.spacing, HALO_IMAGE_MAX_AXES) > 0
               ? HALO_OK
               : halo_image_fail_field(fields->reader, key, value, "give a number for each axis");
}

/* Files whose samples can be read are not refused for want of their place. */
halo_status halo_text_parse_origin(halo_text_fields *fields, const char *key, const char *value)
{
    halo_text_space *space = &fields->space;
    (void)key;
    space->origins = halo_text_reals(value, space->origin, HALO_IMAGE_MAX_AXES);
    space->damaged = space->damaged || space->origins < 0;
    return HALO_OK;
}

halo_status halo_text_parse_offset(halo_text_fields *fields, const char *key, const char *value)
{
    const int64_t longest = (int64_t)1 << 56;
    int64_t *offset = &fields->is.offset;
    return halo_text_integers(value, offset, 1) == 1 && *offset >= -1 && *offset <= longest
               ? HALO_OK
               : halo_image_fail_field(fields->reader, key, value,
                                       "give the number of bytes before the samples, or -1");
}

halo_status halo_text_parse_content(halo_text_fields *fields, const char *key, const char *value)
{
    (void)key;
    fields->labels = fields->labels || strcmp(value, HALO_CONTENT_LABELS) == 0;
    return HALO_OK;
}

static halo_status fail_data(const halo_text_fields *fields, const char *key, const char *value)
{
    return halo_image_fail_field(fields->reader, key, value,
                                 "name one file; or a pattern with the first and the last number "
                                 "and the step, such as z%03d.raw 1 100 1; or LIST, with one name "
                                 "a line behind it");
}

/* LIST, or "LIST 2" and "LIST 2D" for files of two axes. */
static halo_status parse_list(halo_text_fields *fields, const char *key, const char *value)
{
    const char *rest = value + strlen("LIST");
    int dims = 0;
    char end = '\0', more = '\0';
    int count = *rest != '\0' ? sscanf(rest, " %2d%c%c", &dims, &end, &more) : 1;
    bool good = (count == 1 || (count == 2 && (end == 'D' || end == 'd'))) && dims >= 0 &&
                dims <= HALO_IMAGE_MAX_AXES && (dims > 0 || *rest == '\0');
    fields->is.dims = dims;
    fields->is.listed = true;
    snprintf(fields->is.data, sizeof fields->is.data, "LIST");
    return good ? HALO_OK : fail_data(fields, key, value);
}

/* NAME%03d FIRST LAST [STEP [AXES]]; the name has no blanks behind the place for the number. */
static halo_status parse_pattern(halo_text_fields *fields, const char *key, const char *value)
{
    enum { NUMBERS = 4, LEAST = 2 };
    const int64_t MOST = (int64_t)1 << 40;
    halo_image_described *is = &fields->is;
    int64_t n[NUMBERS] = {0, 0, 1, 0};
    const char *place = strrchr(value, '%');
    size_t length = (size_t)(place - value) + strcspn(place, " \t");
    filename_pattern pattern;
    int count = halo_text_integers(value + length, n, NUMBERS);
    bool good = count >= LEAST && length < sizeof is->data && n[0] >= 0 && n[0] <= MOST &&
                n[1] >= 0 && n[1] <= MOST && n[2] != 0 && n[2] <= MOST && n[2] >= -MOST &&
                (n[2] > 0) == (n[1] >= n[0]) && n[3] >= 0 && n[3] <= HALO_IMAGE_MAX_AXES;
    if (!good) {
        return fail_data(fields, key, value);
    }
    snprintf(is->data, sizeof is->data, "%.*s", (int)length, value);
    is->first = n[0];
    is->last = n[1];
    is->step = n[2];
    is->dims = (int)n[3];
    return halo_filename_parse(&pattern, is->data) == HALO_OK && pattern.numbered
               ? HALO_OK
               : fail_data(fields, key, value);
}

/* One file, or several. */
halo_status halo_text_parse_data(halo_text_fields *fields, const char *key, const char *value)
{
    if (strncasecmp(value, "LIST", 4) == 0 &&
        (value[4] == '\0' || strchr(" \t", value[4]) != NULL)) {
        return parse_list(fields, key, value);
    }
    if (strchr(value, '%') != NULL) {
        return parse_pattern(fields, key, value);
    }
    snprintf(fields->is.data, sizeof fields->is.data, "%s", value);
    return *value != '\0' ? HALO_OK : fail_data(fields, key, value);
}

void halo_text_take_nodata(halo_text_fields *fields, const char *key, const char *value)
{
    static const char *const keys[] = {"nodata", "nodatavalue", "gdalnodata", "fillvalue",
                                       "missingvalue"};
    char letters[HALO_IMAGE_WORD] = "";
    size_t length = 0;
    for (const char *at = key; *at != '\0' && length < sizeof letters - 1; at++) {
        letters[length] = *at;
        length += isalpha((unsigned char)*at) ? 1 : 0;
    }
    letters[length] = '\0';
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcasecmp(letters, keys[i]) == 0) {
            snprintf(fields->nodata_key, sizeof fields->nodata_key, "%s", key);
            snprintf(fields->nodata, sizeof fields->nodata, "%s", value);
        }
    }
}

halo_status halo_text_find_type(halo_text_fields *fields, const char *key, const char *value,
                                const halo_text_type *types, const char *remedy)
{
    for (; types->name != NULL; types++) {
        if (strcasecmp(value, types->name) == 0) {
            fields->is.type = types->type;
            fields->is.typed = true;
            return HALO_OK;
        }
    }
    return halo_image_fail_field(fields->reader, key, value, remedy);
}

const char *halo_text_type_name(const halo_text_type *types, halo_sample_type type)
{
    const halo_sample_type written = type == HALO_SAMPLE_BIT ? HALO_SAMPLE_U8 : type;
    while (types->name != NULL && types->type != written) {
        types++;
    }
    return types->name;
}

halo_status halo_text_take(halo_text_fields *fields, const halo_text_field *table, size_t count,
                           char *line, const char *separator)
{
    const char *value = halo_text_split(line, separator);
    for (size_t i = 0; value != NULL && i < count; i++) {
        if (strcasecmp(line, table[i].key) == 0) {
            return table[i].parse(fields, line, value);
        }
    }
    if (value != NULL) {
        halo_text_take_nodata(fields, line, value);
    }
    return HALO_OK;
}
