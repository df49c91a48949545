#ifndef HALOBEAT_IO_IMAGE_HDF5_INTERNAL_H
#define HALOBEAT_IO_IMAGE_HDF5_INTERNAL_H

#include "io/image/hdf5_library.h"
#include "io/image/image_internal.h"

#ifdef HALOBEAT_HDF5

enum { HDF5_REASON_BYTES = 160, HDF5_TEXT = 64 };

/* Type of the samples of a data set. */
typedef struct {
    bool known;
    halo_image_type type;
    bool boolean;  /* bytes of 0 and 1, as written by h5py */
    bool in_place; /* stored as the reader returns them, except */
    bool swapped;  /* for the byte order */
    char text[HDF5_TEXT];
} hdf5_type;

/* Axes of a data set. */
typedef struct {
    bool known; /* two or three are left */
    int count;  /* number of all axes */
    hsize_t sizes[H5S_MAX_RANK];
    int left;  /* number without axes of length 1, which are dropped while there are more than
                * three */
    int is[3]; /* [left] indices of these axes, slowest first */
    char text[HDF5_TEXT];
} hdf5_shape;

typedef struct {
    hid_t file, set, space, memory; /* below 0: not open */
    bool plain;                     /* a file that can be opened by name */
    hdf5_type type;
    hdf5_shape shape;
    char name[HALO_IMAGE_NAME_BYTES]; /* path of the data set in the file, from "/" on */
    char reason[HDF5_REASON_BYTES];   /* the library's message about its last failure */
    /* Rows are read in bands; no chunk is in two bands. */
    bool by_planes;       /* a band has whole planes, otherwise rows of one plane */
    int64_t depth;        /* planes, or rows, of a band */
    int64_t band_rows;    /* maximum rows of a band in the raster */
    size_t band_row;      /* bytes per row */
    unsigned char *band;  /* NULL: nothing was read yet */
    int64_t first, count; /* rows in the band */
} hdf5_state;

/* Local. Describe a type, and the axes of a data space. */
hdf5_type halo_hdf5_type(hid_t type);
hdf5_shape halo_hdf5_shape(hid_t space);

/* Local. Finds the data set to read and sets state->name. `root` is open. HALO_FORMAT, with a list
 * of the data sets, unless there is exactly one. */
halo_status halo_hdf5_find(const halo_image_reader *reader, hid_t root);

/* Local. HALO_FORMAT: `what` is wrong, with a list of the data sets in `root`. */
halo_status halo_hdf5_fail_list(const halo_image_reader *reader, hid_t root, const char *what);

/* Local. HALO_FORMAT: `what` is wrong, with the library's message and the remedy. */
halo_status halo_hdf5_fail(const halo_image_reader *reader, const char *what, const char *remedy);

/* Local. Sets reader->samples and info from the open data set: size, type, spacing. HALO_FORMAT if
 * it is not an image. */
halo_status halo_hdf5_describe(halo_image_reader *reader);

/* Local. HALO_FORMAT if samples are in other files, or compressed by a filter that is not
 * available. */
halo_status halo_hdf5_check_layout(const halo_image_reader *reader, hid_t create);

/* Local. The type of the reader's samples in memory; the caller closes it. */
hid_t halo_hdf5_memory(const hdf5_state *state);

/* Local. Closes an identifier by `call` and sets it to -1. Accepts one that is not open. */
void halo_hdf5_close(hid_t *id, herr_t (*call)(hid_t));

/* Local. Chooses bands for the layout `create` of the open data set. HALO_FORMAT for impossible
 * chunks, HALO_MEMORY for chunks that are too large. */
halo_status halo_hdf5_choose_bands(halo_image_reader *reader, hid_t create);

/* Local. The `rows` function of the format for samples that are not stored in place; within
 * halo_hdf5_guarded. */
halo_status halo_hdf5_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch);

/* Stores the library's message about the failure of the last call. */
void halo_hdf5_note(const halo_image_reader *reader);

#endif

#endif
