#include "base/checksums.h"
#include "io/hdf5/helper.h"

#include <inttypes.h>
#include <string.h>
#ifdef HALOBEAT_ISAL
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

/* The filters of most files are undone here, each with the bounds of its buffers. The library
 * (1.10.8) takes a chunk whose filters give too few bytes for a whole one, and reads on behind it.
 */

enum { CHECKSUM_BYTES = 4 };

/* ---- deflate --------------------------------------------------------------------------------- */

#ifdef HALOBEAT_ISAL

static size_t undo_deflate(const unsigned char *in, size_t bytes, unsigned char *out, size_t room)
{
    struct inflate_state state;
    isal_inflate_init(&state);
    state.crc_flag = ISAL_ZLIB;
    memcpy(&state.next_in, &in, sizeof in); /* it only reads its input */
    state.avail_in = (uint32_t)bytes;
    state.next_out = out;
    state.avail_out = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    bool well =
        isal_inflate_stateless(&state) == ISAL_DECOMP_OK && state.block_state == ISAL_BLOCK_FINISH;
    return well ? state.total_out : 0;
}

#else

static size_t undo_deflate(const unsigned char *in, size_t bytes, unsigned char *out, size_t room)
{
    unsigned most = room < UINT32_MAX ? (unsigned)room : UINT32_MAX;
    z_stream state = {.avail_in = (unsigned)bytes, .next_out = out, .avail_out = most};
    memcpy(&state.next_in, &in, sizeof in); /* it only reads its input */
    if (inflateInit(&state) != Z_OK) {
        return 0;
    }
    bool well = inflate(&state, Z_FINISH) == Z_STREAM_END;
    inflateEnd(&state);
    return well ? most - state.avail_out : 0;
}

#endif

/* ---- shuffle --------------------------------------------------------------------------------- */

/* Some elements at a time, so that they stay in the cache while their bytes come in. */
static void undo_shuffle(const unsigned char *in, size_t bytes, size_t element, unsigned char *out)
{
    enum { BLOCK = 2048 };
    size_t count = bytes / element;
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t end = first + BLOCK < count ? first + BLOCK : count;
        for (size_t b = 0; b < element; b++) {
            const unsigned char *from = in + b * count;
            for (size_t i = first; i < end; i++) {
                out[i * element + b] = from[i];
            }
        }
    }
    memcpy(out + count * element, in + count * element, bytes - count * element);
}

/* ---- one after the other --------------------------------------------------------------------- */

bool hdf5_pipeline_read(hdf5_pipeline *pipeline, hid_t create)
{
    pipeline->count = H5Pget_nfilters(create);
    bool known = pipeline->count >= 0 && pipeline->count <= HDF5_FILTERS;
    for (int i = 0; known && i < pipeline->count; i++) {
        unsigned values[1] = {1}, flags = 0, config = 0;
        size_t count = 1;
        H5Z_filter_t id =
            H5Pget_filter2(create, (unsigned)i, &flags, &count, values, 0, NULL, &config);
        known = id == H5Z_FILTER_DEFLATE || id == H5Z_FILTER_FLETCHER32 ||
                (id == H5Z_FILTER_SHUFFLE && count >= 1 && values[0] >= 1);
        pipeline->ids[i] = id;
        pipeline->elements[i] = values[0];
    }
    return known;
}

/* Undoes filter `i` of `bytes` bytes. Returns how many there are now, or 0. */
static size_t undo(const hdf5_pipeline *pipeline, int i, const unsigned char *in, size_t bytes,
                   unsigned char *out, size_t room)
{
    if (pipeline->ids[i] == H5Z_FILTER_DEFLATE) {
        return undo_deflate(in, bytes, out, room);
    }
    if (pipeline->ids[i] == H5Z_FILTER_SHUFFLE) {
        if (bytes > room) {
            return 0;
        }
        undo_shuffle(in, bytes, pipeline->elements[i], out);
        return bytes;
    }
    if (bytes <= CHECKSUM_BYTES || bytes - CHECKSUM_BYTES > room ||
        !halo_fletcher32_fits(in, bytes - CHECKSUM_BYTES, in + bytes - CHECKSUM_BYTES)) {
        return 0;
    }
    memcpy(out, in, bytes - CHECKSUM_BYTES);
    return bytes - CHECKSUM_BYTES;
}

halo_status hdf5_pipeline_undo(const hdf5_pipeline *pipeline, uint32_t skipped,
                               hdf5_buffers *buffers, size_t bytes, unsigned char *out,
                               size_t wanted)
{
    static const char *const names[] = {[H5Z_FILTER_DEFLATE] = "deflate",
                                        [H5Z_FILTER_SHUFFLE] = "shuffle",
                                        [H5Z_FILTER_FLETCHER32] = "Fletcher's checksum"};
    const unsigned char *raw = buffers->raw + buffers->room - bytes, *from = raw;
    unsigned char *to[] = {buffers->from, buffers->to};
    size_t stored = bytes;
    int last = 0;
    while (last < pipeline->count && (skipped >> last & 1) != 0) {
        last++;
    }
    for (int i = pipeline->count - 1; i >= last; i--) {
        if ((skipped >> i & 1) != 0) {
            continue;
        }
        unsigned char *into = i == last ? out : to[i % 2];
        into = into == from ? to[(i + 1) % 2] : into;
        bytes = undo(pipeline, i, from, bytes, into, i == last ? wanted : buffers->room);
        from = into;
        if (bytes == 0) {
            return halo_fail(HALO_FORMAT,
                             "a chunk is damaged: its %zu bytes do not pass %s; copy or make the "
                             "file again",
                             stored, names[pipeline->ids[i]]);
        }
    }
    if (bytes != wanted) {
        return halo_fail(HALO_FORMAT,
                         "a chunk is damaged: its %zu bytes become %zu in place of %zu; copy or "
                         "make the file again",
                         stored, bytes, wanted);
    }
    if (from == raw) {
        memcpy(out, from, wanted);
    }
    return HALO_OK;
}
