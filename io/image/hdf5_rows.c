#include "io/image/hdf5_internal.h"

#ifdef HALOBEAT_HDF5

#include "base/memory.h"
#include "base/minmax.h"
#include "io/image/bits.h"

#include <inttypes.h>
#include <string.h>

/* Samples that only the helper can read: in chunks, packed, of another type. A band of rows is in
 * memory that is shared with it, of whole chunks, so that each chunk is unpacked once. */

/* The axis of the data set that holds the image's planes (0), rows (1) or columns (2); -1: none. */
static int axis_of(const halo_image_reader *reader, int which)
{
    return ((const hdf5_state *)reader->state)->part.space[which];
}

/* ---- how large bands are --------------------------------------------------------------------- */

/* Files can claim chunks for which there is no memory. */
static halo_status check_chunk(const halo_image_reader *reader, int64_t *bytes)
{
    const int64_t MOST = UINT32_MAX, USUAL = (int64_t)64 << 20, TIMES = 2048;
    const hdf5_state *state = reader->state;
    const hdf5_description *about = &state->about;
    *bytes = about->sample_bytes;
    for (int i = 0; i < about->axes; i++) {
        if (about->chunk[i] == 0 || about->chunk[i] > (uint64_t)(MOST / *bytes)) {
            *bytes = MOST + 1;
            break;
        }
        *bytes *= (int64_t)about->chunk[i];
    }
    int64_t most = reader->data_bytes > MOST / TIMES ? MOST : USUAL + TIMES * reader->data_bytes;
    bool fits = about->packed || *bytes <= halo_max(USUAL, reader->data_bytes);
    return *bytes <= most && fits
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the header claims chunks of %" PRId64 " bytes in a file of %" PRId64
                           "; copy it with h5repack -l CHUNK=16x256x256",
                           reader->path, *bytes, reader->data_bytes);
}

static halo_status check_band(const halo_image_reader *reader, int64_t bytes, int64_t chunk)
{
    int64_t available = halo_memory_available();
    return bytes <= available - chunk
               ? HALO_OK
               : halo_fail(HALO_MEMORY,
                           "%s: each rank needs %" PRId64 " MiB for chunks of %" PRId64
                           " planes or rows, and %" PRId64 " are free; copy it with h5repack -l "
                           "CHUNK=16x256x256",
                           reader->path, (bytes + chunk) >> 20,
                           ((const hdf5_state *)reader->state)->depth, available >> 20);
}

/* Chunks across one band. */
static int64_t chunks_of(const hdf5_description *about)
{
    int64_t count = 1;
    for (int i = 0; i < about->axes; i++) {
        count *= (int64_t)((about->sizes[i] - 1) / about->chunk[i] + 1);
    }
    return count;
}

/* Whole chunks, and of small ones as many as are worth a call. */
static int64_t set_depth(halo_image_reader *reader)
{
    const int64_t WORTH = (int64_t)1 << 20, MANY_CHUNKS = 4096;
    hdf5_state *state = reader->state;
    const halo_image_info *info = &reader->info;
    const uint64_t *chunk = state->about.chunk;
    int planes = axis_of(reader, 0), rows = axis_of(reader, 1);
    int64_t thick = planes >= 0 ? halo_min((int64_t)chunk[planes], info->planes) : 1;
    int64_t high = halo_min(rows >= 0 ? (int64_t)chunk[rows] : 1, info->height);
    state->by_planes = thick > 1 || high == info->height;
    reader->info.layers = info->axes == 3 ? thick : high;
    int64_t depth = state->by_planes ? thick : high;
    int64_t all = state->by_planes ? info->planes : info->height;
    int64_t unit = (int64_t)state->band_row * (state->by_planes ? info->height : 1);
    int64_t chunks = chunks_of(&state->about) / halo_max(all / depth, 1) + 1;
    int64_t times = halo_min(WORTH / unit / depth, MANY_CHUNKS / chunks);
    state->depth = halo_min(depth * halo_max(times, 1), all);
    return state->depth * (state->by_planes ? info->height : 1);
}

