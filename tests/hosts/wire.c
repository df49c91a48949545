#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* wire MILLISECONDS FRONT HOST...: a network switch with a delay, between the interfaces that are
 * named, in user space: for kernels without netem. What a host sends to a host arrives so many
 * milliseconds later, so that a round trip takes twice as long. The front end, on which jobs are
 * started, is the first interface, and near to all. Prints a line when it has begun; ends when it
 * is killed.
 *
 * Frames come with the header that says what a network card would still have to do with them,
 * checksums and cutting into packets, and go on with it: between interfaces of one machine nobody
 * does.
 *
 * With WIRE_WITHOUT_UDP in the environment such packets are lost, as a firewall may have it. */

enum { PORTS = 64, FRONT = 0, MAX_FRAME = 1 << 17, BURST = 64, BUFFER = 16 << 20 };

typedef struct {
    int socket;
    unsigned char address[ETH_ALEN]; /* of who has sent from there */
    bool known;
} port;

/* A frame on its way. All take the same time, so that they arrive in the order they came in. */
typedef struct frame {
    struct frame *next;
    double due;
    int to;
    size_t bytes;
    unsigned char data[];
} frame;

typedef struct {
    port ports[PORTS];
    int count;
    double delay; /* seconds */
    bool without_udp;
    frame *first, *last;
} wire;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "wire: %s %s: %s\n", what, name, strerror(errno));
    exit(1);
}

static void open_port(port *p, const char *name)
{
    struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                  .sll_protocol = htons(ETH_P_ALL),
                                  .sll_ifindex = (int)if_nametoindex(name)};
    struct packet_mreq all = {.mr_ifindex = address.sll_ifindex, .mr_type = PACKET_MR_PROMISC};
    const int yes = 1, bytes = BUFFER;
    p->socket = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, 0);
    if (p->socket < 0 || address.sll_ifindex == 0) {
        fail("cannot open", name);
    }
    if (setsockopt(p->socket, SOL_PACKET, PACKET_VNET_HDR, &yes, sizeof yes) != 0 ||
        setsockopt(p->socket, SOL_PACKET, PACKET_IGNORE_OUTGOING, &yes, sizeof yes) != 0 ||
        setsockopt(p->socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) != 0 ||
        setsockopt(p->socket, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0 ||
        setsockopt(p->socket, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof bytes) != 0 ||
        bind(p->socket, (struct sockaddr *)&address, sizeof address) != 0) {
        fail("cannot listen to", name);
    }
}

/* A packet that finds no room is lost, as on any network. */
static void deliver(const wire *w, int to, const unsigned char *data, size_t bytes)
{
    if (send(w->ports[to].socket, data, bytes, 0) < 0 && errno != EAGAIN && errno != ENOBUFS &&
        errno != ENETDOWN && errno != EMSGSIZE) {
        fail("cannot send", "a frame");
    }
}

static void pass(wire *w, int from, int to, const unsigned char *data, size_t bytes)
{
    if (from == FRONT || to == FRONT) {
        deliver(w, to, data, bytes);
        return;
    }
    frame *f = malloc(sizeof *f + bytes);
    if (f == NULL) {
        return;
    }
    *f = (frame){.due = now() + w->delay, .to = to, .bytes = bytes};
    memcpy(f->data, data, bytes);
    *(w->first != NULL ? &w->last->next : &w->first) = f;
    w->last = f;
}

static bool is_udp(const unsigned char *ether, size_t bytes)
{
    const struct ether_header *head = (const void *)ether;
    const struct iphdr *ip = (const void *)(ether + ETH_HLEN);
    return bytes >= sizeof(struct virtio_net_hdr) + ETH_HLEN + sizeof *ip &&
           head->ether_type == htons(ETHERTYPE_IP) && ip->protocol == IPPROTO_UDP;
}

/* To the port its address has been seen at, or to all others. */
static void switch_frame(wire *w, int from, const unsigned char *data, size_t bytes)
{
    const unsigned char *ether = data + sizeof(struct virtio_net_hdr);
    int known = -1;
    if (w->without_udp && is_udp(ether, bytes)) {
        return;
    }
    memcpy(w->ports[from].address, ether + ETH_ALEN, ETH_ALEN);
    w->ports[from].known = true;
    for (int i = 0; i < w->count; i++) {
        if (w->ports[i].known && memcmp(w->ports[i].address, ether, ETH_ALEN) == 0) {
            known = i;
        }
    }
    for (int to = 0; to < w->count; to++) {
        if (to != from && (known < 0 || to == known)) {
            pass(w, from, to, data, bytes);
        }
    }
}

static void receive(wire *w, int from)
{
    static unsigned char data[MAX_FRAME];
    for (int i = 0; i < BURST; i++) {
        ssize_t bytes = recv(w->ports[from].socket, data, sizeof data, 0);
        if (bytes < (ssize_t)(sizeof(struct virtio_net_hdr) + ETH_HLEN)) {
            return;
        }
        switch_frame(w, from, data, (size_t)bytes);
    }
}

static void deliver_due(wire *w)
{
    double time = now();
    while (w->first != NULL && w->first->due <= time) {
        frame *f = w->first;
        w->first = f->next;
        deliver(w, f->to, f->data, f->bytes);
        free(f);
    }
}

/* Until something comes in or a frame is due. */
static void wait_for_frames(const wire *w)
{
    struct pollfd polls[PORTS];
    double seconds = w->first != NULL ? w->first->due - now() : 1;
    seconds = seconds > 0 ? seconds : 0;
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    for (int i = 0; i < w->count; i++) {
        polls[i] = (struct pollfd){.fd = w->ports[i].socket, .events = POLLIN};
    }
    ppoll(polls, (nfds_t)w->count, &time, NULL);
}

int main(int argc, char **argv)
{
    static wire w;
    char *end = NULL;
    w.without_udp = getenv("WIRE_WITHOUT_UDP") != NULL;
    w.delay = argc > 1 ? strtod(argv[1], &end) / 1000 : -1;
    if (end == NULL || *end != '\0' || !(w.delay >= 0) || argc < 4 || argc - 2 > PORTS) {
        fprintf(stderr, "usage: wire MILLISECONDS FRONT HOST...: up to %d interfaces\n", PORTS);
        return 2;
    }
    for (w.count = 0; w.count < argc - 2; w.count++) {
        open_port(&w.ports[w.count], argv[w.count + 2]);
    }
    printf("a delay of %s ms between %d hosts\n", argv[1], w.count - 1);
    fflush(stdout);
    for (;;) {
        wait_for_frames(&w);
        for (int i = 0; i < w.count; i++) {
            receive(&w, i);
        }
        deliver_due(&w);
    }
}
