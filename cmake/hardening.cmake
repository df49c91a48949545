# These flags make an error in memory end a program before a hostile file can take it over. Sanitizers
# find more, and stay as they are; SimGrid loads the program as a shared object. tests/install/hardened.sh
# looks at what was built.
if(HALOBEAT_SANITIZE OR HALOBEAT_SIMGRID)
    return()
endif()
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

set(HALOBEAT_HARDENED "")
foreach(flag -fstack-protector-strong -fstack-clash-protection)
    string(MAKE_C_IDENTIFIER "HALOBEAT_HAS${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
        list(APPEND HALOBEAT_HARDENED ${flag})
    endif()
endforeach()
target_compile_options(halobeat_options INTERFACE ${HALOBEAT_HARDENED}
    # glibc checks sizes in optimised code only; some compilers define it by themselves.
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
set(HALOBEAT_HARDENED_LINK "") # what is linked without these options takes it by itself
foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
    string(MAKE_C_IDENTIFIER "HALOBEAT_HAS${flag}" known)
    check_linker_flag(C ${flag} ${known})
    if(${known})
        list(APPEND HALOBEAT_HARDENED_LINK ${flag})
    endif()
endforeach()
target_link_options(halobeat_options INTERFACE ${HALOBEAT_HARDENED_LINK})
