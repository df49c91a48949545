#ifndef HALOBEAT_IO_IMAGE_HDF5_INTERNAL_H
#define HALOBEAT_IO_IMAGE_HDF5_INTERNAL_H

#include "io/image/hdf5_library.h"
#include "io/image/image_internal.h"

#ifdef HALOBEAT_HDF5

enum { HDF5_REASON_BYTES = 160, HDF5_TEXT = 64 };

/* Samples of a data set. */
typedef struct {
    bool known;
    halo_image_type type;
    bool boolean;  /* bytes of 0 and 1, as h5py has them */
    bool in_place; /* in the file as the reader hands them out, but for */
    bool swapped;  /* ... the order of their bytes */
    char text[HDF5_TEXT];
} hdf5_type;

/* Axes of a data set. */
typedef struct {
    bool known; /* two or three are left */
    int count;  /* of all */
    hsize_t sizes[H5S_MAX_RANK];
    int left;  /* without those of length 1, as far as there are more than three */
    int is[3]; /* [left] which of them, the slowest first */
    char text[HDF5_TEXT];
} hdf5_shape;

typedef struct {
    hid_t file, set, space, memory; /* below 0: not open */
    bool plain;                     /* a file that can be opened by name */
    hdf5_type type;
    hdf5_shape shape;
    char name[HALO_IMAGE_NAME_BYTES]; /* of the data set, from "/" on */
    char reason[HDF5_REASON_BYTES];   /* the library's, of its last failure */
    /* Rows are read in bands, which no chunk is a part of two of. */
    bool by_planes;       /* a band has whole planes; otherwise rows of one plane */
    int64_t depth;        /* planes, or rows, of it */
    int64_t band_rows;    /* of the raster, at most */
    size_t band_row;      /* bytes of one */
    unsigned char *band;  /* or NULL: nothing was read yet */
    int64_t first, count; /* rows that are there */
} hdf5_state;

/* Local. What are these? */
hdf5_type halo_hdf5_type(hid_t type);
hdf5_shape halo_hdf5_shape(hid_t space);

/* Local. Find the data set to read: state->name. `root` is open. HALO_FORMAT, with a list of what
 * there is, unless there is one. */
halo_status halo_hdf5_find(const halo_image_reader *reader, hid_t root);

/* Local. HALO_FORMAT: `what` is wrong, with a list of data sets in `root`. */
halo_status halo_hdf5_fail_list(const halo_image_reader *reader, hid_t root, const char *what);

/* Local. HALO_FORMAT: `what` is wrong, with the library's reason, and the remedy. */
halo_status halo_hdf5_fail(const halo_image_reader *reader, const char *what, const char *remedy);

/* Local. From the open data set to reader->samples and info: size, type, spacing. HALO_FORMAT for
 * one that is no image. */
halo_status halo_hdf5_describe(halo_image_reader *reader);

/* Local. HALO_FORMAT if samples are elsewhere, or packed by a filter that is not there. */
halo_status halo_hdf5_check_layout(const halo_image_reader *reader, hid_t create);

/* Local. The type of the reader's samples in memory, to be closed. */
hid_t halo_hdf5_memory(const hdf5_state *state);

/* Local. By the `call` for its kind; sets it to -1. Accepts what is not open. */
void halo_hdf5_close(hid_t *id, herr_t (*call)(hid_t));

/* Local. Choose bands for the layout `create` of the open data set. HALO_FORMAT for chunks that
 * cannot be real, HALO_MEMORY for such that are too large. */
halo_status halo_hdf5_choose_bands(halo_image_reader *reader, hid_t create);

/* Local. As the format's rows, where samples are not in place; inside halo_hdf5_guarded. */
halo_status halo_hdf5_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch);

/* Keep the library's reason for a failure of the call before. */
void halo_hdf5_note(const halo_image_reader *reader);

#endif

#endif
