#include "io/image/hdf5_internal.h"

#ifdef HALOBEAT_HDF5

#include "base/memory.h"
#include "base/minmax.h"
#include "io/image/bits.h"

#include <inttypes.h>
#include <string.h>

/* Samples that only the library can read: in chunks, packed, of another type. A band of rows is in
 * memory, of whole chunks, so that each chunk is unpacked once. */

/* The axis of the data set that holds the image's planes (0), rows (1) or columns (2); -1: none. */
static int axis_of(const halo_image_reader *reader, int which)
{
    const hdf5_state *state = reader->state;
    const hdf5_shape *shape = &state->shape;
    bool colours = reader->samples.channels > 1;
    int at = colours ? which - 1 : which - 3 + shape->left;
    return at >= 0 ? shape->is[at] : -1;
}

/* ---- how large bands are --------------------------------------------------------------------- */

/* Files can claim chunks for which there is no memory. */
static halo_status check_chunk(const halo_image_reader *reader, const hsize_t *chunk, int rank,
                               bool packed, int64_t *bytes)
{
    const int64_t MOST = UINT32_MAX, USUAL = (int64_t)64 << 20, TIMES = 2048;
    const hdf5_state *state = reader->state;
    *bytes = (int64_t)H5Tget_size(state->memory);
    for (int i = 0; i < rank; i++) {
        if (chunk[i] == 0 || chunk[i] > (hsize_t)(MOST / *bytes)) {
            *bytes = MOST + 1;
            break;
        }
        *bytes *= (int64_t)chunk[i];
    }
    int64_t most = reader->data_bytes > MOST / TIMES ? MOST : USUAL + TIMES * reader->data_bytes;
    bool fits = packed || *bytes <= halo_max(USUAL, reader->data_bytes);
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
static int64_t chunks_of(const hdf5_state *state, const hsize_t *chunk)
{
    int64_t count = 1;
    for (int i = 0; i < state->shape.count; i++) {
        count *= chunk[i] > 0 ? (int64_t)((state->shape.sizes[i] - 1) / chunk[i] + 1) : 1;
    }
    return count;
}

/* Whole chunks, and of small ones as many as are worth a call. */
static int64_t set_depth(halo_image_reader *reader, const hsize_t *chunk)
{
    const int64_t WORTH = (int64_t)1 << 20, MANY_CHUNKS = 4096;
    hdf5_state *state = reader->state;
    const halo_image_info *info = &reader->info;
    int planes = axis_of(reader, 0), rows = axis_of(reader, 1);
    int64_t thick = planes >= 0 ? halo_min((int64_t)chunk[planes], info->planes) : 1;
    int64_t high = halo_min((int64_t)chunk[rows], info->height);
    state->by_planes = thick > 1 || high == info->height;
    reader->info.layers = info->axes == 3 ? thick : high;
    int64_t depth = state->by_planes ? thick : high;
    int64_t all = state->by_planes ? info->planes : info->height;
    int64_t unit = (int64_t)state->band_row * (state->by_planes ? info->height : 1);
    int64_t chunks = chunks_of(state, chunk) / halo_max(all / depth, 1) + 1;
    int64_t times = halo_min(WORTH / unit / depth, MANY_CHUNKS / chunks);
    state->depth = halo_min(depth * halo_max(times, 1), all);
    return state->depth * (state->by_planes ? info->height : 1);
}

halo_status halo_hdf5_choose_bands(halo_image_reader *reader, hid_t create)
{
    hdf5_state *state = reader->state;
    hsize_t chunk[H5S_MAX_RANK];
    int64_t chunk_bytes = 0;
    bool chunked = H5Pget_layout(create) == H5D_CHUNKED;
    for (int i = 0; i < state->shape.count; i++) {
        chunk[i] = 1;
    }
    if (chunked) {
        if (H5Pget_chunk(create, H5S_MAX_RANK, chunk) != state->shape.count) {
            return halo_hdf5_fail(reader, "the data set's chunks cannot be read",
                                  "copy or make the file again");
        }
        HALO_TRY(check_chunk(reader, chunk, state->shape.count, H5Pget_nfilters(create) > 0,
                             &chunk_bytes));
    }
    state->band_row = (size_t)(reader->info.width * reader->samples.channels) *
                      (state->type.boolean ? 1 : halo_image_types[state->type.type].bytes);
    state->band_rows = set_depth(reader, chunk);
    int64_t bytes = state->band_rows * (int64_t)state->band_row;
    HALO_TRY(check_band(reader, bytes, 2 * chunk_bytes));
    reader->info.buffer += bytes + 2 * chunk_bytes;
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

static halo_status fail_band(const halo_image_reader *reader, int64_t first)
{
    char what[128];
    halo_hdf5_note(reader);
    snprintf(what, sizeof what, "%" PRId64 " of %" PRId64 " rows could be read", first,
             reader->info.rows);
    return halo_hdf5_fail(reader, what, "copy or make the file again");
}

static halo_status read_band(halo_image_reader *reader, int64_t first, int64_t rows)
{
    hdf5_state *state = reader->state;
    hsize_t start[H5S_MAX_RANK] = {0}, count[H5S_MAX_RANK];
    int64_t height = reader->info.height;
    int planes = axis_of(reader, 0), axis = axis_of(reader, 1);
    memcpy(count, state->shape.sizes, sizeof count);
    if (planes >= 0) {
        start[planes] = (hsize_t)(first / height);
        count[planes] = state->by_planes ? (hsize_t)(rows / height) : 1;
    }
    if (!state->by_planes) {
        start[axis] = (hsize_t)(first % height);
        count[axis] = (hsize_t)rows;
    }
    hid_t memory = H5Screate_simple(state->shape.count, count, NULL);
    bool read =
        memory >= 0 &&
        H5Sselect_hyperslab(state->space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dread(state->set, state->memory, memory, state->space, H5P_DEFAULT, state->band) >= 0;
    halo_status status = read ? HALO_OK : fail_band(reader, first);
    H5Sclose(memory);
    return status;
}

static halo_status take_band(halo_image_reader *reader, int64_t row)
{
    hdf5_state *state = reader->state;
    if (state->band == NULL) { /* one rank may open the file only to see what it is */
        void *band;
        HALO_TRY(halo_memory_create(&band, (size_t)state->band_rows * state->band_row,
                                    "chunks of an HDF5 file"));
        state->band = band;
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
        if (state->type.boolean) {
            halo_bits_pack_bytes(reader->info.width, from, (uint64_t *)(void *)to);
        } else {
            memcpy(to, from, state->band_row);
        }
    }
    return HALO_OK;
}

#endif
