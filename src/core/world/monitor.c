#define _DEFAULT_SOURCE
#include "core/world/monitor_internal.h"

#include "base/printable.h"
#include "core/transport/launcher.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "core/world/thread.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* Seconds. Where messages do not get through, a job begins FIRST_SIGNS later. A rank that hears
 * nobody, and is not told of an end for CUT_OFF_GRACE, takes itself for cut off. */
static const double WARN_AFTER = 5, START_AFTER = 8, STOP_WITHIN = 9, CUT_OFF_GRACE = 1.5,
                    FIRST_SIGNS = 1, UNHEARD_AFTER = 10;

/* MPI is of a process, and so is what watches it. */
static monitor_state monitor;

static bool is_gone(int rank)
{
    return monitor.peers[rank].state >= HALO_PEER_SILENT;
}

/* A job that was asked to stop has failed; another may be tried again. */
static _Noreturn void end_job(bool announce)
{
    int status = atomic_load(&monitor.stop) > 0 ? 1 : HALO_EXIT_LOST;
    if (announce) {
        monitor_announce_end(&monitor);
    }
    halo_launcher_abort(monitor.launcher, status);
    _exit(status);
}

/* Does this rank speak for the job? The first watcher does, or the next if that is silent; or, on a
 * host that hears no watcher, its first rank. */
static bool speaks(void)
{
    for (int w = 0; w < monitor.watcher_count; w++) {
        if (monitor.watchers[w] == monitor.rank) {
            return true;
        }
        if (!is_gone(monitor.watchers[w])) {
            return false;
        }
    }
    return monitor.first_of_host;
}

static bool hears_watcher(void)
{
    bool hears = false;
    for (int w = 0; w < monitor.watcher_count; w++) {
        hears = hears || !is_gone(monitor.watchers[w]);
    }
    return hears;
}

static int unheard(int *first)
{
    int count = 0;
    for (int r = monitor.ranks - 1; r >= 0; r--) {
        if (r != monitor.rank && monitor.peers[r].state == HALO_PEER_UNHEARD) {
            *first = r;
            count++;
        }
    }
    return count;
}

/* Once, where the first watcher has heard nothing of a rank since the job began. */
static void look_for_unheard(double now)
{
    int first, count;
    if (monitor.rank != monitor.watchers[0] || monitor.unheard_said || monitor.ranks == 1 ||
        now - monitor.connected_at < UNHEARD_AFTER) {
        return;
    }
    monitor.unheard_said = true;
    count = unheard(&first);
    if (count > 0) {
        char text[256];
        snprintf(text, sizeof text,
                 "no sign has come from %d rank%s, of which rank %d on %s is the first: UDP does "
                 "not get through, and ranks that fall silent will not be found",
                 count, count > 1 ? "s" : "", first, monitor.cards[first].host);
        halo_print_line(monitor.options.program, text);
    }
}

