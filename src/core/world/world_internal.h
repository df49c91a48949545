#ifndef HALOBEAT_CORE_WORLD_WORLD_INTERNAL_H
#define HALOBEAT_CORE_WORLD_WORLD_INTERNAL_H

#include "core/world/world.h"

enum {
    WAIT_AUTO,
#define WAIT_ENUM(name, help) WAIT_##name,
    HALO_WAIT_LIST(WAIT_ENUM)
#undef WAIT_ENUM
        WAIT_SCARCE, /* `sleep`, chosen since a control group allows less than a core per rank */
    WAIT_NAMES = WAIT_SCARCE
};

enum { WORLD_PARTS = 4 }; /* maximum number of parts of the library that use halo_world_keep */

struct halo_world {
    MPI_Comm comm;
    int rank, ranks;
    MPI_Comm near;       /* the ranks on this machine; `comm` if these are all ranks */
    MPI_Group all, node; /* the groups of `comm` and of `near` */
    int node_ranks, cores;
    bool alone;    /* created by halo_world_create_alone: calls no MPI */
    int sharers;   /* if alone: ranks that share the machine's memory */
    int policy;    /* WAIT_spin, WAIT_yield, ... */
    double waited; /* seconds in halo_wait */
    double begun;
    int64_t beats;
    const struct halo_slowdown *slowdown;
    halo_service *services; /* list; usually empty */
    struct {
        void (*destroy)(void *data);
        void *data;
    } kept[WORLD_PARTS]; /* unused entries have destroy NULL */
};

/* Local. The number of a policy by name (NULL and "auto" are allowed; HALO_ARGUMENT), and the name
 * of a number. */
halo_status halo_wait_policy_find(const char *name, int *policy);
const char *halo_wait_policy_name(int policy);

/* Collective over `comm`. MPI_Comm_dup for use before a world exists; waits as halo_mpi_min
 * does. */
halo_status halo_mpi_dup(MPI_Comm *out, MPI_Comm comm);

/* Local. The choice of `auto`, by the cores for the ranks on this machine and the limits of control
 * groups. */
int halo_wait_policy_choose(const halo_world *world);

#endif
