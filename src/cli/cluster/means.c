#include "cli/cluster/means.h"

#include "cli/cluster/band.h"
#include "cli/cluster/colours.h"
#include "core/world/collect.h"

#include <stdlib.h>

enum { COLOUR_CHANNELS = 3, BYTE_MAXIMUM = 255 };

static halo_status create_local(cluster_means *means, const cli_cluster_job *job)
{
    size_t clusters = (size_t)means->clusters;
    means->pixels = calloc(clusters, sizeof *means->pixels);
    means->sums = calloc(clusters * (size_t)means->channels, sizeof *means->sums);
    if (means->pixels == NULL || means->sums == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: means of clusters");
    }
    const halo_cluster_record *records = halo_cluster_records(job->beat);
    for (size_t k = 0; k < clusters; k++) {
        means->pixels[k] = records[k].pixels;
        if (means->channels == 1) {
            means->sums[k] = records[k].value[0];
        }
    }
    return HALO_OK;
}

static void add_row8(int64_t (*sums)[COLOUR_CHANNELS], const uint16_t *labels,
                     const uint8_t *colours, int64_t width)
{
    for (int64_t x = 0; x < width; x++, colours += COLOUR_CHANNELS) {
        int64_t *own = sums[labels[x]];
        own[0] += colours[0];
        own[1] += colours[1];
        own[2] += colours[2];
    }
}

static void add_row16(int64_t (*sums)[COLOUR_CHANNELS], const uint16_t *labels,
                      const uint16_t *colours, int64_t width)
{
    for (int64_t x = 0; x < width; x++, colours += COLOUR_CHANNELS) {
        int64_t *own = sums[labels[x]];
        own[0] += colours[0];
        own[1] += colours[1];
        own[2] += colours[2];
    }
}

static halo_status add_colours(cluster_means *means, cluster_band *band)
{
    const halo_view *view = halo_field_view(means->colours);
    int64_t(*sums)[COLOUR_CHANNELS] = (void *)means->sums;
    for (int64_t y = 0; y < band->rows; y++) {
        const uint16_t *labels;
        HALO_TRY(cluster_band_row(band, y, &labels, NULL));
        if (means->maximum > BYTE_MAXIMUM) {
            add_row16(sums, labels, halo_row(view, y), band->width);
        } else {
            add_row8(sums, labels, halo_row(view, y), band->width);
        }
    }
    return HALO_OK;
}

static halo_status sum_colours(cluster_means *means, cli_cluster_job *job)
{
    cluster_band band;
    HALO_TRY(cli_image_read_colours(&job->image, halo_beat_cuts(job->beat), &means->colours,
                                    &means->maximum, &job->progress, &job->clock));
    halo_status status = cluster_band_create(&band, job, false);
    if (status == HALO_OK) {
        status = halo_agree(job->world, add_colours(means, &band));
    }
    if (status == HALO_OK) {
        status = halo_sum(job->world, means->sums, (int)means->clusters * COLOUR_CHANNELS);
    }
    cluster_band_free(&band);
    return status;
}

halo_status cluster_means_create(cluster_means *means, cli_cluster_job *job)
{
    bool colours = cluster_colours_has(job);
    *means = (cluster_means){.channels = colours ? COLOUR_CHANNELS : 1,
                             .maximum = job->image.maximum,
                             .clusters = job->options.clusters};
    HALO_TRY(halo_agree(job->world, create_local(means, job)));
    return colours ? sum_colours(means, job) : HALO_OK;
}

void cluster_means_free(cluster_means *means)
{
    halo_field_destroy(&means->colours);
    free(means->pixels);
    free(means->sums);
    means->pixels = means->sums = NULL;
}

int64_t cluster_means_of(const cluster_means *means, int64_t cluster, int channel, int64_t scale)
{
    __extension__ typedef __int128 wide;
    int64_t pixels = means->pixels[cluster];
    if (pixels == 0) {
        return 0;
    }
    wide whole = (wide)pixels * means->maximum;
    wide sum = means->sums[cluster * means->channels + channel];
    return (int64_t)((2 * scale * sum + whole) / (2 * whole));
}
