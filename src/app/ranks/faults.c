#define _DEFAULT_SOURCE /* sigaction, SA_ONSTACK */
#include "app/ranks/faults.h"

#include "app/frame.h"
#include "app/ranks/fault_stacks.h"
#include "base/handler_text.h"
#include "base/printable.h"
#include "core/world/fatal_signals.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    size_t full = about->si_code > 0 ? fault_stacks_full(&stacks, rank, about->si_addr) : 0;
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
    fault_stacks_create(&stacks, count);
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
    fault_stacks_take(&stacks, rank);
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
    fault_stacks_destroy(&stacks);
}
