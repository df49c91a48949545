#ifndef HALOBEAT_IO_IMAGE_HDF5_LIBRARY_H
#define HALOBEAT_IO_IMAGE_HDF5_LIBRARY_H

#ifdef HALOBEAT_HDF5

#include "base/status.h"

#define H5_USE_110_API /* later versions have these functions under the same names */
#include <hdf5.h>

/* libhdf5 depends on about thirty other libraries (in Debian: curl, LDAP, Kerberos), which took a
 * third of the program's start time. It is therefore loaded when an HDF5 file is opened, and the
 * names of its functions and variables stand for members of a structure. If there is only a static
 * library, it is linked as usual. */

/* Local. Loads the library unless it is loaded. HALO_FORMAT if it is not installed; the message
 * begins with `path`. Not thread-safe. */
halo_status halo_hdf5_load(const char *path);

#ifdef HALOBEAT_HDF5_LIBRARY

#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
#define HDF5_LOCKING(X) X(H5Pset_file_locking)
#else
#define HDF5_LOCKING(X)
#endif

/* Functions that H5E_BEGIN_TRY also calls. */
#ifdef H5_NO_DEPRECATED_SYMBOLS
#define HDF5_DEPRECATED(X)
#else
#define HDF5_DEPRECATED(X) X(H5Eauto_is_v2) X(H5Eget_auto1) X(H5Eset_auto1)
#endif

/* clang-format off */
#define HDF5_FUNCTIONS(X) \
    HDF5_LOCKING(X) HDF5_DEPRECATED(X) \
    X(H5Aclose) X(H5Aexists) X(H5Aget_space) X(H5Aget_type) X(H5Aopen) X(H5Aread) X(H5Dclose) \
    X(H5Dget_create_plist) X(H5Dget_offset) X(H5Dget_space) X(H5Dget_type) X(H5Dopen2) \
    X(H5Dread) X(H5Eget_auto2) X(H5Eset_auto2) X(H5Ewalk2) X(H5Fclose) X(H5Fget_name) \
    X(H5Fopen) X(H5Iget_name) X(H5Iget_type) X(H5Oclose) X(H5Oopen) X(H5Ovisit2) X(H5Pclose) \
    X(H5Pcreate) X(H5Pget_chunk) X(H5Pget_external_count) X(H5Pget_filter2) X(H5Pget_layout) \
    X(H5Pget_nfilters) X(H5Pset_fapl_core) X(H5Pset_file_image) X(H5Sclose) \
    X(H5Screate_simple) X(H5Sget_simple_extent_dims) X(H5Sget_simple_extent_npoints) \
    X(H5Sget_simple_extent_type) X(H5Sselect_hyperslab) X(H5Tclose) X(H5Tcopy) \
    X(H5Tenum_valueof) X(H5Tequal) X(H5Tget_class) X(H5Tget_nmembers) X(H5Tget_sign) \
    X(H5Tget_size) X(H5Tget_super) X(H5Zfilter_avail) X(H5check_version) X(H5open)

#define HDF5_VARIABLES(X) \
    X(H5T_IEEE_F32BE_g) X(H5T_IEEE_F32LE_g) X(H5T_IEEE_F64BE_g) X(H5T_IEEE_F64LE_g) \
    X(H5T_NATIVE_DOUBLE_g) X(H5T_NATIVE_FLOAT_g) X(H5T_NATIVE_INT16_g) X(H5T_NATIVE_INT32_g) \
    X(H5T_NATIVE_INT64_g) X(H5T_NATIVE_INT8_g) X(H5T_NATIVE_UINT16_g) X(H5T_NATIVE_UINT32_g) \
    X(H5T_NATIVE_UINT64_g) X(H5T_NATIVE_UINT8_g) X(H5T_STD_I16BE_g) X(H5T_STD_I16LE_g) \
    X(H5T_STD_I32BE_g) X(H5T_STD_I32LE_g) X(H5T_STD_I64BE_g) X(H5T_STD_I64LE_g) \
    X(H5T_STD_I8BE_g) X(H5T_STD_I8LE_g) X(H5T_STD_U16BE_g) X(H5T_STD_U16LE_g) \
    X(H5T_STD_U32BE_g) X(H5T_STD_U32LE_g) X(H5T_STD_U64BE_g) X(H5T_STD_U64LE_g) \
    X(H5T_STD_U8BE_g) X(H5T_STD_U8LE_g) X(H5P_CLS_FILE_ACCESS_ID_g)
