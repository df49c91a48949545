# Lists what the libraries show: names in public headers, outside of comments, and those by which
# libhalobeat_mpi, which may be loaded by a program, and libhalobeat find each other.
#
# Runs when libraries are linked. Given: what public_headers.cmake is given, and HALOBEAT_NM,
# HALOBEAT_MPI_ARCHIVE (empty without MPI) and HALOBEAT_SHOWN, the file to write the names to, one a line;
# HALOBEAT_SHOWN.map is the same for linkers.

cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake)

file(GLOB headers "${HALOBEAT_GATHERED}/halobeat/*.h")
execute_process(COMMAND awk "BEGIN { RS = \"[*]/\" } { sub(/\\/[*].*/, \" \"); print }" ${headers}
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "halo_[a-z0-9_]+" names "${text}")
if(HALOBEAT_MPI_ARCHIVE)
    execute_process(COMMAND ${HALOBEAT_NM} --undefined-only ${HALOBEAT_MPI_ARCHIVE}
        OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "halo_[a-z0-9_]+" used "${text}")
    execute_process(COMMAND ${HALOBEAT_NM} --extern-only --defined-only ${HALOBEAT_MPI_ARCHIVE}
        OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "halo_[a-z0-9_]+" own "${text}")
    list(REMOVE_ITEM used ${own}) # of one object, and defined in another
    list(APPEND names ${used} halo_mpi_processes)
endif()
list(SORT names)
list(REMOVE_DUPLICATES names)

list(JOIN names "\n" lines)
list(JOIN names ";\n        " globals)
file(WRITE "${HALOBEAT_SHOWN}" "${lines}\n")
file(WRITE "${HALOBEAT_SHOWN}.map" "{\n    global:\n        ${globals};\n    local: *;\n};\n")