static void look(double now)
{
    const halo_silence_limits limits = {WARN_AFTER, monitor.options.patience};
    bool lost = false;
    for (int r = 0; r < monitor.ranks; r++) {
        if (r != monitor.rank && halo_silence_look(&monitor.peers[r], &limits, now)) {
            monitor.changed[r] = true;
        }
        lost = lost || monitor.peers[r].state == HALO_PEER_LOST;
    }
    bool speaker = speaks();
    if (speaker) {
        monitor_report(&monitor, now);
    }
    if (lost && speaker && monitor_is_watcher(&monitor, monitor.rank)) {
        end_job(true);
    }
    /* A rank that hears a watcher hears from it what becomes of the job. */
    if (lost && !hears_watcher()) {
        monitor.cut_off = monitor.cut_off > 0 ? monitor.cut_off : now;
        if (now - monitor.cut_off > CUT_OFF_GRACE) {
            end_job(false);
        }
    }
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void look_at_start(double now)
{
    static bool said;
    bool speaker = monitor.first_started_here;
    double waited = now - monitor.started;
    double patience = monitor.options.patience;
    double warn_after = patience > 0 ? fmin(START_AFTER, .75 * patience) : START_AFTER;
    char host[MONITOR_HOST_NAME] = "", text[256];
    gethostname(host, sizeof host - 1);
    bool lost = patience > 0 && waited > patience;
    if ((waited > warn_after && !said) || lost) {
        said = true;
        snprintf(text, sizeof text,
                 "%s has waited for %.0f s for all ranks to start; a host that does not print this "
                 "line has not started%s",
                 host, waited, lost ? "; the job ends" : "");
        if (speaker) {
            halo_print_line(monitor.options.program, text);
        }
    }
    if (lost) {
        end_job(false);
    }
}

/* Can all ranks still come to the end of their beat? */
static bool all_are_there(void)
{
    if (monitor.alone) {
        return true;
    }
    if (!atomic_load(&monitor.connected) || !hears_watcher()) {
        return false;
    }
    for (int r = 0; r < monitor.ranks; r++) {
        if (r != monitor.rank && is_gone(r)) {
            return false;
        }
    }
    return true;
}

/* A beat, or saving, may take longer than STOP_WITHIN; a rank that gives no sign comes to neither.
 * Who asks again after it has been said what is waited for does not want to wait. */
static void look_at_stop(double now)
{
    int requested = atomic_load(&monitor.stop);
    if (requested == 0) {
        return;
    }
    /* Ranks have no numbers yet where they do not know each other. */
    bool speaker = atomic_load(&monitor.connected) ? speaks() : monitor.first_started;
    if (monitor.stop_seen == 0) {
        monitor.stop_seen = now;
    }
    if (now - monitor.stop_seen <= STOP_WITHIN) {
        return;
    }
    if (all_are_there() && (monitor.stop_said == 0 || requested <= monitor.stop_said)) {
        if (monitor.stop_said == 0 && speaker) {
            halo_print_line(monitor.options.program,
                            "asked to stop: the job ends when this beat is done and its state "
                            "saved; send the signal again to end it at once");
        }
        monitor.stop_said = monitor.stop_said > 0 ? monitor.stop_said : requested;
        return;
    }
    if (speaker) {
        halo_print_line(monitor.options.program,
                        all_are_there() ? "asked to stop again: ended without saving"
                                        : "asked to stop, but not all ranks can come to it: ended "
                                          "without saving");
    }
    end_job(monitor_is_watcher(&monitor, monitor.rank));
}

static void *watch(void *unused)
{
    double last = halo_seconds(), next_sign = last;
    (void)unused;
    for (;;) {
        struct pollfd waiting[] = {{monitor.wake, POLLIN, 0}, {monitor.socket, POLLIN, 0}};
        poll(waiting, 2, (int)(1000 * MONITOR_SIGN_EVERY));
        if (waiting[0].revents != 0) {
            if (atomic_load(&monitor.ending)) {
                monitor_announce_end(&monitor);
                atomic_store(&monitor.announced, true);
            }
            return NULL;
        }
        double now = halo_seconds();
        look_at_stop(now);
        if (monitor.alone) {
            if (monitor_look_at_ranks(&monitor, now)) {
                end_job(false);
            }
            continue;
        }
        if (!atomic_load(&monitor.connected)) {
            look_at_start(now);
            last = now;
            continue;
        }
        if (now - last > 3 * MONITOR_SIGN_EVERY) {
            halo_silence_excuse(monitor.peers, monitor.ranks, now - last);
        }
        last = now;
        if (monitor_receive(&monitor, now)) {
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL); /* the message comes first */
            end_job(false);
        }
        if (now >= next_sign) {
            monitor_send_signs(&monitor);
            look(now);
            look_for_unheard(now);
            next_sign = now + MONITOR_SIGN_EVERY;
        }
    }
}

static void begin(const halo_monitor_options *options, bool alone)
{
    monitor.options = *options;
    monitor.alone = alone;
    monitor.phase = "starting";
    monitor.started = halo_seconds();
    monitor.first_started = halo_launcher_rank() <= 0;
    monitor.first_started_here = halo_launcher_local_rank() <= 0;
    monitor.launcher = halo_launcher_socket();
    if (monitor.begun || !monitor_open(&monitor)) {
        return;
    }
    if (alone && options->ranks != NULL) {
        monitor.seen = calloc((size_t)options->count, sizeof *monitor.seen);
    }
    monitor.begun = halo_thread_begin(&monitor.thread, 0, watch, NULL);
    if (!monitor.begun) {
        monitor_close(&monitor);
    }
}

void halo_monitor_begin(const halo_monitor_options *options)
{
    begin(options, false);
}

