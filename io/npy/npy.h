#ifndef HALOBEAT_IO_NPY_NPY_H
#define HALOBEAT_IO_NPY_NPY_H

#include "base/memory.h"
#include "base/sample.h"

/* NumPy's array files. They are written in version 1.0: numpy.load(path, mmap_mode="r") opens
 * them. Bits take a byte each. */

enum { HALO_NPY_AXES = 8 }; /* maximum axes of an array that is read */

/* An array. With a single axis every sample is a row. With three axes, rows are those of
 * all planes, or, of images, a row has the samples of all its pixels. */
typedef struct {
    int64_t width;  /* samples per row, 0 or more */
    int64_t height; /* rows, 0 or more */
    halo_sample_type type;
    bool halves;     /* of HALO_SAMPLE_F32, in files that are read: samples have 16 bits there */
    bool by_columns; /* in files that are read: the first axis is the fastest (Fortran order) */
    int axes;        /* 1 to 3; 0 means 2; in files that are read, to HALO_NPY_AXES */
    int64_t sizes[HALO_NPY_AXES]; /* [axes] set when it is read */
    int64_t planes; /* of three axes: the number of planes, 1 or more, each with an equal share
                     * of the rows; or 0, and */
    int64_t pixel;  /* `pixel` is the number of samples per pixel, the last axis: 1 or more, a
                     * divisor of the width */
} halo_npy_header;

/* Local. Bytes of a row. Rows are not padded. */
size_t halo_npy_row_bytes(const halo_npy_header *header);

/* Local. Appends the file's header, a multiple of 64 bytes. HALO_ARGUMENT for an array that is too
 * large to address, HALO_MEMORY. */
halo_status halo_npy_begin(halo_buffer *out, const halo_npy_header *header);

/* Local. Bytes of a sample. */
size_t halo_npy_sample_bytes(const halo_npy_header *header);

/* Local. Parses the header of an array file, version 1.0 to 3.0, from the first bytes of the file,
 * `data` [bytes]. *head is set to the size of the header in bytes; *swapped to whether samples have
 * the byte order opposite to this machine's. `name` is used in messages. HALO_FORMAT, with a
 * remedy, for a damaged file, or an array that does not have two axes and a type of the list. */
halo_status halo_npy_parse(const void *data, size_t bytes, const char *name,
                           halo_npy_header *header, bool *swapped, size_t *head);

/* Local. As halo_npy_parse, for an array of one to HALO_NPY_AXES axes, also of float16;
 * header->axes is then never 0. Of more than three axes, the height is the product of all but the
 * last one. */
halo_status halo_npy_parse_axes(const void *data, size_t bytes, const char *name,
                                halo_npy_header *header, bool *swapped, size_t *head);

enum { HALO_NPY_PREFIX = 12 };

/* Local. The bytes of a header from the first HALO_NPY_PREFIX bytes of a file, or 0 if it is no
 * array file. */
size_t halo_npy_head_bytes(const void *data, size_t bytes);

/* Local. HALO_FORMAT, with a remedy, unless the array has two axes. */
halo_status halo_npy_check_flat(const halo_npy_header *header, const char *name);

#endif
