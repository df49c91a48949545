#ifndef HALOBEAT_CORE_WORLD_SLOWDOWN_H
#define HALOBEAT_CORE_WORLD_SLOWDOWN_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Ranks that are slowed down for tests and demonstrations of balancing: such a rank really computes
 * longer. A slowdown is set for a rank, or read from a trace of the load that other programs put on
 * a machine over time, as Playload does in the study of balancing strategies. */
typedef struct halo_slowdown halo_slowdown;

/* Local. Creates an object without slowdowns; the caller destroys it. HALO_MEMORY. */
halo_status halo_slowdown_create(halo_slowdown **out);

/* Local. Accepts a pointer to NULL. */
void halo_slowdown_destroy(halo_slowdown **slowdown);

/* Local. Adds a slowdown "RANK:FACTOR" or "RANK:FACTOR@BEAT": from beat BEAT (default 0) on, rank
 * RANK takes FACTOR (1 to 1000000) times as long, until the next BEAT that is given for the same
 * rank. If a rank and beat are given twice, the later one applies. HALO_ARGUMENT for other text;
 * HALO_MEMORY. */
halo_status halo_slowdown_add(halo_slowdown *slowdown, const char *text);

/* Local. Reads a trace: text with lines "SECONDS RANK LOAD", whose seconds ascend for each rank; #
 * begins a comment. From SECONDS until the rank's next line, LOAD other programs (a real number of
 * at least 0) compete for the rank's core, so that it takes 1 + LOAD times as long; before its
 * first line the load is 0. HALO_FILE; HALO_FORMAT, with the line number, for other text, a rank
 * that is in another trace already, or a file without loads; HALO_MEMORY. After a failure nothing
 * of the trace is used. */
halo_status halo_slowdown_read_trace(halo_slowdown *slowdown, const char *path);

/* Local. The largest rank that a slowdown is set for; -1 if there is none. */
int halo_slowdown_last_rank(const halo_slowdown *slowdown);

/* Local. The factor by which `rank` is slowed down at `beat`, `seconds` after the start of the run:
 * that of its setting times that of its trace. 1 if `slowdown` is NULL. Takes a binary search,
 * which is cheap enough for every block of rows. */
double halo_slowdown_factor(const halo_slowdown *slowdown, int rank, int64_t beat, double seconds);

/* Local. Computes without a result for `seconds` of the steady clock, to within about a
 * microsecond; on a simulated machine, simulates the time instead. Does nothing if `seconds` is not
 * above 0. */
void halo_slowdown_inject(double seconds);

#endif
