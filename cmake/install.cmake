# `cmake --install` installs headers, static and shared libraries, program, man page, completion,
# CMake package, pkg-config files.
include(CMakePackageConfigHelpers)

# The interface may change with every minor version until 1.0.0.
set(halobeat_interface ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# Both libraries export these, in the shared ones and in the archives.
set(halobeat_names ${CMAKE_BINARY_DIR}/exports/names)
if(HALOBEAT_MPI)
    set(halobeat_mpi_archive $<TARGET_FILE:halobeat_mpi>)
    set(halobeat_archives halobeat halobeat_mpi)
else()
    set(halobeat_mpi_archive "")
    set(halobeat_archives halobeat)
endif()
add_custom_command(OUTPUT ${halobeat_names} ${halobeat_names}.map
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/exports
    COMMAND ${CMAKE_COMMAND} -D HALOBEAT_SOURCE=${PROJECT_SOURCE_DIR}
            -D HALOBEAT_GENERATED=${CMAKE_BINARY_DIR}/generated
            -D HALOBEAT_GATHERED=${CMAKE_BINARY_DIR}/exports/headers
            -D HALOBEAT_MPI=${HALOBEAT_MPI} -D HALOBEAT_NM=${CMAKE_NM}
            -D HALOBEAT_MPI_ARCHIVE=${halobeat_mpi_archive}
            -D HALOBEAT_SHOWN=${halobeat_names}
            -P ${CMAKE_CURRENT_LIST_DIR}/exports.cmake
    DEPENDS ${halobeat_archives} ${CMAKE_CURRENT_LIST_DIR}/exports.cmake
            ${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake
    COMMENT "Listing the names of the interface"
    VERBATIM)
add_custom_target(halobeat_names DEPENDS ${halobeat_names} ${halobeat_names}.map)

# halobeat_shared_library(NAME): NAME_shared, of the objects of the static library NAME.
function(halobeat_shared_library name)
    add_library(${name}_shared SHARED $<TARGET_OBJECTS:${name}>)
    set_target_properties(${name}_shared PROPERTIES
        OUTPUT_NAME ${name}
        VERSION ${PROJECT_VERSION}
        SOVERSION ${halobeat_interface}
        LINKER_LANGUAGE C
        INSTALL_RPATH_USE_LINK_PATH ON
        LINK_DEPENDS ${halobeat_names}.map)
    add_dependencies(${name}_shared halobeat_names)
    target_link_options(${name}_shared PRIVATE
        -Wl,--version-script=${halobeat_names}.map -Wl,-Bsymbolic-functions
        ${HALOBEAT_HARDENED_LINK}
        $<$<BOOL:${HALOBEAT_SANITIZE}>:-fsanitize=${HALOBEAT_SANITIZERS}>)
endfunction()

# halobeat_static_library(NAME): NAME_static.
#
# An archive of many objects shows every name that one of them uses of another, and a stranger's
# program may have a global of the same name. The installed archive is one object, in which all but
# the interface is local. Analysers keep the many: their tables name globals.
function(halobeat_static_library name)
    if(HALOBEAT_SANITIZE)
        set(objects $<TARGET_OBJECTS:${name}>)
    else()
        set(objects ${CMAKE_BINARY_DIR}/static/${name}.o)
        add_custom_command(OUTPUT ${objects}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/static
            COMMAND ${CMAKE_LINKER} -r -o ${objects}
                    --whole-archive $<TARGET_FILE:${name}> --no-whole-archive
            COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${halobeat_names} ${objects}
            DEPENDS ${name} ${halobeat_names}
            COMMENT "Making all but the interface local"
            VERBATIM)
    endif()
    add_library(${name}_static STATIC ${objects})
    set_target_properties(${name}_static PROPERTIES
        OUTPUT_NAME ${name}
        ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/static
        LINKER_LANGUAGE C)
endfunction()

halobeat_shared_library(halobeat)
halobeat_static_library(halobeat)
set_target_properties(halobeat_program PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
get_target_property(halobeat_links halobeat LINK_LIBRARIES)
list(REMOVE_ITEM halobeat_links $<BUILD_INTERFACE:halobeat_options>)
target_link_libraries(halobeat_shared PRIVATE ${halobeat_links})
target_link_libraries(halobeat_static PRIVATE ${halobeat_links})
# halobeat_mpi, if it is loaded, calls functions of the program that has the archive.
set(halobeat_shown ${CMAKE_INSTALL_LIBDIR}/halobeat)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/exports.list DESTINATION ${halobeat_shown})
target_link_options(halobeat_static INTERFACE
    $<INSTALL_INTERFACE:-Wl,--dynamic-list=$<INSTALL_PREFIX>/${halobeat_shown}/exports.list>)
set_target_properties(halobeat_shared PROPERTIES EXPORT_NAME halobeat)
set_target_properties(halobeat_static PROPERTIES EXPORT_NAME static)
set(halobeat_exports halobeat_shared halobeat_static)

# The library that calls MPI, for programs that do, and to be loaded by all others, stands in the folder of
# libraries beside that of the program. It finds the rest in the process, and needs no libhalobeat.so: a
# program with the static library has one already.
if(HALOBEAT_MPI)
    halobeat_shared_library(halobeat_mpi)
    halobeat_static_library(halobeat_mpi)
    set_target_properties(halobeat_mpi_shared PROPERTIES
        EXPORT_NAME mpi
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR})
    set_target_properties(halobeat_mpi_static PROPERTIES EXPORT_NAME mpi_static)
    target_link_libraries(halobeat_mpi_shared PUBLIC MPI::MPI_C INTERFACE halobeat_shared PRIVATE PkgConfig::XXHASH)
    target_link_libraries(halobeat_mpi_static PUBLIC MPI::MPI_C INTERFACE halobeat_static PRIVATE PkgConfig::XXHASH)
    target_link_options(halobeat_mpi_static INTERFACE LINKER:-u,halo_mpi_processes)
    add_dependencies(halobeat_program halobeat_mpi_shared)
    list(APPEND halobeat_exports halobeat_mpi_shared halobeat_mpi_static)
endif()

set(halobeat_package ${CMAKE_INSTALL_LIBDIR}/cmake/Halobeat)
install(TARGETS halobeat_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET halobeat_hdf5)
    install(TARGETS halobeat_hdf5 RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/halobeat)
endif()
if(HALOBEAT_MPI)
    install(PROGRAMS ${CMAKE_SOURCE_DIR}/tools/keep-going
            DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME halobeat-keep-going)
endif()
# A file of targets for each library: who uses one needs nothing of another.
foreach(library IN LISTS halobeat_exports)
    get_target_property(name ${library} EXPORT_NAME)
    install(TARGETS ${library} EXPORT Halobeat_${name}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
            INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT Halobeat_${name} NAMESPACE Halobeat:: DESTINATION ${halobeat_package})
endforeach()

if(HALOBEAT_MPI) # whole paths, of names that were looked for in $PATH
    find_program(HALOBEAT_MPI_COMPILER NAMES ${MPI_C_COMPILER})
    find_program(HALOBEAT_MPIEXEC NAMES ${MPIEXEC_EXECUTABLE})
    mark_as_advanced(HALOBEAT_MPI_COMPILER HALOBEAT_MPIEXEC)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/HalobeatConfig.cmake.in
    ${CMAKE_BINARY_DIR}/HalobeatConfig.cmake INSTALL_DESTINATION ${halobeat_package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/HalobeatConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/HalobeatConfig.cmake
              ${CMAKE_BINARY_DIR}/HalobeatConfigVersion.cmake
        DESTINATION ${halobeat_package})

install(CODE "
    set(HALOBEAT_SOURCE [[${PROJECT_SOURCE_DIR}]])
    set(HALOBEAT_GENERATED [[${CMAKE_BINARY_DIR}/generated]])
    set(HALOBEAT_GATHERED [[${CMAKE_BINARY_DIR}/install-headers]])
    set(HALOBEAT_MPI [[${HALOBEAT_MPI}]])
    include([[${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake]])
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\"
         TYPE DIRECTORY FILES \"\${HALOBEAT_GATHERED}/halobeat\")")

include(${CMAKE_CURRENT_LIST_DIR}/pkgconfig.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/manual.cmake)
