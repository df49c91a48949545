#ifndef HALOBEAT_IO_LIBRARY_LZMA_H
#define HALOBEAT_IO_LIBRARY_LZMA_H

#include "io/library/library.h"

#include <lzma.h>

#define HALO_LIBLZMA_LIST(X) \
    X(lzma_, auto_decoder)   \
    X(lzma_, code)           \
    X(lzma_, end)

HALO_LIBRARY_DECLARE(liblzma, HALO_LIBLZMA_LIST);

#endif
