#ifndef HALOBEAT_IO_ROI_ROI_H
#define HALOBEAT_IO_ROI_ROI_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Regions of interest of ImageJ, and archives of them (RoiSet.zip), which its ROI Manager opens.
 * The format is that of ij.io.RoiDecoder of ImageJ 1.53: numbers are big-endian. Everything is
 * local. */

/* A ring of corners [count], x and y in turn, which is closed. */
typedef struct {
    const int64_t *corners; /* [2 * count] from 0 to HALO_ROI_MAX */
    int64_t count;
} halo_roi_ring;

enum { HALO_ROI_MAX = 60000 }; /* larger coordinates of 16 bits are taken for negative ones */

/* Appends the file of a region. One ring becomes a traced polygon; several a composite, which has
 * what an odd number of them has around it. HALO_MEMORY. */
halo_status halo_roi_append(halo_buffer *out, const halo_roi_ring *rings, int64_t count);

/* The parts of a zip archive, whose files are stored as they are. A file's name is at most
 * HALO_ZIP_NAME bytes. */
enum { HALO_ZIP_NAME = 64, HALO_ZIP_FILES = 65535 };

typedef struct {
    char name[HALO_ZIP_NAME + 1];
    uint32_t checksum;  /* CRC-32 of the bytes */
    uint32_t bytes, at; /* of the file, and of its header in the archive */
} halo_zip_entry;

/* Appends a file with its header, and sets the entry, whose `at` is `before` plus what `out` held.
 * HALO_MEMORY. */
halo_status halo_zip_append(halo_buffer *out, int64_t before, const char *name,
                            const halo_buffer *file, halo_zip_entry *entry);

/* Appends an entry of the list of files, which stands behind all files. HALO_MEMORY. */
halo_status halo_zip_append_entry(halo_buffer *out, const halo_zip_entry *entry);

/* Appends the end of an archive. Its list has `entries` entries and `bytes` bytes, and begins at
 * byte `at`. HALO_MEMORY. */
halo_status halo_zip_append_end(halo_buffer *out, int64_t entries, int64_t at, int64_t bytes);

#endif
