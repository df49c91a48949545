#define _GNU_SOURCE
#include "fuzz/read_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* libFuzzer's target: any bytes are read as an image, in each of the ways that there are, or
 * refused with a message; and never for the memory that a header asks for. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const halo_image_want wants[] = {
        HALO_IMAGE_GREYS,   HALO_IMAGE_NATIVE,  HALO_IMAGE_GREYS, HALO_IMAGE_COLOURS,
        HALO_IMAGE_NUMBERS, HALO_IMAGE_SAMPLES, HALO_IMAGE_PIXELS};
    const int64_t MOST_SAMPLES = 1 << 24; /* what a compressed small file can hold */
    const int64_t KEPT = 1 << 22;         /* of an image that is turned, in some of the ways */
    char path[64];
    int file = memfd_create("image", 0);
    demand(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        const halo_image_options options = {
            .want = wants[i],
            .range = {.given = i == 2, .low = halo_number_of(-3), .high = halo_number_of(200)},
            .volumes = i % 2 == 0,
            .narrow = i > 2,
            .nodata = {.given = i % 3 == 2, .none = i > 3, .value = halo_number_of(7)},
            .count_missing = true,
            .turned_bytes = i % 2 == 0 ? KEPT : 0};
        read_image(path, &options, MOST_SAMPLES);
    }
    close(file);
    return 0;
}
