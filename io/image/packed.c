#define _POSIX_C_SOURCE 200809L
#include "io/image/packed.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HALOBEAT_BZ2
#include "io/library/bz2.h"
#endif

enum { BUFFER_BYTES = 1 << 16 };

struct halo_unpacker {
    halo_image_reader *reader;
    z_stream stream;
#ifdef HALOBEAT_BZ2
    bz_stream bzip2; /* whose input and output are those of `stream` */
#endif
    bool is_bzip2;
    bool as_it_is; /* the source has unpacked a file that is gzip's as a whole */
    bool ended;
    unsigned char *buffer; /* [BUFFER_BYTES] of a part of `file`; NULL: of the source */
    int file;
    halo_packed_extent left; /* of that part: what was not read yet, and not unpacked yet */
    uint32_t crc;            /* of what was unpacked */
};

/* `window`: the parameter of inflateInit2. */
static halo_status create(halo_unpacker **out, halo_image_reader *reader, int window)
{
    halo_unpacker *unpacker;
    *out = NULL;
    HALO_TRY(HALO_ALLOCATE(unpacker, 1, "an unpacker of samples"));
    unpacker->reader = reader;
    unpacker->file = -1;
    if (inflateInit2(&unpacker->stream, window) != Z_OK) {
        free(unpacker);
        return halo_fail(HALO_MEMORY, "out of memory: zlib could not set up an unpacker");
    }
    *out = unpacker;
    return HALO_OK;
}

halo_status halo_unpacker_create(halo_unpacker **out, halo_image_reader *reader)
{
    enum { ZLIB_OR_GZIP = 32 };
    HALO_TRY(create(out, reader, MAX_WBITS + ZLIB_OR_GZIP));
    (*out)->as_it_is = reader->data_path != NULL && halo_source_packed(&reader->source);
    return HALO_OK;
}

#ifdef HALOBEAT_BZ2

halo_status halo_unpacker_create_bzip2(halo_unpacker **out, halo_image_reader *reader)
{
    *out = NULL;
    HALO_TRY(halo_library_load(&halo_libbz2_library, reader->path));
    HALO_TRY(create(out, reader, MAX_WBITS));
    (*out)->is_bzip2 = halo_libbz2.bzDecompressInit(&(*out)->bzip2, 0, 0) == BZ_OK;
    return (*out)->is_bzip2
               ? HALO_OK
               : halo_fail(HALO_MEMORY, "out of memory: libbz2 could not set up an unpacker");
}

/* As inflate, and with its codes. */
static int step_bzip2(halo_unpacker *u)
{
    u->bzip2.next_in = (char *)u->stream.next_in;
    u->bzip2.avail_in = u->stream.avail_in;
    u->bzip2.next_out = (char *)u->stream.next_out;
    u->bzip2.avail_out = u->stream.avail_out;
    int code = halo_libbz2.bzDecompress(&u->bzip2);
    u->stream.next_in = (unsigned char *)u->bzip2.next_in;
    u->stream.avail_in = u->bzip2.avail_in;
    u->stream.next_out = (unsigned char *)u->bzip2.next_out;
    u->stream.avail_out = u->bzip2.avail_out;
    return code == BZ_OK           ? Z_OK
           : code == BZ_STREAM_END ? Z_STREAM_END
           : code == BZ_MEM_ERROR  ? Z_MEM_ERROR
                                   : Z_DATA_ERROR;
}

static bool restart_bzip2(halo_unpacker *u)
{
    halo_libbz2.bzDecompressEnd(&u->bzip2);
    u->bzip2 = (bz_stream){.opaque = NULL};
    u->is_bzip2 = halo_libbz2.bzDecompressInit(&u->bzip2, 0, 0) == BZ_OK;
    return u->is_bzip2;
}

static void end_bzip2(halo_unpacker *u)
{
    if (u->is_bzip2) {
        halo_libbz2.bzDecompressEnd(&u->bzip2);
    }
}

#else

halo_status halo_unpacker_create_bzip2(halo_unpacker **out, halo_image_reader *reader)
{
    *out = NULL;
    return halo_fail(
        HALO_FORMAT,
        "%s: its samples are compressed with bzip2, and this build has no libbz2; save "
        "it with gzip, or build Halobeat again with the library",
        reader->path);
}

static int step_bzip2(halo_unpacker *u)
{
    (void)u;
    return Z_DATA_ERROR;
}

static bool restart_bzip2(halo_unpacker *u)
{
    (void)u;
    return false;
}

static void end_bzip2(halo_unpacker *u)
{
    (void)u;
}

#endif

halo_status halo_unpacker_create_deflated(halo_unpacker **out, halo_image_reader *reader,
                                          const halo_packed_extent *extent)
{
    HALO_TRY(create(out, reader, -MAX_WBITS));
    HALO_TRY(HALO_ALLOCATE((*out)->buffer, BUFFER_BYTES, "an unpacker of samples"));
    (*out)->file = reader->file;
    (*out)->left = *extent;
    reader->file = -1;
    reader->info.random_access = false;
    return HALO_OK;
}

