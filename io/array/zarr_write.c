#include "io/array/array_internal.h"

#include "base/minmax.h"
#include "core/world/collect.h"
#include "io/array/zarr_folder.h"
#include "io/png/deflate.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Zarr, version 2. A chunk is some planes, or some rows of one plane, so that it is a stretch of
 * the raster's rows; its size depends on the array alone, so that the files are the same for every
 * number of ranks. The rank with a chunk's first row writes it, with rows of the ranks after it if
 * their strips begin in it. */

static const int64_t CHUNK_BYTES = (int64_t)8 << 20;

/* What compressed chunks need; `deflater` NULL: they stay as they are. */
typedef struct {
    halo_deflater *deflater;
    halo_buffer out;
} packer;

typedef struct {
    const halo_npy_header *header;
    const int64_t *cuts;
    int rank, ranks;
    int64_t planes, rows;    /* rows of a plane */
    int64_t depth, height;   /* of a chunk: planes, and rows of a plane */
    int64_t across;          /* chunks of a plane */
    size_t row_bytes, bytes; /* of a row, and of a chunk */
} layout;

static layout plan(const halo_npy_header *header, const int64_t *cuts, const halo_world *world)
{
    layout l = {.header = header,
                .cuts = cuts,
                .rank = halo_world_rank(world),
                .ranks = halo_world_ranks(world),
                .planes = halo_array_planes(header),
                .rows = halo_array_plane_rows(header),
                .row_bytes = halo_npy_row_bytes(header)};
    int64_t row = halo_max((int64_t)l.row_bytes, 1);
    l.height = halo_max(halo_min(l.rows, CHUNK_BYTES / row), 1);
    l.depth = halo_max(halo_min(l.planes, CHUNK_BYTES / row / halo_max(l.rows, 1)), 1);
    l.across = halo_max((l.rows + l.height - 1) / l.height, 1);
    l.bytes = (size_t)(l.depth * l.height) * l.row_bytes;
    return l;
}

static int64_t chunk_of(const layout *l, int64_t row)
{
    return row / l->rows / l->depth * l->across + row % l->rows / l->height;
}

/* The first row of a chunk, and the one after the last; rows that fill it up do not count. */
static int64_t begin_of(const layout *l, int64_t chunk)
{
    return chunk / l->across * l->depth * l->rows + chunk % l->across * l->height;
}

static int64_t end_of(const layout *l, int64_t chunk)
{
    int64_t plane = chunk / l->across * l->depth;
    return l->across > 1 ? halo_min(begin_of(l, chunk) + l->height, (plane + 1) * l->rows)
                         : halo_min(plane + l->depth, l->planes) * l->rows;
}

static int owner_of(const layout *l, int64_t row)
{
    int rank = 0;
    while (l->cuts[rank + 1] <= row) {
        rank++;
    }
    return rank;
}

/* ---- rows for the owners of chunks ----------------------------------------------------------- */

/* Where the rows end that another rank writes. */
static int64_t find_begin(const layout *l)
{
    int64_t lo = l->cuts[l->rank], hi = l->cuts[l->rank + 1];
    if (lo == hi || l->row_bytes == 0) {
        return lo;
    }
    int64_t chunk = chunk_of(l, lo);
    return begin_of(l, chunk) == lo ? lo : halo_min(end_of(l, chunk), hi);
}

