#include "io/array/format.h"

#include "base/minmax.h"
#include "io/array/chunks.h"
#include "io/array/packer.h"
#include "io/array/zarr_folder.h"
#include "io/array/zarr_tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Zarr, version 2. */

static const int64_t CHUNK_BYTES = (int64_t)8 << 20;

enum { SIZES = 128 };

typedef struct {
    halo_chunks chunks;
    halo_packer packer;
    halo_zarr_folder folder;
} writer;

/* Local. */
static halo_status put_chunk(void *context, int64_t chunk, const unsigned char *data, size_t bytes)
{
    enum { NAME = 64 };
    char name[NAME];
    writer *w = context;
    const halo_chunks *l = &w->chunks;
    int64_t plane = chunk / l->across, row = chunk % l->across;
    (void)bytes; /* all chunks are of one size in the files */
    if (halo_array_space(l->header) == 3) {
        snprintf(name, sizeof name, "%" PRId64 ".%" PRId64 ".0", plane, row);
    } else {
        snprintf(name, sizeof name, "%" PRId64 ".0%s", row,
                 halo_array_has_pixels(l->header) ? ".0" : "");
    }
    if (w->packer.packing == HALO_ARRAY_PACKING_NONE) {
        return halo_zarr_folder_write(&w->folder, name, data, l->bytes);
    }
    HALO_TRY(halo_packer_run(&w->packer, data, l->bytes));
    return halo_zarr_folder_write(&w->folder, name, w->packer.out.data, w->packer.out.size);
}

/* "[4, 512, 512]" */
static void print_sizes(const halo_npy_header *header, int64_t planes, int64_t rows,
                        int64_t columns, char text[SIZES])
{
    char first[32] = "", last[32] = "";
    if (halo_array_space(header) == 3) {
        snprintf(first, sizeof first, "%" PRId64 ", ", planes);
    }
    if (halo_array_has_pixels(header)) {
        snprintf(last, sizeof last, ", %" PRId64, header->pixel);
    }
    snprintf(text, SIZES, "[%s%" PRId64 ", %" PRId64 "%s]", first, rows, columns, last);
}

/* As zarr-python writes it. */
static void describe(const halo_chunks *l, halo_array_packing packing, char *text, size_t size)
{
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    const char *order = halo_npy_sample_bytes(l->header) == 1 ? "|" : big ? ">" : "<";
    static const char *const compressors[] = {
        [HALO_ARRAY_PACKING_NONE] = "null",
        [HALO_ARRAY_PACKING_DEFLATE] = "{\n        \"id\": \"zlib\",\n        \"level\": 1\n    }",
        [HALO_ARRAY_PACKING_LZ4] =
            ("{\n        \"blocksize\": 0,\n        \"clevel\": 5,\n        \"cname\": \"lz4\",\n"
             "        \"id\": \"blosc\",\n        \"shuffle\": 1\n    }")};
    char chunks[SIZES], shape[SIZES];
    int64_t columns = halo_array_columns(l->header);
    print_sizes(l->header, l->depth, l->height, halo_max(columns, 1), chunks);
    print_sizes(l->header, l->planes, l->rows, columns, shape);
    snprintf(text, size,
             "{\n    \"chunks\": %s,\n    \"compressor\": %s,\n"
             "    \"dimension_separator\": \".\",\n    \"dtype\": \"%s%s\",\n"
             "    \"fill_value\": 0,\n    \"filters\": null,\n    \"order\": \"C\",\n"
             "    \"shape\": %s,\n    \"zarr_format\": 2\n}\n",
             chunks, compressors[packing], order, halo_sample_types[l->header->type].numpy, shape);
}

/* Everything that can fail before there is a folder. */
static halo_status prepare(writer *w, const halo_world *world, const char *path,
                           const halo_npy_header *header, halo_array_packing packing,
                           const int64_t *cuts)
{
    HALO_TRY(packing == HALO_ARRAY_PACKING_LZ4 ? halo_packer_load(path) : HALO_OK);
    HALO_TRY(halo_chunks_open(&w->chunks, world, header, cuts, CHUNK_BYTES, true));
    return halo_packer_open(&w->packer, packing, header);
}

static halo_status write_chunks(halo_world *world, const halo_array_file *file, const int64_t *cuts,
                                const halo_rows *rows)
{
    enum { TEXT = 1024 };
    char text[TEXT], *attributes = NULL;
    const halo_array_about *about = file->about;
    writer w = {.packer = {.packing = about->packing}};
    halo_status status = prepare(&w, world, file->path, file->header, about->packing, cuts);
    if (status == HALO_OK) {
        status = halo_array_zarr_attributes(&attributes, file->header, about);
    }
    status = halo_agree(world, status);
    HALO_TRY_OR(done, status);
    describe(&w.chunks, about->packing, text, sizeof text);
    HALO_TRY_OR(done, halo_zarr_folder_begin(&w.folder, world, &halo_zarr_array_kind, file->path));
    status = halo_chunks_exchange(&w.chunks, world, rows);
    if (status == HALO_OK) {
        status = halo_chunks_each(&w.chunks, rows, put_chunk, &w);
    }
    status = halo_zarr_folder_end(&w.folder, world, text, attributes, status);
done:
    free(attributes);
    halo_packer_close(&w.packer);
    halo_chunks_close(&w.chunks);
    return status;
}

static halo_status check_folder(halo_world *world, const char *path)
{
    return halo_zarr_folder_check(world, &halo_zarr_array_kind, path);
}

static const halo_array_folder folder = {
    .check = check_folder, .is_whole = halo_zarr_tree_is_whole, .clean = halo_zarr_folder_clean};

const halo_array_format halo_array_format_zarr = {
    .name = "zarr",
    .types = HALO_ARRAY_ALL_BUT_LINES,
    .tells = HALO_ARRAY_TELLS_PLACE | HALO_ARRAY_TELLS_UNIT,
    .write = {[HALO_ARRAY_PACKING_NONE] = write_chunks,
              [HALO_ARRAY_PACKING_DEFLATE] = write_chunks,
              [HALO_ARRAY_PACKING_LZ4] = write_chunks},
    .folder = &folder};
