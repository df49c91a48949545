# What `cmake --install` gives: headers, static and shared library, program, man page, completion,
# CMake package, pkg-config file.
include(CMakePackageConfigHelpers)

# The interface may change with every minor version until 1.0.0.
set(halobeat_interface ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
add_library(halobeat_shared SHARED $<TARGET_OBJECTS:halobeat>)
set_target_properties(halobeat_shared PROPERTIES
    OUTPUT_NAME halobeat
    EXPORT_NAME halobeat
    VERSION ${PROJECT_VERSION}
    SOVERSION ${halobeat_interface}
    LINKER_LANGUAGE C
    INSTALL_RPATH_USE_LINK_PATH ON
    LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/exports.map)
set_target_properties(halobeat_program PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
target_link_options(halobeat_shared PRIVATE
    -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/exports.map -Wl,-Bsymbolic-functions
    ${HALOBEAT_HARDENED_LINK}
    $<$<BOOL:${HALOBEAT_SANITIZE}>:-fsanitize=${HALOBEAT_SANITIZERS}>)
get_target_property(halobeat_links halobeat LINK_LIBRARIES)
list(REMOVE_ITEM halobeat_links MPI::MPI_C $<BUILD_INTERFACE:halobeat_options>)
target_link_libraries(halobeat_shared PUBLIC ${HALOBEAT_MPI_TARGET} PRIVATE ${halobeat_links})

# An archive of many objects shows every name that one of them uses of another, and a stranger's
# program may have a global of the same name. The installed archive is one object, in which all but
# the interface is local. Analysers keep the many: their tables name globals.
if(HALOBEAT_SANITIZE)
    set(halobeat_objects $<TARGET_OBJECTS:halobeat>)
else()
    set(halobeat_objects ${CMAKE_BINARY_DIR}/static/halobeat.o)
    add_custom_command(OUTPUT ${halobeat_objects}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/static
        COMMAND ${CMAKE_LINKER} -r -o ${halobeat_objects}
                --whole-archive $<TARGET_FILE:halobeat> --no-whole-archive
        COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=halo_* ${halobeat_objects}
        DEPENDS halobeat
        COMMENT "Making all but the interface local"
        VERBATIM)
endif()
add_library(halobeat_static STATIC ${halobeat_objects})
set_target_properties(halobeat_static PROPERTIES
    OUTPUT_NAME halobeat
    EXPORT_NAME static
    ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/static
    LINKER_LANGUAGE C)
target_link_libraries(halobeat_static PUBLIC ${HALOBEAT_MPI_TARGET} PRIVATE ${halobeat_links})

set(halobeat_package ${CMAKE_INSTALL_LIBDIR}/cmake/Halobeat)
install(TARGETS halobeat_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET halobeat_hdf5)
    install(TARGETS halobeat_hdf5 RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/halobeat)
endif()
if(HALOBEAT_MPI)
    install(PROGRAMS ${CMAKE_SOURCE_DIR}/tools/keep-going
            DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME halobeat-keep-going)
endif()
install(TARGETS halobeat_shared EXPORT HalobeatTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS halobeat_static EXPORT HalobeatStaticTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(kind "" Static)
    install(EXPORT Halobeat${kind}Targets NAMESPACE Halobeat:: DESTINATION ${halobeat_package})
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
