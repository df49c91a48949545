#include "io/image/zarr_whole.h"

#include "io/image/zarr_internal.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Arrays of zarr, of which each rank reads its own rows. */

/* Any number of samples a chunk: but they are counted in 64 bits, and read in pieces. */
static const int64_t MOST_CHUNK = (int64_t)1 << 56, MOST_PACKED = INT32_MAX;

static halo_status check_chunk(const halo_image_reader *reader)
{
    zarr_state *state = reader->state;
    const zarr_array *array = &state->array;
    int64_t bytes = (int64_t)array->bytes;
    for (int i = 0; i < array->axes; i++) {
        if (array->chunk[i] > MOST_CHUNK / bytes) {
            return halo_fail(HALO_FORMAT,
                             "%s: the description claims chunks of more than 2^56 bytes; make the "
                             "array again",
                             reader->path);
        }
        bytes *= array->chunk[i];
    }
    state->chunk_bytes = bytes;
    int64_t row = array->chunk[array->axes - 1] * (int64_t)array->bytes;
    bool whole = !halo_zarr_is_plain(array);
    if ((whole ? bytes : row) > MOST_PACKED) {
        return halo_fail(HALO_FORMAT,
                         "%s: %s of %" PRId64 " bytes; at most %" PRId64
                         " can be read: save the array in smaller chunks",
                         reader->path, whole ? "compressed chunks" : "rows of chunks",
                         whole ? bytes : row, MOST_PACKED);
    }
    return HALO_OK;
}

static halo_status check_sizes(const halo_image_reader *reader)
{
    const zarr_array *array = &((const zarr_state *)reader->state)->array;
    for (int i = 0; i < array->axes; i++) {
        if (array->shape[i] == 0) {
            return halo_fail(HALO_FORMAT, "%s: the array has no samples; save one that has",
                             reader->path);
        }
    }
    return HALO_OK;
}

/* Estimate the bytes of all chunks from the first one: the true sum would need a look at each. */
static void set_file_bytes(halo_image_reader *reader)
{
    const zarr_state *state = reader->state;
    struct stat about;
    double whole =
        (double)reader->info.rows * (double)reader->layout.row_samples * (double)state->array.bytes;
    double chunks = (double)halo_max(1, state->array.sharding.chunks);
    double share = (double)halo_zarr_first_chunk(reader) / ((double)state->chunk_bytes * chunks);
    int64_t bytes = (int64_t)(whole * (share < 1 ? share : 1));
    reader->info.file_bytes =
        bytes + (stat(reader->data_path, &about) == 0 ? (int64_t)about.st_size : 0);
}

static halo_status open_zarr(halo_image_reader *reader)
{
    zarr_state *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a zarr array"));
    reader->state = state;
    HALO_TRY(halo_zarr_find(reader, &state->array));
    halo_image_say_nodata(reader, state->array.nodata_source, state->array.nodata,
                          state->array.nodata_count);
    HALO_TRY(check_sizes(reader));
    HALO_TRY(check_chunk(reader));
    HALO_TRY(halo_zarr_choose(reader));
    halo_zarr_plan(reader);
    halo_zarr_place(reader);
    set_file_bytes(reader);
    snprintf(reader->info.decoder, sizeof reader->info.decoder, "%s",
             halo_zarr_decoder(&state->array));
    bool layered = reader->info.axes == 3 || state->lines > 1;
    reader->info.random_access = true;
    reader->info.in_place = state->pieces;
    reader->info.layers = state->pieces ? 0 : state->chunk[layered ? 0 : 1];
    return HALO_OK;
}

static void close_zarr(halo_image_reader *reader)
{
    zarr_state *state = reader->state;
    if (state != NULL) {
        halo_memory_free(state->band);
        halo_memory_free(state->pixels);
        halo_memory_free(state->packed);
        halo_zarr_close_shards(state);
        free(state->array.folder);
        free(state->array.group);
        free(state);
    }
}

void halo_zarr_expect_whole(halo_image_reader *reader)
{
    ((zarr_state *)reader->state)->whole = true;
}

const halo_image_format halo_image_zarr = {.name = "zarr",
                                           .missing = halo_zarr_missing,
                                           .claims = halo_zarr_claims,
                                           .open = open_zarr,
                                           .rows = halo_zarr_rows,
                                           .close = close_zarr,
                                           .files = halo_zarr_files};
