# halobeat.pc, and halobeat_mpi.pc for programs that call MPI themselves. What only the static library needs
# stands in Libs.private, as flags, so that users of the shared one need none of these packages.

set(HALOBEAT_PC_PRIVATE "")
foreach(package JANSSON XXHASH ISAL)
    if(${package}_FOUND)
        list(JOIN ${package}_LDFLAGS " " flags)
        string(APPEND HALOBEAT_PC_PRIVATE " ${flags}")
    endif()
endforeach()
foreach(library ${CMAKE_DL_LIBS})
    string(APPEND HALOBEAT_PC_PRIVATE " -l${library}")
endforeach()
string(APPEND HALOBEAT_PC_PRIVATE " ${PNG_LIBRARY_RELEASE} ${ZLIB_LIBRARY_RELEASE} -lm")

# Where the file lies tells where the rest is: the whole folder can be moved.
file(RELATIVE_PATH HALOBEAT_PC_UP /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
string(REGEX REPLACE "/$" "" HALOBEAT_PC_UP "${HALOBEAT_PC_UP}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/halobeat.pc.in ${CMAKE_BINARY_DIR}/halobeat.pc @ONLY)
set(halobeat_files ${CMAKE_BINARY_DIR}/halobeat.pc)

# What MPI's own compiler adds, as CMake found it.
if(HALOBEAT_MPI)
    set(HALOBEAT_PC_MPI_CFLAGS "")
    foreach(folder ${MPI_C_INCLUDE_DIRS})
        string(APPEND HALOBEAT_PC_MPI_CFLAGS " -I${folder}")
    endforeach()
    list(JOIN MPI_C_COMPILE_DEFINITIONS " -D" halobeat_definitions)
    if(halobeat_definitions)
        string(APPEND HALOBEAT_PC_MPI_CFLAGS " -D${halobeat_definitions}")
    endif()
    list(JOIN MPI_C_LIBRARIES " " libraries)
    set(HALOBEAT_PC_MPI_LIBS " ${libraries}")
    configure_file(${CMAKE_CURRENT_LIST_DIR}/halobeat_mpi.pc.in ${CMAKE_BINARY_DIR}/halobeat_mpi.pc @ONLY)
    list(APPEND halobeat_files ${CMAKE_BINARY_DIR}/halobeat_mpi.pc)
endif()
install(FILES ${halobeat_files} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
