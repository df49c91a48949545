#define _POSIX_C_SOURCE 200809L
#include "io/array/packer.h"

#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HALOBEAT_BLOSC
#include "io/library/blosc.h"
#endif

/* Large enough that the code of a piece costs little, small enough to stay in a core's cache. */
static const size_t PIECE = (size_t)1 << 20;

/* Packed bytes are written, or put aside, as soon as there are this many, to save system calls. */
static const size_t WRITE_BYTES = (size_t)8 << 20;

halo_status halo_packer_load(const char *path)
{
#ifdef HALOBEAT_BLOSC
    return halo_library_load(&halo_libblosc_library, path);
#else
    return halo_fail(HALO_ARGUMENT,
                     "this build has no libblosc, which makes lz4 for %s; use --compress deflate",
                     path);
#endif
}

halo_status halo_packer_open(halo_packer *packer, halo_array_packing packing,
                             const halo_npy_header *header)
{
    *packer = (halo_packer){.packing = packing,
                            .sample = halo_npy_sample_bytes(header),
                            .row = halo_npy_row_bytes(header)};
    if (packing != HALO_ARRAY_PACKING_DEFLATE) {
        return HALO_OK;
    }
    packer->piece =
        packer->row > 0 && packer->row <= PIECE ? PIECE / packer->row * packer->row : PIECE;
    HALO_TRY(halo_raster_create(&packer->raster, packer->piece));
    return halo_deflater_create(&packer->deflater);
}

void halo_packer_close(halo_packer *packer)
{
    halo_buffer_free(&packer->out);
    halo_raster_destroy(&packer->raster);
    halo_deflater_destroy(&packer->deflater);
}

static halo_status deflate_pieces(halo_packer *p, const unsigned char *data, size_t bytes)
{
    for (size_t done = 0, now; done < bytes; done += now) {
        bool packed = false;
        now = bytes - done < p->piece ? bytes - done : p->piece;
        HALO_TRY(
            halo_raster_deflate(p->raster, &p->out, data + done, now, p->sample, p->row, &packed));
        HALO_TRY(packed ? HALO_OK : halo_deflater_run(p->deflater, &p->out, data + done, now));
    }
    return HALO_OK;
}

static halo_status pack_zlib(halo_packer *p, const unsigned char *data, size_t bytes)
{
    static const unsigned char begin[] = {0x78, 0x01}, last_block[] = {0x03, 0x00};
    uint32_t adler = halo_adler32(1, data, bytes);
    HALO_TRY(halo_buffer_append(&p->out, begin, sizeof begin));
    HALO_TRY(deflate_pieces(p, data, bytes));
    const unsigned char end[] = {(unsigned char)(adler >> 24), (unsigned char)(adler >> 16),
                                 (unsigned char)(adler >> 8), (unsigned char)adler};
    HALO_TRY(halo_buffer_append(&p->out, last_block, sizeof last_block));
    return halo_buffer_append(&p->out, end, sizeof end);
}

static halo_status pack_gzip(halo_packer *p, const unsigned char *data, size_t bytes)
{
    static const unsigned char begin[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}; /* no time */
    uint32_t sum = halo_crc32(0, data, bytes);
    unsigned char end[10] = {0x03, 0x00}; /* the last block is empty */
    for (int i = 0; i < 4; i++) {
        end[2 + i] = (unsigned char)(sum >> 8 * i);
        end[6 + i] = (unsigned char)((uint64_t)bytes >> 8 * i);
    }
    HALO_TRY(halo_buffer_append(&p->out, begin, sizeof begin));
    HALO_TRY(deflate_pieces(p, data, bytes));
    return halo_buffer_append(&p->out, end, sizeof end);
}

/* Bytes of all samples that have the same place come together ("shuffle"), as zarr-python has it
 * unless told otherwise. The blocks' size depends on the samples' size and the chunk's alone. */
static halo_status pack_blosc(halo_packer *p, const unsigned char *data, size_t bytes)
{
#ifdef HALOBEAT_BLOSC
    enum { LEVEL = 5 };
    if (bytes > BLOSC_MAX_BUFFERSIZE) {
        return halo_fail(HALO_ARGUMENT,
                         "a chunk of %zu bytes is too long for lz4; use --compress "
                         "deflate",
                         bytes);
    }
    size_t room = bytes + BLOSC_MAX_OVERHEAD;
    HALO_TRY(halo_buffer_reserve(&p->out, room));
    int packed = halo_libblosc.compress_ctx(LEVEL, BLOSC_SHUFFLE, p->sample, bytes, data,
                                            p->out.data, room, "lz4", 0, 1);
    if (packed <= 0) {
        return halo_fail(HALO_MEMORY, "out of memory: libblosc could not compress %zu bytes",
                         bytes);
    }
    p->out.size = (size_t)packed;
    return HALO_OK;
#else
    (void)p, (void)data, (void)bytes;
    return halo_packer_load("the array");
#endif
}

