#ifndef HALOBEAT_TESTS_CHECKPOINT_ARRAY_H
#define HALOBEAT_TESTS_CHECKPOINT_ARRAY_H

#include "core/file/checkpoint.h"

#include <stdbool.h>

/* An array whose every byte follows from its position, so that each rank can produce its own rows
 * and check those it reads. */
typedef struct {
    int64_t rows;
    size_t row_bytes;
    uint64_t seed;
    bool failing; /* producing and taking rows fails on this rank */

    /* Called when rows are requested; may be NULL. */
    void (*meanwhile)(void);

    int64_t next, end; /* the next expected row, and the end of the strip */
} checkpoint_array;

/* Local. One row; `out` has row_bytes. */
void checkpoint_array_row(const checkpoint_array *array, int64_t row, unsigned char *out);

/* Collective over `world`. Writes or reads the array in a test's folder (support/mpi_folder.h),
 * expecting that rows are requested and passed in order, once each, with the right bytes. `what`
 * has kernel, options and beat. */
halo_status checkpoint_array_write(checkpoint_array *array, halo_world *world, const char *name,
                                   halo_checkpoint what, const int64_t *cuts);
halo_status checkpoint_array_read(checkpoint_array *array, halo_checkpoint_reader *reader,
                                  halo_world *world, const int64_t *cuts);

/* Collective over `world`. Opens, reads everything with even cuts, and closes. */
halo_status checkpoint_array_check(checkpoint_array *array, halo_world *world, const char *name);

#endif
