#define _GNU_SOURCE /* ifaddrs, eventfd */
#include "core/world/monitor.h"

#include "base/minmax.h"
#include "core/world/collect.h"
#include "core/world/silence.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Seconds. Signs are lost where machines are busy: ten of them make a warning. */
static const double SIGN_EVERY = .5, WARN_AFTER = 5, START_AFTER = 8, STOP_WITHIN = 9;

/* An end is announced more than once, since datagrams get lost; others wait so long for it before
 * they take themselves for cut off. */
static const double CUT_OFF_GRACE = 1.5;
enum { ENDS = 3, ADDRESSES = 8, HOST_NAME = 64, WATCHERS = 2, LISTED_RANKS = 8 };

typedef enum { SIGN, END } message_kind;

typedef struct {
    uint64_t job;
    int32_t rank, kind;
    halo_sign sign;
} message;

/* How to reach a rank. */
typedef struct {
    char host[HOST_NAME];
    int addresses;
    struct sockaddr_in address[ADDRESSES]; /* one, once it has been heard from there */
} card;

/* MPI is of a process, and so is what watches it. Fields above `connected` are written before the
 * thread starts, those below before `connected` is set. */
static struct {
    halo_monitor_options options;
    bool begun;
    int socket, wake;
    double started;
    pthread_t thread;
    _Atomic(const char *) phase;
    _Atomic int64_t beat;
    atomic_bool stop;
    atomic_bool ending, announced; /* the end of the job */
    atomic_bool connected;
    uint64_t job;
    int rank, ranks;
    bool first_of_host;
    int watchers[WATCHERS], watcher_count;
    card *cards;      /* [ranks] */
    halo_peer *peers; /* [ranks] a rank that is no watcher hears only watchers */
    bool *changed;    /* [ranks] since that was reported */
    double stop_seen, cut_off;
} monitor;

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* stdio may be locked by a thread that stands still. */
static void say(const char *text)
{
    char line[1024];
    int length = snprintf(line, sizeof line, "%s: %s\n", monitor.options.program, text);
    ssize_t written = write(STDERR_FILENO, line, (size_t)halo_min(length, (int)sizeof line - 1));
    (void)written;
}

static bool is_watcher(int rank)
{
    for (int i = 0; i < monitor.watcher_count; i++) {
        if (monitor.watchers[i] == rank) {
            return true;
        }
    }
    return false;
}

/* ---- messages -------------------------------------------------------------------------------- */

static void send_to(const card *to, message_kind kind)
{
    message m = {.job = monitor.job, .rank = monitor.rank, .kind = (int32_t)kind};
    m.sign.beat = atomic_load(&monitor.beat);
    snprintf(m.sign.phase, sizeof m.sign.phase, "%s", atomic_load(&monitor.phase));
    for (int a = 0; a < to->addresses; a++) {
        sendto(monitor.socket, &m, sizeof m, MSG_DONTWAIT | MSG_NOSIGNAL,
               (const struct sockaddr *)&to->address[a], sizeof to->address[a]);
    }
}

static void send_signs(void)
{
    for (int w = 0; w < monitor.watcher_count; w++) {
        if (monitor.watchers[w] != monitor.rank) {
            send_to(&monitor.cards[monitor.watchers[w]], SIGN);
        }
    }
}

static void announce_end(void)
{
    for (int n = 0; n < ENDS; n++) {
        for (int r = 0; r < monitor.ranks; r++) {
            if (r != monitor.rank) {
                send_to(&monitor.cards[r], END);
            }
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
}

static _Noreturn void end_job(bool announce)
{
    if (announce) {
        announce_end();
    }
    _exit(HALO_EXIT_LOST);
}

static void take(const message *m, const struct sockaddr_in *from)
{
    int r = m->rank;
    if (m->job != monitor.job || r < 0 || r >= monitor.ranks || r == monitor.rank) {
        return;
    }
    if (m->kind == END) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL); /* the message comes first */
        end_job(false);
    }
    monitor.cards[r].addresses = 1;
    monitor.cards[r].address[0] = *from;
    double silent = halo_silence_heard(&monitor.peers[r], &m->sign, now_seconds());
    if (silent > 0 && monitor.rank == monitor.watchers[0]) {
        char text[256];
        snprintf(text, sizeof text, "rank %d on %s answers again, after %.0f s", r,
                 monitor.cards[r].host, silent);
        say(text);
    }
    if (is_watcher(monitor.rank) && !is_watcher(r)) {
        send_to(&monitor.cards[r], SIGN);
    }
}

static void receive(void)
{
    message m;
    struct sockaddr_in from;
    for (;;) {
        socklen_t length = sizeof from;
        ssize_t got =
            recvfrom(monitor.socket, &m, sizeof m, MSG_DONTWAIT, (struct sockaddr *)&from, &length);
        if (got < 0 && errno != EINTR && errno != ECONNREFUSED) {
            return;
        }
        if (got == (ssize_t)sizeof m && length == sizeof from) {
            m.sign.phase[sizeof m.sign.phase - 1] = '\0';
            take(&m, &from);
        }
    }
}

