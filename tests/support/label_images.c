#include "support/label_images.h"

#include "support/need.h"

label_input label_input_make(const image *from, int64_t first, int64_t last)
{
    int64_t words = (from->width + 63) / 64;
    uint64_t *bits = need_zeroed((size_t)(words * (last - first)), sizeof *bits);
    for (int64_t y = first; y < last; y++) {
        for (int64_t x = 0; x < from->width; x++) {
            uint64_t bit = from->foreground[y * from->width + x];
            bits[(y - first) * words + x / 64] |= bit << (x % 64);
        }
    }
    return (label_input){.bits = bits,
                         .pitch = words * (ptrdiff_t)sizeof *bits,
                         .planes = 1,
                         .rows = last - first,
                         .height = last - first,
                         .order = 1,
                         .image_rows = last - first,
                         .image_width = from->width,
                         .width = from->width};
}
