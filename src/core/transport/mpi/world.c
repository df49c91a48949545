#include "core/transport/mpi/mpi_internal.h"

#include "base/option.h"
#include "core/world/handshake.h"
#include "core/world/world_internal.h"

/* Collective over world->end, whose policy is not known yet. Do all ranks have memory for a world,
 * which until now nothing but MPI itself can tell; do they run the same library? */
static halo_status agree_first(halo_world *world, MPI_Comm comm, bool program)
{
    uint64_t entries[1 + HALO_HANDSHAKE_ENTRIES] = {world != NULL};
#ifdef HALOBEAT_SIMGRID /* all ranks are copies of one program */
    (void)program;
    HALO_TRY(halo_mpi_min(entries, 1, comm));
#else
    halo_handshake_offer(&halo_transport_mpi, entries + 1, program);
    HALO_TRY(halo_mpi_min(entries, 1 + HALO_HANDSHAKE_ENTRIES, comm));
#endif
    if (world == NULL || entries[0] == 0) {
        return halo_fail(HALO_MEMORY, "out of memory: a world, on some rank");
    }
    halo_mpi_fill_end((mpi_end *)world->end, comm, false);
    world->policy = WAIT_sleep;
#ifdef HALOBEAT_SIMGRID
    return HALO_OK;
#else
    return halo_handshake_check(world, entries + 1, program);
#endif
}

halo_status halo_mpi_create_world(halo_world **out, MPI_Comm comm,
                                  const halo_world_options *options, bool program)
{
    MPI_Comm own;
    halo_world *world = NULL;
    int started = 0;
    *out = NULL;
    HALO_TRY(halo_mpi_check_library());
    MPI_Initialized(&started);
    HALO_FAIL_IF(!started, HALO_ARGUMENT,
                 "%s is not started in this process; call MPI_Init before a world is made of a "
                 "communicator, which must be one of this MPI",
                 HALO_MPI_NAME);
    HALO_TRY(halo_mpi_dup(&own, comm));
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    (void)halo_world_allocate(&world, &halo_transport_mpi);
    halo_status status = agree_first(world, own, program);
    if (status == HALO_OK) {
        status = halo_world_begin(world, NULL, options);
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
    halo_world_options options;
    *out = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_world_options"));
    return halo_mpi_create_world(out, comm, &options, false);
}

MPI_Comm halo_world_comm(const halo_world *world)
{
    return world->transport == &halo_transport_mpi ? ((const mpi_end *)world->end)->comm
                                                   : MPI_COMM_NULL;
}
