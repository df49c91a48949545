# Instruction set architectures (ISAs) that files are compiled for besides what every processor of
# its kind runs; src/base/isa.h has the same list. Each has the features of those before it, which
# serve twice: as flags of the compiler, and as what base/isa.c asks of the processor.
set(HALOBEAT_ISA_NAMES SSE2 AVX2 AVX512 AVX512_BITS)
set(HALOBEAT_ISA_SSE2 sse2)
set(HALOBEAT_ISA_AVX2 ${HALOBEAT_ISA_SSE2} avx2 bmi bmi2 popcnt)
set(HALOBEAT_ISA_AVX512 ${HALOBEAT_ISA_AVX2} avx512f avx512bw avx512dq avx512vl)
set(HALOBEAT_ISA_AVX512_BITS ${HALOBEAT_ISA_AVX512}
    avx512vbmi avx512vbmi2 avx512bitalg avx512vpopcntdq)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(HALOBEAT_X86 TRUE)
    target_compile_definitions(halobeat_options INTERFACE HALOBEAT_X86=1)
endif()

# generated/base/isa_features.h: #define HALO_ISA_FEATURES_AVX2(X) X(sse2) X(avx2) ...
set(HALOBEAT_ISA_FEATURES "#define HALO_ISA_FEATURES_PLAIN(X)\n")
foreach(isa ${HALOBEAT_ISA_NAMES})
    list(TRANSFORM HALOBEAT_ISA_${isa} REPLACE "(.+)" "X(\\1)" OUTPUT_VARIABLE features)
    list(JOIN features " " features)
    string(APPEND HALOBEAT_ISA_FEATURES "#define HALO_ISA_FEATURES_${isa}(X) ${features}\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/base/isa_features.h
     CONTENT "/* Made by cmake/isa.cmake. */\n${HALOBEAT_ISA_FEATURES}" @ONLY)

# Loops over vectors are unrolled so far that one file took minutes with these checks of sanitizers, which a
# wrong address does not pass either, and half a minute where Clang writes out the check of each address.
set(HALOBEAT_ISA_SANITIZED -fno-sanitize=null,alignment,object-size,pointer-overflow)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    list(APPEND HALOBEAT_ISA_SANITIZED -mllvm -asan-instrumentation-with-call-threshold=0)
endif()

# halobeat_isa_sources(TARGET [SANITIZED] [PLAIN FILE...] [SSE2 FILE...] [AVX2 FILE...] ... [FLAGS FLAG...])
#
# Adds files to a target, each with the flags of its ISA and with FLAGS. Those of an ISA that
# processors of this kind do not have are left out. SANITIZED: the target has sanitizers of its own.
function(halobeat_isa_sources target)
    cmake_parse_arguments(PARSE_ARGV 1 isa "SANITIZED" "" "PLAIN;${HALOBEAT_ISA_NAMES};FLAGS")
    if(isa_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "halobeat_isa_sources: no ISA for ${isa_UNPARSED_ARGUMENTS}")
    endif()
    if(HALOBEAT_SANITIZE OR isa_SANITIZED)
        list(APPEND isa_FLAGS ${HALOBEAT_ISA_SANITIZED})
    endif()
    set(names PLAIN)
    if(HALOBEAT_X86)
        list(APPEND names ${HALOBEAT_ISA_NAMES})
    endif()
    foreach(name ${names})
        if(isa_${name})
            list(TRANSFORM HALOBEAT_ISA_${name} PREPEND -m OUTPUT_VARIABLE flags)
            target_sources(${target} PRIVATE ${isa_${name}})
            set_property(SOURCE ${isa_${name}} TARGET_DIRECTORY ${target}
                         APPEND PROPERTY COMPILE_OPTIONS ${flags} ${isa_FLAGS})
        endif()
    endforeach()
endfunction()

# halobeat_isa_body(TARGET NAME_body.h [FLAGS FLAG...])
#
# Compiles a body once for each width of vectors, from generated sources NAME_plain.c, NAME_avx2.c
# and NAME_avx512.c. They define HALO_ISA_OPS(ops), the name of the ISA's table of functions
# (ops_plain and so on), and HALO_ISA_BYTES, the bytes of its vectors.
function(halobeat_isa_body target body)
    cmake_parse_arguments(PARSE_ARGV 2 isa "" "" "FLAGS")
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${body})
    set(bytes 16)
    foreach(name PLAIN AVX2 AVX512)
        string(TOLOWER ${name} suffix)
        string(REPLACE body.h ${suffix}.c file ${CMAKE_CURRENT_BINARY_DIR}/${body})
        file(CONFIGURE OUTPUT ${file} @ONLY CONTENT "/* Made by cmake/isa.cmake. */
#define HALO_ISA_OPS(ops) ops##_@suffix@
#define HALO_ISA_BYTES    @bytes@
#include \"@path@\"
")
        halobeat_isa_sources(${target} ${name} ${file} FLAGS ${isa_FLAGS})
        math(EXPR bytes "2 * ${bytes}")
    endforeach()
endfunction()

# halobeat_without_contraction(TARGET FILE...): in these files a multiplication and an addition are
# rounded one after the other, whatever the processor offers.
function(halobeat_without_contraction target)
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target}
                 APPEND PROPERTY COMPILE_OPTIONS -ffp-contract=off)
endfunction()
