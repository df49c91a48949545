#ifndef HALOBEAT_IO_LIBRARY_BLOSC_H
#define HALOBEAT_IO_LIBRARY_BLOSC_H

#include "io/library/library.h"

#include <blosc.h>

#define HALO_LIBBLOSC_LIST(X)   \
    X(blosc_, cbuffer_validate) \
    X(blosc_, compress_ctx)     \
    X(blosc_, decompress_ctx)

HALO_LIBRARY_DECLARE(libblosc, HALO_LIBBLOSC_LIST);

#endif
