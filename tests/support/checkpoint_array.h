#ifndef HALOBEAT_TESTS_CHECKPOINT_ARRAY_H
#define HALOBEAT_TESTS_CHECKPOINT_ARRAY_H

#include "core/file/checkpoint.h"

#include <stdbool.h>

/* An array whose every byte is known from its place, so that each rank makes its own rows and
 * knows what it must get back. */
typedef struct {
    int64_t rows;
    size_t row_bytes;
    uint64_t seed;
    bool failing; /* rows can neither be had nor taken on this rank */

    /* Called, unless NULL, when rows are asked for. */
    void (*meanwhile)(void);

    int64_t next, end; /* the row that has to come next, and the end of the strip */
} checkpoint_array;

/* Local. One row; `out` has row_bytes. */
void checkpoint_array_row(const checkpoint_array *array, int64_t row, unsigned char *out);

/* Collective over `world`. Write or read the array in a test's folder (support/mpi_folder.h),
 * expecting that rows are asked for and come in order, each once, with the right bytes. `what`
 * tells kernel, options and beat. */
halo_status checkpoint_array_write(checkpoint_array *array, halo_world *world, const char *name,
                                   halo_checkpoint what, const int64_t *cuts);
halo_status checkpoint_array_read(checkpoint_array *array, halo_checkpoint_reader *reader,
                                  halo_world *world, const int64_t *cuts);

/* Collective over `world`. Open, read everything on even cuts, close. */
halo_status checkpoint_array_check(checkpoint_array *array, halo_world *world, const char *name);

#endif
