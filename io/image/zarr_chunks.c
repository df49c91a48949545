#define _POSIX_C_SOURCE 200809L
#include "io/image/zarr_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/read_at.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Rows from chunks. A band of planes and rows is held, of the whole width. Compressed chunks are
 * decoded as a whole: then a band is as deep as they are and, if that is several planes, as high as
 * a plane, so that reading in order decodes each chunk once. Of other chunks parts are read, and a
 * band is small. */

static const int64_t BAND_BYTES = (int64_t)4 << 20, MOST_PACKED = INT32_MAX;

void halo_zarr_plan(halo_image_reader *reader)
{
    zarr_state *state = reader->state;
    const int64_t *n = state->n, *chunk = state->chunk;
    int64_t bytes = (int64_t)state->array.bytes;
    int64_t depth = halo_min(n[0], chunk[0]), height = halo_min(n[1], chunk[1]);
    int64_t line = bytes * halo_max(n[2], chunk[2]);
    bool nested = state->stride[2] == 1 && (state->axis[1] < 0 || state->stride[1] == chunk[2]) &&
                  (state->axis[0] < 0 || state->stride[0] == chunk[1] * chunk[2]);
    state->pieces = halo_zarr_is_plain(&state->array) && nested;
    if (state->pieces) { /* with what fills up the chunks at the edges */
        int64_t planes = BAND_BYTES / line / halo_max(n[1], chunk[1]);
        depth = halo_min(depth, halo_max(planes, 1));
        height = halo_min(height, halo_max(BAND_BYTES / line, 1));
    }
    state->depth = depth;
    state->height = depth > 1 || state->lines > 1 ? n[1] : height;
    state->pixels_room = (size_t)(state->pieces ? halo_max(BAND_BYTES, line) : state->chunk_bytes);
    reader->info.buffer += state->depth * state->height * n[2] * bytes +
                           (int64_t)state->pixels_room * (state->pieces ? 1 : 2);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The numbers of the chunk along all axes. */
static void number_chunk(const zarr_state *state, const int64_t number[3],
                         int64_t numbers[HALO_IMAGE_MAX_AXES])
{
    for (int axis = 0; axis < state->array.axes; axis++) {
        numbers[axis] = state->number[axis];
        for (int i = 0; i < 3; i++) {
            numbers[axis] = state->axis[i] == axis ? number[i] : numbers[axis];
        }
    }
}

/* The file with the chunk of these numbers; to be freed. */
static char *name_chunk(const zarr_array *array, const int64_t numbers[HALO_IMAGE_MAX_AXES])
{
    enum { DIGITS = 24 };
    char text[DIGITS * (HALO_IMAGE_MAX_AXES + 1)] = "";
    size_t used = 0;
    for (int axis = 0; axis < array->axes; axis++) {
        int64_t per = array->sharding.chunks > 0 ? array->sharding.per[axis] : 1;
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%.*s%" PRId64,
                             axis == 0 && array->prefixed ? "c" : "", axis > 0 || array->prefixed,
                             &array->separator, numbers[axis] / per);
    }
    return halo_zarr_join(array->folder, text);
}

static halo_status fail_chunk(const halo_image_reader *reader, const char *name, int reason)
{
    return halo_fail(HALO_FILE, "%s: the chunk %s cannot be read: %s", reader->path, name,
                     strerror(reason));
}

/* Nothing that could keep us waiting is opened. What is no file has 0 bytes. */
halo_status halo_zarr_open_file(const halo_image_reader *reader, const char *name, int *file,
                                int64_t *bytes)
{
    struct stat about;
    *bytes = 0;
    *file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*file < 0) {
        return errno == ENOENT ? HALO_OK : fail_chunk(reader, name, errno);
    }
    *bytes = fstat(*file, &about) == 0 && S_ISREG(about.st_mode) ? (int64_t)about.st_size : 0;
    return HALO_OK;
}

