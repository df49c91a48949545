#ifndef HALOBEAT_IO_LIBRARY_BZ2_H
#define HALOBEAT_IO_LIBRARY_BZ2_H

#include "io/library/library.h"

#include <bzlib.h>

#define HALO_LIBBZ2_LIST(X)         \
    X(BZ2_, bzBuffToBuffDecompress) \
    X(BZ2_, bzDecompress)           \
    X(BZ2_, bzDecompressEnd)        \
    X(BZ2_, bzDecompressInit)

HALO_LIBRARY_DECLARE(libbz2, HALO_LIBBZ2_LIST);

#endif
