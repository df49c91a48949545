#ifndef HALOBEAT_IO_IMAGE_EXIF_H
#define HALOBEAT_IO_IMAGE_EXIF_H

#include <stddef.h>

/* Orientations of TIFF and EXIF: where the first row and the first pixel of the file are in the
 * image. 1: top, left (as stored); 2: top, right; 3: bottom, right; 4: bottom, left; 5: left, top;
 * 6: right, top; 7: right, bottom; 8: left, bottom. From 5 on the file's rows are columns. */
enum { HALO_ORIENTATION_STORED = 1, HALO_ORIENTATION_ACROSS = 5, HALO_ORIENTATIONS = 8 };

/* Local. The orientation in EXIF data, `bytes` [count], as in a segment APP1 of JPEG or a chunk
 * eXIf of PNG, with or without "Exif" before it; 1 if there is none, or one that is not from 1 to
 * 8, or the data are damaged. */
int halo_exif_orientation(const unsigned char *bytes, size_t count);

#endif
