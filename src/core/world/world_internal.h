#ifndef HALOBEAT_CORE_WORLD_WORLD_INTERNAL_H
#define HALOBEAT_CORE_WORLD_WORLD_INTERNAL_H

#include "core/transport/transport.h"
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
    const halo_transport *transport;
    halo_endpoint *end;  /* of all ranks */
    halo_endpoint *near; /* of those on this machine */
    int cores;
    int sharers;       /* if alone: ranks that share the machine's memory */
    bool in_processes; /* if alone: ranks are processes */
    int policy;        /* WAIT_spin, WAIT_yield, ... */
    double waited;     /* seconds in halo_wait */
    /* Waits that sleep count here: has spinning paid of late, and how many did not spin? */
    int spin_credit, unspun;
    double begun;
    _Atomic int64_t beats; /* threads of a rank count them */
    const struct halo_slowdown *slowdown;
    struct halo_activity *activity; /* where the rank notes what it does; or NULL */
    halo_service *services;         /* list; usually empty */
    const struct halo_watch *watch; /* or NULL */
    struct {
        void (*destroy)(void *data);
        void *data;
    } kept[WORLD_PARTS]; /* unused entries have destroy NULL */
};

/* Local. The number of a policy by name (NULL and "auto" are allowed; HALO_ARGUMENT), and the name
 * of a number. */
halo_status halo_wait_policy_find(const char *name, int *policy);
const char *halo_wait_policy_name(int policy);

/* Local. Sleeps, or not, after so many tests in vain, as the policy says. */
void halo_wait_pause(int policy, int64_t tests);

/* Local. As halo_wait_until, where whoever makes it hold then calls halo_world_wake for this rank.
 */
halo_status halo_wait_until_woken(halo_world *world, bool (*holds)(void *context), void *context);

/* Local. Wakes a rank that sleeps, if ranks have memory in common; after a sequentially consistent
 * store of what it waits for, which it looks for by sequentially consistent loads. */
void halo_world_wake(const halo_world *world, int rank);

/* Collective. *out becomes `bytes` bytes of zeroes that all ranks have in common, as many as rank 0
 * asks for; NULL where ranks are several processes. Every rank releases it before its world is
 * destroyed. HALO_MEMORY, on all ranks; a failure of the transport. */
halo_status halo_world_create_common(halo_world *world, size_t bytes, void **out);

/* Local. Accepts NULL. */
void halo_world_release_common(const halo_world *world, void *memory);

/* Local. Are the ranks on this machine, of whom one may be alone in this world, threads of one
 * process? */
bool halo_world_shares_process(const halo_world *world);

/* Local. A world whose ends are to be made; halo_world_destroy frees it. HALO_MEMORY. */
halo_status halo_world_allocate(halo_world **out, const halo_transport *transport);

/* Collective over the ranks of world->end, which has been made. Makes world->near, counts the cores
 * and chooses how to wait. `of`: the world whose ranks, or some of them, these are, or NULL. After
 * a failure the caller destroys the world. HALO_ARGUMENT for an unknown policy, HALO_TRANSPORT. */
halo_status halo_world_begin(halo_world *world, const halo_world *of,
                             const halo_world_options *options);

/* Local. The choice of `auto`, by the cores for the ranks on this machine and the limits of control
 * groups. */
int halo_wait_policy_choose(const halo_world *world);

#endif