void halo_unpacker_destroy(halo_unpacker **unpacker)
{
    if (*unpacker != NULL) {
        inflateEnd(&(*unpacker)->stream);
        end_bzip2(*unpacker);
        free((*unpacker)->buffer);
    }
    if (*unpacker != NULL && (*unpacker)->file >= 0) {
        close((*unpacker)->file);
    }
    free(*unpacker);
    *unpacker = NULL;
}

static halo_status fail_damaged(const halo_unpacker *u, int64_t row)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the compressed samples are damaged: %s (%" PRId64 " of %" PRId64
                     " rows could be read); copy or make the file again",
                     halo_image_place(u->reader),
                     u->stream.msg != NULL ? u->stream.msg
                     : u->is_bzip2         ? "no data of bzip2, or other ones"
                                           : "no data of zlib or gzip",
                     row, u->reader->info.rows);
}

/* More of the part of a file. False at its end, and after a failure. */
static bool refill_from_file(halo_unpacker *u)
{
    int64_t most = u->left.packed < BUFFER_BYTES ? u->left.packed : BUFFER_BYTES;
    ssize_t got;
    do {
        got = pread(u->file, u->buffer, (size_t)most, (off_t)u->left.at);
    } while (got < 0 && errno == EINTR);
    u->stream.next_in = u->buffer;
    u->stream.avail_in = got > 0 ? (uInt)got : 0;
    u->left.at += got > 0 ? got : 0;
    u->left.packed -= got > 0 ? got : 0;
    return got > 0;
}

/* More input. False at the end of the file, and after a failure, which is source->status. */
static bool refill(halo_unpacker *u)
{
    const size_t MOST = (size_t)1 << 30;
    const unsigned char *bytes = NULL;
    if (u->buffer != NULL) {
        return refill_from_file(u);
    }
    size_t taken = halo_source_take(&u->reader->source, MOST, &bytes);
    memcpy(&u->stream.next_in, &bytes, sizeof bytes); /* which zlib does not write to */
    u->stream.avail_in = (uInt)taken;
    return taken > 0;
}

/* Another member may follow one of gzip or bzip2; anything else behind the end is not read. */
static void end_member(halo_unpacker *u)
{
    enum { GZIP = 0x1f };
    if (u->buffer != NULL) {
        u->ended = true;
        return;
    }
    bool more = u->stream.avail_in > 0 || refill(u);
    u->ended =
        !more || (u->is_bzip2 ? *u->stream.next_in != 'B' || !restart_bzip2(u)
                              : *u->stream.next_in != GZIP || inflateReset(&u->stream) != Z_OK);
}

/* Goes on as far as there is room for output. */
static halo_status unpack(halo_unpacker *u, int64_t row)
{
    while (u->stream.avail_out > 0 && !u->ended) {
        if (u->stream.avail_in == 0 && !refill(u)) {
            return halo_image_fail_ended(u->reader, row);
        }
        int code = u->is_bzip2 ? step_bzip2(u) : inflate(&u->stream, Z_NO_FLUSH);
        if (code == Z_STREAM_END) {
            end_member(u);
        } else if (code == Z_MEM_ERROR) {
            return halo_fail(HALO_MEMORY, "out of memory: samples could not be unpacked");
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            return fail_damaged(u, row);
        }
    }
    return HALO_OK;
}

halo_status halo_unpacker_read(halo_unpacker *unpacker, void *out, size_t bytes, int64_t row)
{
    const size_t MOST = (size_t)1 << 30;
    if (unpacker->as_it_is) {
        return halo_source_read(&unpacker->reader->source, out, bytes)
                   ? HALO_OK
                   : halo_image_fail_ended(unpacker->reader, row);
    }
    for (size_t done = 0, now; done < bytes; done += now) {
        now = bytes - done < MOST ? bytes - done : MOST;
        unpacker->stream.next_out = (unsigned char *)out + done;
        unpacker->stream.avail_out = (uInt)now;
        HALO_TRY(unpack(unpacker, row));
        if (unpacker->stream.avail_out > 0) {
            return halo_image_fail_ended(unpacker->reader, row);
        }
        if (unpacker->buffer != NULL) {
            unpacker->crc =
                (uint32_t)crc32(unpacker->crc, (const unsigned char *)out + done, (uInt)now);
            unpacker->left.bytes -= (int64_t)now;
        }
    }
    return HALO_OK;
}

/* The checksum of a part of a file that was unpacked as a whole; otherwise it is not known. */
static halo_status check_part(const halo_unpacker *u)
{
    return u->left.bytes != 0 || u->crc == u->left.crc
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the compressed samples are damaged: their checksum (CRC-32) "
                           "differs; copy or make the file again",
                           halo_image_place(u->reader));
}

halo_status halo_unpacker_finish(halo_unpacker *unpacker)
{
    unsigned char more[64];
    if (unpacker->as_it_is) {
        return HALO_OK;
    }
    if (unpacker->buffer != NULL) {
        return check_part(unpacker);
    }
    unpacker->stream.next_out = more;
    unpacker->stream.avail_out = sizeof more;
    return unpack(unpacker, unpacker->reader->info.rows);
}