/* Collective. *in has the rows, one after the other, that this rank's last chunk lacks. */
static halo_status exchange(halo_world *world, const layout *l, const halo_rows *rows, void *buffer,
                            void **in)
{
    size_t *counts = NULL;
    int64_t lo = l->cuts[l->rank], count = find_begin(l) - lo;
    halo_status status = HALO_ALLOCATE(counts, 2 * l->ranks, "rows for other ranks");
    if (status == HALO_OK && count > 0) {
        counts[owner_of(l, begin_of(l, chunk_of(l, lo)))] = (size_t)count * l->row_bytes;
        status = rows->fill(rows->context, lo, count, buffer, l->row_bytes);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = halo_agree(world, halo_alltoallv(world, buffer, counts, in, counts + l->ranks));
    }
    free(counts);
    return status;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Local. zlib's format (RFC 1950), in pieces that the deflater takes. */
static halo_status pack(packer *p, const unsigned char *data, size_t bytes)
{
    static const unsigned char begin[] = {0x78, 0x01}, last_block[] = {0x03, 0x00};
    const size_t most = (size_t)1 << 30;
    uint32_t adler = 1;
    p->out.size = 0;
    HALO_TRY(halo_buffer_append(&p->out, begin, sizeof begin));
    for (size_t done = 0, now; done < bytes; done += now) {
        now = bytes - done < most ? bytes - done : most;
        HALO_TRY(halo_deflater_run(p->deflater, &p->out, data + done, now));
        adler = halo_adler32(adler, data + done, now);
    }
    const unsigned char end[] = {(unsigned char)(adler >> 24), (unsigned char)(adler >> 16),
                                 (unsigned char)(adler >> 8), (unsigned char)adler};
    HALO_TRY(halo_buffer_append(&p->out, last_block, sizeof last_block));
    return halo_buffer_append(&p->out, end, sizeof end);
}

/* Local. */
static halo_status write_chunk(const halo_zarr_folder *folder, const layout *l, packer *p,
                               int64_t chunk, const unsigned char *data)
{
    enum { NAME = 64 };
    char name[NAME];
    bool solid = l->header->axes == 3;
    int64_t plane = chunk / l->across, row = chunk % l->across;
    if (solid) {
        snprintf(name, sizeof name, "%" PRId64 ".%" PRId64 ".0", plane, row);
    } else {
        snprintf(name, sizeof name, "%" PRId64 ".0", row);
    }
    if (p->deflater == NULL) {
        return halo_zarr_folder_write(folder, name, data, l->bytes);
    }
    HALO_TRY(pack(p, data, l->bytes));
    return halo_zarr_folder_write(folder, name, p->out.data, p->out.size);
}

/* Local. */
static halo_status write_own(const halo_zarr_folder *folder, const layout *l, packer *p,
                             const halo_rows *rows, unsigned char *buffer, const unsigned char *in)
{
    int64_t lo = l->cuts[l->rank], hi = l->cuts[l->rank + 1];
    for (int64_t at = find_begin(l), end; at < hi && l->row_bytes > 0; at = end) {
        int64_t chunk = chunk_of(l, at);
        end = end_of(l, chunk);
        int64_t own = halo_min(end, hi) - at;
        size_t bytes = (size_t)own * l->row_bytes, whole = (size_t)(end - at) * l->row_bytes;
        HALO_TRY(rows->fill(rows->context, at, own, buffer, l->row_bytes));
        if (whole > bytes) {
            memcpy(buffer + bytes, in, whole - bytes);
        }
        memset(buffer + whole, 0, l->bytes - whole);
        HALO_TRY(write_chunk(folder, l, p, chunk, buffer));
        if (rows->progress != NULL) {
            rows->progress(rows->context, at + own - lo, hi - lo);
        }
    }
    return HALO_OK;
}

/* As zarr-python writes it. */
static void describe(const layout *l, halo_array_packing packing, char *text, size_t size)
{
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, solid = l->header->axes == 3;
    const char *order = halo_npy_sample_bytes(l->header) == 1 ? "|" : big ? ">" : "<";
    const char *compressor = packing == HALO_ARRAY_PACKING_NONE
                                 ? "null"
                                 : "{\n        \"id\": \"zlib\",\n        \"level\": 1\n    }";
    char planes[32] = "", depth[32] = "";
    if (solid) {
        snprintf(planes, sizeof planes, "%" PRId64 ", ", l->planes);
        snprintf(depth, sizeof depth, "%" PRId64 ", ", l->depth);
    }
    snprintf(text, size,
             "{\n    \"chunks\": [%s%" PRId64 ", %" PRId64 "],\n    \"compressor\": %s,\n"
             "    \"dimension_separator\": \".\",\n    \"dtype\": \"%s%s\",\n"
             "    \"fill_value\": 0,\n    \"filters\": null,\n    \"order\": \"C\",\n"
             "    \"shape\": [%s%" PRId64 ", %" PRId64 "],\n    \"zarr_format\": 2\n}\n",
             depth, l->height, halo_max(l->header->width, 1), compressor, order,
             halo_npy_types[l->header->type].descr, planes, l->rows, l->header->width);
}

/* Everything that can fail before there is a folder. */
static halo_status prepare(const layout *l, halo_array_packing packing, packer *p, void **buffer)
{
    halo_buffer checked = {0};
    halo_status status = halo_npy_begin(&checked, l->header); /* which knows what sizes there are */
    halo_buffer_free(&checked);
    HALO_TRY(status);
    HALO_TRY(halo_cuts_check(l->cuts, l->ranks, l->header->height, "the array"));
    HALO_TRY(packing != HALO_ARRAY_PACKING_NONE ? halo_deflater_create(&p->deflater) : HALO_OK);
    return halo_memory_create(buffer, l->bytes, "rows on their way into an array's chunks");
}

halo_status halo_array_zarr_write(halo_world *world, const char *path,
                                  const halo_npy_header *header, halo_array_packing packing,
                                  const int64_t *cuts, const halo_rows *rows)
{
    enum { TEXT = 1024 };
    const layout l = plan(header, cuts, world);
    char text[TEXT];
    halo_zarr_folder folder;
    packer p = {0};
    void *buffer = NULL, *in = NULL;
    describe(&l, packing, text, sizeof text);
    halo_status status = halo_agree(world, prepare(&l, packing, &p, &buffer));
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, halo_zarr_folder_begin(&folder, world, path));
    status = exchange(world, &l, rows, buffer, &in);
    if (status == HALO_OK) {
        status = write_own(&folder, &l, &p, rows, buffer, in);
    }
    status = halo_zarr_folder_end(&folder, world, text, status);
done:
    halo_buffer_free(&p.out);
    halo_deflater_destroy(&p.deflater);
    halo_memory_free(in);
    halo_memory_free(buffer);
    return status;
}
