#ifndef HALOBEAT_IO_IMAGE_PACKED_H
#define HALOBEAT_IO_IMAGE_PACKED_H

#include "io/image/image_internal.h"

/* Samples behind a header that are compressed in the formats of zlib or gzip (RFC 1950, 1952) or
 * bzip2, read from the first on; not installed. Everything is local. */

typedef struct halo_unpacker halo_unpacker;

/* Creates an unpacker of what reader->source holds from its next byte on; the caller destroys it.
 * HALO_MEMORY. */
halo_status halo_unpacker_create(halo_unpacker **out, halo_image_reader *reader);

/* The same for the format of bzip2. HALO_FORMAT in a build without libbz2. */
halo_status halo_unpacker_create_bzip2(halo_unpacker **out, halo_image_reader *reader);

/* Data of deflate (RFC 1951) in a file. */
typedef struct {
    int64_t at, packed; /* where they begin, and how many bytes they are */
    int64_t bytes;      /* that they become */
    uint32_t crc;       /* CRC-32 of these */
} halo_packed_extent;

/* Creates an unpacker of a part of reader->file, which becomes the unpacker's: the reader has it no
 * longer, and no random access. HALO_MEMORY. */
halo_status halo_unpacker_create_deflated(halo_unpacker **out, halo_image_reader *reader,
                                          const halo_packed_extent *extent);

/* The next bytes: exactly `bytes`. `row` is used in messages. HALO_FORMAT for damaged data, or if
 * there are not as many; HALO_FILE. */
halo_status halo_unpacker_read(halo_unpacker *unpacker, void *out, size_t bytes, int64_t row);

/* Reads on to the end of the compressed data, whose checksum is compared. More than was asked for
 * may stand there. HALO_FORMAT, HALO_FILE. */
halo_status halo_unpacker_finish(halo_unpacker *unpacker);

/* Accepts a pointer to NULL. */
void halo_unpacker_destroy(halo_unpacker **unpacker);

#endif
