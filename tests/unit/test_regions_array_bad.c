#include "kernels/label/regions_array.h"
#include "support/array_layouts.h"
#include "support/unit_check.h"

/* halo_regions_array refuses what is not possible, with the remedy. */

TEST("what is refused, with the remedy")
{
    static uint8_t grid[4][4][4];
    static const int64_t n[] = {4, 4, 4}, other_n[] = {4, 5, 3};
    halo_array_table *table;
    halo_array flat = array_plain(HALO_SAMPLE_U8, 2, n, grid),
               solid = array_plain(HALO_SAMPLE_U8, 3, n, grid);
    halo_array line = array_plain(HALO_SAMPLE_U8, 1, n, grid);
    halo_array other = array_plain(HALO_SAMPLE_U8, 2, other_n, grid);
#define REFUSES(words, labels, intensity, ...)                                                    \
    FAILS(HALO_ARGUMENT, words,                                                                   \
          halo_regions_array(NULL, labels, intensity, &(halo_regions_array_options){__VA_ARGS__}, \
                             &table));                                                            \
    check(table == NULL, "no table")
    REFUSES("there is no property \"areaa\"; did you mean area?", &flat, NULL,
            .properties = "label,areaa");
    REFUSES("there is no property \"\"; use some of standard, all, label, area, bbox", &flat, NULL,
            .properties = "area,,bbox");
    REFUSES("extent, area_bbox, area_convex, spans", &flat, NULL, .properties = "area,moments_hu");
    REFUSES("named twice", &flat, NULL, .properties = "area,bbox,area");
    REFUSES("intensity_std is of intensities, and there are none; pass an array", &flat, NULL,
            .properties = "intensity_std");
    REFUSES("channels is not a property of arrays", &flat, &flat, .properties = "channels");
    REFUSES("perimeter is for two axes, and the labels have three", &solid, NULL,
            .properties = "perimeter");
    REFUSES("solidity is for two or three axes, and the labels have one", &line, NULL,
            .properties = "solidity");
    REFUSES("equal spacing along both axes, and that is 1 and 2", &flat, NULL,
            .properties = "perimeter", .spacing = {1, 2});
    REFUSES("the spacing along axis 1 is 0; use numbers above 0", &flat, NULL, .spacing = {1});
    REFUSES("the spacing along axis 0 is -1", &flat, NULL, .spacing = {-1, 1});
    REFUSES("the array of labels has 4 elements along axis 1, and the array of intensities has 5",
            &flat, &other, .background = false);
    other = flat;
    other.type = HALO_SAMPLE_BIT;
    REFUSES("label the array first (halo_label_array)", &other, NULL, .background = false);
    other.type = HALO_SAMPLE_F32;
    other.n[1] = 1;
    REFUSES("the labels are of float32; they must be whole numbers", &other, NULL,
            .background = false);
    other.axes = 4;
    REFUSES("the array of labels has 4 axes, and must have 1 to 3", &other, NULL,
            .background = false);
#undef REFUSES
}

TEST("rows of a broadcast array that are longer than any memory")
{
    static int64_t one = 1;
    halo_array labels = {
        .data = &one, .type = HALO_SAMPLE_I64, .axes = 3, .n = {2, 128, (int64_t)1 << 50}};
    halo_array_table *table;
    FAILS(HALO_MEMORY, "out of memory", halo_regions_array(NULL, &labels, NULL, NULL, &table));
}