void halo_monitor_begin_alone(const halo_monitor_options *options)
{
    begin(options, true);
}

/* ---- connecting ------------------------------------------------------------------------------ */

/* Rank 0, and the lowest rank on another host. */
static void choose_watchers(void)
{
    int second = monitor.ranks > 1 ? 1 : 0;
    for (int r = 1; r < monitor.ranks; r++) {
        if (!monitor_same_host(&monitor, r, 0)) {
            second = r;
            break;
        }
    }
    monitor.watchers[1] = second;
    monitor.watcher_count = second > 0 ? 2 : 1;
    monitor.first_of_host = true;
    for (int r = 0; r < monitor.rank; r++) {
        monitor.first_of_host =
            monitor.first_of_host && !monitor_same_host(&monitor, r, monitor.rank);
    }
}

/* Watchers wait for the first signs: a rank that was never heard would not be missed, since its
 * messages may not get through at all. */
static void hear_all(void)
{
    double begun = halo_seconds(), now = begun;
    int first;
    while (monitor.begun && monitor_is_watcher(&monitor, monitor.rank) && unheard(&first) > 0 &&
           now - begun < FIRST_SIGNS) {
        struct pollfd waiting = {monitor.socket, POLLIN, 0};
        poll(&waiting, 1, 10);
        now = halo_seconds();
        if (monitor_receive(&monitor, now)) {
            end_job(false);
        }
    }
}

static void free_peers(void)
{
    free(monitor.cards);
    free(monitor.peers);
    free(monitor.changed);
    monitor.cards = NULL;
    monitor.peers = NULL;
    monitor.changed = NULL;
}

static halo_status allocate(void)
{
    size_t ranks = (size_t)monitor.ranks;
    monitor.cards = calloc(ranks, sizeof *monitor.cards);
    monitor.peers = calloc(ranks, sizeof *monitor.peers);
    monitor.changed = calloc(ranks, sizeof *monitor.changed);
    return monitor.cards != NULL && monitor.peers != NULL && monitor.changed != NULL
               ? HALO_OK
               : halo_fail(HALO_MEMORY, "out of memory: addresses of %d ranks", monitor.ranks);
}

halo_status halo_monitor_connect(halo_world *world)
{
    monitor_card own;
    monitor.rank = halo_world_rank(world);
    monitor.ranks = halo_world_ranks(world);
    HALO_TRY(halo_agree(world, allocate()));
    monitor_make_card(&monitor, &own);
    monitor.job = 0;
    if (monitor.rank == 0 && getrandom(&monitor.job, sizeof monitor.job, 0) < 0) {
        monitor.job = (uint64_t)getpid();
    }
    HALO_TRY(halo_bcast(world, &monitor.job, sizeof monitor.job, 0));
    HALO_TRY(halo_gather(world, &own, sizeof own, monitor.cards));
    HALO_TRY(halo_bcast(world, monitor.cards, (size_t)monitor.ranks * sizeof own, 0));
    choose_watchers();
    monitor_send_signs(&monitor);
    hear_all();
    monitor.connected_at = halo_seconds();
    atomic_store(&monitor.connected, true);
    return HALO_OK;
}

void halo_monitor_phase(const char *phase)
{
    atomic_store_explicit(&monitor.phase, phase, memory_order_relaxed);
}

void halo_monitor_beat(int64_t beats)
{
    atomic_store_explicit(&monitor.beat, beats, memory_order_relaxed);
}

void halo_monitor_stop(void)
{
    atomic_fetch_add(&monitor.stop, 1);
}

/* The thread does it, which writes the addresses. */
void halo_monitor_announce_end(void)
{
    enum { LOOKS = 50 };
    if (!monitor.begun || !atomic_load(&monitor.connected)) {
        return;
    }
    atomic_store(&monitor.ending, true);
    eventfd_write(monitor.wake, 1);
    for (int i = 0; i < LOOKS && !atomic_load(&monitor.announced); i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

void halo_monitor_end(void)
{
    if (monitor.begun) {
        eventfd_write(monitor.wake, 1);
        halo_thread_join(&monitor.thread);
        monitor_close(&monitor);
        monitor.begun = false;
    }
    atomic_store(&monitor.connected, false);
    free_peers();
    free(monitor.seen);
    monitor.seen = NULL;
}
