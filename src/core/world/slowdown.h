#ifndef HALOBEAT_CORE_WORLD_SLOWDOWN_H
#define HALOBEAT_CORE_WORLD_SLOWDOWN_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Ranks that are slow on purpose, for tests and for showing what a balancer does: such a rank
 * really computes that much longer. Slowdowns are set by rank, or replayed from a trace of the load
 * that other programs put on a machine over time, the role of Playload in the study of balancing
 * strategies. */
typedef struct halo_slowdown halo_slowdown;

/* Local. Nobody is slow. HALO_MEMORY. */
halo_status halo_slowdown_create(halo_slowdown **out);

/* Local. Accepts a pointer to NULL. */
void halo_slowdown_destroy(halo_slowdown **slowdown);

/* Local. "RANK:FACTOR" or "RANK:FACTOR@BEAT": that rank takes FACTOR (1 to a million) times as
 * long, from that beat on, 0 if none is given, until the next beat that is given for it. Of two for
 * the same rank and beat the later one counts. HALO_ARGUMENT for what is not that, HALO_MEMORY. */
halo_status halo_slowdown_add(halo_slowdown *slowdown, const char *text);

/* Local. Reads a trace, text with lines "SECONDS RANK LOAD" in any order of ranks and ascending
 * seconds for each; # begins a comment. From then on, until the rank's next line, LOAD other
 * programs (a number from 0 on, such as 1.5) compete for the rank's core, which makes it 1 + LOAD
 * times as slow; before its first line none do. A rank may be in one trace only. HALO_FILE;
 * HALO_FORMAT with the line's number, or if there are no loads; HALO_MEMORY. After a failure
 * nothing of the trace counts. */
halo_status halo_slowdown_read_trace(halo_slowdown *slowdown, const char *path);

/* Local. The highest rank that is named anywhere; -1 for none. */
int halo_slowdown_last_rank(const halo_slowdown *slowdown);

/* Local. How many times as long does `rank` take at `beat`, `seconds` after the run's beginning?
 * Both kinds multiply. 1 where `slowdown` is NULL. A binary search: cheap enough for every block of
 * rows. */
double halo_slowdown_factor(const halo_slowdown *slowdown, int rank, int64_t beat, double seconds);

/* Local. Compute for `seconds` of the steady clock to no purpose, within about a microsecond;
 * on a simulated machine, let them pass. Nothing for 0, less, or no number. */
void halo_slowdown_inject(double seconds);

#endif
