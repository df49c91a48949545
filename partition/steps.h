#ifndef HALOBEAT_PARTITION_STEPS_H
#define HALOBEAT_PARTITION_STEPS_H

#include <stdbool.h>
#include <stdint.h>

/* Moving cuts in steps, in each of which rows go to the next strip only. Cuts are [parts + 1] and
 * valid, both of the same cells; all functions are local and pure. */

/* One step from `from` towards `to`: each cut moves to its target, or as far as the former position
 * of its neighbouring cut. Every part then gets cells only from the parts before and after it, by
 * number; cells also pass through empty parts. `next` [parts + 1] must not be one of the others. */
void halo_cuts_step(const int64_t *from, const int64_t *to, int parts, int64_t *next);

/* The number of such steps from `from` to `to`: 0 if they are equal, at most parts - 1. */
int halo_cuts_steps(const int64_t *from, const int64_t *to, int parts);

/* True if steps are predicted to be faster than sending cells directly to their new owners. In each
 * step the part with the most to do counts: its bytes in and out (`bytes` per cell), plus for every
 * other part it exchanges messages with an equivalent of 16 KiB for the part before or after it,
 * with which it has exchanged halos, and of 1 MiB for others: over TCP a first message took .6 to
 * 3.4 ms, later ones 10 to 20 us.
 *
 * Steps never send fewer bytes, since cells are forwarded. They are faster if few cells move
 * far. */
bool halo_cuts_steps_pay(const int64_t *from, const int64_t *to, int parts, double bytes);

#endif
