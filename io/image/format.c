#include "io/image/image_internal.h"

#include <inttypes.h>
#include <stdio.h>

halo_status halo_image_set_size(halo_image_reader *reader, int64_t planes, int64_t height,
                                int64_t width)
{
    halo_image_info *info = &reader->info;
    const int64_t limit = (int64_t)1 << 59, longest = INT32_MAX;
    int64_t depth = planes > 0 ? planes : 1;
    bool fits = planes >= 0 && height > 0 && width > 0 && depth <= longest && height <= longest &&
                width <= longest && depth <= limit / height && depth * height <= limit / width / 8;
    if (!fits) {
        return halo_fail(HALO_FORMAT,
                         "%s: the header claims %" PRId64 " x %" PRId64 " x %" PRId64
                         " samples (planes, rows, columns); each is from 1 to 2147483647, and "
                         "their product at most 2^56",
                         reader->path, depth, height, width);
    }
    info->axes = planes > 1 || (planes == 1 && reader->options.volumes) ? 3 : 2;
    info->planes = depth;
    info->height = height;
    info->width = width;
    info->rows = depth * height;
    info->channels = reader->samples.channels;
    info->type = reader->samples.type;
    if (info->bits == 0) {
        info->bits =
            info->type == HALO_SAMPLE_BIT ? 1 : 8 * (int)halo_sample_types[info->type].bytes;
    }
    info->colourful = info->channels >= 3;
    if (info->kind[0] == '\0') {
        snprintf(info->kind, sizeof info->kind, "%s", halo_image_kind(&reader->samples));
    }
    return HALO_OK;
}

void halo_image_set_samples(halo_image_reader *reader, halo_sample_type type, int channels)
{
    enum { COLOURS_AND_ALPHA = 4 };
    bool small = halo_sample_types[type].bytes == 1;
    reader->samples = (halo_image_samples){
        .type = type,
        .channels = channels,
        .alpha = channels == COLOURS_AND_ALPHA ? HALO_ALPHA_OVER_GROUND : HALO_ALPHA_NONE,
        .maximum = type == HALO_SAMPLE_BIT ? 1
                   : small                 ? UINT8_MAX
                                           : UINT16_MAX};
}

const char *halo_image_kind(const halo_image_samples *samples)
{
    static const char *const kinds[] = {"grey", "grey and alpha", "colour", "colour and alpha"};
    int channels = samples->channels;
    return channels >= 1 && channels <= 4 ? kinds[channels - 1] : "samples";
}

halo_status halo_image_fail_ended(const halo_image_reader *reader, int64_t row)
{
    HALO_TRY(reader->source.status);
    return halo_fail(HALO_FORMAT,
                     "%s: the file is cut off: %" PRId64 " of %" PRId64
                     " rows could be read; copy or make it again",
                     reader->path, row, reader->info.rows);
}
