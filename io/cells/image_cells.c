#include "io/cells/cells_internal.h"
#include "io/image/bits.h"
#include "io/image/image_internal.h"
#include "io/image/turn.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An image or an array. Greys of a picture are alive from half of their range on. Other samples are
 * states if they are whole numbers, and alive if they are reals but 0. A first pass looks for the
 * largest state, so that it is known how many bits a cell needs. Nothing but 0 and 255 is a mask,
 * as programs for images make them: its 255 is alive. Samples that are missing are dead. */

enum {
    CHUNK_BYTES = 1 << 18, /* of rows that are read at once */
    MASK = 255
};

typedef struct {
    halo_image_reader *image;
    bool greys;   /* of a picture */
    int64_t step; /* rows that are read at once */
    unsigned char
        *rows;         /* [step] of them, as they are read; NULL: bits, which need no conversion */
    uint8_t *states;   /* of one row */
    uint64_t *missing; /* bits of its pixels that are missing; NULL: none can be */
} image_cells;

/* ---- states ---------------------------------------------------------------------------------- */

/* Samples to states. Returns false if any of them is none. */
typedef bool make_states(const void *row, int64_t width, uint8_t *states);

#define STATE_UNSIGNED(value) ((uint64_t)(value))
#define STATE_SIGNED(value)   ((uint64_t)(int64_t)(value))
#define STATE_REAL(value)     ((uint64_t)((value) < 0 || (value) > 0))

#define DEFINE_STATES(code, type, kind, ...)                                   \
    static bool states_##code(const void *row, int64_t width, uint8_t *states) \
    {                                                                          \
        const type *samples = row;                                             \
        uint64_t all = 0;                                                      \
        for (int64_t x = 0; x < width; x++) {                                  \
            all |= STATE_##kind(samples[x]);                                   \
            states[x] = (uint8_t)STATE_##kind(samples[x]);                     \
        }                                                                      \
        return all <= UINT8_MAX;                                               \
    }
HALO_SAMPLE_VALUE_LIST(DEFINE_STATES)
#undef DEFINE_STATES

static make_states *const MAKERS[] = {
#define MAKER(code, ...) [HALO_SAMPLE_##code] = states_##code,
    HALO_SAMPLE_VALUE_LIST(MAKER)
#undef MAKER
};

static void find_bright(const halo_image_info *image, const void *row, uint8_t *states)
{
    const int64_t half = (image->maximum + 1) / 2;
    const uint8_t *grey = row;
    const uint16_t *wide = row;
    for (int64_t x = 0; x < image->width; x++) {
        states[x] = (image->pixel_bits == 8 ? grey[x] : wide[x]) >= half;
    }
}

static bool is_missing(const image_cells *state, int64_t x)
{
    return state->missing != NULL && (state->missing[x / 64] >> (x % 64) & 1) != 0;
}

/* Only samples that are missing may be no states. */
static halo_status check_states(const halo_cells_reader *reader, int64_t y, const void *row)
{
    const image_cells *state = reader->state;
    const halo_sample_type type = halo_image_reader_info(state->image)->type;
    int64_t x = 0;
    while (x < reader->info.width &&
           (is_missing(state, x) ||
            (uint64_t)halo_sample_whole(type, halo_sample_key_of(type, row, x)) <= UINT8_MAX)) {
        x++;
    }
    return x == reader->info.width
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the sample in row %" PRId64 ", column %" PRId64
                           " (from 0) is no state of a cell: whole numbers from 0 to 255 are, and "
                           "fractions (0 is dead)",
                           reader->source.name, y, x);
}

static void clear_missing(const image_cells *state, int64_t width)
{
    for (int64_t x = 0; x < width && state->missing != NULL; x++) {
        if (is_missing(state, x)) {
            state->states[x] = 0;
        }
    }
}

/* The states of a row as it was read. */
static halo_status find_states(const halo_cells_reader *reader, int64_t y, const void *row)
{
    const image_cells *state = reader->state;
    const halo_image_info *image = halo_image_reader_info(state->image);
    if (state->missing != NULL) {
        halo_image_find_missing(image, row, state->missing);
    }
    if (state->greys) {
        find_bright(image, row, state->states);
    } else if (!MAKERS[image->type](row, image->width, state->states)) {
        HALO_TRY(check_states(reader, y, row));
    }
    clear_missing(state, image->width);
    return HALO_OK;
}

/* Calls `take` with the states of each of these rows. */
typedef void take_states(halo_cells_reader *reader, const uint8_t *states, void *out);

