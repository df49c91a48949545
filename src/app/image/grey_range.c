#include "app/frame_internal.h"

#include "app/image/samples.h"

#include <math.h>
#include <string.h>

/* Samples of any type as greys: over the range that was asked for, or over that of the data. */

static bool scan_range(const char *text, halo_sample_range *range)
{
    enum { NUMBER = 64 };
    static const char between[] = "..";
    char low[NUMBER];
    const char *found = strstr(text, between), *at = low;
    size_t length = found != NULL ? (size_t)(found - text) : NUMBER;
    if (length >= NUMBER) {
        return false;
    }
    memcpy(low, text, length); /* a number may end in a point */
    low[length] = '\0';
    text = found + strlen(between);
    *range = (halo_sample_range){.given = true};
    return halo_scan_exact(&at, -HUGE_VAL, HUGE_VAL, &range->low) && *at == '\0' &&
           halo_scan_exact(&text, -HUGE_VAL, HUGE_VAL, &range->high) && *text == '\0' &&
           isfinite(range->low.value) && isfinite(range->high.value) &&
           range->low.value <= range->high.value;
}

halo_status app_parse_range(const char *text, void *into)
{
    halo_sample_range *range = into;
    *range = (halo_sample_range){.given = false};
    return strcmp(text, "auto") == 0 || scan_range(text, range) ? HALO_OK : HALO_ARGUMENT;
}

/* ---- the range of the data ------------------------------------------------------------------- */

/* Pipes can be read once only. */
static halo_status check_pipe(const app_image *image)
{
    const halo_sample_type type = image->info.type;
    return HALO_REQUIRE(
        !halo_sample_types[type].real, HALO_FILE,
        "%s: samples of type %s from a pipe, whose minimum and maximum are known after the last of "
        "them only; give --range LOW..HIGH, or save them as a file first",
        image->path, halo_sample_types[type].name);
}

halo_status app_image_find_extremes(const app_image *image, halo_sample_extremes *out)
{
    app_image as_they_are;
    app_samples samples = {.image = &as_they_are};
    app_image_options options = image->options;
    halo_partition strips = {0};
    options.want = HALO_IMAGE_SAMPLES;
    options.digest = options.count_clear = false; /* of other samples */
    *out = (halo_sample_extremes){.finite = 0};
    if (image->info.file_bytes < 0) {
        return check_pipe(image);
    }
    halo_status status = app_image_open(&as_they_are, image->run, image->path, &options);
    HALO_IF_OK(status, halo_agree(image->world, app_image_strips(&as_they_are, 1, &strips)));
    if (status == HALO_OK) {
        samples.cuts = strips.cuts[0];
        status = app_samples_find_extremes(&samples, out);
    }
    halo_partition_free(&strips);
    app_image_close(&as_they_are);
    return status;
}

halo_sample_range app_range_of(const halo_sample_extremes *of)
{
    const halo_number none = halo_number_of(0);
    return (halo_sample_range){.given = true,
                               .low = of->finite > 0 ? halo_sample_number(of->type, of->min) : none,
                               .high =
                                   of->finite > 0 ? halo_sample_number(of->type, of->max) : none};
}

bool app_samples_are_greys(const halo_sample_extremes *of)
{
    enum { MAXIMUM = 65535 };
    const halo_sample_range range = app_range_of(of);
    return !halo_sample_types[of->type].real && !range.low.negative &&
           range.high.magnitude <= MAXIMUM && !range.high.negative;
}

halo_status app_image_find_range(app_image *image)
{
    halo_sample_extremes of;
    HALO_TRY(app_image_find_extremes(image, &of));
    if (!app_samples_are_greys(&of)) {
        image->options.range = app_range_of(&of);
    }
    return HALO_OK;
}
