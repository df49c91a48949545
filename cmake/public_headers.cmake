# Gathers what is public: src/halobeat.h, what it includes, and what that includes in turn.
# Includes of "core/field/field.h", which work from the top of the tree, become <halobeat/core/field.h>.
#
# Runs when Halobeat is installed or documented. Given: HALOBEAT_SOURCE, HALOBEAT_GENERATED, and
# HALOBEAT_GATHERED, where a folder halobeat is made anew.

cmake_policy(VERSION 3.25)

file(REMOVE_RECURSE "${HALOBEAT_GATHERED}")
set(waiting halobeat.h)
set(known halobeat.h)
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
    if(name MATCHES "_parts\\.h$")
        message(FATAL_ERROR "A public header includes the internal one ${name}")
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
    string(REGEX REPLACE "#include \"([^\"]+)\"" "#include <halobeat/\\1>" text "${text}")
    file(WRITE "${HALOBEAT_GATHERED}/halobeat/${name}" "${text}")
endwhile()
