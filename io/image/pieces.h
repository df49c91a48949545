#ifndef HALOBEAT_IO_IMAGE_PIECES_H
#define HALOBEAT_IO_IMAGE_PIECES_H

#include "io/image/image_internal.h"

/* Samples in several files, which a header of MetaImage or NRRD lists or names by a pattern with
 * numbers: one after the other, each with as many. Not installed. Everything is local.
 *
 * Plain samples are read at any place: the file with it is opened when it is needed. Compressed
 * samples, and those of texts, are read in order. */

/* Finds the names: sets reader->pieces, and data_path to the first. HALO_FORMAT for names that are
 * none, or more than 131072; HALO_FILE for a header that was read from standard input;
 * HALO_MEMORY. */
halo_status halo_pieces_find(halo_image_reader *reader, const halo_image_described *described);

/* When sizes and layout are known: checks that there are as many files as the header's sizes ask
 * for, each with enough samples unless they are encoded, and opens the first. HALO_FORMAT,
 * HALO_FILE, with the name of the file; HALO_MEMORY. */
halo_status halo_pieces_start(halo_image_reader *reader, const halo_image_described *described);

/* Reads `bytes` bytes from byte `at` of all samples on. `row` is used in messages. HALO_FORMAT,
 * HALO_FILE. */
halo_status halo_pieces_read(halo_image_reader *reader, int64_t at, void *out, size_t bytes,
                             int64_t row);

/* Reads the next bytes of encoded samples: at most `bytes`, of one file; returns in *taken how
 * many. `read` reads from the file that is open. */
typedef halo_status halo_pieces_stream(halo_image_reader *reader, int64_t row, void *out,
                                       size_t bytes);
halo_status halo_pieces_next(halo_image_reader *reader, int64_t row, void *out, size_t bytes,
                             halo_pieces_stream *read, size_t *taken);

/* Calls `take` for the name of each file. */
halo_status halo_pieces_each(const halo_image_reader *reader, halo_name_take *take, void *context);

/* Accepts a pointer to NULL. */
void halo_pieces_destroy(halo_pieces **pieces);

#endif
