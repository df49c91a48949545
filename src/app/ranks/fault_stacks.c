#define _GNU_SOURCE /* pthread_getattr_np, MAP_ANONYMOUS */
#include "app/ranks/fault_stacks.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* More than what the system saves of a thread's registers and what the message takes. */
static const size_t STACK = (size_t)64 << 10;

/* Frames below the address that was noted, and the gap that the system keeps below a stack. */
static const size_t FRAMES = (size_t)256 << 10, GAP = (size_t)1 << 20;

void fault_stacks_create(fault_stacks *stacks, int count)
{
    *stacks = (fault_stacks){.count = count, .mapped = (size_t)count * STACK};
    stacks->of = calloc((size_t)count, sizeof *stacks->of);
    void *memory = mmap(NULL, stacks->mapped, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    stacks->memory = memory != MAP_FAILED ? memory : NULL;
    if (stacks->of == NULL || stacks->memory == NULL) {
        fault_stacks_destroy(stacks);
    }
}

/* Rank 0 has the process's stack, which grows up to its limit; those of other threads have a size.
 */
static size_t own_stack(int rank)
{
    pthread_attr_t attributes;
    struct rlimit limit;
    size_t bytes = 0;
    if (rank == 0) {
        return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < SIZE_MAX / 2
                   ? (size_t)limit.rlim_cur
                   : 0;
    }
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &bytes);
        pthread_attr_destroy(&attributes);
    }
    return bytes;
}

void fault_stacks_take(fault_stacks *stacks, int rank)
{
    char here;
    stack_t before;
    if (rank >= stacks->count || sigaltstack(NULL, &before) != 0 ||
        (before.ss_flags & SS_DISABLE) == 0) {
        return;
    }
    const stack_t other = {.ss_sp = stacks->memory + (size_t)rank * STACK, .ss_size = STACK};
    stacks->of[rank] = (rank_stack){.bytes = own_stack(rank)};
    if (sigaltstack(&other, NULL) == 0) {
        char *volatile top = &here; /* compilers know that it ends with this function */
        stacks->of[rank].top = top;
    }
}

size_t fault_stacks_full(const fault_stacks *stacks, int rank, const void *address)
{
    if (rank < 0 || rank >= stacks->count || stacks->of[rank].top == NULL) {
        return 0;
    }
    const rank_stack *own = &stacks->of[rank];
    uintptr_t below = (uintptr_t)own->top - (uintptr_t)address; /* wraps where it is above */
    return own->bytes > 0 && below + FRAMES > own->bytes && below < own->bytes + GAP ? own->bytes
                                                                                     : 0;
}

void fault_stacks_destroy(fault_stacks *stacks)
{
    const stack_t none = {.ss_flags = SS_DISABLE};
    if (stacks->of != NULL && stacks->count > 0 && stacks->of[0].top != NULL) {
        sigaltstack(&none, NULL);
    }
    if (stacks->memory != NULL) {
        munmap(stacks->memory, stacks->mapped);
    }
    free(stacks->of);
    *stacks = (fault_stacks){.count = 0};
}
