#include "io/array/ome/ome_internal.h"

#include "base/checksums.h"
#include "base/minmax.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bands of rows become chunks, each in a file of its own, or all of a band in a shard: these one
 * after the other, and behind them an index with the place and the size of each (codec
 * sharding_indexed of zarr 3). */

enum { NAME = 160 };

halo_status halo_ome_tiles_open(halo_ome_tiles *t)
{
    const int64_t *tile = t->level->tile;
    halo_sample_type type = t->image->type;
    const halo_npy_header header = {
        .width = tile[2], .height = tile[0] * tile[1], .type = type, .axes = 2};
    t->row_bytes = halo_npy_row_bytes(&header);
    t->bytes = t->row_bytes * (size_t)header.height;
    HALO_TRY(halo_packer_open(&t->packer, t->image->about->packing, &header));
    t->packer.gzip = t->image->version == HALO_OME_05;
    return HALO_ALLOCATE_LARGE(t->chunk, t->bytes, "a chunk of an image");
}

void halo_ome_tiles_close(halo_ome_tiles *t)
{
    halo_packer_close(&t->packer);
    halo_memory_free(t->chunk);
    halo_buffer_free(&t->shard);
    halo_buffer_free(&t->index);
}

/* Chunks at the edges are filled up with 0. */
static void cut_out(const halo_ome_tiles *t, const unsigned char *band, int64_t row, int64_t column)
{
    const int64_t *tile = t->level->tile, height = t->bands->height;
    size_t sample = halo_sample_types[t->image->type].stored;
    int64_t rows = halo_min(tile[1], height - row * tile[1]);
    int64_t columns = halo_min(tile[2], t->level->n[2] - column * tile[2]);
    memset(t->chunk, 0, t->bytes);
    for (int64_t z = 0; z < tile[0]; z++) {
        const unsigned char *from = band +
                                    (size_t)(z * height + row * tile[1]) * t->bands->row_bytes +
                                    (size_t)(column * tile[2]) * sample;
        unsigned char *to = t->chunk + (size_t)(z * tile[1]) * t->row_bytes;
        for (int64_t y = 0; y < rows; y++) {
            memcpy(to, from, (size_t)columns * sample);
            from += t->bands->row_bytes;
            to += t->row_bytes;
        }
    }
}

/* LEVEL/CHANNEL/PLANE/ROW/COLUMN, in version 0.5 LEVEL/c/CHANNEL/... */
static void print_name(const halo_ome_tiles *t, int64_t plane, int64_t row, int64_t column,
                       char name[NAME])
{
    char channel[32] = "", first[32] = "";
    if (t->image->channels > 0) {
        snprintf(channel, sizeof channel, "%" PRId64 "/", t->channel);
    }
    if (t->image->levels->axes == HALO_OME_AXES) {
        snprintf(first, sizeof first, "%" PRId64 "/", plane);
    }
    snprintf(name, NAME, "%d/%s%s%s%" PRId64 "/%" PRId64, t->number,
             t->image->version == HALO_OME_05 ? "c/" : "", channel, first, row, column);
}

static halo_status put_number(halo_buffer *out, uint64_t number, int bytes)
{
    unsigned char text[sizeof number];
    for (int i = 0; i < bytes; i++) {
        text[i] = (unsigned char)(number >> 8 * i);
    }
    return halo_buffer_append(out, text, (size_t)bytes);
}

static halo_status add_to_shard(halo_ome_tiles *t, const void *data, size_t bytes)
{
    HALO_TRY(put_number(&t->index, t->shard.size, sizeof(uint64_t)));
    HALO_TRY(put_number(&t->index, bytes, sizeof(uint64_t)));
    return halo_buffer_append(&t->shard, data, bytes);
}

static halo_status write_shard(halo_ome_tiles *t, const char *name)
{
    uint32_t sum = halo_crc32c(t->index.data, t->index.size);
    HALO_TRY(put_number(&t->index, sum, sizeof sum));
    HALO_TRY(halo_buffer_append(&t->shard, t->index.data, t->index.size));
    halo_status status = halo_zarr_folder_write(t->folder, name, t->shard.data, t->shard.size);
    t->shard.size = t->index.size = 0;
    return status;
}

halo_status halo_ome_tiles_put(void *context, int64_t band, const unsigned char *data, size_t bytes)
{
    halo_ome_tiles *t = context;
    int64_t plane = band / t->bands->across, first = band % t->bands->across;
    bool packs = t->packer.packing != HALO_ARRAY_PACKING_NONE;
    char name[NAME];
    (void)bytes; /* all bands are of one size */
    for (int64_t i = 0; i < t->level->rows * t->level->columns; i++) {
        int64_t row = i / t->level->columns, column = i % t->level->columns;
        cut_out(t, data, row, column);
        HALO_TRY(packs ? halo_packer_run(&t->packer, t->chunk, t->bytes) : HALO_OK);
        const void *made = packs ? t->packer.out.data : t->chunk;
        size_t size = packs ? t->packer.out.size : t->bytes;
        print_name(t, plane, first + row, column, name);
        HALO_TRY(t->image->sharded ? add_to_shard(t, made, size)
                                   : halo_zarr_folder_write(t->folder, name, made, size));
    }
    print_name(t, plane, first, 0, name);
    return t->image->sharded ? write_shard(t, name) : HALO_OK;
}
