#ifndef HALOBEAT_LABEL_COSTS_H
#define HALOBEAT_LABEL_COSTS_H

#include <stdint.h>

/* The cost of labelling and painting, for plans and simulated machines: seconds on one core with
 * AVX-512, measured on images of 4096^2 pixels: without runs, with a run in four words, and noise
 * with 12 and 16 runs per word. For planning cuts only their ratios matter. Internal to the label
 * kernel. */

#define LABEL_FLOP 1e-9 /* seconds, on the machines that are simulated */

static inline double label_cost(int64_t words, int64_t runs)
{
    static const double of_word = 10e-9 /* most of it painting */, of_run = 2.5e-9;
    return of_word * (double)words + of_run * (double)runs;
}

static inline double label_cost_of_counting(int64_t words)
{
    static const double of_word = .3e-9;
    return of_word * (double)words;
}

#endif
