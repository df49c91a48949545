#include "core/balance/link_probe.h"

#include "base/memory.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

#include <stdbool.h>
#include <stdlib.h>

enum { UP_TAG = 401, DOWN_TAG = 402 };

enum { HISTORY = 16 };

/* A difference of two times below this is the clock's. */
static const double RESOLUTION = 1e-7;

/* The messages over a link, in turn: HIGH is the rank that has the link at its high end, LOW
 * its neighbour above. Each message is sent as soon as the one before has come, whose
 * acknowledgement it is. The first one says that both have arrived; after that each side sees one
 * round of short messages, from its sending to its receiving, and one with the long message in it.
 */
typedef enum { LOW_READY, HIGH_ASKS, LOW_ANSWERS, HIGH_LONG, LOW_ASKS, HIGH_ANSWERS, TURNS } turn;

/* The end of the link's sender. */
static int sender_of(turn t)
{
    return t % 2 == 0 ? HALO_LOW : HALO_HIGH;
}

/* The turns whose round is measured at an end: from sending one to receiving the next. */
static const turn SHORT_ROUND[HALO_ENDS] = {LOW_ASKS, HIGH_ASKS};
static const turn LONG_ROUND[HALO_ENDS] = {LOW_ANSWERS, HIGH_LONG};

/* One end of this rank's strip. */
typedef struct {
    int neighbour;
    size_t bytes;
    int64_t measured;       /* times */
    double shorts[HISTORY]; /* seconds of a round, a ring */
    double longs[HISTORY];

    /* While a measurement lasts. */
    turn next;
    double sent; /* when the last message was */
    halo_request sending;
    char *room; /* [HALO_LINK_MAX_BYTES] to receive in */
} link_end;

struct halo_link_probe {
    halo_world *world;
    link_end ends[HALO_ENDS];
    char *zeros; /* [HALO_LINK_MAX_BYTES] to be sent */
};

halo_status halo_link_probe_create(halo_link_probe **out, halo_world *world)
{
    *out = NULL;
    halo_link_probe *probe;
    HALO_TRY(HALO_ALLOCATE(probe, 1, "a probe of links"));
    probe->world = world;
    halo_status status = HALO_ALLOCATE(probe->zeros, HALO_LINK_MAX_BYTES, "a message");
    for (int end = 0; end < HALO_ENDS && status == HALO_OK; end++) {
        probe->ends[end].neighbour = -1;
        status = HALO_ALLOCATE(probe->ends[end].room, HALO_LINK_MAX_BYTES, "a message");
    }
    if (status != HALO_OK) {
        halo_link_probe_destroy(&probe);
    }
    *out = probe;
    return status;
}

void halo_link_probe_destroy(halo_link_probe **probe)
{
    if (*probe != NULL) {
        for (int end = 0; end < HALO_ENDS; end++) {
            free((*probe)->ends[end].room);
        }
        free((*probe)->zeros);
        free(*probe);
        *probe = NULL;
    }
}

static bool is_link(const halo_link_probe *probe, int end)
{
    int neighbour = probe->ends[end].neighbour;
    return neighbour >= 0 && neighbour != halo_world_rank(probe->world);
}

static int bytes_sent(const link_end *end)
{
    return end->bytes < HALO_LINK_MAX_BYTES ? (int)end->bytes : HALO_LINK_MAX_BYTES;
}

/* Send if it is this end's turn, then listen for the other side: `listening` is null when there is
 * nothing more to come. */