static halo_status open_chunk(const halo_image_reader *reader, const char *name,
                              const int64_t *numbers, zarr_place *place)
{
    const zarr_state *state = reader->state;
    *place = (zarr_place){.file = -1};
    HALO_TRY(state->array.sharding.chunks > 0
                 ? halo_zarr_find_in_shard(reader, name, numbers, place)
                 : halo_zarr_open_file(reader, name, &place->file, &place->bytes));
    int64_t most = state->pieces ? INT64_MAX : MOST_PACKED;
    return place->file < 0 || (place->bytes <= most &&
                               halo_zarr_can_hold(&state->array, place->bytes, state->chunk_bytes))
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the chunk %s has %" PRId64 " bytes, which cannot be a chunk of "
                           "%" PRId64 " bytes; copy or make the array again",
                           reader->path, name, place->bytes, state->chunk_bytes);
}

halo_status halo_zarr_read_at(const halo_image_reader *reader, const char *name, int file,
                              int64_t at, unsigned char *out, size_t bytes)
{
    int64_t got = halo_read_at(file, out, bytes, at);
    if (got < 0) {
        return fail_chunk(reader, name, errno);
    }
    return got == (int64_t)bytes
               ? HALO_OK
               : halo_fail(HALO_FORMAT, "%s: the chunk %s is cut off; copy or make it again",
                           reader->path, name);
}

int64_t halo_zarr_first_chunk(const halo_image_reader *reader)
{
    const zarr_state *state = reader->state;
    struct stat about;
    int64_t number[3] = {0, 0, 0}, numbers[HALO_IMAGE_MAX_AXES], bytes = 0;
    int64_t last = (state->n[0] - 1) / state->chunk[0];
    for (int i = 0; i < 8 && i <= last && bytes == 0; i++) {
        number[0] = i;
        number_chunk(state, number, numbers);
        char *name = name_chunk(&state->array, numbers);
        bytes = name != NULL && stat(name, &about) == 0 ? (int64_t)about.st_size : 0;
        free(name);
    }
    return bytes;
}

/* ---- from a chunk to the band ---------------------------------------------------------------- */

/* The part of a chunk that a band takes: from `lo` on in the chunk, `count` samples along each
 * axis, which go to `out`. */
typedef struct {
    int64_t lo[2], count[3];
    unsigned char *out;
    size_t row, plane; /* bytes from one to the next in the band */
} part;

/* `from` is the sample at `lo` of the part; samples along the three axes are `steps` bytes apart.
 */
static void copy_rows(const zarr_state *state, const part *p, const unsigned char *from,
                      const size_t steps[3])
{
    size_t size = state->array.bytes, bytes = (size_t)p->count[2] * size;
    for (int64_t z = 0; z < p->count[0]; z++) {
        for (int64_t y = 0; y < p->count[1]; y++) {
            unsigned char *to = p->out + (size_t)z * p->plane + (size_t)y * p->row;
            const unsigned char *row = from + (size_t)z * steps[0] + (size_t)y * steps[1];
            if (steps[2] == size) {
                memcpy(to, row, bytes);
                continue;
            }
            for (int64_t x = 0; x < p->count[2]; x++) {
                memcpy(to + (size_t)x * size, row + (size_t)x * steps[2], size);
            }
        }
    }
}

/* Bytes from one sample of a chunk to the next along the three axes. */
static void find_steps(const zarr_state *state, size_t steps[3])
{
    for (int i = 0; i < 3; i++) {
        steps[i] = (size_t)state->stride[i] * state->array.bytes;
    }
}

static void fill_rows(const zarr_state *state, const part *p)
{
    size_t size = state->array.bytes;
    for (int64_t z = 0; z < p->count[0]; z++) {
        for (int64_t y = 0; y < p->count[1]; y++) {
            unsigned char *out = p->out + (size_t)z * p->plane + (size_t)y * p->row;
            for (int64_t x = 0; x < p->count[2]; x++) {
                memcpy(out + (size_t)x * size, state->array.fill, size);
            }
        }
    }
}