static halo_status read_states(halo_cells_reader *reader, int64_t first, int64_t rows,
                               take_states *take, unsigned char *out, size_t pitch)
{
    const image_cells *state = reader->state;
    const size_t bytes = halo_image_row_bytes(halo_image_reader_info(state->image));
    for (int64_t done = 0; done < rows; done += state->step) {
        const int64_t now = halo_min(state->step, rows - done);
        HALO_TRY(halo_image_reader_rows(state->image, first + done, now, state->rows, bytes));
        for (int64_t i = 0; i < now; i++) {
            HALO_TRY(find_states(reader, first + done + i, state->rows + (size_t)i * bytes));
            take(reader, state->states, out + (size_t)(done + i) * pitch);
        }
    }
    return HALO_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The decoder reads a file by itself. */
static halo_status open_decoder(halo_cells_reader *reader, halo_image_reader **image)
{
    const halo_source *source = &reader->source;
    const halo_image_options options = {.want = HALO_IMAGE_NATIVE,
                                        .choices = reader->options.choices,
                                        .as_stored = reader->options.as_stored};
    return source->file != NULL || reader->claimed
               ? halo_image_reader_open(image, reader->path, &options)
               : halo_image_reader_open_memory(image, source->name, source->bytes,
                                               (size_t)(source->end - source->bytes), &options);
}

static halo_status check_image(const halo_cells_reader *reader)
{
    const image_cells *state = reader->state;
    const int channels = halo_image_stored(state->image)->conversion.from.channels;
    if (halo_image_reader_info(state->image)->axes > 2) {
        return halo_fail(HALO_FORMAT,
                         "%s: has several planes, and a grid has two axes; choose "
                         "one, as FILE:z=0",
                         reader->source.name);
    }
    return state->greys || channels == 1
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: pixels have %d samples, and cells one; choose one with --channel, "
                           "or as FILE:c=0",
                           reader->source.name, channels);
}

static halo_status make_room(image_cells *state, const halo_image_info *image)
{
    const size_t bytes = halo_image_row_bytes(image);
    if (image->pixel_bits > 1) {
        state->step = halo_max(1, CHUNK_BYTES / (int64_t)bytes);
        HALO_TRY(HALO_ALLOCATE(state->rows, (size_t)halo_min(state->step, image->height) * bytes,
                               "rows of an image"));
        HALO_TRY(HALO_ALLOCATE(state->states, image->width, "a row of an image"));
    }
    return image->nodata.missing == HALO_MISSING_NEVER
               ? HALO_OK
               : HALO_ALLOCATE(state->missing, (image->width + 63) / 64, "a row of an image");
}

/* The states that a first pass finds. */
typedef struct {
    int max;
    bool others; /* than 0 and 255 */
} found_states;

static void find_max(halo_cells_reader *reader, const uint8_t *states, void *out)
{
    found_states *found = out;
    int64_t max = found->max, others = 0;
    for (int64_t x = 0; x < reader->info.width; x++) {
        max = halo_max(max, states[x]);
        others |= (states[x] != 0) & (states[x] != MASK);
    }
    found->max = (int)max;
    found->others |= others != 0;
}

/* Not all images can be read twice. */
static halo_status find_max_state(halo_cells_reader *reader)
{
    image_cells *state = reader->state;
    found_states found = {.max = 1};
    HALO_TRY(read_states(reader, 0, reader->info.height, find_max, (unsigned char *)&found, 0));
    found.max = found.max == MASK && !found.others ? 1 : found.max;
    reader->info.states = found.max + 1;
    reader->info.cell_bits = found.max == 1 ? 1 : 8;
    halo_image_reader_close(&state->image);
    return open_decoder(reader, &state->image);
}

static halo_status open_image(halo_cells_reader *reader)
{
    image_cells *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a reader of cells"));
    reader->state = state;
    HALO_TRY(open_decoder(reader, &state->image));
    const halo_image_format *format = halo_image_stored(state->image)->format;
    const halo_image_info *image = halo_image_reader_info(state->image);
    const halo_sample_type_entry *type = &halo_sample_types[image->type];
    state->greys = format->picture && type->grey;
    HALO_TRY(check_image(reader));
    HALO_TRY(make_room(state, image));
    reader->info.format = format == &halo_image_png   ? HALO_CELLS_PNG
                          : format == &halo_image_npy ? HALO_CELLS_NPY
                          : format->picture           ? HALO_CELLS_IMAGE
                                                      : HALO_CELLS_ARRAY;
    reader->info.width = image->width;
    reader->info.height = image->height;
    return state->greys || state->rows == NULL || type->real ? HALO_OK : find_max_state(reader);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void put_states(halo_cells_reader *reader, const uint8_t *states, void *out)
{
    if (reader->info.cell_bits == 1) {
        halo_bits_pack_bytes(reader->info.width, states, out);
    } else {
        memcpy(out, states, (size_t)reader->info.width);
    }
}

static halo_status rows_image(halo_cells_reader *reader, int64_t rows, void *out, size_t pitch)
{
    const image_cells *state = reader->state;
    const halo_image_info *image = halo_image_reader_info(state->image);
    if (state->rows != NULL) {
        return read_states(reader, reader->row, rows, put_states, out, pitch);
    }
    HALO_TRY(halo_image_reader_rows(state->image, reader->row, rows, out, pitch));
    for (int64_t i = 0; i < rows && state->missing != NULL; i++) {
        uint64_t *bits = (uint64_t *)(void *)((unsigned char *)out + (size_t)i * pitch);
        halo_image_find_missing(image, bits, state->missing);
        for (int64_t k = 0; k < (image->width + 63) / 64; k++) {
            bits[k] &= ~state->missing[k];
        }
    }
    return HALO_OK;
}

static halo_status finish_image(halo_cells_reader *reader)
{
    image_cells *state = reader->state;
    return halo_image_finish_inner(state->image, reader->warning);
}

static void close_image(halo_cells_reader *reader)
{
    image_cells *state = reader->state;
    if (state != NULL) {
        halo_image_reader_close(&state->image);
        free(state->rows);
        free(state->states);
        free(state->missing);
    }
}

const halo_cells_kind halo_cells_image = {
    .open = open_image, .rows = rows_image, .finish = finish_image, .close = close_image};
