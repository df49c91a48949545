#include "core/transport/mpi/mpi_internal.h"

#include "base/option.h"
#include "core/world/handshake.h"
#include "core/world/world_internal.h"

/* Numbers of which the ranks find the minimum: what each knows by itself, and the handshake's. */
enum { HAS_MEMORY, HAS_OPTIONS, OF_HANDSHAKE, ENTRIES = OF_HANDSHAKE + HALO_HANDSHAKE_ENTRIES };

/* Collective over world->end, whose policy is not known yet. Do all ranks have memory for a world,
 * which until now nothing but MPI itself can tell; do all know the options (`taken`); do they run
 * the same library? */
static halo_status agree_first(halo_world *world, MPI_Comm comm, halo_status taken, bool program)
{
    uint64_t entries[ENTRIES] = {[HAS_MEMORY] = world != NULL, [HAS_OPTIONS] = taken == HALO_OK};
#ifdef HALOBEAT_SIMGRID /* all ranks are copies of one program */
    (void)program;
    HALO_TRY(halo_mpi_min(entries, OF_HANDSHAKE, comm));
#else
    halo_handshake_offer(&halo_transport_mpi, entries + OF_HANDSHAKE, program);
    HALO_TRY(halo_mpi_min(entries, ENTRIES, comm));
#endif
    HALO_TRY(taken);
    HALO_FAIL_IF(world == NULL || entries[HAS_MEMORY] == 0, HALO_MEMORY,
                 "out of memory: a world, on some rank");
    HALO_FAIL_IF(entries[HAS_OPTIONS] == 0, HALO_ARGUMENT,
                 "another rank sets options of a world that its Halobeat does not know; run the "
                 "same build on all ranks");
    halo_mpi_fill_end((mpi_end *)world->end, comm, false);
    world->policy = WAIT_sleep;
#ifdef HALOBEAT_SIMGRID
    return HALO_OK;
#else
    return halo_handshake_check(world, entries + OF_HANDSHAKE, program);
#endif
}

static halo_status check_mpi(void)
{
    int started = 0;
    HALO_TRY(halo_mpi_check_library());
    MPI_Initialized(&started);
    HALO_FAIL_IF(!started, HALO_ARGUMENT,
                 "%s is not started in this process; call MPI_Init before a world is made of a "
                 "communicator, which must be one of this MPI",
                 HALO_MPI_NAME);
    return HALO_OK;
}

halo_status halo_mpi_create_world(halo_world **out, MPI_Comm comm, const halo_world_options *given,
                                  size_t given_bytes, bool program)
{
    MPI_Comm own;
    halo_world *world = NULL;
    halo_world_options options;
    *out = NULL;
    HALO_TRY(check_mpi());
    HALO_TRY(halo_mpi_dup(&own, comm));
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_world_options");
    (void)halo_world_allocate(&world, &halo_transport_mpi);
    status = agree_first(world, own, status, program);
    if (status == HALO_OK) {
        status = halo_world_begin(world, NULL, &options);
    } else if (world == NULL || world->end->ranks == 0) {
        MPI_Comm_free(&own);
    }
    if (status != HALO_OK) {
        halo_world_destroy(&world);
    }
    *out = world;
    return status;
}

halo_status halo_world_create_mpi_sized(halo_world **out, MPI_Comm comm,
                                        const halo_world_options *given, size_t given_bytes)
{
    return halo_mpi_create_world(out, comm, given, given_bytes, false);
}

MPI_Comm halo_world_comm(const halo_world *world)
{
    return world->transport == &halo_transport_mpi ? ((const mpi_end *)world->end)->comm
                                                   : MPI_COMM_NULL;
}
