#include "base/memory.h"
#include "io/image/zarr_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HALOBEAT_ISAL
#include <isa-l/igzip_lib.h>
#endif
#ifdef HALOBEAT_BLOSC
#include <blosc.h>
#endif
#ifdef HALOBEAT_ZSTD
#include <zstd.h>
#endif
#ifdef HALOBEAT_LZ4
#include <lz4.h>
#endif

/* One chunk from its file's bytes to samples. */

enum { CHECKSUM_BYTES = 4 };

bool halo_zarr_can_hold(const zarr_array *array, int64_t bytes, int64_t wanted)
{
    /* What deflate and zstd make of zeros: 1032 and 32768 to 1. */
    static const int64_t deflate = 1100, others = 33000, heads = 64;
    bool deflated = array->codec == ZARR_ZLIB || array->codec == ZARR_GZIP;
    int64_t stored = bytes - (array->checksum ? CHECKSUM_BYTES : 0);
    wanted = array->step_count > 0 ? halo_zarr_filtered_bytes(array) : wanted;
    return array->codec == ZARR_RAW
               ? stored == wanted
               : stored > 0 && wanted / (deflated ? deflate : others) <= stored + heads;
}

#ifdef HALOBEAT_ISAL

static bool inflate_chunk(bool gzip, const unsigned char *in, size_t bytes, unsigned char *out,
                          size_t wanted)
{
    struct inflate_state state;
    isal_inflate_init(&state);
    state.crc_flag = gzip ? ISAL_GZIP : ISAL_ZLIB;
    state.next_in = (uint8_t *)in;
    state.avail_in = (uint32_t)bytes;
    state.next_out = out;
    state.avail_out = (uint32_t)wanted;
    return isal_inflate_stateless(&state) == ISAL_DECOMP_OK &&
           state.block_state == ISAL_BLOCK_FINISH && state.total_out == wanted;
}

#else

static bool inflate_chunk(bool gzip, const unsigned char *in, size_t bytes, unsigned char *out,
                          size_t wanted)
{
    z_stream state = {.next_in = (unsigned char *)in,
                      .avail_in = (unsigned)bytes,
                      .next_out = out,
                      .avail_out = (unsigned)wanted};
    if (inflateInit2(&state, gzip ? 15 + 16 : 15) != Z_OK) {
        return false;
    }
    bool well =
        inflate(&state, Z_FINISH) == Z_STREAM_END && state.avail_out == 0 && state.avail_in == 0;
    inflateEnd(&state);
    return well;
}

#endif

/* The functions with a context, since others share one among all threads behind a lock. */
static bool decode_blosc(const unsigned char *in, size_t bytes, unsigned char *out, size_t wanted)
{
#ifdef HALOBEAT_BLOSC
    size_t claimed = 0;
    return blosc_cbuffer_validate(in, bytes, &claimed) == 0 && claimed == wanted &&
           blosc_decompress_ctx(in, out, wanted, 1) == (int)wanted;
#else
    (void)in, (void)bytes, (void)out, (void)wanted;
    return false;
#endif
}

static bool decode_zstd(const unsigned char *in, size_t bytes, unsigned char *out, size_t wanted)
{
#ifdef HALOBEAT_ZSTD
    return ZSTD_decompress(out, wanted, in, bytes) == wanted;
#else
    (void)in, (void)bytes, (void)out, (void)wanted;
    return false;
#endif
}

/* The size of the samples, low byte first, and a block of LZ4: as numcodecs has it. */
static bool decode_lz4(const unsigned char *in, size_t bytes, unsigned char *out, size_t wanted)
{
#ifdef HALOBEAT_LZ4
    const size_t head = 4;
    return bytes > head && bytes <= LZ4_MAX_INPUT_SIZE && wanted <= LZ4_MAX_INPUT_SIZE &&
           halo_image_number(in, (int)head, false) == wanted &&
           LZ4_decompress_safe((const char *)in + head, (char *)out, (int)(bytes - head),
                               (int)wanted) == (int)wanted;
#else
    (void)in, (void)bytes, (void)out, (void)wanted;
    return false;
#endif
}

/* CRC-32C (Castagnoli), as RFC 3720 has it. */
static uint32_t checksum(const unsigned char *data, size_t bytes)
{
    uint32_t table[256], crc = UINT32_MAX;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++) {
            table[i] = table[i] >> 1 ^ (table[i] % 2 != 0 ? UINT32_C(0x82F63B78) : 0);
        }
    }
    for (size_t i = 0; i < bytes; i++) {
        crc = crc >> 8 ^ table[(crc ^ data[i]) % 256];
    }
    return ~crc;
}

static halo_status check_sum(const halo_image_reader *reader, const char *name,
                             const unsigned char *packed, size_t bytes)
{
    return halo_image_number(packed + bytes, CHECKSUM_BYTES, false) == checksum(packed, bytes)
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the checksum of %s is wrong; copy or make the array again",
                           reader->path, name);
}

static bool unpack(zarr_codec codec, const unsigned char *packed, size_t bytes, unsigned char *out,
                   size_t wanted)
{
    switch (codec) {
    case ZARR_RAW:
        memcpy(out, packed, wanted);
        return true;
    case ZARR_BLOSC:
        return decode_blosc(packed, bytes, out, wanted);
    case ZARR_ZSTD:
        return decode_zstd(packed, bytes, out, wanted);
    case ZARR_LZ4:
        return decode_lz4(packed, bytes, out, wanted);
    default:
        return inflate_chunk(codec == ZARR_GZIP, packed, bytes, out, wanted);
    }
}

/* With filters, and axes in another order. */
static halo_status unpack_filtered(const zarr_array *array, const unsigned char *packed,
                                   size_t bytes, unsigned char *out, bool *well)
{
    unsigned char *filtered = NULL;
    HALO_TRY(HALO_ALLOCATE(filtered, halo_zarr_most_bytes(array), "a chunk with its filters"));
    halo_status status = HALO_OK;
    *well = unpack(array->codec, packed, bytes, filtered, (size_t)halo_zarr_filtered_bytes(array));
    if (*well) {
        status = halo_zarr_undo_steps(array, filtered, out, well);
    }
    free(filtered);
    return status;
}

halo_status halo_zarr_decode(const halo_image_reader *reader, const char *name,
                             const unsigned char *packed, size_t bytes, unsigned char *out)
{
    const zarr_state *state = reader->state;
    const zarr_array *array = &state->array;
    size_t wanted = (size_t)state->chunk_bytes;
    bool well = true;
    if (array->checksum) {
        bytes -= CHECKSUM_BYTES; /* halo_zarr_can_hold has seen to it that they are there */
        HALO_TRY(check_sum(reader, name, packed, bytes));
    }
    if (array->step_count > 0 || array->permuted) {
        HALO_TRY(unpack_filtered(array, packed, bytes, out, &well));
    } else {
        well = unpack(array->codec, packed, bytes, out, wanted);
    }
    return well ? HALO_OK
                : halo_fail(HALO_FORMAT,
                            "%s: the chunk %s is damaged: its %zu bytes do not become %zu; copy or "
                            "make the array again",
                            reader->path, name, bytes, wanted);
}
