# The libraries that Halobeat is made of, from the lowest: halobeat-base and so on. A library uses those below it,
# and no other: tests/layers.sh looks at what files include, and the linker at what shared libraries use.
#
# base is a library of its own, since a thread's last message and the version are one for the process, whichever
# libraries it has. core makes ranks of threads, and loads halobeat_mpi where a launcher has started processes. image
# and files are folders of io: what one process reads and writes, and what all ranks write together.
set(HALOBEAT_LAYERS base partition image core kernels files app)
set(HALOBEAT_ABOUT_base "status and messages, memory, random numbers")
set(HALOBEAT_ABOUT_partition "who owns what, and plans for cuts that move")
set(HALOBEAT_ABOUT_image "formats of images, volumes and arrays")
set(HALOBEAT_ABOUT_core "ranks, fields, halos, beats, balancing")
set(HALOBEAT_ABOUT_kernels "algorithms on grids and images")
set(HALOBEAT_ABOUT_files "files that all ranks write together")
set(HALOBEAT_ABOUT_app "programs of one kernel")
# HALOBEAT_NEEDS_x: whose functions the headers of x lead to, which a program that uses x is linked with as well;
# HALOBEAT_USES_x: what else x uses; HALOBEAT_PACKAGES_x: packages that x uses.
set(HALOBEAT_NEEDS_base "")
set(HALOBEAT_NEEDS_partition base)
set(HALOBEAT_NEEDS_image base)
set(HALOBEAT_NEEDS_core base partition)
set(HALOBEAT_NEEDS_kernels base partition core)
set(HALOBEAT_NEEDS_files base partition image core)
set(HALOBEAT_NEEDS_app base partition core)
foreach(layer ${HALOBEAT_LAYERS})
    set(HALOBEAT_USES_${layer} "")
    set(HALOBEAT_PACKAGES_${layer} "")
endforeach()
set(HALOBEAT_USES_app image kernels files)
set(HALOBEAT_PACKAGES_base XXHASH)
set(HALOBEAT_PACKAGES_image PNG ZLIB JANSSON)
set(HALOBEAT_PACKAGES_core JANSSON XXHASH)
set(HALOBEAT_PACKAGES_kernels XXHASH)
set(HALOBEAT_PACKAGES_files ZLIB JANSSON)
set(HALOBEAT_PACKAGES_app JANSSON XXHASH)
if(ISAL_FOUND)
    list(APPEND HALOBEAT_PACKAGES_image ISAL)
endif()
set(HALOBEAT_TARGET_PNG PNG::PNG)
set(HALOBEAT_TARGET_ZLIB ZLIB::ZLIB)
foreach(package JANSSON XXHASH ISAL)
    set(HALOBEAT_TARGET_${package} PkgConfig::${package})
endforeach()

# halobeat_packages_of(VARIABLE LAYER): the targets of the packages that it uses, and of the system's libraries.
function(halobeat_packages_of variable layer)
    set(targets "")
    foreach(package ${HALOBEAT_PACKAGES_${layer}})
        list(APPEND targets ${HALOBEAT_TARGET_${package}})
    endforeach()
    set(${variable} ${targets} m ${CMAKE_DL_LIBS} PARENT_SCOPE)
endfunction()

# Includes and definitions for sources of all layers and for programs of this tree.
add_library(halobeat_sources INTERFACE)
target_include_directories(halobeat_sources INTERFACE
    ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
if(HALOBEAT_SIMGRID)
    # SimGrid's headers use types that glibc does not declare for C11 alone.
    target_compile_definitions(halobeat_sources INTERFACE HALOBEAT_SIMGRID=1 _DEFAULT_SOURCE=)
    target_compile_options(halobeat_sources INTERFACE -fPIC)
endif()

# Definitions say which libraries of formats there are. Without ISA-L files are read and written through zlib, more slowly; without
# the others their formats are refused, with a word about what is missing.
add_library(halobeat_formats INTERFACE)
foreach(library ISAL HDF5 ${HALOBEAT_LOADED_LIBRARIES})
    if(${library}_FOUND)
        target_compile_definitions(halobeat_formats INTERFACE HALOBEAT_${library}=1)
    endif()
endforeach()
foreach(library ${HALOBEAT_LOADED_LIBRARIES})
    if(${library}_FOUND)
        target_include_directories(halobeat_formats SYSTEM INTERFACE ${${library}_INCLUDE_DIRS})
        target_compile_options(halobeat_formats INTERFACE ${${library}_CFLAGS_OTHER})
    endif()
endforeach()

# One set of objects makes the shared library, the static one, the program and the tests. Nobody replaces a
# function of a shared one by another of the same name, so calls inside a source may be inlined as in a program.
function(halobeat_compile target)
    target_link_libraries(${target} PRIVATE ${ARGN} $<BUILD_INTERFACE:halobeat_options>)
    if(NOT HALOBEAT_SIMGRID)
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    endif()
endfunction()

# halobeat is all of them, as objects: the linker takes what a program of this tree needs.
add_library(halobeat STATIC)
set_target_properties(halobeat PROPERTIES LINKER_LANGUAGE C)
target_link_libraries(halobeat PUBLIC halobeat_sources)
foreach(layer ${HALOBEAT_LAYERS})
    halobeat_packages_of(packages ${layer})
    add_library(halobeat_${layer} OBJECT)
    halobeat_compile(halobeat_${layer} halobeat_sources halobeat_formats ${packages})
    target_sources(halobeat PRIVATE $<TARGET_OBJECTS:halobeat_${layer}>)
    target_link_libraries(halobeat PRIVATE ${packages})
endforeach()