/* clang-format on */

typedef struct {
#define HDF5_FUNCTION(name) __typeof__(name) *name;
    HDF5_FUNCTIONS(HDF5_FUNCTION)
#undef HDF5_FUNCTION
#define HDF5_VARIABLE(name) __typeof__(name) *name;
    HDF5_VARIABLES(HDF5_VARIABLE)
#undef HDF5_VARIABLE
} hdf5_library;

extern hdf5_library halo_hdf5;

#ifndef HDF5_LIBRARY_OWN_NAMES
#define H5Aclose                     halo_hdf5.H5Aclose
#define H5Aexists                    halo_hdf5.H5Aexists
#define H5Aget_space                 halo_hdf5.H5Aget_space
#define H5Aget_type                  halo_hdf5.H5Aget_type
#define H5Aopen                      halo_hdf5.H5Aopen
#define H5Aread                      halo_hdf5.H5Aread
#define H5Dclose                     halo_hdf5.H5Dclose
#define H5Dget_create_plist          halo_hdf5.H5Dget_create_plist
#define H5Dget_offset                halo_hdf5.H5Dget_offset
#define H5Dget_space                 halo_hdf5.H5Dget_space
#define H5Dget_type                  halo_hdf5.H5Dget_type
#define H5Dopen2                     halo_hdf5.H5Dopen2
#define H5Dread                      halo_hdf5.H5Dread
#define H5Eauto_is_v2                halo_hdf5.H5Eauto_is_v2
#define H5Eget_auto2                 halo_hdf5.H5Eget_auto2
#define H5Eset_auto2                 halo_hdf5.H5Eset_auto2
#define H5Ewalk2                     halo_hdf5.H5Ewalk2
#define H5Fclose                     halo_hdf5.H5Fclose
#define H5Fget_name                  halo_hdf5.H5Fget_name
#define H5Fopen                      halo_hdf5.H5Fopen
#define H5Iget_name                  halo_hdf5.H5Iget_name
#define H5Iget_type                  halo_hdf5.H5Iget_type
#define H5Oclose                     halo_hdf5.H5Oclose
#define H5Oopen                      halo_hdf5.H5Oopen
#define H5Ovisit2                    halo_hdf5.H5Ovisit2
#define H5Pclose                     halo_hdf5.H5Pclose
#define H5Pcreate                    halo_hdf5.H5Pcreate
#define H5Pget_chunk                 halo_hdf5.H5Pget_chunk
#define H5Pget_external_count        halo_hdf5.H5Pget_external_count
#define H5Pget_filter2               halo_hdf5.H5Pget_filter2
#define H5Pget_layout                halo_hdf5.H5Pget_layout
#define H5Pget_nfilters              halo_hdf5.H5Pget_nfilters
#define H5Pset_fapl_core             halo_hdf5.H5Pset_fapl_core
#define H5Pset_file_image            halo_hdf5.H5Pset_file_image
#define H5Sclose                     halo_hdf5.H5Sclose
#define H5Screate_simple             halo_hdf5.H5Screate_simple
#define H5Sget_simple_extent_dims    halo_hdf5.H5Sget_simple_extent_dims
#define H5Sget_simple_extent_npoints halo_hdf5.H5Sget_simple_extent_npoints
#define H5Sget_simple_extent_type    halo_hdf5.H5Sget_simple_extent_type
#define H5Sselect_hyperslab          halo_hdf5.H5Sselect_hyperslab
#define H5Tclose                     halo_hdf5.H5Tclose
#define H5Tcopy                      halo_hdf5.H5Tcopy
#define H5Tenum_valueof              halo_hdf5.H5Tenum_valueof
#define H5Tequal                     halo_hdf5.H5Tequal
#define H5Tget_class                 halo_hdf5.H5Tget_class
#define H5Tget_nmembers              halo_hdf5.H5Tget_nmembers
#define H5Tget_sign                  halo_hdf5.H5Tget_sign
#define H5Tget_size                  halo_hdf5.H5Tget_size
#define H5Tget_super                 halo_hdf5.H5Tget_super
#define H5Zfilter_avail              halo_hdf5.H5Zfilter_avail
#define H5open                       halo_hdf5.H5open
#define H5check_version              halo_hdf5.H5check_version
#define H5Pset_file_locking          halo_hdf5.H5Pset_file_locking
#define H5Eget_auto1                 halo_hdf5.H5Eget_auto1
#define H5Eset_auto1                 halo_hdf5.H5Eset_auto1
#define H5T_IEEE_F32BE_g             (*halo_hdf5.H5T_IEEE_F32BE_g)
#define H5T_IEEE_F32LE_g             (*halo_hdf5.H5T_IEEE_F32LE_g)
#define H5T_IEEE_F64BE_g             (*halo_hdf5.H5T_IEEE_F64BE_g)
#define H5T_IEEE_F64LE_g             (*halo_hdf5.H5T_IEEE_F64LE_g)
#define H5T_NATIVE_DOUBLE_g          (*halo_hdf5.H5T_NATIVE_DOUBLE_g)
#define H5T_NATIVE_FLOAT_g           (*halo_hdf5.H5T_NATIVE_FLOAT_g)
#define H5T_NATIVE_INT16_g           (*halo_hdf5.H5T_NATIVE_INT16_g)
#define H5T_NATIVE_INT32_g           (*halo_hdf5.H5T_NATIVE_INT32_g)
#define H5T_NATIVE_INT64_g           (*halo_hdf5.H5T_NATIVE_INT64_g)
#define H5T_NATIVE_INT8_g            (*halo_hdf5.H5T_NATIVE_INT8_g)
#define H5T_NATIVE_UINT16_g          (*halo_hdf5.H5T_NATIVE_UINT16_g)
#define H5T_NATIVE_UINT32_g          (*halo_hdf5.H5T_NATIVE_UINT32_g)
#define H5T_NATIVE_UINT64_g          (*halo_hdf5.H5T_NATIVE_UINT64_g)
#define H5T_NATIVE_UINT8_g           (*halo_hdf5.H5T_NATIVE_UINT8_g)
#define H5T_STD_I16BE_g              (*halo_hdf5.H5T_STD_I16BE_g)
#define H5T_STD_I16LE_g              (*halo_hdf5.H5T_STD_I16LE_g)
#define H5T_STD_I32BE_g              (*halo_hdf5.H5T_STD_I32BE_g)
#define H5T_STD_I32LE_g              (*halo_hdf5.H5T_STD_I32LE_g)
#define H5T_STD_I64BE_g              (*halo_hdf5.H5T_STD_I64BE_g)
#define H5T_STD_I64LE_g              (*halo_hdf5.H5T_STD_I64LE_g)
#define H5T_STD_I8BE_g               (*halo_hdf5.H5T_STD_I8BE_g)
#define H5T_STD_I8LE_g               (*halo_hdf5.H5T_STD_I8LE_g)
#define H5T_STD_U16BE_g              (*halo_hdf5.H5T_STD_U16BE_g)
#define H5T_STD_U16LE_g              (*halo_hdf5.H5T_STD_U16LE_g)
#define H5T_STD_U32BE_g              (*halo_hdf5.H5T_STD_U32BE_g)
#define H5T_STD_U32LE_g              (*halo_hdf5.H5T_STD_U32LE_g)
#define H5T_STD_U64BE_g              (*halo_hdf5.H5T_STD_U64BE_g)
#define H5T_STD_U64LE_g              (*halo_hdf5.H5T_STD_U64LE_g)
#define H5T_STD_U8BE_g               (*halo_hdf5.H5T_STD_U8BE_g)
#define H5T_STD_U8LE_g               (*halo_hdf5.H5T_STD_U8LE_g)
#define H5P_CLS_FILE_ACCESS_ID_g     (*halo_hdf5.H5P_CLS_FILE_ACCESS_ID_g)
#endif

#endif

#endif

#endif
