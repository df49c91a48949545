#include "app/frame_internal.h"

#include "app/image/samples.h"

/* The range of the data, over which samples of any type become greys. */

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

halo_status app_image_find_range(app_image *image)
{
    halo_sample_extremes of;
    HALO_TRY(app_image_find_extremes(image, &of));
    if (!halo_sample_are_greys(&of)) {
        image->options.range = halo_sample_range_of(&of);
    }
    return HALO_OK;
}
