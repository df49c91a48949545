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

/* One file; both formats may also name one a plane. */
halo_status halo_text_parse_data(halo_text_fields *fields, const char *key, const char *value)
{
    if (*value == '\0' || strncasecmp(value, "LIST", 4) == 0 || strchr(value, '%') != NULL) {
        return halo_image_fail_field(fields->reader, key, value,
                                     "save all planes in one file, and name it");
    }
    snprintf(fields->is.data, sizeof fields->is.data, "%s", value);
    return HALO_OK;
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
                                const halo_text_type *types, size_t count, const char *remedy)
{
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(value, types[i].name) == 0) {
            fields->is.type = types[i].type;
            fields->is.typed = true;
            return HALO_OK;
        }
    }
    return halo_image_fail_field(fields->reader, key, value, remedy);
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
