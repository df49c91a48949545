#ifndef HALOBEAT_IO_IMAGE_TEXT_SAMPLES_H
#define HALOBEAT_IO_IMAGE_TEXT_SAMPLES_H

#include "io/image/image_internal.h"

/* Local. Reads `count` samples of reader->samples.type that are numbers in a text, between blanks
 * or commas, from reader->source to `out`. `row` is used in messages. HALO_FORMAT for what is no
 * such number, or if there are not as many; HALO_FILE. */
halo_status halo_text_samples_read(halo_image_reader *reader, void *out, int64_t count,
                                   int64_t row);

#endif
