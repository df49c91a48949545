#ifndef HALOBEAT_IO_IMAGE_CONTENT_H
#define HALOBEAT_IO_IMAGE_CONTENT_H

/* By this word a file says that its samples are numbers of regions: in ImageJ's description of TIFF
 * (content=labels), in HDF5 (the attribute Content of the data set), in NRRD (the field content)
 * and in MetaImage (Comment). NIfTI and OME-Zarr have a way of their own. */
#define HALO_CONTENT_LABELS "labels"

#endif
