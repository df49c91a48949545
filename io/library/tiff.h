#ifndef HALOBEAT_IO_LIBRARY_TIFF_H
#define HALOBEAT_IO_LIBRARY_TIFF_H

#include "io/library/library.h"

#include <tiffio.h>

#define HALO_LIBTIFF_LIST(X)                  \
    X(TIFF, Close)                            \
    X(TIFF, CurrentDirOffset)                 \
    X(TIFF, FdOpenExt)                        \
    X(TIFF, FieldDataType)                    \
    X(TIFF, FieldPassCount)                   \
    X(TIFF, FieldReadCount)                   \
    X(TIFF, FindField)                        \
    X(TIFF, GetField)                         \
    X(TIFF, GetFieldDefaulted)                \
    X(TIFF, GetStrileByteCount)               \
    X(TIFF, GetStrileOffset)                  \
    X(TIFF, IsBigEndian)                      \
    X(TIFF, IsBigTIFF)                        \
    X(TIFF, IsByteSwapped)                    \
    X(TIFF, IsCODECConfigured)                \
    X(TIFF, IsTiled)                          \
    X(TIFF, NumberOfStrips)                   \
    X(TIFF, NumberOfTiles)                    \
    X(TIFF, OpenOptionsAlloc)                 \
    X(TIFF, OpenOptionsFree)                  \
    X(TIFF, OpenOptionsSetErrorHandlerExtR)   \
    X(TIFF, OpenOptionsSetMaxSingleMemAlloc)  \
    X(TIFF, OpenOptionsSetWarningHandlerExtR) \
    X(TIFF, ReadDirectory)                    \
    X(TIFF, ReadEncodedStrip)                 \
    X(TIFF, ReadEncodedTile)                  \
    X(TIFF, ScanlineSize)                     \
    X(TIFF, SetField)                         \
    X(TIFF, SetSubDirectory)                  \
    X(TIFF, TileRowSize)                      \
    X(TIFF, TileSize)

HALO_LIBRARY_DECLARE(libtiff, HALO_LIBTIFF_LIST);

#endif
