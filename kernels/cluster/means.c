#include "kernels/cluster/cluster_means.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/cluster/cluster_chunk.h"
#include "kernels/cluster/engine.h"

#include <stdlib.h>

enum { COLOUR_CHANNELS = 3, BYTES_BITS = 24 /* of a pixel, with samples of 8 */ };

static halo_status create_local(halo_cluster_means *means, const halo_beat *beat)
{
    size_t clusters = (size_t)means->clusters;
    HALO_TRY(HALO_ALLOCATE(means->pixels, clusters, "means of clusters"));
    HALO_TRY(HALO_ALLOCATE(means->sums, clusters * (size_t)means->channels, "means of clusters"));
    const halo_cluster_record *records;
    halo_cluster_shown(beat, &records);
    for (size_t k = 0; k < clusters; k++) {
        means->pixels[k] = records[k].pixels;
        if (means->channels == 1) {
            means->sums[k] = records[k].value[0];
        }
    }
    return HALO_OK;
}

#define DEFINE_ADD_ROW(name, type)                                                                 \
    static void name(int64_t(*sums)[COLOUR_CHANNELS], const uint16_t *labels, const type *colours, \
                     int64_t width)                                                                \
    {                                                                                              \
        for (int64_t x = 0; x < width; x++, colours += COLOUR_CHANNELS) {                          \
            int64_t *own = sums[labels[x]];                                                        \
            own[0] += colours[0];                                                                  \
            own[1] += colours[1];                                                                  \
            own[2] += colours[2];                                                                  \
        }                                                                                          \
    }
DEFINE_ADD_ROW(add_row8, uint8_t)
DEFINE_ADD_ROW(add_row16, uint16_t)

void cluster_add_colours(int64_t (*sums)[COLOUR_CHANNELS], const uint16_t *labels,
                         const void *colours, int pixel_bits, int64_t width)
{
    if (pixel_bits > BYTES_BITS) {
        add_row16(sums, labels, colours, width);
    } else {
        add_row8(sums, labels, colours, width);
    }
}

static halo_status add_colours(halo_cluster_means *means, halo_cluster_chunk *chunk,
                               const halo_view *colours)
{
    int64_t(*sums)[COLOUR_CHANNELS] = (void *)means->sums;
    for (int64_t y = 0; y < chunk->rows; y++) {
        const uint16_t *labels;
        HALO_TRY(halo_cluster_chunk_row(chunk, y, &labels, NULL));
        cluster_add_colours(sums, labels, halo_row(colours, y), colours->cell_bits, chunk->width);
    }
    return HALO_OK;
}

static halo_status sum_colours(halo_cluster_means *means, halo_world *world, const halo_beat *beat,
                               const halo_view *colours)
{
    halo_cluster_chunk chunk;
    halo_status status = halo_cluster_chunk_create(&chunk, world, beat, false);
    if (status == HALO_OK) {
        status = halo_agree(world, add_colours(means, &chunk, colours));
    }
    if (status == HALO_OK) {
        status = halo_allreduce_sum(world, means->sums, (int)means->clusters * COLOUR_CHANNELS);
    }
    halo_cluster_chunk_free(&chunk);
    return status;
}

halo_status halo_cluster_means_create(halo_cluster_means *means, halo_world *world,
                                      const halo_beat *beat, const halo_view *colours,
                                      int64_t maximum)
{
    const halo_cluster_record *records;
    *means = (halo_cluster_means){.channels = colours != NULL ? COLOUR_CHANNELS : 1,
                                  .maximum = maximum,
                                  .clusters = halo_cluster_shown(beat, &records)};
    HALO_TRY(halo_agree(world, create_local(means, beat)));
    return colours != NULL ? sum_colours(means, world, beat, colours) : HALO_OK;
}

void halo_cluster_means_free(halo_cluster_means *means)
{
    free(means->pixels);
    free(means->sums);
    means->pixels = means->sums = NULL;
}

int64_t halo_cluster_means_of(const halo_cluster_means *means, int64_t cluster, int channel,
                              int64_t scale)
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
