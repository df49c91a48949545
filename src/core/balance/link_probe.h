#ifndef HALOBEAT_CORE_BALANCE_LINK_PROBE_H
#define HALOBEAT_CORE_BALANCE_LINK_PROBE_H

#include "core/world/world.h"
#include "partition/box.h"

#include <stddef.h>

/* How fast the links to the neighbouring strips are. A rank sends each neighbour a short message
 * and a long one, both of which are acknowledged (as in the LB1/LB2 paper, which tells network
 * delay and transfer speed apart by acknowledgements), at a time when nobody computes: right after
 * a vote. The shortest of the last times counts, since an operating system only ever adds to them.
 */
typedef struct halo_link_probe halo_link_probe;

/* Of a larger halo only this number of bytes is sent: enough to know the speed. */
enum { HALO_LINK_MAX_BYTES = 1 << 20 };

typedef struct {
    int neighbour;           /* rank, or -1; this rank itself is no link */
    double latency_seconds;  /* one way; 0 if not measured */
    double bytes_per_second; /* 0 if not known: too fast for what is sent */
} halo_link;

/* Local. HALO_MEMORY. */
halo_status halo_link_probe_create(halo_link_probe **out, halo_world *world);

/* Local. Accepts a pointer to NULL. */
void halo_link_probe_destroy(halo_link_probe **probe);

/* Collective over the ranks that have neighbours. Measure once more, both links at the same time:
 * three messages each way over each, one of them long. `neighbours` are the ranks of the strips
 * below and above this one (-1: none; the rank itself, where it is its own), and name each other;
 * with one that changes, or with another size, what was known of it is forgotten. `bytes` is the
 * size of a halo, the same on both sides. HALO_MPI. */
halo_status halo_link_probe_measure(halo_link_probe *probe, const int neighbours[HALO_ENDS],
                                    size_t bytes);

/* Local. What is known of the link at an end, HALO_LOW or HALO_HIGH. */
halo_link halo_link_probe_link(const halo_link_probe *probe, int end);

/* Local. Seconds that a halo of the last size takes to come over the slower of the links; 0 if
 * there is none. */
double halo_link_probe_seconds(const halo_link_probe *probe);

#endif