halo_status halo_packer_run(halo_packer *packer, const unsigned char *data, size_t bytes)
{
    packer->out.size = 0;
    return packer->packing == HALO_ARRAY_PACKING_LZ4 ? pack_blosc(packer, data, bytes)
           : packer->gzip                            ? pack_gzip(packer, data, bytes)
                                                     : pack_zlib(packer, data, bytes);
}

halo_status halo_packer_run_raw(halo_packer *packer, const unsigned char *data, size_t bytes)
{
    packer->out.size = 0;
    return deflate_pieces(packer, data, bytes);
}

/* ---- into a file ----------------------------------------------------------------------------- */

/* Opens a file without a name in the folder of the other. False: it cannot be done. */
static bool open_beside(halo_packed *packed)
{
    static const char ending[] = ".halobeat-XXXXXX";
    size_t length = packed->path != NULL ? strlen(packed->path) : 0;
    char *name = length > 0 ? malloc(length + sizeof ending) : NULL;
    if (name != NULL) {
        memcpy(name, packed->path, length);
        memcpy(name + length, ending, sizeof ending);
        int file = mkstemp(name);
        packed->beside = file + 1;
        if (file >= 0) {
            unlink(name);
        }
    }
    free(name);
    return packed->beside > 0;
}

/* Puts aside what waits; what cannot be stays in memory. */
static void put_aside(halo_packed *packed)
{
    halo_buffer *waiting = &packed->waiting;
    size_t done = 0;
    if (packed->beside == 0 && !open_beside(packed)) {
        packed->path = NULL;
        return;
    }
    while (done < waiting->size) {
        ssize_t now = pwrite(packed->beside - 1, waiting->data + done, waiting->size - done,
                             (off_t)(packed->aside + (int64_t)done));
        if (now <= 0) {
            packed->path = NULL;
            return; /* what was written of it lies behind `aside` */
        }
        done += (size_t)now;
    }
    packed->aside += (int64_t)done;
    waiting->size = 0;
}

static halo_status write_aside(halo_packed *packed)
{
    halo_buffer block = {0};
    halo_status status = packed->aside > 0 ? halo_buffer_reserve(&block, WRITE_BYTES) : HALO_OK;
    for (int64_t done = 0; done < packed->aside && status == HALO_OK;) {
        int64_t left = packed->aside - done;
        size_t bytes = left < (int64_t)WRITE_BYTES ? (size_t)left : WRITE_BYTES;
        ssize_t now = pread(packed->beside - 1, block.data, bytes, (off_t)done);
        status = HALO_REQUIRE(now > 0, HALO_FILE, "%s: what was put aside for it cannot be read",
                              packed->path != NULL ? packed->path : "a file");
        HALO_IF_OK(status, halo_file_write(packed->file, packed->begin + packed->written,
                                           block.data, (size_t)now));
        packed->written += status == HALO_OK ? now : 0;
        done += now;
    }
    packed->aside = 0;
    halo_buffer_free(&block);
    return status;
}

halo_status halo_packed_write(halo_packed *packed)
{
    halo_buffer *waiting = &packed->waiting;
    HALO_TRY(write_aside(packed));
    HALO_TRY(halo_file_write(packed->file, packed->begin + packed->written, waiting->data,
                             waiting->size));
    packed->written += (int64_t)waiting->size;
    waiting->size = 0;
    return HALO_OK;
}

halo_status halo_packed_added(halo_packed *packed, bool known)
{
    if (packed->waiting.size < WRITE_BYTES) {
        return HALO_OK;
    }
    if (known) {
        return halo_packed_write(packed);
    }
    if (packed->path != NULL) {
        put_aside(packed);
    }
    return HALO_OK;
}

halo_status halo_packed_add(halo_packed *packed, const halo_buffer *more, bool known)
{
    HALO_TRY(halo_buffer_append(&packed->waiting, more->data, more->size));
    return halo_packed_added(packed, known);
}

void halo_packed_free(halo_packed *packed)
{
    halo_buffer_free(&packed->waiting);
    if (packed->beside > 0) {
        close(packed->beside - 1);
    }
    packed->beside = 0;
}

int64_t halo_packed_size(const halo_packed *packed)
{
    return packed->written + packed->aside + (int64_t)packed->waiting.size;
}

halo_status halo_packed_place(halo_packed *packed, halo_world *world)
{
    int64_t before = halo_packed_size(packed);
    HALO_TRY(halo_agree(world, halo_exscan(world, &before, 1)));
    packed->begin += before;
    return HALO_OK;
}
