#include "io/array/format.h"

#include "core/file/file.h"
#include "core/world/collect.h"
#include "io/array/chunks.h"
#include "io/array/packer.h"

#include <stdlib.h>
#include <string.h>

/* TIFF with strips that are compressed one by one, by all ranks. Where a strip begins is known
 * when all before it are compressed: ranks put theirs aside until then. Rank 0 knows it at once, so
 * that one rank alone needs no memory for them. */

/* So that a program that shows a part of a page has little to decode. */
static const int64_t STRIP_BYTES = (int64_t)256 << 10;

typedef struct {
    const halo_array_about *about;
    halo_chunks strips;
    halo_packer packer;
    halo_packed packed; /* own part */
    halo_buffer sizes;  /* int64_t of each of them */
    int64_t *begins;    /* [strips + 1] on rank 0 */
} writer;

static halo_status put_strip(void *context, int64_t strip, const unsigned char *data, size_t bytes)
{
    writer *w = context;
    (void)strip;
    HALO_TRY(halo_packer_run(&w->packer, data, bytes));
    int64_t size = (int64_t)w->packer.out.size;
    HALO_TRY(halo_buffer_append(&w->sizes, &size, sizeof size));
    return halo_packed_add(&w->packed, &w->packer.out, w->strips.rank == 0);
}

/* Everything that can fail before there is a file. */
static halo_status prepare(writer *w, const halo_world *world, const halo_npy_header *header,
                           const int64_t *cuts)
{
    bool first = halo_world_rank(world) == 0;
    HALO_TRY(halo_chunks_open(&w->strips, world, header, cuts, STRIP_BYTES, false));
    HALO_TRY(halo_packer_open(&w->packer, HALO_ARRAY_PACKING_DEFLATE, header));
    return HALO_ALLOCATE(w->begins, first ? w->strips.count + 1 : 1, "sizes of strips");
}

static void release(writer *w)
{
    free(w->begins);
    halo_buffer_free(&w->sizes);
    halo_packed_free(&w->packed);
    halo_packer_close(&w->packer);
    halo_chunks_close(&w->strips);
}

/* Collective. Those of all ranks, in the order of ranks, are the strips in order. */
static halo_status gather_sizes(writer *w, halo_world *world)
{
    void *all;
    size_t bytes;
    halo_status status =
        halo_agree(world, halo_gatherv(world, w->sizes.data, w->sizes.size, &all, &bytes));
    if (status == HALO_OK && w->strips.rank == 0) {
        for (int64_t i = 0; i < w->strips.count; i++) {
            int64_t size;
            memcpy(&size, (const char *)all + (size_t)i * sizeof size, sizeof size);
            w->begins[i + 1] = w->begins[i] + size;
        }
    }
    halo_memory_free(all);
    return status;
}

/* Local. On rank 0. */
static halo_status write_head(const writer *w)
{
    halo_buffer head = {0};
    halo_status status =
        halo_array_tiff_packed_head(&head, w->strips.header, w->about, w->strips.height, w->begins);
    status = status == HALO_OK ? halo_file_write(w->packed.file, 0, head.data, head.size) : status;
    halo_buffer_free(&head);
    return status;
}

/* Collective, up to the last line but one. */
static halo_status write_strips(writer *w, halo_world *world, const halo_rows *rows)
{
    /* This offset counts on rank 0 only, which writes first. */
    w->packed.begin = halo_array_tiff_samples(w->strips.header, w->about, w->strips.height);
    HALO_TRY(halo_chunks_exchange(&w->strips, world, rows));
    HALO_TRY(halo_agree(world, halo_chunks_each(&w->strips, rows, put_strip, w)));
    HALO_TRY(halo_packed_place(&w->packed, world));
    HALO_TRY(gather_sizes(w, world));
    HALO_TRY(halo_packed_write(&w->packed));
    return w->strips.rank == 0 ? write_head(w) : HALO_OK;
}

static halo_status write_packed_strips(halo_world *world, const halo_array_file *of,
                                       const int64_t *cuts, const halo_rows *rows)
{
    writer w = {.about = of->about, .packed.path = of->path};
    halo_status status = halo_agree(world, prepare(&w, world, of->header, cuts));
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, halo_file_create(&w.packed.file, world, of->path));
    status = halo_file_commit(&w.packed.file, write_strips(&w, world, rows));
done:
    release(&w);
    return status;
}

static halo_status put_head(halo_buffer *out, const halo_array_file *file, int64_t stream)
{
    (void)stream;
    return halo_array_tiff_head(out, file->header, file->about);
}

/* Pages in colours have no description, which would tell the unit and the origin. */
const halo_array_format halo_array_format_tiff = {
    .name = "TIFF",
    .types = {[HALO_ARRAY_IMAGE] = HALO_ARRAY_ALL_TYPES,
              [HALO_ARRAY_VOLUME] = HALO_ARRAY_ALL_TYPES,
              [HALO_ARRAY_COLOURS] = HALO_ARRAY_TYPE(U8) | HALO_ARRAY_TYPE(U16),
              [HALO_ARRAY_PIXELS] = HALO_ARRAY_TYPE(U8) | HALO_ARRAY_TYPE(U16)},
    .most_pixel = 4,
    .tells = HALO_ARRAY_TELLS_SPACING | HALO_ARRAY_TELLS_ORIGIN | HALO_ARRAY_TELLS_UNIT |
             HALO_ARRAY_TELLS_LABELS | HALO_ARRAY_TELLS_PRINTED | HALO_ARRAY_TELLS_GEOTIFF,
    .picture = true,
    .as_floats = HALO_ARRAY_TYPE(U32),
    .write = {[HALO_ARRAY_PACKING_NONE] = halo_array_rows_write,
              [HALO_ARRAY_PACKING_DEFLATE] = write_packed_strips},
    .head = put_head};
