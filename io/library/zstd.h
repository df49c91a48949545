#ifndef HALOBEAT_IO_LIBRARY_ZSTD_H
#define HALOBEAT_IO_LIBRARY_ZSTD_H

#include "io/library/library.h"

#include <zstd.h>

#define HALO_LIBZSTD_LIST(X) X(ZSTD_, decompress)

HALO_LIBRARY_DECLARE(libzstd, HALO_LIBZSTD_LIST);

#endif
