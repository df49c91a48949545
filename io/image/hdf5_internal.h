#ifndef HALOBEAT_IO_IMAGE_HDF5_INTERNAL_H
#define HALOBEAT_IO_IMAGE_HDF5_INTERNAL_H

#include "io/image/axes.h"
#include "io/image/hdf5_process.h"

#ifdef HALOBEAT_HDF5

typedef struct {
    hdf5_process *process; /* NULL: samples are read where they lie */
    hdf5_description about;
    halo_image_axes axes;
    halo_image_part part; /* that is read; part.samples: of pixels that are read whole */
    /* Rows are read in bands; no chunk is in two bands. */
    bool by_planes;            /* a band has whole planes, otherwise rows of one plane */
    int64_t depth;             /* planes, or rows, of a band */
    int64_t band_rows;         /* maximum rows of a band in the raster */
    size_t band_row;           /* bytes per row */
    const unsigned char *band; /* NULL: nothing was read yet */
    int64_t first, count;      /* rows in the band */
} hdf5_state;

/* Local. Sets reader->samples and info from the description of the open data set: size, type,
 * spacing. HALO_FORMAT if it is not an image. */
halo_status halo_hdf5_describe(halo_image_reader *reader);

/* Local. Chooses bands for the chunks of the open data set. HALO_FORMAT for impossible chunks,
 * HALO_MEMORY for chunks that are too large. */
halo_status halo_hdf5_choose_bands(halo_image_reader *reader);

/* Local. The `rows` function of the format for samples that are not stored in place. */
halo_status halo_hdf5_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch);

#endif

#endif
