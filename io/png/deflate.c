#include "io/png/deflate.h"

#include "base/memory.h"

#include <string.h>

#ifdef HALOBEAT_ISAL
#include "io/png/vector_state.h"
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

/* Room for the worst case: stored blocks of at least 16 KiB with 5 bytes each, tables, flushes. */
static size_t deflate_bound(size_t bytes)
{
    return bytes + bytes / 1024 + 1024;
}

#ifdef HALOBEAT_ISAL

/* Level 0, of equal speed and a quarter larger than level 1: ISA-L 2.30 lets the bytes of levels 1
 * and 2 depend now and then on where the stream lies in memory, and the same image must give the
 * same file. */
struct halo_deflater {
    struct isal_zstream stream;
};

halo_status halo_deflater_create(halo_deflater **out)
{
    return HALO_ALLOCATE_LARGE(*out, 1, "a deflate stream");
}

void halo_deflater_destroy(halo_deflater **deflater)
{
    halo_memory_free(*deflater);
    *deflater = NULL;
}

/* These functions hide the differences of the libraries: starting a stream anew, and going on as
 * long as there is input and room for output. */
static void start(struct isal_zstream *stream)
{
    isal_deflate_init(stream);
    stream->level = 0;
    stream->flush = FULL_FLUSH;
}

static void go_on(struct isal_zstream *stream)
{
    isal_deflate(stream);
    halo_vector_state_clear();
}

uint32_t halo_adler32(uint32_t adler, const unsigned char *data, size_t bytes)
{
    adler = isal_adler32(adler, data, bytes);
    halo_vector_state_clear();
    return adler;
}

uint32_t halo_crc32(uint32_t crc, const unsigned char *data, size_t bytes)
{
    crc = crc32_gzip_refl(crc, data, bytes);
    halo_vector_state_clear();
    return crc;
}

#else

struct halo_deflater {
    z_stream stream;
};

halo_status halo_deflater_create(halo_deflater **out)
{
    *out = NULL;
    halo_deflater *deflater;
    HALO_TRY(HALO_ALLOCATE_LARGE(deflater, 1, "a deflate stream"));
    if (deflateInit2(&deflater->stream, 1, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        halo_memory_free(deflater);
        return halo_fail(HALO_MEMORY, "out of memory: zlib could not set up a deflate stream");
    }
    *out = deflater;
    return HALO_OK;
}

void halo_deflater_destroy(halo_deflater **deflater)
{
    if (*deflater != NULL) {
        deflateEnd(&(*deflater)->stream);
    }
    halo_memory_free(*deflater);
    *deflater = NULL;
}

static void start(z_stream *stream)
{
    deflateReset(stream);
}

static void go_on(z_stream *stream)
{
    deflate(stream, Z_FULL_FLUSH);
}

uint32_t halo_adler32(uint32_t adler, const unsigned char *data, size_t bytes)
{
    return (uint32_t)adler32_z(adler, data, bytes);
}

uint32_t halo_crc32(uint32_t crc, const unsigned char *data, size_t bytes)
{
    return (uint32_t)crc32_z(crc, data, bytes);
}

#endif

halo_status halo_deflater_run(halo_deflater *deflater, halo_buffer *out, const unsigned char *data,
                              size_t bytes)
{
    start(&deflater->stream);
    /* Neither library writes to its input. */
    memcpy(&deflater->stream.next_in, &data, sizeof data);
    deflater->stream.avail_in = (uint32_t)bytes;
    size_t room = deflate_bound(bytes);
    do {
        HALO_TRY(halo_buffer_reserve(out, room));
        deflater->stream.next_out = out->data + out->size;
        deflater->stream.avail_out = (uint32_t)room;
        go_on(&deflater->stream);
        out->size += room - deflater->stream.avail_out;
    } while (deflater->stream.avail_out == 0);
    return HALO_OK;
}
