# Lists what the libraries show. Public are names in public headers, outside of comments; private are those by which
# the libraries find each other, and the extension of Python finds them. A program that uses a private one is linked with libraries of this very build:
# they have a version of their own in shared libraries.
#
# Runs when libraries are linked. Given: what public_headers.cmake is given, HALOBEAT_INTERFACE and
# HALOBEAT_VERSION ("1", "1.0.0"), and HALOBEAT_SHOWN, the file to write the names to, one a line;
# HALOBEAT_SHOWN.map is the same for linkers, and HALOBEAT_SHOWN.d names the files that were read.

cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake)

file(GLOB headers "${HALOBEAT_GATHERED}/halobeat/*.h")
execute_process(COMMAND awk "BEGIN { RS = \"[*]/\" } { sub(/\\/[*].*/, \" \"); print }" ${headers}
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "halo_[a-z0-9_]+" public "${text}")
list(REMOVE_DUPLICATES public)
list(SORT public)

set(files "")
foreach(folder partition io kernels python src/base src/core src/app)
    file(GLOB_RECURSE found RELATIVE "${HALOBEAT_SOURCE}"
        "${HALOBEAT_SOURCE}/${folder}/*.c" "${HALOBEAT_SOURCE}/${folder}/*.h")
    list(APPEND files ${found})
endforeach()
list(FILTER files EXCLUDE REGEX "^io/hdf5/") # a program
if(NOT HALOBEAT_MPI)
    list(FILTER files EXCLUDE REGEX "^src/core/transport/mpi/")
endif()
execute_process(COMMAND awk -f ${CMAKE_CURRENT_LIST_DIR}/layer_of.awk -f ${CMAKE_CURRENT_LIST_DIR}/exports.awk ${files}
    WORKING_DIRECTORY "${HALOBEAT_SOURCE}"
    OUTPUT_VARIABLE private COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" private "${private}")
list(REMOVE_ITEM private ${public})
list(SORT private)

set(names ${public} ${private})
list(JOIN names "\n" lines)
file(WRITE "${HALOBEAT_SHOWN}" "${lines}\n")
list(JOIN public ";\n        " public)
list(JOIN private ";\n        " private)
file(WRITE "${HALOBEAT_SHOWN}.map" "HALOBEAT_${HALOBEAT_INTERFACE} {
    global:
        ${public};
    local:
        *;
};

HALOBEAT_PRIVATE_${HALOBEAT_VERSION} {
    global:
        ${private};
};
")
list(TRANSFORM files PREPEND "${HALOBEAT_SOURCE}/")
list(JOIN files " \\\n    " files)
file(WRITE "${HALOBEAT_SHOWN}.d" "${HALOBEAT_SHOWN}: \\\n    ${files}\n")
