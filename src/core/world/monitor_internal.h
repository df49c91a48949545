#ifndef HALOBEAT_CORE_WORLD_MONITOR_INTERNAL_H
#define HALOBEAT_CORE_WORLD_MONITOR_INTERNAL_H

#include "core/world/monitor.h"
#include "core/world/silence.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>

/* Seconds between two signs of a rank. Signs are lost where machines are busy: ten of them make a
 * warning. */
#define MONITOR_SIGN_EVERY .5

enum { MONITOR_ADDRESSES = 8, MONITOR_HOST_NAME = 64, MONITOR_WATCHERS = 2 };

/* How to reach a rank. */
typedef struct {
    char host[MONITOR_HOST_NAME];
    int addresses;
    struct sockaddr_in address[MONITOR_ADDRESSES]; /* one, once it has been heard from there */
} monitor_card;

/* Fields above `connected` are written before the thread starts, those below before `connected` is
 * set. */
typedef struct {
    halo_monitor_options options;
    bool begun;
    int socket, wake;
    double started;
    pthread_t thread;
    _Atomic(const char *) phase;
    _Atomic int64_t beat;
    atomic_int stop;               /* how often the job was asked to */
    atomic_bool ending, announced; /* the end of the job */
    atomic_bool connected;
    uint64_t job;
    int rank, ranks;
    bool first_of_host;
    int watchers[MONITOR_WATCHERS], watcher_count;
    monitor_card *cards; /* [ranks] */
    halo_peer *peers;    /* [ranks] a rank that is no watcher hears only watchers */
    bool *changed;       /* [ranks] since that was reported */
    double connected_at;
    bool unheard_said;
    double stop_seen, cut_off; /* seconds of the clock; 0: not yet */
    int stop_said; /* how often it had been asked when it said what it waits for; or 0 */
} monitor_state;

/* All local. */

/* A socket for datagrams on any port, and `wake`; false: not to be had. */
bool monitor_open(monitor_state *m);
void monitor_close(monitor_state *m);

/* How others reach this rank. */
void monitor_make_card(const monitor_state *m, monitor_card *own);

/* Of this rank, to its watchers. */
void monitor_send_signs(const monitor_state *m);

/* To all: the job ends. */
void monitor_announce_end(const monitor_state *m);

/* Takes all messages that have come. True: one says that the job ends. */
bool monitor_receive(monitor_state *m, double now);

bool monitor_is_watcher(const monitor_state *m, int rank);

bool monitor_same_host(const monitor_state *m, int a, int b);

/* Says which ranks have fallen silent or are lost, one line a host. */
void monitor_report(monitor_state *m, double now);

#endif
