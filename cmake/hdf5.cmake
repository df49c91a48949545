# The serial HDF5, which fits every MPI: PkgConfig::HDF5. Debian calls it hdf5-serial, beside parallel
# ones for each MPI; others have one that is called hdf5, and is of use unless it is parallel.
pkg_check_modules(HDF5 IMPORTED_TARGET hdf5-serial>=1.10.3)
if(NOT HDF5_FOUND)
    pkg_check_modules(HDF5 IMPORTED_TARGET hdf5>=1.10.3)
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

# The program loads a shared library only when it meets an HDF5 file: by the name that linking it would
# have left in the program.
set(HALOBEAT_HDF5_LIBRARY "")
foreach(file ${HDF5_LINK_LIBRARIES})
    if(file MATCHES "/libhdf5[^/]*\\.so" AND NOT HALOBEAT_HDF5_LIBRARY)
        execute_process(COMMAND ${CMAKE_READELF} -d ${file} OUTPUT_VARIABLE halobeat_dynamic ERROR_QUIET)
        if(halobeat_dynamic MATCHES "SONAME[^[]*\\[([^]]+)\\]")
            set(HALOBEAT_HDF5_LIBRARY ${CMAKE_MATCH_1})
            file(REAL_PATH ${file} HALOBEAT_HDF5_FILE)
        endif()
    endif()
endforeach()
if(HALOBEAT_HDF5_LIBRARY)
    message(STATUS "HDF5 is loaded when needed: ${HALOBEAT_HDF5_LIBRARY}")
endif()

# halobeat_use_hdf5(TARGET): compile a target with HDF5, if there is one.
function(halobeat_use_hdf5 target)
    if(NOT HDF5_FOUND)
        return()
    endif()
    target_compile_definitions(${target} PRIVATE HALOBEAT_HDF5=1)
    if(HALOBEAT_HDF5_LIBRARY)
        target_compile_definitions(${target} PRIVATE HALOBEAT_HDF5_LIBRARY="${HALOBEAT_HDF5_LIBRARY}"
                                                     HALOBEAT_HDF5_FILE="${HALOBEAT_HDF5_FILE}")
        target_include_directories(${target} SYSTEM PRIVATE ${HDF5_INCLUDE_DIRS})
        target_compile_options(${target} PRIVATE ${HDF5_CFLAGS_OTHER})
        target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
    else()
        target_link_libraries(${target} PRIVATE PkgConfig::HDF5)
    endif()
endfunction()