/* ---- silence --------------------------------------------------------------------------------- */

/* "3, 7": the ranks on this host in this state. */
static void list_ranks(char *text, size_t size, const char *host, halo_peer_state state)
{
    int found = 0;
    text[0] = '\0';
    for (int r = 0; r < monitor.ranks; r++) {
        size_t used = strlen(text);
        if (monitor.peers[r].state != state || strcmp(monitor.cards[r].host, host) != 0) {
            continue;
        }
        if (found < LISTED_RANKS) {
            snprintf(text + used, size - used, "%s%d", found > 0 ? ", " : "", r);
        } else if (found == LISTED_RANKS) {
            snprintf(text + used, size - used, ", ...");
        }
        found++;
    }
}

static bool same_host(int a, int b)
{
    return strcmp(monitor.cards[a].host, monitor.cards[b].host) == 0;
}

/* All ranks on the host of rank `r` that are in the same state as it. */
static void report_host(int r)
{
    const halo_peer *peer = &monitor.peers[r];
    char ranks[128], ending[160], text[512];
    bool whole = true;
    list_ranks(ranks, sizeof ranks, monitor.cards[r].host, peer->state);
    for (int k = 0; k < monitor.ranks; k++) {
        whole = whole && (!same_host(k, r) || monitor.peers[k].state == peer->state);
    }
    if (peer->state == HALO_PEER_LOST) {
        snprintf(ending, sizeof ending, "the job ends, as --patience %g says",
                 monitor.options.patience);
    } else if (monitor.options.patience > 0) {
        snprintf(ending, sizeof ending, "the job ends after %g s of silence",
                 monitor.options.patience);
    } else {
        snprintf(ending, sizeof ending, "the job waits; --patience SECONDS would end it");
    }
    snprintf(text, sizeof text, "no sign of rank%s %s on %s%s for %.0f s (%s, beat %lld): %s",
             strchr(ranks, ',') != NULL ? "s" : "", ranks, monitor.cards[r].host,
             whole ? ", all that are there," : "", now_seconds() - peer->heard, peer->sign.phase,
             (long long)peer->sign.beat, ending);
    say(text);
}

/* Is a rank on this host quiet, but not yet for long enough? Then one message will do for all. */
static bool will_change(int rank, double now)
{
    for (int r = 0; r < monitor.ranks; r++) {
        if (same_host(r, rank) && monitor.peers[r].state == HALO_PEER_ALIVE &&
            now - monitor.peers[r].heard > 4 * SIGN_EVERY) {
            return true;
        }
    }
    return false;
}

static void report(double now)
{
    for (int r = 0; r < monitor.ranks; r++) {
        halo_peer_state state = monitor.peers[r].state;
        if (!monitor.changed[r] || (state == HALO_PEER_SILENT && will_change(r, now))) {
            continue;
        }
        if (state >= HALO_PEER_SILENT) {
            report_host(r);
        }
        for (int k = 0; k < monitor.ranks; k++) {
            monitor.changed[k] =
                monitor.changed[k] && !(same_host(k, r) && monitor.peers[k].state == state);
        }
    }
}

static bool is_gone(int rank)
{
    return monitor.peers[rank].state >= HALO_PEER_SILENT;
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
        report(now);
    }
    if (lost && speaker && is_watcher(monitor.rank)) {
        end_job(true);
    }
    /* A rank that hears a watcher hears from it what becomes of the job. */
    bool hears = false;
    for (int w = 0; w < monitor.watcher_count; w++) {
        hears = hears || !is_gone(monitor.watchers[w]);
    }
    if (lost && !hears) {
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
    const char *place = getenv("MPI_LOCALRANKID");
    place = place != NULL ? place : getenv("OMPI_COMM_WORLD_LOCAL_RANK");
    bool speaker = place == NULL || strcmp(place, "0") == 0;
    double waited = now - monitor.started;
    char host[HOST_NAME] = "", text[256];
    gethostname(host, sizeof host - 1);
    bool lost = monitor.options.patience > 0 && waited > monitor.options.patience;
    if ((waited > START_AFTER && !said) || lost) {
        said = true;
        snprintf(text, sizeof text,
                 "%s has waited for %.0f s for all ranks to start; a host that does not print this "
                 "line has not started%s",
                 host, waited, lost ? "; the job ends" : "");
        if (speaker) {
            say(text);
        }
    }
    if (lost) {
        _exit(HALO_EXIT_LOST);
    }
}

static void look_at_stop(double now)
{
    if (!atomic_load(&monitor.stop)) {
        return;
    }
    if (monitor.stop_seen == 0) {
        monitor.stop_seen = now;
    }
    if (now - monitor.stop_seen > STOP_WITHIN) {
        if (monitor.rank == 0) {
            say("asked to stop, but not all ranks have come to it: ended without saving");
        }
        _exit(1);
    }
}

