#include "base/checksums.h"
#include "base/memory.h"
#include "io/image/zarr_internal.h"
#include "io/library/library.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HALOBEAT_ISAL
#include <isa-l/igzip_lib.h>
#endif
#ifdef HALOBEAT_BLOSC
#include "io/library/blosc.h"
#endif
#ifdef HALOBEAT_ZSTD
#include "io/library/zstd.h"
#endif
#ifdef HALOBEAT_LZ4
#include "io/library/lz4.h"
#endif
#ifdef HALOBEAT_BZ2
#include "io/library/bz2.h"
#endif
#ifdef HALOBEAT_LZMA
#include "io/library/lzma.h"
#endif

/* One chunk from its file's bytes to samples. */

enum { CHECKSUM_BYTES = 4 };

#ifdef HALOBEAT_ISAL

/* ---- compressors ----------------------------------------------------------------------------- */

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
    return halo_libblosc.cbuffer_validate(in, bytes, &claimed) == 0 && claimed == wanted &&
           halo_libblosc.decompress_ctx(in, out, wanted, 1) == (int)wanted;
#else
    (void)in, (void)bytes, (void)out, (void)wanted;
    return false;
#endif
}

static bool decode_zstd(const unsigned char *in, size_t bytes, unsigned char *out, size_t wanted)
{
#ifdef HALOBEAT_ZSTD
    return halo_libzstd.decompress(out, wanted, in, bytes) == wanted;
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
           halo_liblz4.decompress_safe((const char *)in + head, (char *)out, (int)(bytes - head),
                                       (int)wanted) == (int)wanted;
#else
    (void)in, (void)bytes, (void)out, (void)wanted;
    return false;
#endif
}

static bool decode_bz2(const unsigned char *in, size_t bytes, unsigned char *out, size_t wanted)
{
#ifdef HALOBEAT_BZ2
    unsigned made = (unsigned)wanted; /* sizes of chunks are below 2^31 */
    char *from;
    memcpy(&from, &in, sizeof from); /* which libbz2 does not write to */
    return halo_libbz2.bzBuffToBuffDecompress((char *)out, &made, from, (unsigned)bytes, 0, 0) ==
               BZ_OK &&
           made == wanted;
#else
    (void)in, (void)bytes, (void)out, (void)wanted;
    return false;
#endif
}

/* Files of .xz and .lzma; so that dictionaries of xz -9 fit. */
static bool decode_lzma(const unsigned char *in, size_t bytes, unsigned char *out, size_t wanted)
{
#ifdef HALOBEAT_LZMA
    const uint64_t most_memory = (uint64_t)256 << 20;
    lzma_stream stream = LZMA_STREAM_INIT;
    if (halo_liblzma.auto_decoder(&stream, most_memory, 0) != LZMA_OK) {
        return false;
    }
    stream.next_in = in;
    stream.avail_in = bytes;
    stream.next_out = out;
    stream.avail_out = wanted;
    bool well = halo_liblzma.code(&stream, LZMA_FINISH) == LZMA_STREAM_END && stream.avail_out == 0;
    halo_liblzma.end(&stream);
    return well;
#else
    (void)in, (void)bytes, (void)out, (void)wanted;
    return false;
#endif
}

static bool decode_zlib(const unsigned char *in, size_t bytes, unsigned char *out, size_t wanted)
{
    return inflate_chunk(false, in, bytes, out, wanted);
}

static bool decode_gzip(const unsigned char *in, size_t bytes, unsigned char *out, size_t wanted)
{
    return inflate_chunk(true, in, bytes, out, wanted);
}

/* ---- which one ------------------------------------------------------------------------------- */

struct zarr_codec {
    const char *name;
    bool (*decode)(const unsigned char *in, size_t bytes, unsigned char *out, size_t wanted);
    int64_t ratio;       /* what it makes at most of a byte: of zeros */
    const char *decoder; /* as it is shown */
    bool built_in;
    const halo_library *library; /* NULL: it is built in, or this build has none */
};

