#ifndef HALOBEAT_IO_NPY_ARCHIVE_H
#define HALOBEAT_IO_NPY_ARCHIVE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* The directory of a zip archive (APPNOTE 6.3.10 of PKWARE), such as numpy.savez writes. Written by
 * hand since libzip and minizip hide where a stored member lies, which every rank reads in place.
 * Everything is local. */

enum { HALO_ARCHIVE_STORED = 0, HALO_ARCHIVE_DEFLATED = 8, HALO_ARCHIVE_NAME = 128 };

typedef struct {
    char name[HALO_ARCHIVE_NAME]; /* longer names are cut */
    int method;
    bool encrypted;
    int64_t header;        /* byte of the file where the member's own header is */
    int64_t packed, bytes; /* in the archive, and unpacked; 0 or more */
    uint32_t crc;          /* CRC-32 of the unpacked bytes */
} halo_archive_member;

typedef halo_status halo_archive_take(void *context, const halo_archive_member *member);

/* Calls `take` for each member of the archive in the descriptor `file`, of `size` bytes; `path` is
 * used in messages. HALO_FORMAT for a damaged directory, or one of more than 64 MiB, HALO_FILE,
 * HALO_MEMORY; what `take` returned. */
halo_status halo_archive_list(int file, int64_t size, const char *path, halo_archive_take *take,
                              void *context);

/* Sets *offset to the first byte of the member's data, all of which are in the file. HALO_FORMAT,
 * HALO_FILE. */
halo_status halo_archive_find(int file, int64_t size, const char *path,
                              const halo_archive_member *member, int64_t *offset);

#endif