/* From the first row that is wanted to the last one, at most BAND_BYTES at a time. */
static halo_status read_pieces(const halo_image_reader *reader, const char *name,
                               const zarr_place *place, const part *whole)
{
    const zarr_state *state = reader->state;
    int64_t row = state->chunk[2] * (int64_t)state->array.bytes;
    int64_t begin = place->at + state->begin * (int64_t)state->array.bytes;
    int64_t first = whole->lo[0] * state->chunk[1] + whole->lo[1];
    const size_t steps[3] = {(size_t)(row * state->chunk[1]), (size_t)row, state->array.bytes};
    int64_t step = (int64_t)state->pixels_room / row;
    if (whole->count[0] > 1) { /* halo_zarr_plan has made room for all of them */
        step = whole->count[1];
    }
    part p = *whole;
    for (int64_t y = 0; y < whole->count[1]; y += step) {
        p.count[1] = halo_min(step, whole->count[1] - y);
        p.out = whole->out + (size_t)y * whole->row;
        int64_t rows = (p.count[0] - 1) * state->chunk[1] + p.count[1];
        HALO_TRY(halo_zarr_read_at(reader, name, place->file, begin + (first + y) * row,
                                   state->pixels, (size_t)(rows * row)));
        copy_rows(state, &p, state->pixels, steps);
    }
    return HALO_OK;
}

static halo_status make_room(zarr_state *state, int64_t bytes)
{
    if ((size_t)bytes <= state->packed_room) {
        return HALO_OK;
    }
    halo_memory_free(state->packed);
    state->packed_room = 0;
    size_t room = (size_t)bytes + (size_t)bytes / 4;
    HALO_TRY(HALO_ALLOCATE_LARGE(state->packed, room, "a chunk of a zarr array"));
    state->packed_room = room;
    return HALO_OK;
}

/* Does all of the chunk lie in the band as it lies in the file? */
static bool is_straight(const zarr_state *state, const part *p)
{
    size_t row = (size_t)state->chunk[2] * state->array.bytes;
    int64_t taken = p->count[0] * p->count[1] * p->count[2] * (int64_t)state->array.bytes;
    return taken == state->chunk_bytes && p->row == row &&
           (p->count[0] == 1 || p->plane == row * (size_t)p->count[1]);
}

static halo_status read_whole(const halo_image_reader *reader, const char *name,
                              const zarr_place *place, const part *p)
{
    zarr_state *state = reader->state;
    size_t bytes = (size_t)place->bytes;
    bool straight = is_straight(state, p);
    HALO_TRY(make_room(state, place->bytes));
    if (!straight && state->pixels == NULL) {
        HALO_TRY(HALO_ALLOCATE_LARGE(state->pixels, state->pixels_room, "a chunk of a zarr array"));
    }
    unsigned char *out = straight ? p->out : state->pixels;
    HALO_TRY(halo_zarr_read_at(reader, name, place->file, place->at, state->packed, bytes));
    HALO_TRY(halo_zarr_decode(reader, name, state->packed, bytes, out));
    if (!straight) {
        size_t steps[3];
        find_steps(state, steps);
        const unsigned char *from = out + (size_t)state->begin * state->array.bytes +
                                    (size_t)p->lo[0] * steps[0] + (size_t)p->lo[1] * steps[1];
        copy_rows(state, p, from, steps);
    }
    return HALO_OK;
}

static halo_status load_part(const halo_image_reader *reader, const int64_t number[3],
                             const part *p)
{
    zarr_state *state = reader->state;
    int64_t numbers[HALO_IMAGE_MAX_AXES];
    number_chunk(state, number, numbers);
    char *name = name_chunk(&state->array, numbers);
    zarr_place place = {.file = -1};
    if (name == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a name of a file");
    }
    halo_status status = open_chunk(reader, name, numbers, &place);
    if (status == HALO_OK && place.file < 0 && state->whole) {
        status = fail_chunk(reader, name, ENOENT);
    } else if (status == HALO_OK && place.file < 0) {
        fill_rows(state, p);
    } else if (status == HALO_OK) {
        status = state->pieces ? read_pieces(reader, name, &place, p)
                               : read_whole(reader, name, &place, p);
    }
    if (place.file >= 0 && !place.kept) {
        close(place.file);
    }
    free(name);
    return status;
}

