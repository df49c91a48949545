#ifndef HALOBEAT_CORE_WORLD_WORLD_INTERNAL_H
#define HALOBEAT_CORE_WORLD_WORLD_INTERNAL_H

#include "core/world/world.h"

enum {
    WAIT_AUTO,
#define WAIT_ENUM(name, help) WAIT_##name,
    HALO_WAIT_LIST(WAIT_ENUM)
#undef WAIT_ENUM
        WAIT_SCARCE, /* of `sleep`, where a control group allows less than a core */
    WAIT_NAMES = WAIT_SCARCE
};

enum { WORLD_PARTS = 4 }; /* parts of the library that keep something with a world */

struct halo_world {
    MPI_Comm comm;
    int rank, ranks;
    MPI_Comm near;       /* the ranks on this machine; `comm` if these are all */
    MPI_Group all, node; /* its ranks, and those of `near` */
    int node_ranks, cores;
    bool alone;    /* calls no MPI */
    int sharers;   /* of a world alone: ranks that take the machine's memory as it does */
    int policy;    /* WAIT_spin, ... */
    double waited; /* seconds */
    double begun;
    int64_t beats;
    const struct halo_slowdown *slowdown;
    halo_service *services; /* a list, mostly empty */
    struct {
        void (*destroy)(void *data);
        void *data;
    } kept[WORLD_PARTS]; /* NULL ends them */
};

/* Local. The number of a policy's name, NULL and "auto" among them; HALO_ARGUMENT. And its name. */
halo_status halo_wait_policy_find(const char *name, int *policy);
const char *halo_wait_policy_name(int policy);

/* Collective over `comm`. MPI_Comm_dup, before there is a world: waits as halo_mpi_min does. */
halo_status halo_mpi_dup(MPI_Comm *out, MPI_Comm comm);

/* Local. For `auto`: by the cores of the ranks on this machine, and by what control groups allow
 * them. */
int halo_wait_policy_choose(const halo_world *world);

#endif
