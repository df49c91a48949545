# HALOBEAT_COVER_MPI: the transport over MPI counts how often each of its lines runs, for tests/mpi/covered.py.
# Without optimisation, which would count lines together, and so without the checks of glibc that need it.
if(NOT HALOBEAT_COVER_MPI)
    return()
endif()
target_compile_options(halobeat_mpi PRIVATE --coverage -fprofile-update=atomic -O0 -U_FORTIFY_SOURCE)
foreach(library halobeat_mpi halobeat_mpi_static halobeat_mpi_shared)
    target_link_options(${library} PUBLIC --coverage)
endforeach()
