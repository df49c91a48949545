# The serial HDF5, which fits every MPI: PkgConfig::HDF5. Debian calls it hdf5-serial, beside parallel
# ones for each MPI; others have one that is called hdf5, and is of use unless it is parallel. Only the
# helper program halobeat-hdf5 is linked to it: see io/hdf5/protocol.h.
pkg_check_modules(HDF5 IMPORTED_TARGET hdf5-serial>=1.10.5)
if(NOT HDF5_FOUND)
    pkg_check_modules(HDF5 IMPORTED_TARGET hdf5>=1.10.5)
    if(HDF5_FOUND)
        include(CheckCSourceCompiles)
        set(CMAKE_REQUIRED_LIBRARIES PkgConfig::HDF5)
        check_c_source_compiles("
            #include <H5pubconf.h>
            #ifdef H5_HAVE_PARALLEL
            #error parallel
            #endif
            int main(void) { return 0; }" HALOBEAT_HDF5_IS_SERIAL)
        unset(CMAKE_REQUIRED_LIBRARIES)
        set(HDF5_FOUND ${HALOBEAT_HDF5_IS_SERIAL})
    endif()
endif()
