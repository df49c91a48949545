#ifndef HALOBEAT_CORE_WORLD_MONITOR_INTERNAL_H
#define HALOBEAT_CORE_WORLD_MONITOR_INTERNAL_H

#include "core/world/monitor.h"
#include "core/world/silence.h"
#include "core/world/thread.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>

/* Seconds between two signs of a rank. On busy machines signs are lost: a warning needs ten missing
 * signs. */
#define MONITOR_SIGN_EVERY .5

enum { MONITOR_ADDRESSES = 8, MONITOR_HOST_NAME = 64, MONITOR_WATCHERS = 2 };

/* Addresses of a rank. */
typedef struct {
    char host[MONITOR_HOST_NAME];
    int addresses;
    struct sockaddr_in address[MONITOR_ADDRESSES]; /* one, after it was heard from there */
} monitor_card;

/* Members above `connected` are written before the thread starts, those below before `connected` is
 * set. */
typedef struct {
    halo_monitor_options options;
    bool begun;
    int socket, wake;
    bool alone; /* ranks are threads: there are no others to send signs to */
    double started;
    /* Read from the environment, to which MPI writes while it starts: the thread must not read it.
     */
    bool first_started, first_started_here; /* of the job; of this host */
    int launcher;                           /* halo_launcher_socket */
    halo_thread thread;
    _Atomic(const char *) phase;
    _Atomic int64_t beat;
    atomic_int stop;               /* number of stop requests */
    atomic_bool ending, announced; /* end of the job */
    atomic_bool connected;
    uint64_t job;
    int rank, ranks;
    bool first_of_host;
    int watchers[MONITOR_WATCHERS], watcher_count;
    monitor_card *cards; /* [ranks] */
    halo_peer *peers;    /* [ranks] ranks other than watchers hear from watchers only */
    bool *changed;       /* [ranks] since the last report */
    double connected_at;
    bool unheard_said;
    double stop_seen, cut_off; /* seconds of the clock; 0: not yet */
    halo_seen *seen;           /* [options.count] of ranks that are threads; or NULL */
    double stuck_said;         /* seconds for which a rank had been stuck when it was said last */
    int stop_said; /* number of stop requests when it last printed what it waits for, or 0 */
} monitor_state;

/* All functions are local. */

/* Opens a datagram socket on any port, if there is anybody to talk to, and `wake`. Returns false if
 * that is not possible. */
bool monitor_open(monitor_state *m);
void monitor_close(monitor_state *m);

/* Fills in this rank's addresses. */
void monitor_make_card(const monitor_state *m, monitor_card *own);

/* Sends this rank's sign to its watchers. */
void monitor_send_signs(const monitor_state *m);

/* Tells all ranks that the job ends. */
void monitor_announce_end(const monitor_state *m);

/* Receives all messages that have arrived. Returns true if one says that the job ends. */
bool monitor_receive(monitor_state *m, double now);

bool monitor_is_watcher(const monitor_state *m, int rank);

bool monitor_same_host(const monitor_state *m, int a, int b);

/* Names ranks that are stuck. Returns true if the job ends for that. */
bool monitor_look_at_ranks(monitor_state *m, double now);

/* Prints which ranks are silent or lost, one line per host. */
void monitor_report(monitor_state *m, double now);

#endif