static halo_status go_on(halo_link_probe *probe, int which, halo_request *listening)
{
    /* With two strips that go round both neighbours are the same rank: the direction tells them
     * apart. */
    int own_tag = which == HALO_HIGH ? UP_TAG : DOWN_TAG;
    int their_tag = which == HALO_HIGH ? DOWN_TAG : UP_TAG;
    link_end *end = &probe->ends[which];
    *listening = HALO_NO_REQUEST;
    if (end->next < TURNS && sender_of(end->next) == which) {
        HALO_TRY(halo_wait(probe->world, 1, &end->sending)); /* has been answered already */
        int bytes = end->next == HIGH_LONG ? bytes_sent(end) : 0;
        end->sent = halo_seconds();
        HALO_TRY(halo_post(probe->world, true, probe->zeros, bytes, end->neighbour, own_tag,
                           &end->sending));
        end->next++;
    }
    if (end->next < TURNS) {
        HALO_TRY(halo_post(probe->world, false, end->room, HALO_LINK_MAX_BYTES, end->neighbour,
                           their_tag, listening));
    }
    return HALO_OK;
}

/* The message that was listened for has come. */
static void take(link_end *end, int which)
{
    double round = halo_seconds() - end->sent;
    turn answered = end->next - 1;
    if (answered == SHORT_ROUND[which]) {
        end->shorts[end->measured % HISTORY] = round;
    } else if (answered == LONG_ROUND[which]) {
        end->longs[end->measured % HISTORY] = round;
    }
    end->next++;
}

/* Messages of both ends are served in the order in which they come: no rank waits at one end while
 * something could be done at the other, so that there is no order of ranks to lock. */
static halo_status exchange(halo_link_probe *probe)
{
    halo_request listening[HALO_ENDS];
    for (int which = 0; which < HALO_ENDS; which++) {
        link_end *end = &probe->ends[which];
        end->next = is_link(probe, which) ? LOW_READY : TURNS;
        end->sending = HALO_NO_REQUEST;
        HALO_TRY(go_on(probe, which, &listening[which]));
    }
    while (halo_request_is_set(listening[HALO_LOW]) || halo_request_is_set(listening[HALO_HIGH])) {
        int which, bytes;
        HALO_TRY(halo_wait_any(probe->world, HALO_ENDS, listening, &which, &bytes));
        take(&probe->ends[which], which);
        HALO_TRY(go_on(probe, which, &listening[which]));
    }
    for (int which = 0; which < HALO_ENDS; which++) {
        HALO_TRY(halo_wait(probe->world, 1, &probe->ends[which].sending));
    }
    return HALO_OK;
}

halo_status halo_link_probe_measure(halo_link_probe *probe, const int neighbours[HALO_ENDS],
                                    size_t bytes)
{
    for (int which = 0; which < HALO_ENDS; which++) {
        link_end *end = &probe->ends[which];
        if (end->neighbour != neighbours[which] || end->bytes != bytes) {
            end->neighbour = neighbours[which];
            end->bytes = bytes;
            end->measured = 0;
        }
    }
    HALO_TRY(exchange(probe));
    for (int which = 0; which < HALO_ENDS; which++) {
        probe->ends[which].measured += is_link(probe, which);
    }
    return HALO_OK;
}

static double minimum_of(const double *seconds, int64_t count)
{
    double min = seconds[0];
    for (int64_t i = 1; i < count && i < HISTORY; i++) {
        min = seconds[i] < min ? seconds[i] : min;
    }
    return min;
}

halo_link halo_link_probe_link(const halo_link_probe *probe, int end)
{
    const link_end *e = &probe->ends[end];
    halo_link link = {.neighbour = e->neighbour};
    if (e->measured > 0) {
        double shorter = minimum_of(e->shorts, e->measured);
        double longer = minimum_of(e->longs, e->measured) - shorter;
        link.latency_seconds = shorter / 2;
        link.bytes_per_second = longer > RESOLUTION ? bytes_sent(e) / longer : 0;
    }
    return link;
}

double halo_link_probe_seconds(const halo_link_probe *probe)
{
    double slower = 0;
    for (int end = 0; end < HALO_ENDS; end++) {
        halo_link link = halo_link_probe_link(probe, end);
        double seconds = link.latency_seconds;
        if (link.bytes_per_second > 0) {
            seconds += (double)probe->ends[end].bytes / link.bytes_per_second;
        }
        slower = seconds > slower ? seconds : slower;
    }
    return slower;
}
