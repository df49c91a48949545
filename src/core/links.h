#ifndef HALOBEAT_CORE_LINKS_H
#define HALOBEAT_CORE_LINKS_H

#include "core/world.h"

#include <stddef.h>

/* How fast the links to the neighbouring strips are. A rank sends each neighbour a short message
 * and a long one, both of which are acknowledged (as in the LB1/LB2 paper, which tells network
 * delay and transfer speed apart by acknowledgements), at a time when nobody computes: right after
 * a vote. The least of the last times counts, since an operating system only ever adds to them. */
typedef struct halo_links halo_links;

enum { HALO_LINK_LOW, HALO_LINK_HIGH, HALO_LINK_ENDS };

typedef struct {
    int neighbour;           /* rank, or -1 */
    double latency_seconds;  /* one way */
    double bytes_per_second; /* 0 if not known: too fast for what is sent */
} halo_link;

/* Local. HALO_MEMORY. */
halo_status halo_links_create(halo_links **out, halo_world *world);

/* Local. Accepts a pointer to NULL. */
void halo_links_destroy(halo_links **links);

/* Collective. Measure once more. `neighbours` are the ranks of the strips below and above this one
 * (-1: none), and name each other; with one that changes what was known of it is forgotten.
 * `bytes` is the size of a halo, the same on both sides. HALO_MPI, HALO_MEMORY. */
halo_status halo_links_measure(halo_links *links, const int neighbours[HALO_LINK_ENDS],
                               size_t bytes);

/* Local. */
halo_link halo_links_of(const halo_links *links, int end);

/* Local. Seconds that a halo of the last size takes to come over the slower of the links. */
double halo_links_seconds(const halo_links *links);

#endif