/* ---- bands ----------------------------------------------------------------------------------- */

static halo_status create_band(zarr_state *state)
{
    size_t bytes = (size_t)(state->depth * state->height * state->n[2]) * state->array.bytes;
    HALO_TRY(HALO_ALLOCATE_LARGE(state->band, bytes, "rows of a zarr array"));
    return state->pieces
               ? HALO_ALLOCATE_LARGE(state->pixels, state->pixels_room, "a chunk of a zarr array")
               : HALO_OK;
}

/* The band with plane (axis 0) or row (axis 1) `at`: none reaches into the next chunk, but for rows
 * of bands that have all. */
static void place_band(zarr_state *state, int axis, int64_t at)
{
    int64_t size = axis == 0 ? state->depth : state->height;
    int64_t chunk = size < state->n[axis] ? state->chunk[axis] : state->n[axis];
    int64_t begin = at / chunk * chunk;
    state->lo[axis] = begin + (at - begin) / size * size;
    state->hi[axis] = halo_min(halo_min(state->lo[axis] + size, begin + chunk), state->n[axis]);
}

/* The chunks of one row of them. */
static halo_status load_row(const halo_image_reader *reader, int64_t number[3], part p)
{
    const zarr_state *state = reader->state;
    const int64_t *chunk = state->chunk;
    int64_t y = number[1] * chunk[1], begin = halo_max(y, state->lo[1]);
    p.lo[1] = begin - y;
    p.count[1] = halo_min(y + chunk[1], state->hi[1]) - begin;
    p.out = state->band + (size_t)(begin - state->lo[1]) * p.row;
    for (number[2] = 0; number[2] <= (state->n[2] - 1) / chunk[2]; number[2]++) {
        p.count[2] = halo_min(chunk[2], state->n[2] - number[2] * chunk[2]);
        HALO_TRY(load_part(reader, number, &p));
        p.out += (size_t)p.count[2] * state->array.bytes;
    }
    return HALO_OK;
}

static halo_status load_band(const halo_image_reader *reader, int64_t z, int64_t y)
{
    zarr_state *state = reader->state;
    bool there = state->hi[0] > 0 && z >= state->lo[0] && z < state->hi[0] && y >= state->lo[1] &&
                 y < state->hi[1];
    if (there) {
        return HALO_OK;
    }
    if (state->band == NULL) {
        HALO_TRY(create_band(state));
    }
    place_band(state, 0, z);
    place_band(state, 1, y);
    part p = {.row = (size_t)state->n[2] * state->array.bytes};
    p.plane = p.row * (size_t)(state->hi[1] - state->lo[1]);
    int64_t number[3] = {state->lo[0] / state->chunk[0]}, end = state->hi[0];
    p.lo[0] = state->lo[0] - number[0] * state->chunk[0];
    p.count[0] = end - state->lo[0];
    state->hi[0] = 0; /* after a failure there is none */
    int64_t last = (state->hi[1] - 1) / state->chunk[1];
    for (number[1] = state->lo[1] / state->chunk[1]; number[1] <= last; number[1]++) {
        HALO_TRY(load_row(reader, number, p));
    }
    state->hi[0] = end;
    return HALO_OK;
}

halo_status halo_zarr_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch)
{
    const zarr_state *state = reader->state;
    size_t line = (size_t)state->n[2] * state->array.bytes;
    bool colours = state->lines > 1;
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first + i, z = colours ? row : row / state->n[1];
        int64_t y = colours ? 0 : row % state->n[1];
        HALO_TRY(load_band(reader, z, y));
        int64_t at = (z - state->lo[0]) * (state->hi[1] - state->lo[1]) + y - state->lo[1];
        halo_image_unpack_row(&reader->layout, state->band + (size_t)at * line,
                              (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}
