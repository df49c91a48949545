#ifndef HALOBEAT_CORE_BALANCE_LINK_PROBE_H
#define HALOBEAT_CORE_BALANCE_LINK_PROBE_H

#include "core/world/world.h"
#include "partition/box.h"

#include <stddef.h>

/* Measuring the speed of the links to neighbouring strips. A rank sends each neighbour a short and
 * a long message, which are acknowledged, when no rank computes: directly after a vote. (The
 * LB1/LB2 paper also separates network delay and transfer speed by acknowledgements.) The minimum
 * of recent times counts, since the operating system can only delay messages. */
typedef struct halo_link_probe halo_link_probe;

/* Maximum bytes sent of a halo: enough to measure the speed. */
enum { HALO_LINK_MAX_BYTES = 1 << 20 };

typedef struct {
    int neighbour;           /* rank, or -1; never this rank itself */
    double latency_seconds;  /* in one direction; 0: not measured */
    double bytes_per_second; /* 0: unknown, too fast for the bytes sent */
} halo_link;

/* Local. Creates a probe; the caller destroys it. HALO_MEMORY. */
halo_status halo_link_probe_create(halo_link_probe **out, halo_world *world);

/* Local. Frees the probe and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_link_probe_destroy(halo_link_probe **probe);

/* Collective over the ranks that have neighbours. Measures both links at the same time: three
 * messages in each direction over each, one of them long. `neighbours` are the ranks of the strips
 * below and above this one (-1: none; possibly this rank), and must be mutual. Measurements of a
 * neighbour are dropped if it is replaced or the size changes. `bytes` is the size of a halo, the
 * same on both sides. HALO_TRANSPORT. */
halo_status halo_link_probe_measure(halo_link_probe *probe, const int neighbours[HALO_ENDS],
                                    size_t bytes);

/* Local. The measurements of the link at an end, HALO_LOW or HALO_HIGH. */
halo_link halo_link_probe_link(const halo_link_probe *probe, int end);

/* Local. Seconds that a halo of the last size takes over the slower link; 0 without links. */
double halo_link_probe_seconds(const halo_link_probe *probe);

#endif
