#include "app/image/image_internal.h"

#include "app/image/filter.h"
#include "app/run.h"
#include "base/names.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BYTE_BITS = 8 };

/* Pipes can be read once; opening one again would wait for somebody to write to it. */
static halo_status check_again(const app_image *image)
{
    if (!image->options.again || !image->info.colourful || image->info.file_bytes >= 0) {
        return HALO_OK;
    }
    return halo_fail(HALO_FILE,
                     "%s: is no plain file, and the colours of the picture are read after its "
                     "greys; save it as a file first",
                     image->path);
}

static halo_status check_axes(const app_image *image)
{
    const halo_image_info *info = &image->info;
    return HALO_REQUIRE(
        info->axes < HALO_AXES || image->options.volumes, HALO_FORMAT,
        "%s: a volume of %" PRId64
        " planes, and this command takes images of two axes; choose one of its planes, as %s%sz=0",
        image->path, info->planes, image->path,
        image->path[halo_name_chosen(image->path)] == '\0' ? ":" : ",");
}

/* Compression ratio of the file. That of a pipe is not known, and taken for 1. */
static double find_share(const app_image *image)
{
    const halo_image_info *info = &image->info;
    double bits = (double)info->width * (double)info->rows * info->channels * info->bits;
    double share = info->file_bytes >= 0 ? (double)info->file_bytes * BYTE_BITS / bits : 1;
    return share < 1 ? share : 1;
}

static halo_image_options wanted(const app_image *image)
{
    const app_image_options *options = &image->options;
    return (halo_image_options){.make = options->filter != NULL ? &image->making : NULL,
                                .ground = options->ground,
                                .count_clear = options->count_clear,
                                .nodata = options->nodata,
                                .fill = options->fill,
                                .count_missing = !image->counted,
                                .as_stored = options->as_stored,
                                .follow_links = options->follow_links,
                                .want = options->want,
                                .range = options->range,
                                .raw = options->raw,
                                .choices = options->choices,
                                .slices = options->slices,
                                .slice_count = options->slice_count,
                                .volumes = options->volumes,
                                .lines = options->lines,
                                .narrow = options->narrow,
                                .solid = options->solid};
}

/* On rank 0: what the file's header says. */
static halo_status open_reader(app_image *image)
{
    const halo_image_options options = wanted(image);
    halo_image_reader_close(&image->reader);
    HALO_TRY(halo_image_reader_open(&image->reader, image->path, &options));
    image->info = *halo_image_reader_info(image->reader);
    image->share = find_share(image);
    HALO_TRY(check_axes(image));
    return check_again(image);
}

static void set_properties(app_image *image)
{
    const halo_image_info *info = &image->info;
    bool solid = info->axes == HALO_AXES;
    const bool *periodic = image->options.periodic + (solid ? 0 : 1);
    image->cell_bits = info->pixel_bits;
    image->maximum = info->maximum;
    image->domain = (halo_domain){.axes = info->axes,
                                  .periodic = {periodic[0], periodic[1], solid && periodic[2]}};
    image->domain.n[0] = solid ? info->planes : info->height;
    image->domain.n[1] = solid ? info->height : info->width;
    image->domain.n[2] = solid ? info->width : 1;
}

/* Collective. Opens the file on rank 0. */
static halo_status open_first(app_image *image)
{
    halo_world *world = image->world;
    halo_status status = halo_world_rank(world) == 0 ? open_reader(image) : HALO_OK;
    HALO_TRY(halo_agree(world, status));
    HALO_TRY(halo_bcast(world, &image->info, sizeof image->info, 0));
    HALO_TRY(halo_bcast(world, &image->share, sizeof image->share, 0));
    set_properties(image);
    return HALO_OK;
}

halo_status app_image_open(app_image *image, app_run *run, const char *path,
                           const app_image_options *options)
{
    *image = (app_image){.run = run, .world = run->world, .path = path, .options = *options};
    image->making = app_image_filtering(&image->options);
    HALO_TRY(open_first(image));
    if (!image->info.needs_range || options->frames) {
        return HALO_OK;
    }
    HALO_TRY(app_image_find_range(image));
    return image->options.range.given ? open_first(image) : HALO_OK;
}

/* ---- on all ranks, and again ------------------------------------------------------------------
 */

static bool is_same_file(const halo_image_info *one, const halo_image_info *other)
{
    return strcmp(one->format, other->format) == 0 && one->file_bytes == other->file_bytes &&
           one->changed[0] == other->changed[0] && one->changed[1] == other->changed[1] &&
           one->rows == other->rows && one->width == other->width && one->type == other->type &&
           one->nodata.missing == other->nodata.missing && one->nodata.cell == other->nodata.cell;
}

static bool is_same(const halo_image_info *one, const halo_image_info *other)
{
    return is_same_file(one, other) && one->pixel_bits == other->pixel_bits &&
           one->maximum == other->maximum;
}

halo_status app_image_open_everywhere(app_image *image, bool *everywhere)
{
    *everywhere = image->info.random_access;
    if (!*everywhere || halo_world_is_alone(image->world)) {
        return HALO_OK;
    }
    const halo_image_options options = wanted(image);
    int64_t blind = 0;
    if (image->reader == NULL) {
        bool opened = halo_image_reader_open(&image->reader, image->path, &options) == HALO_OK &&
                      is_same(&image->info, halo_image_reader_info(image->reader));
        blind = opened ? 0 : 1;
    }
    HALO_TRY(halo_allreduce_sum(image->world, &blind, 1));
    *everywhere = blind == 0;
    if (!*everywhere && halo_world_rank(image->world) != 0) {
        halo_image_reader_close(&image->reader);
    }
    return HALO_OK;
}

halo_status app_image_check_unchanged(const halo_image_info *now, const app_image *first)
{
    return HALO_REQUIRE(
        is_same_file(now, &first->info), HALO_FILE,
        "%s has changed between two readings of it; begin again when nobody writes to it",
        first->path);
}

halo_status app_image_open_again(app_image *image)
{
    const halo_image_options options = wanted(image);
    halo_status status = HALO_OK;
    image->rows_read = 0;
    if (halo_world_rank(image->world) == 0 && image->reader == NULL) {
        status = halo_image_reader_open(&image->reader, image->path, &options);
        HALO_IF_OK(status, app_image_check_unchanged(halo_image_reader_info(image->reader), image));
    }
    return halo_agree(image->world, status);
}

halo_status app_image_close_read(app_image *image)
{
    int64_t ranks = halo_world_ranks(image->world), warns;
    char defect[HALO_IMAGE_WARNING] = "";
    if (image->reader != NULL) {
        snprintf(defect, sizeof defect, "%s", halo_image_reader_warning(image->reader));
    }
    warns = defect[0] != '\0' ? ranks - halo_world_rank(image->world) : 0;
    image->missing_pixels = 0; /* but for what this rank's reader has found */
    app_image_close(image);
    HALO_TRY(halo_allreduce_max(image->world, &warns, 1));
    if (warns > 0) {
        HALO_TRY(halo_bcast(image->world, defect, sizeof defect, (int)(ranks - warns)));
        app_warn(image->run, "%.300s: %s", image->path, defect);
    }
    return HALO_OK;
}

void app_image_close(app_image *image)
{
    if (image->reader != NULL) {
        image->clear_pixels = halo_image_reader_clear(image->reader);
        image->missing_pixels = halo_image_reader_missing(image->reader);
    }
    halo_image_reader_close(&image->reader);
}
