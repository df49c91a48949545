#ifndef HALOBEAT_CLI_BENCH_VALUES_H
#define HALOBEAT_CLI_BENCH_VALUES_H

#include "cli/bench/options.h"

/* Values of options of `halobeat bench`: lists with commas. All local. */

app_parse bench_parse_words, bench_parse_shapes, bench_parse_modes; /* into bench_words */
app_parse bench_parse_ranks, bench_parse_depths;                    /* into bench_numbers */

/* "N", for all axes, or WIDTHxHEIGHT[xDEPTH]. HALO_ARGUMENT. */
halo_status bench_parse_size(const char *text, int axes, int64_t size[HALO_AXES]);

#endif
