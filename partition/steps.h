#ifndef HALOBEAT_PARTITION_STEPS_H
#define HALOBEAT_PARTITION_STEPS_H

#include <stdbool.h>
#include <stdint.h>

/* Moving boundaries only as far as the next strip, in as many steps as it takes. Cuts are
 * [parts + 1] and valid, both of the same cells; all functions are local and pure. */

/* One step from `from` towards `to`: each boundary moves to where it should be, or as near as its
 * neighbouring boundaries have been. Every part then gets cells only from the part before it and
 * the one after it, by number: an empty part is one like any other, cells pass through it. `next`
 * ([parts + 1]) is neither of the others. */
void halo_cuts_step(const int64_t *from, const int64_t *to, int parts, int64_t *next);

/* How many such steps lead from `from` to `to`: 0 if they are the same, at most parts - 1. */
int halo_cuts_steps(const int64_t *from, const int64_t *to, int parts);

/* Are steps predicted to be faster than handing cells straight to their new owners? What counts is
 * the part with most to do, in each step: bytes in and out (`bytes` a cell), and for every other
 * part it deals with the bytes that could be moved instead, 16 KiB for the one before it or after
 * it, which halos have been exchanged with all along, and 1 MiB for a stranger: over TCP a first
 * message took .6 to 3.4 ms, where later ones took 10 to 20 us.
 *
 * Steps never carry fewer bytes, since cells are handed on. They are faster where few cells go
 * far. */
bool halo_cuts_steps_pay(const int64_t *from, const int64_t *to, int parts, double bytes);

#endif
