#include "support/label_truth.h"

#include "support/need.h"

#include <stdlib.h>

int64_t grey_at(int bits, int64_t y, int64_t x)
{
    uint64_t state = (uint64_t)y * UINT64_C(0x100000001b3) + (uint64_t)x;
    return bits == 0 ? 0 : random_below(&state, INT64_C(1) << bits);
}

static void add_pixel(halo_region *region, int64_t y, int64_t x, int64_t width, int64_t grey)
{
    if (region->area == 0) {
        region->top = y;
        region->left = x;
    }
    region->area++;
    region->left = x < region->left ? x : region->left;
    region->right = x >= region->right ? x + 1 : region->right;
    region->bottom = y + 1; /* pixels come in raster order */
    region->row_sum += y;
    region->column_sum += x;
    region->grey_sum += grey;
    region->last = y * width + x;
}

label_truth label_truth_make(const image *from, const oracle *flood, int64_t min_area,
                             int grey_bits)
{
    int64_t pixels = from->width * from->height;
    label_truth truth = {.scan = need_zeroed((size_t)pixels, sizeof *truth.scan),
                         .seed = need_zeroed((size_t)pixels, sizeof *truth.seed),
                         .region = need_zeroed((size_t)flood->regions, sizeof *truth.region),
                         .first_row = need_zeroed((size_t)flood->regions, sizeof *truth.first_row)};
    int64_t *number = need_zeroed((size_t)flood->regions + 1, sizeof *number);
    for (int64_t r = 1; r <= flood->regions; r++) {
        number[r] = flood->area[r] >= min_area ? ++truth.regions : 0;
    }
    for (int64_t pixel = 0; pixel < pixels; pixel++) {
        int64_t kept = number[flood->scan[pixel]];
        int64_t y = pixel / from->width, x = pixel % from->width;
        truth.scan[pixel] = kept;
        truth.seed[pixel] = kept > 0 ? flood->seed[pixel] - 1 : -1;
        if (kept > 0) {
            halo_region *region = &truth.region[kept - 1];
            region->number = kept;
            truth.first_row[kept - 1] = region->area == 0 ? y : truth.first_row[kept - 1];
            add_pixel(region, y, x, from->width, grey_at(grey_bits, y, x));
        }
    }
    free(number);
    return truth;
}

void label_truth_free(label_truth *truth)
{
    free(truth->scan);
    free(truth->seed);
    free(truth->region);
    free(truth->first_row);
    *truth = (label_truth){0};
}
