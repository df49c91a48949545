#ifndef HALOBEAT_IO_IMAGE_NPY_INTERNAL_H
#define HALOBEAT_IO_IMAGE_NPY_INTERNAL_H

#include "io/image/columns.h"
#include "io/npy/npy.h"

/* NumPy's arrays, alone in a file or in an archive of them. Everything is local. */

typedef struct {
    halo_columns *columns; /* of an array that is stored by columns; or NULL */
} npy_state;

/* Sets the reader up for the array that `header` describes, whose samples begin at byte `offset` of
 * the file or of reader->unpacker. HALO_FORMAT, HALO_FILE, HALO_MEMORY. */
halo_status halo_npy_start(halo_image_reader *reader, const halo_npy_header *header, bool swapped,
                           int64_t offset);

/* The functions of both formats. */
halo_status halo_npy_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                          size_t pitch);
void halo_npy_close(halo_image_reader *reader);

#endif
