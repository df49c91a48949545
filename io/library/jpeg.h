#ifndef HALOBEAT_IO_LIBRARY_JPEG_H
#define HALOBEAT_IO_LIBRARY_JPEG_H

#include "io/library/library.h"

#include <stdio.h> /* which jpeglib.h needs */

#include <jpeglib.h>

#define HALO_LIBJPEG_LIST(X)     \
    X(jpeg_, CreateDecompress)   \
    X(jpeg_, destroy_decompress) \
    X(jpeg_, finish_decompress)  \
    X(jpeg_, has_multiple_scans) \
    X(jpeg_, read_header)        \
    X(jpeg_, read_scanlines)     \
    X(jpeg_, resync_to_restart)  \
    X(jpeg_, save_markers)       \
    X(jpeg_, start_decompress)   \
    X(jpeg_, std_error)

HALO_LIBRARY_DECLARE(libjpeg, HALO_LIBJPEG_LIST);

#endif
