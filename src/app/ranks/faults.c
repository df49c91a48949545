#define _GNU_SOURCE /* pthread_getattr_np, MAP_ANONYMOUS, SA_ONSTACK */
#include "app/ranks/faults.h"

#include "app/frame.h"
#include "base/handler_text.h"
#include "base/printable.h"
#include "core/world/fatal_signals.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- stacks for handlers: that of a stack overflow needs another one ------------------------- */

/* More than what the system saves of a thread's registers and what the message takes. */
static const size_t STACK = (size_t)64 << 10;

/* Frames below the address that was noted, and the gap that the system keeps below a stack. */
static const size_t FRAMES = (size_t)256 << 10, GAP = (size_t)1 << 20;

typedef struct {
    char *top;    /* an address in the first frames of the rank's stack; NULL: not known */
    size_t bytes; /* that it may have */
} rank_stack;

typedef struct {
    int count;
    char *memory; /* of all stacks for handlers */
    size_t mapped;
    rank_stack *of; /* [count], the ranks' own */
} fault_stacks;

/* By the thread of rank 0, when the others have ended. */
static void destroy_stacks(fault_stacks *stacks)
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

/* Without memory there are none, and a full stack ends the process without a word. */
static void create_stacks(fault_stacks *stacks, int count)
{
    *stacks = (fault_stacks){.count = count, .mapped = (size_t)count * STACK};
    stacks->of = calloc((size_t)count, sizeof *stacks->of);
    void *memory = mmap(NULL, stacks->mapped, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    stacks->memory = memory != MAP_FAILED ? memory : NULL;
    if (stacks->of == NULL || stacks->memory == NULL) {
        destroy_stacks(stacks);
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

/* By the thread of rank `rank`: handlers with SA_ONSTACK run on its other stack from now on, unless
 * there was one before, as sanitizers have. */
static void take_stack(fault_stacks *stacks, int rank)
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

/* By a handler: the bytes of the rank's stack, if a fault at this address means that it is full; 0
 * if not. */
static size_t full_stack(const fault_stacks *stacks, int rank, const void *address)
{
    if (rank < 0 || rank >= stacks->count || stacks->of[rank].top == NULL) {
        return 0;
    }
    const rank_stack *own = &stacks->of[rank];
    uintptr_t below = (uintptr_t)own->top - (uintptr_t)address; /* wraps where it is above */
    return own->bytes > 0 && below + FRAMES > own->bytes && below < own->bytes + GAP ? own->bytes
                                                                                     : 0;
}

/* ---- faults ---------------------------------------------------------------------------------- */

static const struct {
    int number;
    const char *name;
} faults[] = {{SIGSEGV, "segmentation fault"},
              {SIGBUS, "bus error"},
              {SIGFPE, "arithmetic error"},
              {SIGILL, "illegal instruction"},
              {SIGABRT, "abort"}};
enum { FAULTS = sizeof faults / sizeof faults[0] };

/* Handlers take no argument of ours, so what they say has to be here. */
static char program_name[128]; /* a copy: pthread_exit takes main's away before it is said */
static const halo_activity *ranks_of_process;
static int rank_count; /* 0: there are none */
static fault_stacks stacks;
static bool caught[FAULTS], exit_is_caught;
static pthread_key_t own_thread; /* its destructor is called where a rank's thread ends */
static bool has_own_thread;

/* "rank 3 DID in the update of beat 17". */
static void say(const char *did, const char *behind)
{
    halo_handler_text text = {.used = 0};
    int rank = halo_activity_rank(ranks_of_process, rank_count);
    if (rank >= 0) {
        halo_handler_append(&text, "rank ");
        halo_handler_append_number(&text, rank);
    } else {
        halo_handler_append(&text, "a thread beside the ranks");
    }
    halo_handler_append(&text, did);
    if (rank >= 0 && halo_activity_doing(&ranks_of_process[rank]) == HALO_DOES_UPDATE) {
        halo_handler_append(&text, " in the update of beat ");
        halo_handler_append_number(&text, atomic_load(&ranks_of_process[rank].beat) + 1);
    }
    halo_handler_append(&text, behind);
    halo_print_line(program_name, text.text);
}

static const char *name_of(int number)
{
    int i = 0;
    while (i < FAULTS - 1 && faults[i].number != number) {
        i++;
    }
    return faults[i].name;
}

/* The system has restored what it does without a handler: that comes when this one returns. */
static void take_fault(int number, siginfo_t *about, void *state)
{
    (void)state;
    halo_handler_text behind = {.used = 0};
    int rank = halo_activity_rank(ranks_of_process, rank_count);
    size_t full = about->si_code > 0 ? full_stack(&stacks, rank, about->si_addr) : 0;
    halo_handler_append(&behind, ": ");
    halo_handler_append(&behind, name_of(number));
    if (full > 0) {
        halo_handler_append(&behind, ", since its stack of ");
        halo_handler_append_number(&behind, (int64_t)(full >> 10));
        halo_handler_append(&behind, " KiB is full (ulimit -s)");
    }
    halo_handler_append(&behind, ", which ends all ranks");
    say(" crashed", behind.text);
    raise(number);
}

static void take_exit(void)
{
    if (rank_count > 0) {
        say(" called exit", ", which ends all ranks; a kernel returns a status instead");
        _exit(APP_FAILED);
    }
}

static void take_thread_exit(void *unused)
{
    (void)unused;
    if (rank_count > 0) {
        say(" called pthread_exit", ", which ends all ranks; a kernel returns a status instead");
        _exit(APP_FAILED);
    }
}

void app_rank_faults_begin(const char *program, const halo_activity *ranks, int count)
{
    struct sigaction action, before;
    halo_fatal_signals loaded;
    halo_fatal_signals_note(&loaded); /* a library of MPI's takes them when it is loaded */
    halo_fatal_signals_restore(&loaded);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = take_fault;
    action.sa_flags = (int)(SA_RESETHAND | SA_SIGINFO | SA_ONSTACK);
    sigemptyset(&action.sa_mask);
    snprintf(program_name, sizeof program_name, "%s", program);
    ranks_of_process = ranks;
    rank_count = count;
    create_stacks(&stacks, count);
    for (int i = 0; i < FAULTS; i++) {
        caught[i] = sigaction(faults[i].number, NULL, &before) == 0 &&
                    before.sa_handler == SIG_DFL && sigaction(faults[i].number, &action, NULL) == 0;
    }
    exit_is_caught = exit_is_caught || atexit(take_exit) == 0;
    has_own_thread = has_own_thread || pthread_key_create(&own_thread, take_thread_exit) == 0;
}

void app_rank_faults_take(int rank)
{
    sigset_t own;
    take_stack(&stacks, rank);
    sigemptyset(&own);
    for (int i = 0; i < FAULTS; i++) {
        sigaddset(&own, faults[i].number);
    }
    pthread_sigmask(SIG_UNBLOCK, &own, NULL);
    if (has_own_thread) {
        pthread_setspecific(own_thread, &own_thread);
    }
}

void app_rank_faults_leave(void)
{
    if (has_own_thread) {
        pthread_setspecific(own_thread, NULL);
    }
}

void app_rank_faults_end(void)
{
    rank_count = 0;
    for (int i = 0; i < FAULTS; i++) {
        if (caught[i]) {
            signal(faults[i].number, SIG_DFL);
        }
        caught[i] = false;
    }
    destroy_stacks(&stacks);
}
