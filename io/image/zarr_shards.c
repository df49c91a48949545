#define _POSIX_C_SOURCE 200809L
#include "base/checksums.h"
#include "base/memory.h"
#include "io/image/zarr_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Shards of version 3 (codec sharding_indexed): files with many chunks, and an index of where each
 * is. The chunks in them are what halo_zarr_rows reads; the last shards' indices are kept. */

enum { ENTRY_BYTES = 16, SUM_BYTES = 4 };

/* ---- description ----------------------------------------------------------------------------- */

/* The index is not compressed, since its size must be known. */
static halo_status parse_index(const halo_image_reader *reader, const json_t *codec,
                               zarr_sharding *sharding)
{
    const json_t *list = halo_zarr_configured(codec, "index_codecs"),
                 *location = halo_zarr_configured(codec, "index_location");
    const json_t *first = json_array_get(list, 0), *second = json_array_get(list, 1);
    size_t count = json_array_size(list);
    bool sum = count == 2 && halo_zarr_is_text(json_object_get(second, "name"), "crc32c");
    sharding->big = halo_zarr_is_text(halo_zarr_configured(first, "endian"), "big");
    sharding->checksum = sum;
    sharding->at_start = halo_zarr_is_text(location, "start");
    if (!halo_zarr_is_text(json_object_get(first, "name"), "bytes") || (count != 1 && !sum)) {
        return halo_zarr_fail_field(reader, "codecs of the index of shards", list,
                                    "\"bytes\", and behind it crc32c can be read");
    }
    return location == NULL || sharding->at_start || halo_zarr_is_text(location, "end")
               ? HALO_OK
               : halo_zarr_fail_field(reader, "location of the index of shards", location,
                                      "\"start\" and \"end\" can be read");
}

halo_status halo_zarr_parse_shards(const halo_image_reader *reader, const json_t *codec,
                                   zarr_array *array)
{
    const int64_t most = INT64_C(1) << 24;
    zarr_sharding *sharding = &array->sharding;
    const json_t *sizes = halo_zarr_configured(codec, "chunk_shape");
    int64_t inner[HALO_IMAGE_MAX_AXES] = {0};
    HALO_TRY(halo_zarr_parse_sizes(reader, "chunk_shape of shards", sizes, 1, array, inner));
    sharding->chunks = 1;
    for (int i = 0; i < array->axes; i++) {
        sharding->per[i] = array->chunk[i] / inner[i];
        bool whole = array->chunk[i] % inner[i] == 0;
        if (!whole || sharding->per[i] > most / sharding->chunks) {
            return halo_zarr_fail_field(reader, "chunk_shape of shards", sizes,
                                        whole ? "a shard can have 16777216 chunks: save the array "
                                                "in smaller shards"
                                              : "the shape of a shard must be a multiple of it: "
                                                "make the array again");
        }
        sharding->chunks *= sharding->per[i];
        array->chunk[i] = inner[i];
    }
    return parse_index(reader, codec, sharding);
}

/* ---- indices --------------------------------------------------------------------------------- */

static uint64_t number_at(const zarr_sharding *sharding, const unsigned char *at)
{
    return halo_image_number(at, (int)sizeof(uint64_t), sharding->big);
}

static halo_status read_index(const halo_image_reader *reader, const char *name, zarr_shard *shard)
{
    const zarr_sharding *sharding = &((const zarr_state *)reader->state)->array.sharding;
    int64_t entries = sharding->chunks * ENTRY_BYTES;
    int64_t bytes = entries + (sharding->checksum ? SUM_BYTES : 0);
    if (shard->bytes < bytes) {
        return halo_fail(HALO_FORMAT,
                         "%s: the shard %s has %" PRId64 " bytes, and its index needs %" PRId64
                         "; copy or make the array again",
                         reader->path, name, shard->bytes, bytes);
    }
    HALO_TRY(HALO_ALLOCATE(shard->index, bytes, "the index of a shard"));
    HALO_TRY(halo_zarr_read_at(reader, name, shard->file,
                               sharding->at_start ? 0 : shard->bytes - bytes, shard->index,
                               (size_t)bytes));
    bool well =
        !sharding->checksum || halo_image_number(shard->index + entries, SUM_BYTES, false) ==
                                   halo_crc32c(shard->index, (size_t)entries);
    return well ? HALO_OK
                : halo_fail(HALO_FORMAT,
                            "%s: the checksum of the index of %s is wrong; copy or make the array "
                            "again",
                            reader->path, name);
}

static void close_shard(zarr_shard *shard)
{
    if (shard->file >= 0 && shard->known) {
        close(shard->file);
    }
    free(shard->index);
    *shard = (zarr_shard){.file = -1};
}

void halo_zarr_close_shards(zarr_state *state)
{
    for (int i = 0; i < ZARR_SHARDS; i++) {
        close_shard(&state->shards[i]);
    }
}

/* The shard with these numbers, opened if it is not kept. */
static halo_status find_shard(const halo_image_reader *reader, const char *name,
                              const int64_t *numbers, zarr_shard **out)
{
    zarr_state *state = reader->state;
    for (int i = 0; i < ZARR_SHARDS; i++) {
        *out = &state->shards[i];
        if ((*out)->known && memcmp((*out)->numbers, numbers, sizeof(*out)->numbers) == 0) {
            return HALO_OK;
        }
    }
    *out = &state->shards[state->next_shard++ % ZARR_SHARDS];
    close_shard(*out);
    HALO_TRY(halo_zarr_open_file(reader, name, &(*out)->file, &(*out)->bytes));
    memcpy((*out)->numbers, numbers, sizeof(*out)->numbers);
    (*out)->known = true;
    halo_status status = (*out)->file >= 0 ? read_index(reader, name, *out) : HALO_OK;
    if (status != HALO_OK) {
        close_shard(*out);
    }
    return status;
}

halo_status halo_zarr_find_in_shard(const halo_image_reader *reader, const char *name,
                                    const int64_t *numbers, zarr_place *place)
{
    const zarr_array *array = &((const zarr_state *)reader->state)->array;
    const zarr_sharding *sharding = &array->sharding;
    int64_t shard_numbers[HALO_IMAGE_MAX_AXES] = {0}, entry = 0;
    zarr_shard *shard;
    for (int i = 0; i < array->axes; i++) {
        shard_numbers[i] = numbers[i] / sharding->per[i];
        entry = entry * sharding->per[i] + numbers[i] % sharding->per[i];
    }
    *place = (zarr_place){.file = -1};
    HALO_TRY(find_shard(reader, name, shard_numbers, &shard));
    if (shard->file < 0) {
        return HALO_OK;
    }
    uint64_t at = number_at(sharding, shard->index + entry * ENTRY_BYTES);
    uint64_t bytes = number_at(sharding, shard->index + entry * ENTRY_BYTES + sizeof at);
    if (at == UINT64_MAX && bytes == UINT64_MAX) {
        return HALO_OK;
    }
    uint64_t whole = (uint64_t)shard->bytes;
    if (bytes > whole || at > whole - bytes) {
        return halo_fail(HALO_FORMAT,
                         "%s: the index of the shard %s names bytes behind its end; copy or make "
                         "the array again",
                         reader->path, name);
    }
    *place =
        (zarr_place){.file = shard->file, .kept = true, .at = (int64_t)at, .bytes = (int64_t)bytes};
    return HALO_OK;
}
