#include "base/memory.h"
#include "base/minmax.h"
#include "io/array/ome/ome_internal.h"
#include "io/array/zarr_attributes.h"
#include "io/image/image_reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* How viewers show the channels of an image: colours, and the range from black to white, which are
 * the extremes of the smallest level. Single samples that are far from the others count for less
 * there, since it has means. */

enum { PIECE = 1024, GREY = 1, COLOURS = 3, SHOWN = 6 };

/* ---- ranges ---------------------------------------------------------------------------------- */

static void add_samples(halo_sample_type type, const void *row, int64_t width,
                        halo_ome_range *range)
{
    double values[PIECE];
    for (int64_t x = 0; x < width; x += PIECE) {
        int64_t count = halo_min(width - x, PIECE);
        halo_sample_to_doubles(type, row, x, count, values);
        for (int64_t i = 0; i < count; i++) {
            if (isfinite(values[i])) {
                range->low = fmin(range->low, values[i]);
                range->high = fmax(range->high, values[i]);
            }
        }
    }
}

static halo_status read_range(halo_image_reader *reader, halo_ome_range *range)
{
    const halo_image_info *info = halo_image_reader_info(reader);
    char *row;
    *range = (halo_ome_range){HUGE_VAL, -HUGE_VAL};
    HALO_TRY(HALO_ALLOCATE_LARGE(row, halo_image_row_bytes(info) + 1, "a row of an image"));
    halo_status status = HALO_OK;
    for (int64_t i = 0; i < info->rows && status == HALO_OK; i++) {
        status = halo_image_reader_rows(reader, i, 1, row, halo_image_row_bytes(info));
        if (status == HALO_OK) {
            add_samples(info->type, row, info->width, range);
        }
    }
    halo_memory_free(row);
    return status;
}

/* Black is below white, whatever the samples are. */
static void part_ends(halo_sample_type type, halo_ome_range *range)
{
    double most = halo_sample_types[type].real ? HUGE_VAL : (double)halo_sample_types[type].key_max;
    if (range->low > range->high) {
        *range = (halo_ome_range){0, 1};
    }
    if (!(range->high > range->low)) {
        double step = fmax(1, fabs(range->low) / (1 << 20));
        range->low -= range->high + step > most ? step : 0;
        range->high = range->low + step;
    }
}

halo_status halo_ome_find_ranges(const halo_ome_image *image, const char *folder,
                                 halo_ome_range *ranges)
{
    for (int64_t channel = 0; channel < halo_max(image->channels, 1); channel++) {
        halo_image_reader *reader = NULL;
        char number[24];
        halo_image_options options = {
            .want = HALO_IMAGE_SAMPLES, .volumes = true, .narrow = true, .solid = true};
        snprintf(number, sizeof number, "%" PRId64, channel);
        options.choices.of[HALO_IMAGE_CHANNEL] = image->channels > 0 ? number : NULL;
        halo_status status = halo_image_reader_open(&reader, folder, &options);
        HALO_IF_OK(status, read_range(reader, &ranges[channel]));
        halo_image_reader_close(&reader);
        HALO_TRY(status);
        part_ends(image->type, &ranges[channel]);
    }
    return HALO_OK;
}

/* ---- the description ------------------------------------------------------------------------- */

static json_t *number_json(double value)
{
    const double exact = (double)(INT64_C(1) << 53);
    return fabs(value) <= exact && floor(value) >= value ? json_integer((json_int_t)value)
                                                         : json_real(value);
}

static bool is_colour(const halo_ome_image *image)
{
    return image->type == HALO_SAMPLE_U8 &&
           (image->channels == COLOURS || image->channels == COLOURS + 1);
}

/* The ends of what a user may choose are those of the type, of wide types those of the samples. */
static json_t *describe_window(const halo_ome_image *image, const halo_ome_range *range)
{
    const halo_sample_type_entry *type = &halo_sample_types[image->type];
    bool narrow = !type->real && type->bytes <= sizeof(uint16_t);
    double least = narrow ? (double)type->key_min : range->low;
    double most = narrow ? (double)type->key_max : range->high;
    bool all = is_colour(image);
    return json_pack("{s:o, s:o, s:o, s:o}", "start", number_json(all ? least : range->low), "end",
                     number_json(all ? most : range->high), "min", number_json(least), "max",
                     number_json(most));
}

static json_t *describe_channel(const halo_ome_image *image, int64_t channel)
{
    static const char *const colours[SHOWN] = {"FF0000", "00FF00", "0000FF",
                                               "FFFF00", "FF00FF", "00FFFF"};
    static const char *const names[] = {"red", "green", "blue", "alpha"};
    bool grey = image->channels <= GREY, colour = is_colour(image);
    bool alpha = colour && channel == COLOURS;
    return json_pack("{s:s, s:o, s:b, s:s*}", "color",
                     grey || alpha ? "FFFFFF" : colours[channel % SHOWN], "window",
                     describe_window(image, &image->ranges[channel]), "active",
                     channel < SHOWN && !alpha, "label", colour ? names[channel] : NULL);
}

json_t *halo_ome_describe_channels(const halo_ome_image *image)
{
    json_t *list = json_array();
    int64_t count = halo_max(image->channels, 1);
    bool good = true;
    for (int64_t channel = 0; channel < count; channel++) {
        good = json_array_append_new(list, describe_channel(image, channel)) == 0 && good;
    }
    bool old = image->version == HALO_OME_04;
    return json_pack("{s:s*, s:s, s:o, s:{s:s, s:I}}", "version", old ? "0.4" : NULL, "name",
                     image->about->name, "channels", halo_zarr_if_good(list, good), "rdefs",
                     "model", count > 1 ? "color" : "greyscale", "defaultZ",
                     (json_int_t)(image->levels->level[0].n[0] / 2));
}
