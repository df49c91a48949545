# halobeat-image.pc and so on, one for each library; halobeat.pc, all of them; and halobeat_mpi.pc (HALOBEAT_MPI_NAME) for programs that
# call MPI themselves. What only a static library needs of other packages stands in Libs.private, as flags, so that
# users of the shared one need none of these packages.

# The place of the file tells the place of the rest: the whole folder can be moved.
file(RELATIVE_PATH HALOBEAT_PC_UP /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
string(REGEX REPLACE "/$" "" HALOBEAT_PC_UP "${HALOBEAT_PC_UP}")

# halobeat_pc_requires(VARIABLE LAYER...): these libraries, in this very version, from the highest.
function(halobeat_pc_requires variable)
    list(REVERSE ARGN)
    list(TRANSFORM ARGN REPLACE "(.+)" "halobeat-\\1 = ${PROJECT_VERSION}")
    list(JOIN ARGN ", " text)
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# halobeat_pc_flag(VARIABLE LIBRARY): -lNAME for one in a folder where the linker looks by itself, so that the file
# names no folder of this machine; otherwise its path.
function(halobeat_pc_flag variable library)
    get_filename_component(folder "${library}" DIRECTORY)
    get_filename_component(name "${library}" NAME)
    if(folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES AND name MATCHES "^lib(.+)\\.(so|a)$")
        set(library -l${CMAKE_MATCH_1})
    endif()
    set(${variable} "${library}" PARENT_SCOPE)
endfunction()

halobeat_pc_flag(HALOBEAT_PC_FLAGS_PNG "${PNG_LIBRARY_RELEASE}")
halobeat_pc_flag(HALOBEAT_PC_FLAGS_ZLIB "${ZLIB_LIBRARY_RELEASE}")
foreach(package JANSSON XXHASH ISAL)
    if(${package}_FOUND)
        list(GET ${package}_LINK_LIBRARIES 0 library)
        halobeat_pc_flag(HALOBEAT_PC_FLAGS_${package} "${library}")
    endif()
endforeach()
set(halobeat_files "")
foreach(layer ${HALOBEAT_LAYERS})
    halobeat_pc_requires(HALOBEAT_PC_REQUIRES ${HALOBEAT_NEEDS_${layer}})
    halobeat_pc_requires(HALOBEAT_PC_REQUIRES_PRIVATE ${HALOBEAT_USES_${layer}})
    set(HALOBEAT_ABOUT "${HALOBEAT_ABOUT_${layer}}")
    set(HALOBEAT_PC_PRIVATE "")
    if(layer STREQUAL "core") # which loads halobeat_mpi, if there is need
        string(APPEND HALOBEAT_PC_PRIVATE " -Wl,--dynamic-list=\${libdir}/halobeat/exports.list")
    endif()
    foreach(package ${HALOBEAT_PACKAGES_${layer}})
        string(APPEND HALOBEAT_PC_PRIVATE " ${HALOBEAT_PC_FLAGS_${package}}")
    endforeach()
    foreach(library ${CMAKE_DL_LIBS} m)
        string(APPEND HALOBEAT_PC_PRIVATE " -l${library}")
    endforeach()
    configure_file(${CMAKE_CURRENT_LIST_DIR}/layer.pc.in ${PROJECT_BINARY_DIR}/halobeat-${layer}.pc @ONLY)
    list(APPEND halobeat_files ${PROJECT_BINARY_DIR}/halobeat-${layer}.pc)
endforeach()
halobeat_pc_requires(HALOBEAT_PC_REQUIRES ${HALOBEAT_LAYERS})
configure_file(${CMAKE_CURRENT_LIST_DIR}/halobeat.pc.in ${PROJECT_BINARY_DIR}/halobeat.pc @ONLY)
list(APPEND halobeat_files ${PROJECT_BINARY_DIR}/halobeat.pc)

# Flags that MPI's own compiler adds, as CMake found them.
if(HALOBEAT_MPI)
    set(HALOBEAT_PC_MPI_CFLAGS "")
    foreach(folder ${MPI_C_INCLUDE_DIRS})
        string(APPEND HALOBEAT_PC_MPI_CFLAGS " -I${folder}")
    endforeach()
    list(JOIN MPI_C_COMPILE_DEFINITIONS " -D" halobeat_definitions)
    if(halobeat_definitions)
        string(APPEND HALOBEAT_PC_MPI_CFLAGS " -D${halobeat_definitions}")
    endif()
    set(HALOBEAT_PC_MPI_LIBS "")
    foreach(library ${MPI_C_LIBRARIES})
        halobeat_pc_flag(flag ${library})
        string(APPEND HALOBEAT_PC_MPI_LIBS " ${flag}")
    endforeach()
    if(HALOBEAT_COVER_MPI)
        string(APPEND HALOBEAT_PC_MPI_LIBS " --coverage")
    endif()
    configure_file(${CMAKE_CURRENT_LIST_DIR}/halobeat_mpi.pc.in
        ${PROJECT_BINARY_DIR}/halobeat_${HALOBEAT_MPI_NAME}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/halobeat_${HALOBEAT_MPI_NAME}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT mpi_development)
endif()
install(FILES ${halobeat_files} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
