#define _GNU_SOURCE /* ifaddrs, eventfd */
#include "core/world/monitor_internal.h"

#include "base/printable.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* An end is announced more than once, since datagrams get lost. */
enum { ENDS = 3 };

typedef enum { SIGN, END } message_kind;

typedef struct {
    uint64_t job;
    int32_t rank, kind;
    halo_sign sign;
} message;

bool monitor_open(monitor_state *m)
{
    struct sockaddr_in any = {.sin_family = AF_INET};
    m->wake = eventfd(0, EFD_CLOEXEC);
    m->socket = -1;
    if (m->alone) {
        return m->wake >= 0;
    }
    m->socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (m->socket >= 0 && m->wake >= 0 &&
        bind(m->socket, (struct sockaddr *)&any, sizeof any) == 0) {
        return true;
    }
    monitor_close(m);
    return false;
}

void monitor_close(monitor_state *m)
{
    if (m->socket >= 0) {
        close(m->socket);
    }
    if (m->wake >= 0) {
        close(m->wake);
    }
}

/* Addresses of this machine that others may reach; its own, where it has no other. */
void monitor_make_card(const monitor_state *m, monitor_card *own)
{
    struct ifaddrs *all = NULL, *a;
    struct sockaddr_in port = {0};
    socklen_t length = sizeof port;
    memset(own, 0, sizeof *own);
    gethostname(own->host, sizeof own->host - 1);
    if (!m->begun || getsockname(m->socket, (struct sockaddr *)&port, &length) != 0 ||
        getifaddrs(&all) != 0) {
        return;
    }
    for (int loop = 0; loop < 2 && own->addresses == 0; loop++) {
        for (a = all; a != NULL && own->addresses < MONITOR_ADDRESSES; a = a->ifa_next) {
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

static void send_to(const monitor_state *m, const monitor_card *to, message_kind kind)
{
    message sent = {.job = m->job, .rank = m->rank, .kind = (int32_t)kind};
    sent.sign.beat = atomic_load(&m->beat);
    snprintf(sent.sign.phase, sizeof sent.sign.phase, "%s", atomic_load(&m->phase));
    for (int a = 0; a < to->addresses; a++) {
        sendto(m->socket, &sent, sizeof sent, MSG_DONTWAIT | MSG_NOSIGNAL,
               (const struct sockaddr *)&to->address[a], sizeof to->address[a]);
    }
}

bool monitor_is_watcher(const monitor_state *m, int rank)
{
    for (int i = 0; i < m->watcher_count; i++) {
        if (m->watchers[i] == rank) {
            return true;
        }
    }
    return false;
}

bool monitor_same_host(const monitor_state *m, int a, int b)
{
    return strcmp(m->cards[a].host, m->cards[b].host) == 0;
}

void monitor_send_signs(const monitor_state *m)
{
    for (int w = 0; w < m->watcher_count; w++) {
        if (m->watchers[w] != m->rank) {
            send_to(m, &m->cards[m->watchers[w]], SIGN);
        }
    }
}

void monitor_announce_end(const monitor_state *m)
{
    for (int n = 0; n < ENDS; n++) {
        for (int r = 0; r < m->ranks; r++) {
            if (r != m->rank) {
                send_to(m, &m->cards[r], END);
            }
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
}

/* A sign of a rank: it is alive, and reached where the sign came from. */
static void take_sign(monitor_state *m, const message *got, const struct sockaddr_in *from,
                      double now)
{
    int r = got->rank;
    m->cards[r].addresses = 1;
    m->cards[r].address[0] = *from;
    double silent = halo_silence_heard(&m->peers[r], &got->sign, now);
    if (silent > 0 && m->rank == m->watchers[0]) {
        char text[256];
        snprintf(text, sizeof text, "rank %d on %s answers again, after %.0f s", r,
                 m->cards[r].host, silent);
        halo_print_line(m->options.program, text);
    }
    if (monitor_is_watcher(m, m->rank) && !monitor_is_watcher(m, r)) {
        send_to(m, &m->cards[r], SIGN);
    }
}

bool monitor_receive(monitor_state *m, double now)
{
    message got;
    struct sockaddr_in from;
    for (;;) {
        socklen_t length = sizeof from;
        ssize_t size =
            recvfrom(m->socket, &got, sizeof got, MSG_DONTWAIT, (struct sockaddr *)&from, &length);
        if (size < 0 && errno != EINTR && errno != ECONNREFUSED) {
            return false;
        }
        if (size != (ssize_t)sizeof got || length != sizeof from || got.job != m->job ||
            got.rank < 0 || got.rank >= m->ranks || got.rank == m->rank) {
            continue;
        }
        if (got.kind == END) {
            return true;
        }
        got.sign.phase[sizeof got.sign.phase - 1] = '\0';
        take_sign(m, &got, &from, now);
    }
}