halo_status halo_hdf5_choose_bands(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    int64_t chunk_bytes = 0;
    for (int i = 0; i < state->about.axes && !state->about.chunked; i++) {
        state->about.chunk[i] = 1;
    }
    if (state->about.chunked) {
        HALO_TRY(check_chunk(reader, &chunk_bytes));
    }
    state->band_row =
        (size_t)(reader->info.width * reader->samples.channels) * (size_t)state->about.sample_bytes;
    state->band_rows = set_depth(reader);
    int64_t bytes = state->band_rows * (int64_t)state->band_row;
    HALO_TRY(check_band(reader, bytes, 4 * chunk_bytes));
    reader->info.buffer += bytes + 4 * chunk_bytes;
    state->first = -1;
    return HALO_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void find_band(const halo_image_reader *reader, int64_t row, int64_t *first, int64_t *rows)
{
    const hdf5_state *state = reader->state;
    int64_t height = reader->info.height, plane = row / height;
    if (state->by_planes) {
        *first = plane / state->depth * state->depth * height;
        *rows = halo_min(state->depth * height, reader->info.rows - *first);
    } else {
        int64_t at = row % height / state->depth * state->depth;
        *first = plane * height + at;
        *rows = halo_min(state->depth, height - at);
    }
}

static halo_status fail_band(const halo_image_reader *reader, halo_status status, int64_t first)
{
    size_t length = strlen(reader->path) + 2; /* the message begins with it */
    const char *message = halo_last_message();
    message += strlen(message) > length ? length : 0;
    return halo_fail(status, "%s: %" PRId64 " of %" PRId64 " rows could be read: %s", reader->path,
                     first, reader->info.rows, message);
}

static halo_status read_band(halo_image_reader *reader, int64_t first, int64_t rows)
{
    hdf5_state *state = reader->state;
    hdf5_request request = {.what = HDF5_BOX};
    hdf5_reply reply;
    int64_t height = reader->info.height;
    int planes = axis_of(reader, 0), axis = axis_of(reader, 1);
    for (int i = 0; i < state->about.axes; i++) {
        const halo_image_part *part = &state->part;
        bool whole = i == planes || i == axis || i == part->space[2] || i == part->samples;
        request.start[i] = whole ? 0 : (uint64_t)part->at[i];
        request.count[i] = whole ? state->about.sizes[i] : 1;
    }
    if (planes >= 0) {
        request.start[planes] = (uint64_t)(first / height);
        request.count[planes] = state->by_planes ? (uint64_t)(rows / height) : 1;
    }
    if (!state->by_planes && axis >= 0) {
        request.start[axis] = (uint64_t)(first % height);
        request.count[axis] = (uint64_t)rows;
    }
    halo_status status = halo_hdf5_ask(state->process, &request, &reply);
    return status == HALO_OK ? HALO_OK : fail_band(reader, status, first);
}

static halo_status take_band(halo_image_reader *reader, int64_t row)
{
    hdf5_state *state = reader->state;
    if (state->band == NULL) { /* one rank may open the file only to see what it is */
        size_t bytes = (size_t)state->band_rows * state->band_row;
        HALO_TRY(halo_hdf5_window(state->process, bytes, &state->band));
    }
    int64_t first, rows;
    find_band(reader, row, &first, &rows);
    if (first != state->first) {
        state->first = -1;
        HALO_TRY(read_band(reader, first, rows));
        state->first = first;
        state->count = rows;
    }
    return HALO_OK;
}

halo_status halo_hdf5_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch)
{
    hdf5_state *state = reader->state;
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first + i;
        if (state->first < 0 || row < state->first || row >= state->first + state->count) {
            HALO_TRY(take_band(reader, row));
        }
        const unsigned char *from = state->band + (size_t)(row - state->first) * state->band_row;
        unsigned char *to = (unsigned char *)out + (size_t)i * pitch;
        if (state->about.boolean) {
            halo_bits_pack_bytes(reader->info.width, from, (uint64_t *)(void *)to);
        } else {
            memcpy(to, from, state->band_row);
        }
    }
    return HALO_OK;
}

#endif