static void *watch(void *unused)
{
    double last = now_seconds(), next_sign = last;
    (void)unused;
    for (;;) {
        struct pollfd waiting[] = {{monitor.wake, POLLIN, 0}, {monitor.socket, POLLIN, 0}};
        poll(waiting, 2, (int)(1000 * SIGN_EVERY));
        if (waiting[0].revents != 0) {
            if (atomic_load(&monitor.ending)) {
                announce_end();
                atomic_store(&monitor.announced, true);
            }
            return NULL;
        }
        double now = now_seconds();
        look_at_stop(now);
        if (!atomic_load(&monitor.connected)) {
            look_at_start(now);
            last = now;
            continue;
        }
        if (now - last > 3 * SIGN_EVERY) {
            halo_silence_excuse(monitor.peers, monitor.ranks, now - last);
        }
        last = now;
        receive();
        if (now >= next_sign) {
            send_signs();
            look(now);
            next_sign = now + SIGN_EVERY;
        }
    }
}

static bool make_socket(void)
{
    struct sockaddr_in any = {.sin_family = AF_INET};
    monitor.socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    monitor.wake = eventfd(0, EFD_CLOEXEC);
    if (monitor.socket >= 0 && monitor.wake >= 0 &&
        bind(monitor.socket, (struct sockaddr *)&any, sizeof any) == 0) {
        return true;
    }
    if (monitor.socket >= 0) {
        close(monitor.socket);
    }
    if (monitor.wake >= 0) {
        close(monitor.wake);
    }
    return false;
}

void halo_monitor_begin(const halo_monitor_options *options)
{
    sigset_t all, before;
    monitor.options = *options;
    monitor.phase = "starting";
    monitor.started = now_seconds();
    if (monitor.begun || !make_socket()) {
        return;
    }
    /* Signals are for the thread that computes. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    monitor.begun = pthread_create(&monitor.thread, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!monitor.begun) {
        close(monitor.socket);
        close(monitor.wake);
    }
}

/* ---- connecting ------------------------------------------------------------------------------ */

/* Addresses of this machine that others may reach; its own, where it has no other. */
static void make_card(card *own)
{
    struct ifaddrs *all = NULL, *a;
    struct sockaddr_in port = {0};
    socklen_t length = sizeof port;
    memset(own, 0, sizeof *own);
    gethostname(own->host, sizeof own->host - 1);
    if (!monitor.begun || getsockname(monitor.socket, (struct sockaddr *)&port, &length) != 0 ||
        getifaddrs(&all) != 0) {
        return;
    }
    for (int loop = 0; loop < 2 && own->addresses == 0; loop++) {
        for (a = all; a != NULL && own->addresses < ADDRESSES; a = a->ifa_next) {
            bool is_loop = (a->ifa_flags & IFF_LOOPBACK) != 0;
            if (a->ifa_addr != NULL && a->ifa_addr->sa_family == AF_INET &&
                (a->ifa_flags & IFF_UP) != 0 && is_loop == (loop == 1)) {
                struct sockaddr_in *at = &own->address[own->addresses++];
                memcpy(at, a->ifa_addr, sizeof *at);
                at->sin_port = port.sin_port;
            }
        }
    }
    freeifaddrs(all);
}

/* Rank 0, and the lowest rank on another host. */
static void choose_watchers(void)
{
    int second = monitor.ranks > 1 ? 1 : 0;
    for (int r = 1; r < monitor.ranks; r++) {
        if (strcmp(monitor.cards[r].host, monitor.cards[0].host) != 0) {
            second = r;
            break;
        }
    }
    monitor.watchers[1] = second;
    monitor.watcher_count = second > 0 ? 2 : 1;
    monitor.first_of_host = true;
    for (int r = 0; r < monitor.rank; r++) {
        monitor.first_of_host =
            monitor.first_of_host &&
            strcmp(monitor.cards[r].host, monitor.cards[monitor.rank].host) != 0;
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
    card own;
    monitor.rank = halo_world_rank(world);
    monitor.ranks = halo_world_ranks(world);
    HALO_TRY(halo_agree(world, allocate()));
    make_card(&own);
    monitor.job = 0;
    if (monitor.rank == 0 && getrandom(&monitor.job, sizeof monitor.job, 0) < 0) {
        monitor.job = (uint64_t)getpid();
    }
    HALO_TRY(halo_bcast(world, &monitor.job, sizeof monitor.job, 0));
    HALO_TRY(halo_gather(world, &own, sizeof own, monitor.cards));
    HALO_TRY(halo_bcast(world, monitor.cards, (size_t)monitor.ranks * sizeof own, 0));
    choose_watchers();
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
    atomic_store(&monitor.stop, true);
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
        pthread_join(monitor.thread, NULL);
        close(monitor.socket);
        close(monitor.wake);
        monitor.begun = false;
    }
    atomic_store(&monitor.connected, false);
    free_peers();
}
