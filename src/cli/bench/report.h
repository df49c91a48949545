#ifndef HALOBEAT_CLI_BENCH_REPORT_H
#define HALOBEAT_CLI_BENCH_REPORT_H

#include "cli/bench/options.h"
#include "cli/bench/table.h"

/* What every kind of `halobeat bench` has to say in the end. */

/* Collective. Rank 0 prints `table`, unless quiet, and all write the files that were asked for;
 * entries of `more` (or NULL) come into the JSON besides. */
halo_status bench_report(halo_world *world, const bench_arguments *arguments,
                         const bench_table *table, json_t *more);

#endif
