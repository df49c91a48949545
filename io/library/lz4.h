#ifndef HALOBEAT_IO_LIBRARY_LZ4_H
#define HALOBEAT_IO_LIBRARY_LZ4_H

#include "io/library/library.h"

#include <lz4.h>

#define HALO_LIBLZ4_LIST(X) X(LZ4_, decompress_safe)

HALO_LIBRARY_DECLARE(liblz4, HALO_LIBLZ4_LIST);

#endif
