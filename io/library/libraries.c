#include "io/library/library.h"

#include "io/library_names.h" /* the names of the files, from cmake/libraries.cmake */

/* The libraries of this build. */

#define NAME_OF(prefix, function) #prefix #function,
#define DEFINE_LIBRARY(lower, UPPER, debian)                                      \
    halo_##lower##_functions halo_##lower;                                        \
    static const char *const lower##_names[] = {HALO_##UPPER##_LIST(NAME_OF)};    \
    _Static_assert(sizeof halo_##lower == sizeof lower##_names, "pointers only"); \
    const halo_library halo_##lower##_library = {.name = #lower,                  \
                                                 .file = HALO_##UPPER##_FILE,     \
                                                 .package = debian,               \
                                                 .table = &halo_##lower,          \
                                                 .functions = lower##_names,      \
                                                 .count = sizeof lower##_names /  \
                                                          sizeof lower##_names[0]}

#ifdef HALOBEAT_TIFF
#include "io/library/tiff.h"
DEFINE_LIBRARY(libtiff, LIBTIFF, "libtiff6");
#endif

#ifdef HALOBEAT_JPEG
#include "io/library/jpeg.h"
DEFINE_LIBRARY(libjpeg, LIBJPEG, "libjpeg62-turbo");
#endif

#ifdef HALOBEAT_BLOSC
#include "io/library/blosc.h"
DEFINE_LIBRARY(libblosc, LIBBLOSC, "libblosc1");
#endif

#ifdef HALOBEAT_ZSTD
#include "io/library/zstd.h"
DEFINE_LIBRARY(libzstd, LIBZSTD, "libzstd1");
#endif

#ifdef HALOBEAT_LZ4
#include "io/library/lz4.h"
DEFINE_LIBRARY(liblz4, LIBLZ4, "liblz4-1");
#endif

#ifdef HALOBEAT_BZ2
#include "io/library/bz2.h"
DEFINE_LIBRARY(libbz2, LIBBZ2, "libbz2-1.0");
#endif

#ifdef HALOBEAT_LZMA
#include "io/library/lzma.h"
DEFINE_LIBRARY(liblzma, LIBLZMA, "liblzma5");
#endif
