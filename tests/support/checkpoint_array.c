#include "support/checkpoint_array.h"

#include "partition/cuts.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void checkpoint_array_row(const checkpoint_array *array, int64_t row, unsigned char *out)
{
    uint64_t state = array->seed + (uint64_t)row * 7919;
    for (size_t i = 0; i < array->row_bytes; i += sizeof(uint64_t)) {
        uint64_t value = random_next(&state);
        size_t left = array->row_bytes - i;
        memcpy(out + i, &value, left < sizeof value ? left : sizeof value);
    }
}

/* Is it these rows' turn? */
static halo_status expect_turn(checkpoint_array *array, int64_t first, int64_t rows)
{
    expect(first == array->next && rows > 0 && first + rows <= array->end,
           "rows %" PRId64 " to %" PRId64 " instead of %" PRId64, first, first + rows - 1,
           array->next);
    array->next = first + rows;
    return array->failing ? halo_fail(HALO_ELSEWHERE, "row %" PRId64 " is out of reach", first)
                          : HALO_OK;
}

static halo_status fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    checkpoint_array *array = context;
    HALO_TRY(expect_turn(array, first, rows));
    if (array->meanwhile != NULL) {
        array->meanwhile();
    }
    for (int64_t i = 0; i < rows; i++) {
        checkpoint_array_row(array, first + i, (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

static halo_status take(void *context, int64_t first, int64_t rows, const void *data, size_t pitch)
{
    checkpoint_array *array = context;
    HALO_TRY(expect_turn(array, first, rows));
    unsigned char *row = malloc(array->row_bytes);
    for (int64_t i = 0; row != NULL && i < rows; i++) {
        checkpoint_array_row(array, first + i, row);
        expect(memcmp(row, (const char *)data + (size_t)i * pitch, array->row_bytes) == 0,
               "row %" PRId64 " came back wrong", first + i);
    }
    expect(row != NULL, "memory");
    free(row);
    return HALO_OK;
}

static void own_strip(checkpoint_array *array, const halo_world *world, const int64_t *cuts)
{
    array->next = cuts[halo_world_rank(world)];
    array->end = cuts[halo_world_rank(world) + 1];
}

static void expect_all_came(const checkpoint_array *array, halo_status status)
{
    expect(status != HALO_OK || array->next == array->end, "rows from %" PRId64 " on are missing",
           array->next);
}

halo_status checkpoint_array_write(checkpoint_array *array, halo_world *world, const char *name,
                                   halo_checkpoint what, const int64_t *cuts)
{
    const halo_rows rows = {fill, NULL, array};
    what.rows = array->rows;
    what.row_bytes = array->row_bytes;
    own_strip(array, world, cuts);
    halo_status status = halo_checkpoint_write(world, path_of(name), &what, cuts, &rows);
    expect_all_came(array, status);
    return status;
}

halo_status checkpoint_array_read(checkpoint_array *array, halo_checkpoint_reader *reader,
                                  halo_world *world, const int64_t *cuts)
{
    own_strip(array, world, cuts);
    halo_status status = halo_checkpoint_read(reader, cuts, take, array);
    expect_all_came(array, status);
    return status;
}

halo_status checkpoint_array_check(checkpoint_array *array, halo_world *world, const char *name)
{
    int ranks = halo_world_ranks(world);
    halo_checkpoint_reader *reader = NULL;
    HALO_TRY(halo_checkpoint_open(&reader, world, path_of(name)));
    expect(halo_checkpoint_info(reader)->rows == array->rows &&
               halo_checkpoint_info(reader)->row_bytes == array->row_bytes,
           "%" PRId64 " rows of %zu bytes", halo_checkpoint_info(reader)->rows,
           halo_checkpoint_info(reader)->row_bytes);
    int64_t *cuts = calloc((size_t)ranks + 1, sizeof *cuts);
    expect(cuts != NULL, "memory");
    halo_status status = HALO_MEMORY;
    if (cuts != NULL) {
        halo_cuts_even(array->rows, ranks, cuts);
        status = checkpoint_array_read(array, reader, world, cuts);
    }
    free(cuts);
    halo_checkpoint_close(&reader);
    expect(reader == NULL, "a closed reader is gone");
    return status;
}
