# Gathers what is public: src/halobeat.h, what it includes, and what that includes in turn. Installed
# headers stand side by side, whatever folder they come from, so that moving a file breaks no user:
# "core/field/field.h", a path from the top of the tree, becomes <halobeat/field.h>, in comments field.h.
#
# Runs when Halobeat is installed or documented. Given: HALOBEAT_SOURCE, HALOBEAT_GENERATED, HALOBEAT_MPI,
# and HALOBEAT_GATHERED, where the folder halobeat is made. A header in it that has not changed is left alone, so that
# nobody compiles anew what includes it.

cmake_policy(VERSION 3.25)

file(GLOB obsolete "${HALOBEAT_GATHERED}/halobeat/*.h")
set(gathered "")
set(waiting halobeat.h)
if(HALOBEAT_MPI) # programs that start MPI by themselves include it besides
    list(APPEND waiting core/transport/mpi/world_mpi.h)
endif()
set(known ${waiting})
while(waiting)
    list(POP_FRONT waiting name)
    unset(found)
    foreach(folder ${HALOBEAT_SOURCE} ${HALOBEAT_SOURCE}/src ${HALOBEAT_GENERATED})
        if(EXISTS "${folder}/${name}")
            set(found "${folder}/${name}")
            break()
        endif()
    endforeach()
    if(NOT DEFINED found)
        message(FATAL_ERROR "A public header includes \"${name}\", which is nowhere to be found")
    endif()
    # Internal names in a public header are a mistake to be noticed here, not by users.
    if(name MATCHES "_internal\\.h$")
        message(FATAL_ERROR "A public header includes the internal one ${name}")
    endif()
    cmake_path(GET name FILENAME flat)
    if(flat IN_LIST gathered)
        message(FATAL_ERROR "Two public headers are called ${flat}, one of them ${name}")
    endif()
    file(READ "${found}" text)
    string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
    foreach(include IN LISTS includes)
        string(REGEX REPLACE "#include \"([^\"]+)\"" "\\1" include "${include}")
        if(NOT include IN_LIST known)
            list(APPEND known "${include}")
            list(APPEND waiting "${include}")
        endif()
    endforeach()
    string(REGEX REPLACE "#include \"([^\"]*/)?([^/\"]+)\"" "#include <halobeat/\\2>" text "${text}")
    string(REGEX REPLACE "(base|core|partition|app|io|kernels)/([a-z_]+/)*([a-z_]+\\.h)" "\\3"
           text "${text}")
    list(APPEND gathered ${flat})
    set(path "${HALOBEAT_GATHERED}/halobeat/${flat}")
    list(REMOVE_ITEM obsolete "${path}")
    set(there "")
    if(EXISTS "${path}")
        file(READ "${path}" there)
    endif()
    if(NOT there STREQUAL text)
        file(WRITE "${path}" "${text}")
    endif()
endwhile()
if(obsolete)
    file(REMOVE ${obsolete})
endif()
