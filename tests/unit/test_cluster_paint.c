#include "kernels/cluster/cluster_paint.h"
#include "support/unit_check.h"

/* Pictures of clusters: means as pixels, and lines where clusters meet. */

static const uint16_t labels[] = {0, 0, 1, 2};

/* Rows in the means of three clusters, the last of which has no pixels. */
static void check_means(int channels, int64_t maximum, int64_t *sums, int pixel_bytes,
                        const void *wanted)
{
    int64_t pixels[] = {2, 1, 0};
    const halo_cluster_means means = {
        .channels = channels, .maximum = maximum, .clusters = 3, .pixels = pixels, .sums = sums};
    halo_cluster_palette palette;
    unsigned char out[12] = {0};
    SUCCEEDS(halo_cluster_palette_create(&palette, &means));
    CU_ASSERT_EQUAL(palette.pixel_bytes, pixel_bytes);
    halo_cluster_paint_means(&palette, labels, 4, out);
    CU_ASSERT_EQUAL(memcmp(out, wanted, 4 * (size_t)pixel_bytes), 0);
    halo_cluster_palette_free(&palette);
    halo_cluster_palette_free(&palette);
}

TEST("means")
{
    int64_t bits[] = {1, 1, 0}, greys[] = {15, 200, 0}, words[] = {70001, 65535, 0};
    int64_t bytes[] = {15, 20, 510, 1, 2, 3, 0, 0, 0};
    int64_t deep[] = {2 * 65535, 0, 65535, 257, 514, 0, 0, 0, 0};
    check_means(1, 1, bits, 1, (const unsigned char[]){128, 128, 255, 0});
    check_means(1, 255, greys, 1, (const unsigned char[]){8, 8, 200, 0});
    check_means(1, 65535, words, 2, (const uint16_t[]){35001, 35001, 65535, 0});
    check_means(3, 255, bytes, 3,
                (const unsigned char[]){8, 10, 255, 8, 10, 255, 1, 2, 3, 0, 0, 0});
    check_means(3, 65535, deep, 3,
                (const unsigned char[]){255, 0, 128, 255, 0, 128, 1, 2, 0, 0, 0, 0});
}

/* Is there a line on these pixels, and nowhere else? */
static void check_borders(const uint16_t *below, const char *wanted)
{
    unsigned char pixels[12], colour[] = {255, 0, 160};
    memset(pixels, 7, sizeof pixels);
    halo_cluster_paint_borders(labels, below, 4, colour, pixels);
    for (int x = 0; x < 4; x++) {
        const unsigned char none[] = {7, 7, 7};
        CU_ASSERT_EQUAL(memcmp(pixels + 3 * x, wanted[x] == '#' ? colour : none, 3), 0);
    }
}

TEST("borders")
{
    check_borders(NULL, ".##.");
    check_borders(labels, ".##.");
    check_borders((const uint16_t[]){1, 0, 1, 0}, "####");
    check_borders((const uint16_t[]){0, 0, 1, 5}, ".###");
}
