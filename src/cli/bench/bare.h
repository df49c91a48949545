#ifndef HALOBEAT_CLI_BENCH_BARE_H
#define HALOBEAT_CLI_BENCH_BARE_H

#include "cli/bench/bench.h"

/* Exchanges by plain MPI calls, to compare ours with. They are not there where ranks are
 * threads. */

/* Local. Every rank sends a message of `bytes` bytes to both neighbours in a ring, by calls of MPI.
 * Returns the item's place. */
int bench_add_bare(bench_list *list, int ranks, int bytes);

/* Columns of a wide field as one datatype, as exchanges have them. */
typedef struct bench_datatype bench_datatype;

/* Collective. `rows` rows of `cells` numbers of 64 bits, which are `stride` numbers apart.
 * HALO_ARGUMENT where there are no datatypes, HALO_MEMORY, HALO_MPI; all on all ranks. */
halo_status bench_datatype_create(bench_datatype **out, halo_world *world, int rows, int cells,
                                  int stride);

/* Local. Packs those that begin at `from` into `packed`, which has room for all. HALO_MPI. */
halo_status bench_datatype_pack(bench_datatype *type, double *from, void *packed);

/* Local. Accepts a pointer to NULL; sets it to NULL. */
void bench_datatype_destroy(bench_datatype **type);

#endif
