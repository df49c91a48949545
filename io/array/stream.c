#include "io/array/format.h"

#include "core/file/file.h"
#include "core/world/collect.h"
#include "io/array/chunks.h"
#include "io/array/packer.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Formats whose samples are one stream of zlib (MetaImage) or gzip (NRRD, and .nii.gz with its
 * header). Readers take no more than the first stream of several, so that ranks deflate strips that
 * refer to nothing before them, which follow each other within one stream, and their checksums are
 * combined; so do components of pixels. Ranks other than the first keep theirs until they know
 * where they begin. */

static const int64_t STRIP_BYTES = (int64_t)1 << 20;

/* The size and the checksum of the bytes packed so far. */
typedef struct {
    int64_t bytes;
    uint64_t sum;
} checked;

typedef struct {
    const halo_array_file *of;
    bool gzip; /* or zlib */
    halo_chunks strips;
    halo_packer packer;
    halo_array_components components;
    halo_packed packed; /* own part of a component */
    checked own, all;   /* of that part; of all that rank 0 has collected */
} writer;

static void add_sum(writer *w, const unsigned char *data, size_t bytes)
{
    uint32_t sum = (uint32_t)w->own.sum;
    w->own.sum = w->gzip ? halo_crc32(sum, data, bytes) : halo_adler32(sum, data, bytes);
    w->own.bytes += (int64_t)bytes;
}

static halo_status put_strip(void *context, int64_t strip, const unsigned char *data, size_t bytes)
{
    writer *w = context;
    (void)strip;
    HALO_TRY(halo_packer_run_raw(&w->packer, data, bytes));
    add_sum(w, data, bytes);
    return halo_packed_add(&w->packed, &w->packer.out, w->strips.rank == 0);
}

/* The text before the stream, of the same length for all sizes of the stream. */
static halo_status put_text(halo_buffer *out, const writer *w, int64_t stream)
{
    const halo_array_format *format = w->of->format;
    return format->head_inside ? HALO_OK : format->head(out, w->of, stream);
}

/* On rank 0, what stands before the first strip: the stream's own head, and in it the format's if
 * that is compressed, too. */
static halo_status begin_stream(writer *w)
{
    static const unsigned char zlib[] = {0x78, 0x01};
    static const unsigned char gzip[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}; /* no time */
    halo_buffer head = {0};
    if (w->strips.rank != 0) {
        return HALO_OK;
    }
    halo_status status = halo_buffer_append(&w->packed.waiting, w->gzip ? gzip : zlib,
                                            w->gzip ? sizeof gzip : sizeof zlib);
    if (status == HALO_OK && w->of->format->head_inside) {
        status = w->of->format->head(&head, w->of, 0);
        status = status == HALO_OK ? halo_deflater_run(w->packer.deflater, &w->packed.waiting,
                                                       head.data, head.size)
                                   : status;
        add_sum(w, head.data, head.size);
    }
    halo_buffer_free(&head);
    return status;
}

/* Everything that can fail before there is a file. */
static halo_status prepare(writer *w, const halo_world *world, const int64_t *cuts,
                           const halo_rows *rows)
{
    const halo_npy_header *header = &w->components.header;
    halo_buffer text = {0};
    HALO_TRY(halo_array_components_open(&w->components, w->of, rows));
    HALO_TRY(halo_chunks_open(&w->strips, world, header, cuts, STRIP_BYTES, false));
    HALO_TRY(halo_packer_open(&w->packer, HALO_ARRAY_PACKING_DEFLATE, header));
    halo_status status = put_text(&text, w, 0);
    w->packed.begin = (int64_t)text.size;
    halo_buffer_free(&text);
    return status;
}

static checked none(const writer *w)
{
    return (checked){.sum = w->gzip ? 0 : 1};
}

/* Collective. Adds the checksum and the bytes of the parts of all ranks, on rank 0. */
static halo_status combine_sums(writer *w, halo_world *world)
{
    void *all;
    size_t bytes;
    halo_status status =
        halo_agree(world, halo_gatherv(world, &w->own, sizeof w->own, &all, &bytes));
    if (status == HALO_OK && w->strips.rank == 0) {
        for (size_t at = 0; at < bytes; at += sizeof w->own) {
            checked next;
            memcpy(&next, (const char *)all + at, sizeof next);
            w->all.sum = w->gzip ? crc32_combine(w->all.sum, next.sum, next.bytes)
                                 : adler32_combine(w->all.sum, next.sum, next.bytes);
            w->all.bytes += next.bytes;
        }
    }
    halo_memory_free(all);
    return status;
}

/* Local. On rank 0: the end of the stream of `stream` bytes, and the text that may tell its size.
 */
static halo_status write_ends(const writer *w, int64_t text_bytes, int64_t stream)
{
    unsigned char end[10] = {0x03, 0x00}; /* the last block is empty */
    size_t bytes = 2;
    for (int i = 0; i < 4; i++) {
        end[bytes++] = (unsigned char)(w->all.sum >> (w->gzip ? 8 * i : 24 - 8 * i));
    }
    for (int i = 0; i < 4 && w->gzip; i++) {
        end[bytes++] = (unsigned char)((uint64_t)w->all.bytes >> (8 * i));
    }
    halo_buffer text = {0};
    HALO_TRY(halo_file_write(w->packed.file, text_bytes + stream, end, bytes));
    halo_status status = put_text(&text, w, stream + (int64_t)bytes);
    status = status == HALO_OK ? halo_file_write(w->packed.file, 0, text.data, text.size) : status;
    halo_buffer_free(&text);
    return status;
}

/* Collective. Writes a component at w->packed.begin, and moves that behind it. */
static halo_status write_component(writer *w, halo_world *world, int64_t number)
{
    const halo_rows *rows = &w->components.rows[number];
    int64_t begin = w->packed.begin;
    w->own = none(w);
    HALO_TRY(halo_chunks_exchange(&w->strips, world, rows));
    halo_status status = number == 0 ? begin_stream(w) : HALO_OK;
    HALO_TRY(halo_agree(world, status == HALO_OK ? halo_chunks_each(&w->strips, rows, put_strip, w)
                                                 : status));
    int64_t bytes = halo_packed_size(&w->packed);
    HALO_TRY(halo_packed_place(&w->packed, world));
    HALO_TRY(halo_allreduce_sum(world, &bytes, 1));
    HALO_TRY(combine_sums(w, world));
    HALO_TRY(halo_agree(world, halo_packed_write(&w->packed)));
    w->packed.begin = begin + bytes;
    w->packed.written = 0;
    return HALO_OK;
}

/* Collective, up to the last line but one. */
static halo_status write_stream(writer *w, halo_world *world)
{
    int64_t text_bytes = w->packed.begin;
    w->all = none(w);
    for (int64_t i = 0; i < w->components.count; i++) {
        HALO_TRY(write_component(w, world, i));
    }
    return w->strips.rank == 0 ? write_ends(w, text_bytes, w->packed.begin - text_bytes) : HALO_OK;
}

halo_status halo_array_stream_write(halo_world *world, const halo_array_file *file,
                                    const int64_t *cuts, const halo_rows *rows)
{
    writer w = {.of = file, .gzip = file->format->gzip, .packed.path = file->path};
    halo_status status = halo_agree(world, prepare(&w, world, cuts, rows));
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, halo_file_create(&w.packed.file, world, file->path));
    status = halo_file_commit(&w.packed.file, write_stream(&w, world));
done:
    halo_array_components_close(&w.components);
    halo_packed_free(&w.packed);
    halo_packer_close(&w.packer);
    halo_chunks_close(&w.strips);
    return status;
}
