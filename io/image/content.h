#ifndef HALOBEAT_IO_IMAGE_CONTENT_H
#define HALOBEAT_IO_IMAGE_CONTENT_H

#include "base/sample.h"

/* By this word a file says that its samples are numbers of regions: in ImageJ's description of TIFF
 * (content=labels), in HDF5 (the attribute Content of the data set), in NRRD (the field content)
 * and in MetaImage (Comment). NIfTI and OME-Zarr have a way of their own. */
#define HALO_CONTENT_LABELS "labels"

/* The names that a format has for types of samples; the first for a type is the one to write. A row
 * without a name ends the list. */
typedef struct {
    const char *name;
    halo_sample_type type;
} halo_text_type;

extern const halo_text_type halo_nrrd_types[], halo_meta_types[];

/* Local. The name for a type of the list; bits are written as bytes. */
const char *halo_text_type_name(const halo_text_type *types, halo_sample_type type);

#endif
