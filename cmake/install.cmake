# `cmake --install` installs headers, static and shared libraries, program, man page, completion,
# CMake package, pkg-config files. Components are what packages of a distribution have one by one: program,
# libraries, development; and of the library for MPI, of which there may be one for each MPI, mpi and
# mpi_development.
include(CMakePackageConfigHelpers)

# Names that libraries export, in the shared ones and in the archives; and public headers as they are installed, for
# projects that have this one as a subdirectory.
set(halobeat_names ${PROJECT_BINARY_DIR}/exports/names)
set(halobeat_headers ${PROJECT_BINARY_DIR}/exports/headers)
file(MAKE_DIRECTORY ${halobeat_headers})
add_custom_command(OUTPUT ${halobeat_names} ${halobeat_names}.map
    COMMAND ${CMAKE_COMMAND} -D HALOBEAT_SOURCE=${PROJECT_SOURCE_DIR}
            -D HALOBEAT_GENERATED=${PROJECT_BINARY_DIR}/generated
            -D HALOBEAT_GATHERED=${halobeat_headers}
            -D HALOBEAT_MPI=${HALOBEAT_MPI}
            -D HALOBEAT_INTERFACE=${HALOBEAT_INTERFACE} -D HALOBEAT_VERSION=${PROJECT_VERSION}
            -D HALOBEAT_SHOWN=${halobeat_names}
            -P ${CMAKE_CURRENT_LIST_DIR}/exports.cmake
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/exports.cmake ${CMAKE_CURRENT_LIST_DIR}/exports.awk
            ${CMAKE_CURRENT_LIST_DIR}/layer_of.awk
            ${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake ${PROJECT_SOURCE_DIR}/src/halobeat.h
            ${PROJECT_BINARY_DIR}/generated/base/version.h
    DEPFILE ${halobeat_names}.d
    COMMENT "Listing the names of the interface"
    VERBATIM)
add_custom_target(halobeat_names DEPENDS ${halobeat_names} ${halobeat_names}.map)

# halobeat_shared_library(NAME FILE): NAME_shared, lib${FILE}.so, of the objects of NAME.
function(halobeat_shared_library name file)
    add_library(${name}_shared SHARED $<TARGET_OBJECTS:${name}>)
    set_target_properties(${name}_shared PROPERTIES
        OUTPUT_NAME ${file}
        VERSION ${PROJECT_VERSION}
        SOVERSION ${HALOBEAT_INTERFACE}
        LINKER_LANGUAGE C
        INSTALL_RPATH_USE_LINK_PATH ON
        LINK_DEPENDS ${halobeat_names}.map)
    add_dependencies(${name}_shared halobeat_names)
    target_link_options(${name}_shared PRIVATE
        -Wl,--version-script=${halobeat_names}.map -Wl,-Bsymbolic-functions -Wl,--as-needed
        ${HALOBEAT_HARDENED_LINK}
        $<$<BOOL:${HALOBEAT_SANITIZE}>:-fsanitize=${HALOBEAT_SANITIZERS}>)
    target_include_directories(${name}_shared INTERFACE $<BUILD_INTERFACE:${halobeat_headers}>)
endfunction()

# halobeat_static_library(NAME FILE): NAME_static, lib${FILE}.a.
#
# An archive of many objects shows every name that one of them uses of another, and a stranger's
# program may have a global of the same name. The installed archive is one object, in which all but
# what it exports is local. Analysers keep the many: their tables name globals.
function(halobeat_static_library name file)
    if(HALOBEAT_SANITIZE)
        set(objects $<TARGET_OBJECTS:${name}>)
    else()
        set(objects ${PROJECT_BINARY_DIR}/static/${file}.o)
        add_custom_command(OUTPUT ${objects}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/static
            COMMAND ${CMAKE_LINKER} -r -o ${objects} $<TARGET_OBJECTS:${name}>
            COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${halobeat_names} ${objects}
            DEPENDS $<TARGET_OBJECTS:${name}> ${halobeat_names}
            COMMENT "Making all but the interface local: lib${file}.a"
            COMMAND_EXPAND_LISTS
            VERBATIM)
    endif()
    add_library(${name}_static STATIC ${objects})
    set_target_properties(${name}_static PROPERTIES
        OUTPUT_NAME ${file}
        ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/static
        LINKER_LANGUAGE C)
    add_dependencies(${name}_static halobeat_names)
    target_include_directories(${name}_static INTERFACE $<BUILD_INTERFACE:${halobeat_headers}>)
endfunction()

# Halobeat::x and Halobeat::x_static of every layer x; Halobeat::halobeat and Halobeat::static are all of them. They
# have these names in projects that have this one as a subdirectory, too.
function(halobeat_export target name)
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    add_library(Halobeat::${name} ALIAS ${target})
endfunction()
set(halobeat_shown ${CMAKE_INSTALL_LIBDIR}/halobeat)
add_library(halobeat_all_shared INTERFACE)
add_library(halobeat_all_static INTERFACE)
foreach(layer ${HALOBEAT_LAYERS})
    set(needs ${HALOBEAT_NEEDS_${layer}})
    set(uses ${HALOBEAT_USES_${layer}})
    halobeat_packages_of(packages ${layer})
    set(name halobeat_${layer})
    halobeat_shared_library(${name} halobeat-${layer})
    halobeat_static_library(${name} halobeat-${layer})
    # They stand side by side, and find each other there.
    set_target_properties(${name}_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
    if(NOT HALOBEAT_SANITIZE) # whose functions are in programs
        target_link_options(${name}_shared PRIVATE -Wl,-z,defs)
    endif()
    foreach(kind shared static)
        list(TRANSFORM needs REPLACE "(.+)" "halobeat_\\1_${kind}" OUTPUT_VARIABLE public)
        list(TRANSFORM uses REPLACE "(.+)" "halobeat_\\1_${kind}" OUTPUT_VARIABLE private)
        target_link_libraries(${name}_${kind} PUBLIC ${public} PRIVATE ${private} ${packages})
        target_link_libraries(halobeat_all_${kind} INTERFACE ${name}_${kind})
    endforeach()
    halobeat_export(${name}_shared ${layer})
    halobeat_export(${name}_static ${layer}_static)
    list(APPEND halobeat_shared_exports ${name}_shared)
    list(APPEND halobeat_static_exports ${name}_static)
endforeach()
# halobeat_mpi, if it is loaded, calls functions of the program that has the archive.
install(FILES ${CMAKE_CURRENT_LIST_DIR}/exports.list DESTINATION ${halobeat_shown} COMPONENT development)
target_link_options(halobeat_core_static INTERFACE
    $<BUILD_INTERFACE:-Wl,--dynamic-list=${CMAKE_CURRENT_LIST_DIR}/exports.list>
    $<INSTALL_INTERFACE:-Wl,--dynamic-list=$<INSTALL_PREFIX>/${halobeat_shown}/exports.list>)
halobeat_export(halobeat_all_shared halobeat)
halobeat_export(halobeat_all_static static)
set_target_properties(halobeat_program PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
set(halobeat_exports ${halobeat_shared_exports} ${halobeat_static_exports})

# The library that calls MPI, for programs that do, and to be loaded by all others, stands in the folder of
# libraries beside that of the program. It finds the rest in the process, and needs no other library of these: a
# program with static libraries has them already.
if(HALOBEAT_MPI)
    set(halobeat_mpi halobeat_${HALOBEAT_MPI_NAME})
    halobeat_shared_library(halobeat_mpi ${halobeat_mpi})
    halobeat_static_library(halobeat_mpi ${halobeat_mpi})
    halobeat_export(halobeat_mpi_shared mpi)
    halobeat_export(halobeat_mpi_static mpi_static)
    set_target_properties(halobeat_mpi_shared PROPERTIES
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR})
    target_link_libraries(halobeat_mpi_shared
        PUBLIC MPI::MPI_C INTERFACE halobeat_all_shared PRIVATE PkgConfig::XXHASH)
    target_link_libraries(halobeat_mpi_static
        PUBLIC MPI::MPI_C INTERFACE halobeat_all_static PRIVATE PkgConfig::XXHASH)
    target_link_options(halobeat_mpi_static INTERFACE LINKER:-u,halo_mpi_processes)
    add_dependencies(halobeat_program halobeat_mpi_shared)
    list(APPEND halobeat_exports halobeat_mpi_shared halobeat_mpi_static)
endif()

set(halobeat_package ${CMAKE_INSTALL_LIBDIR}/cmake/Halobeat)
install(TARGETS halobeat_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
if(TARGET halobeat_hdf5)
    install(TARGETS halobeat_hdf5 RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/halobeat COMPONENT program)
endif()
if(HALOBEAT_MPI)
    install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/keep-going
            DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME halobeat-keep-going COMPONENT program)
endif()
# A file of targets for shared libraries, one for static ones, and so on: who uses one kind needs nothing of another.
# halobeat_install_targets(FILE LIBRARIES DEVELOPMENT TARGET...): the components of shared libraries and of the rest.
function(halobeat_install_targets file libraries development)
    install(TARGETS ${ARGN} EXPORT ${file}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${libraries} NAMELINK_COMPONENT ${development}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${development}
            INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT ${file} NAMESPACE Halobeat:: DESTINATION ${halobeat_package} COMPONENT ${development})
endfunction()
halobeat_install_targets(Halobeat_shared libraries development ${halobeat_shared_exports} halobeat_all_shared)
halobeat_install_targets(Halobeat_static libraries development ${halobeat_static_exports} halobeat_all_static)
if(HALOBEAT_MPI)
    halobeat_install_targets(Halobeat_${HALOBEAT_MPI_NAME} mpi mpi_development halobeat_mpi_shared)
    halobeat_install_targets(Halobeat_${HALOBEAT_MPI_NAME}_static mpi mpi_development halobeat_mpi_static)
    # Whole paths, of names that were looked for in $PATH.
    find_program(HALOBEAT_MPI_COMPILER NAMES ${MPI_C_COMPILER})
    find_program(HALOBEAT_MPIEXEC NAMES ${MPIEXEC_EXECUTABLE})
    mark_as_advanced(HALOBEAT_MPI_COMPILER HALOBEAT_MPIEXEC)
    set(HALOBEAT_OPEN_MPI OFF)
    foreach(folder ${MPI_C_INCLUDE_DIRS})
        if(EXISTS ${folder}/mpi.h)
            file(STRINGS ${folder}/mpi.h found REGEX "^#define OPEN_MPI")
            if(found)
                set(HALOBEAT_OPEN_MPI ON)
            endif()
        endif()
    endforeach()
    configure_file(${CMAKE_CURRENT_LIST_DIR}/Halobeat_built_with.cmake.in
        ${PROJECT_BINARY_DIR}/Halobeat_${HALOBEAT_MPI_NAME}_built_with.cmake @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/Halobeat_${HALOBEAT_MPI_NAME}_built_with.cmake
            DESTINATION ${halobeat_package} COMPONENT mpi_development)
endif()
# For the configuration: what a library and those below it need, by the names that are looked for.
set(HALOBEAT_PACKAGE_PNG PNG)
set(HALOBEAT_PACKAGE_ZLIB ZLIB)
set(HALOBEAT_PACKAGE_JANSSON jansson)
set(HALOBEAT_PACKAGE_XXHASH libxxhash)
set(HALOBEAT_PACKAGE_ISAL libisal)
set(HALOBEAT_PACKAGES_OF_LAYERS "")
foreach(layer ${HALOBEAT_LAYERS})
    set(text "set(Halobeat_packages_of_${layer}")
    foreach(other ${layer} ${HALOBEAT_NEEDS_${layer}} ${HALOBEAT_USES_${layer}})
        foreach(package ${HALOBEAT_PACKAGES_${other}})
            string(APPEND text " ${HALOBEAT_PACKAGE_${package}}")
        endforeach()
    endforeach()
    string(APPEND HALOBEAT_PACKAGES_OF_LAYERS "${text})\n")
endforeach()
list(JOIN HALOBEAT_LAYERS " " HALOBEAT_LAYERS_IN_WORDS)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/HalobeatConfig.cmake.in
    ${PROJECT_BINARY_DIR}/HalobeatConfig.cmake INSTALL_DESTINATION ${halobeat_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/HalobeatConfigVersion.cmake
    COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/HalobeatConfig.cmake
              ${PROJECT_BINARY_DIR}/HalobeatConfigVersion.cmake
        DESTINATION ${halobeat_package} COMPONENT development)

install(CODE "
    set(HALOBEAT_SOURCE [[${PROJECT_SOURCE_DIR}]])
    set(HALOBEAT_GENERATED [[${PROJECT_BINARY_DIR}/generated]])
    set(HALOBEAT_GATHERED [[${PROJECT_BINARY_DIR}/install-headers]])
    set(HALOBEAT_MPI [[${HALOBEAT_MPI}]])
    include([[${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake]])
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\"
         TYPE DIRECTORY FILES \"\${HALOBEAT_GATHERED}/halobeat\")"
    COMPONENT development)

include(${CMAKE_CURRENT_LIST_DIR}/pkgconfig.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/manual.cmake)
