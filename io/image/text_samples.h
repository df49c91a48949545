#ifndef HALOBEAT_IO_IMAGE_TEXT_SAMPLES_H
#define HALOBEAT_IO_IMAGE_TEXT_SAMPLES_H

#include "io/image/image_internal.h"

enum { HALO_TEXT_WORD = 64 };

/* Local. Reads the next word between blanks or commas, which is cut if it is longer; false at the
 * end, or after a failure. */
bool halo_text_word(halo_source *source, char word[HALO_TEXT_WORD]);

/* Local. Stores the number `word` as a sample of reader->samples.type. `row` is used in messages.
 * HALO_FORMAT for what is no such number. */
halo_status halo_text_sample(const halo_image_reader *reader, const char *word, int64_t row,
                             void *out);

/* Local. Reads `count` samples of reader->samples.type that are numbers in a text, between blanks
 * or commas, from reader->source to `out`. `row` is used in messages. HALO_FORMAT for what is no
 * such number, or if there are not as many; HALO_FILE. */
halo_status halo_text_samples_read(halo_image_reader *reader, void *out, int64_t count,
                                   int64_t row);

#endif
