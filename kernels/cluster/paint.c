#include "kernels/cluster/cluster_paint.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { COLOUR_BYTES = 3, BYTE_MAX = 255, WORD_MAX = 65535 };

halo_status halo_cluster_palette_create(halo_cluster_palette *palette,
                                        const halo_cluster_means *means)
{
    int channels = means->channels;
    bool wide = channels == 1 && means->maximum > BYTE_MAX;
    size_t pixel_bytes = channels > 1 ? COLOUR_BYTES : wide ? sizeof(uint16_t) : 1;
    palette->pixel_bytes = (int)pixel_bytes;
    HALO_TRY(HALO_ALLOCATE(palette->pixels, (size_t)means->clusters * pixel_bytes,
                           "colours of clusters"));
    for (int64_t i = 0; i < means->clusters * channels; i++) {
        uint16_t value = (uint16_t)halo_cluster_means_of(means, i / channels, (int)(i % channels),
                                                         wide ? WORD_MAX : BYTE_MAX);
        if (wide) {
            memcpy(palette->pixels + i * (int64_t)sizeof value, &value, sizeof value);
        } else {
            palette->pixels[i] = (unsigned char)value;
        }
    }
    return HALO_OK;
}

void halo_cluster_palette_free(halo_cluster_palette *palette)
{
    free(palette->pixels);
    palette->pixels = NULL;
}

void halo_cluster_paint_means(const halo_cluster_palette *palette, const uint16_t *labels,
                              int64_t width, unsigned char *out)
{
    const unsigned char *pixels = palette->pixels;
    for (int64_t x = 0; x < width; x++) { /* copies of a known size are quick */
        switch (palette->pixel_bytes) {
        case COLOUR_BYTES:
            memcpy(out + COLOUR_BYTES * x, pixels + (size_t)COLOUR_BYTES * labels[x], COLOUR_BYTES);
            break;
        case 2:
            memcpy(out + 2 * x, pixels + (size_t)2 * labels[x], 2);
            break;
        default:
            out[x] = pixels[labels[x]];
        }
    }
}

void halo_cluster_paint_borders(const uint16_t *labels, const uint16_t *below, int64_t width,
                                const unsigned char colour[3], unsigned char *pixels)
{
    for (int64_t x = 0; x < width; x++) {
        bool meets_right = x + 1 < width && labels[x] != labels[x + 1];
        bool meets_below = below != NULL && labels[x] != below[x];
        if (meets_right || meets_below) {
            memcpy(pixels + COLOUR_BYTES * x, colour, COLOUR_BYTES);
        }
    }
}