#ifdef HALOBEAT_BLOSC
#define LIBBLOSC &halo_libblosc_library
#define NO_BLOSC ""
#else
#define LIBBLOSC NULL
#define NO_BLOSC ", zarr with blosc (libblosc)"
#endif
#ifdef HALOBEAT_ZSTD
#define LIBZSTD &halo_libzstd_library
#define NO_ZSTD ""
#else
#define LIBZSTD NULL
#define NO_ZSTD ", zarr with zstd (libzstd)"
#endif
#ifdef HALOBEAT_LZ4
#define LIBLZ4 &halo_liblz4_library
#define NO_LZ4 ""
#else
#define LIBLZ4 NULL
#define NO_LZ4 ", zarr with lz4 (liblz4)"
#endif
#ifdef HALOBEAT_BZ2
#define LIBBZ2 &halo_libbz2_library
#define NO_BZ2 ""
#else
#define LIBBZ2 NULL
#define NO_BZ2 ", zarr with bz2 and NRRD with bzip2 (libbz2)"
#endif
#ifdef HALOBEAT_LZMA
#define LIBLZMA &halo_liblzma_library
#define NO_LZMA ""
#else
#define LIBLZMA NULL
#define NO_LZMA ", zarr with lzma (liblzma)"
#endif

const char halo_zarr_missing[] = NO_BLOSC NO_ZSTD NO_LZ4 NO_BZ2 NO_LZMA;

static const zarr_codec codecs[] = {{"zlib", decode_zlib, 1100, "zlib", true, NULL},
                                    {"gzip", decode_gzip, 1100, "gzip", true, NULL},
                                    {"blosc", decode_blosc, 33000, "libblosc", false, LIBBLOSC},
                                    {"zstd", decode_zstd, 33000, "libzstd", false, LIBZSTD},
                                    {"lz4", decode_lz4, 260, "liblz4", false, LIBLZ4},
                                    {"bz2", decode_bz2, 1300000, "libbz2", false, LIBBZ2},
                                    {"lzma", decode_lzma, 33000, "liblzma", false, LIBLZMA}};

static const zarr_codec *find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof codecs / sizeof codecs[0]; i++) {
        if (strcmp(name, codecs[i].name) == 0) {
            return &codecs[i];
        }
    }
    return NULL;
}

bool halo_zarr_is_codec(const char *name)
{
    return find(name) != NULL;
}

halo_status halo_zarr_find_codec(const halo_image_reader *reader, const char *name,
                                 const json_t *value, zarr_array *array)
{
    array->codec = find(name);
    if (array->codec == NULL) {
        return halo_zarr_fail_field(
            reader, "compressor", value,
            "none, zlib, gzip, blosc, zstd, lz4, bz2 and lzma can be read: save it with one of "
            "them");
    }
    const zarr_codec *codec = array->codec;
    if (codec->library != NULL) {
        return halo_library_load(codec->library, reader->path);
    }
    return codec->built_in
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the array is compressed with %s, and this build has no %s; save it "
                           "with zlib, or build Halobeat again with the library",
                           reader->path, name, codec->decoder);
}

const char *halo_zarr_decoder(const zarr_array *array)
{
    return array->codec != NULL ? array->codec->decoder : "raw chunks";
}

bool halo_zarr_can_hold(const zarr_array *array, int64_t bytes, int64_t wanted)
{
    const int64_t heads = 64;
    int64_t stored = bytes - (array->checksum ? CHECKSUM_BYTES : 0);
    wanted = array->step_count > 0 ? halo_zarr_filtered_bytes(array) : wanted;
    return array->codec == NULL ? stored == wanted
                                : stored > 0 && wanted / array->codec->ratio <= stored + heads;
}

/* ---- a chunk --------------------------------------------------------------------------------- */

static halo_status check_sum(const halo_image_reader *reader, const char *name,
                             const unsigned char *packed, size_t bytes)
{
    return halo_image_number(packed + bytes, CHECKSUM_BYTES, false) == halo_crc32c(packed, bytes)
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the checksum of %s is wrong; copy or make the array again",
                           reader->path, name);
}

static bool unpack(const zarr_array *array, const unsigned char *packed, size_t bytes,
                   unsigned char *out, size_t wanted)
{
    if (array->codec != NULL) {
        return array->codec->decode(packed, bytes, out, wanted);
    }
    memcpy(out, packed, wanted);
    return true;
}

/* With filters, and axes in another order. */
static halo_status unpack_filtered(const zarr_array *array, const unsigned char *packed,
                                   size_t bytes, unsigned char *out, bool *well)
{
    unsigned char *filtered = NULL;
    HALO_TRY(HALO_ALLOCATE(filtered, halo_zarr_most_bytes(array), "a chunk with its filters"));
    halo_status status = HALO_OK;
    *well = unpack(array, packed, bytes, filtered, (size_t)halo_zarr_filtered_bytes(array));
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
        well = unpack(array, packed, bytes, out, wanted);
    }
    return well ? HALO_OK
                : halo_fail(HALO_FORMAT,
                            "%s: the chunk %s is damaged: its %zu bytes do not become %zu; copy or "
                            "make the array again",
                            reader->path, name, bytes, wanted);
}
