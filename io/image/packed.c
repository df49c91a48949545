#include "io/image/packed.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct halo_unpacker {
    halo_image_reader *reader;
    z_stream stream;
    bool as_it_is; /* the source has unpacked a file that is gzip's as a whole */
    bool ended;
};

halo_status halo_unpacker_create(halo_unpacker **out, halo_image_reader *reader)
{
    enum { ZLIB_OR_GZIP = 32 };
    halo_unpacker *unpacker;
    *out = NULL;
    HALO_TRY(HALO_ALLOCATE(unpacker, 1, "an unpacker of samples"));
    unpacker->reader = reader;
    if (inflateInit2(&unpacker->stream, MAX_WBITS + ZLIB_OR_GZIP) != Z_OK) {
        free(unpacker);
        return halo_fail(HALO_MEMORY, "out of memory: zlib could not set up an unpacker");
    }
    unpacker->as_it_is = reader->data_path != NULL && halo_source_packed(&reader->source);
    *out = unpacker;
    return HALO_OK;
}

void halo_unpacker_destroy(halo_unpacker **unpacker)
{
    if (*unpacker != NULL) {
        inflateEnd(&(*unpacker)->stream);
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
                     u->stream.msg != NULL ? u->stream.msg : "no data of zlib or gzip", row,
                     u->reader->info.rows);
}

/* More input. False at the end of the file, and after a failure, which is source->status. */
static bool refill(halo_unpacker *u)
{
    const size_t MOST = (size_t)1 << 30;
    const unsigned char *bytes = NULL;
    size_t taken = halo_source_take(&u->reader->source, MOST, &bytes);
    memcpy(&u->stream.next_in, &bytes, sizeof bytes); /* which zlib does not write to */
    u->stream.avail_in = (uInt)taken;
    return taken > 0;
}

/* Another member may follow one of gzip; anything else behind the end is not read. */
static void end_member(halo_unpacker *u)
{
    enum { GZIP = 0x1f };
    bool more = u->stream.avail_in > 0 || refill(u);
    u->ended = !more || *u->stream.next_in != GZIP || inflateReset(&u->stream) != Z_OK;
}

/* Goes on as far as there is room for output. */
static halo_status unpack(halo_unpacker *u, int64_t row)
{
    while (u->stream.avail_out > 0 && !u->ended) {
        if (u->stream.avail_in == 0 && !refill(u)) {
            return halo_image_fail_ended(u->reader, row);
        }
        int code = inflate(&u->stream, Z_NO_FLUSH);
        if (code == Z_STREAM_END) {
            end_member(u);
        } else if (code == Z_MEM_ERROR) {
            return halo_fail(HALO_MEMORY, "out of memory: zlib could not unpack samples");
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
    }
    return HALO_OK;
}

halo_status halo_unpacker_finish(halo_unpacker *unpacker)
{
    unsigned char more[64];
    if (unpacker->as_it_is) {
        return HALO_OK;
    }
    unpacker->stream.next_out = more;
    unpacker->stream.avail_out = sizeof more;
    return unpack(unpacker, unpacker->reader->info.rows);
}
