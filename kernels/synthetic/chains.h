#ifndef HALOBEAT_SYNTHETIC_CHAINS_H
#define HALOBEAT_SYNTHETIC_CHAINS_H

#include <stdbool.h>
#include <stdint.h>

/* Work with a known result: linear congruential generators modulo 2^64, with the multiplier and
 * increment of D. E. Knuth's MMIX (The Art of Computer Programming 2, 3.3.4). A row has several
 * independent generators, so that the time of a step depends on the throughput of a core and not
 * only on the latency of one multiplication. */

enum { SYNTHETIC_CHAINS = 8, SYNTHETIC_FLOPS_A_STEP = 2 * SYNTHETIC_CHAINS };

/* All functions are local and pure. The state of a row at a beat, after some steps of its chains,
 * whose initial states depend on row and beat, is a number that is 0 after 0 steps. Returns what
 * steps `from` to `to - 1` add to it, so that consecutive shares from 0 on add up to the number
 * after the last step.
 *
 * The steps are computed, except those before `from`, which are jumped over; with `jump` all are
 * jumped over, in O(log steps): F. B. Brown, Random Number Generation with Arbitrary Strides
 * (1994). */
uint64_t synthetic_chains_share(int64_t row, int64_t beat, int64_t from, int64_t to, bool jump);

/* A hash of `number` that looks random, different for each number (Steele, Lea and Flood 2014). */
uint64_t synthetic_mixed(uint64_t number);

#endif
