#include "io/npy/npy.h"
#include "io/cells/cells_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An array of numbers: whole ones are states, anything but 0 among the others is alive. A first
 * pass looks for the largest state, so that it is known how many bits a cell needs. An array of
 * nothing but 0 and 255 is a mask, as programs for images make them: its 255 is alive. The states
 * of an array that is stored by columns (Fortran order) are kept in memory. */

enum {
    CHUNK = 4096, /* samples on their way; a multiple of 64 */
    MASK = 255
};

/* A sample's state, or -1 if it is none. */
#define WHOLE_STATE(value)    ((value) < 0 || (value) > 255 ? -1 : (int)(value))
#define SMALL_STATE(value)    ((value) < 0 ? -1 : (int)(value))
#define POSITIVE_STATE(value) ((value) > 255 ? -1 : (int)(value))
#define TRUTH_STATE(value)    (isnan(value) ? -1 : (value) != 0)

/* code, type in C, how a state is made of it */
#define SAMPLE_LIST(X)               \
    X(BOOL, uint8_t, 0 !=)           \
    X(U8, uint8_t, (int))            \
    X(I8, int8_t, SMALL_STATE)       \
    X(U16, uint16_t, POSITIVE_STATE) \
    X(I16, int16_t, WHOLE_STATE)     \
    X(U32, uint32_t, POSITIVE_STATE) \
    X(I32, int32_t, WHOLE_STATE)     \
    X(U64, uint64_t, POSITIVE_STATE) \
    X(I64, int64_t, WHOLE_STATE)     \
    X(F32, float, TRUTH_STATE)       \
    X(F64, double, TRUTH_STATE)

/* `n` samples to states; returns the number of the first that is none, or `n`. */
typedef int64_t states_function(const unsigned char *samples, int64_t n, uint8_t *states);

#define DEFINE_STATES(code, type, make)                                                    \
    static int64_t states_##code(const unsigned char *samples, int64_t n, uint8_t *states) \
    {                                                                                      \
        for (int64_t i = 0; i < n; i++) {                                                  \
            type value;                                                                    \
            memcpy(&value, samples + (size_t)i * sizeof value, sizeof value);              \
            int state = make(value);                                                       \
            if (state < 0) {                                                               \
                return i;                                                                  \
            }                                                                              \
            states[i] = (uint8_t)state;                                                    \
        }                                                                                  \
        return n;                                                                          \
    }
SAMPLE_LIST(DEFINE_STATES)
#undef DEFINE_STATES

static states_function *const STATES[] = {
#define STATES_ENTRY(code, type, make) [HALO_SAMPLE_##code] = states_##code,
    SAMPLE_LIST(STATES_ENTRY)
#undef STATES_ENTRY
};

typedef struct {
    halo_npy_header header;
    bool swapped;
    bool is_mask;
    size_t head;         /* bytes before the first sample */
    int64_t line, lines; /* samples that lie one after the other: of a row, or of a column */
    halo_buffer columns; /* states of all columns; or empty */
    unsigned char samples[CHUNK * 8];
    uint8_t states[CHUNK];
} array;

static void swap_bytes(unsigned char *samples, int64_t n, size_t bytes)
{
    for (int64_t i = 0; i < n; i++, samples += bytes) {
        for (size_t j = 0; j < bytes / 2; j++) {
            unsigned char kept = samples[j];
            samples[j] = samples[bytes - 1 - j];
            samples[bytes - 1 - j] = kept;
        }
    }
}

/* The states of the next `n` samples, from sample `x` of line `y` on. */
static halo_status take_chunk(halo_cells_reader *reader, int64_t x, int64_t y, int64_t n)
{
    array *state = reader->state;
    bool turned = state->header.by_columns;
    size_t bytes = halo_npy_sample_bytes(&state->header);
    if (!halo_source_read(&reader->source, state->samples, (size_t)n * bytes)) {
        HALO_TRY(reader->source.status);
        return halo_fail(HALO_FORMAT,
                         "%s: the array file is cut off: %" PRId64 " of %" PRId64
                         " %s could be read; copy or save it again",
                         reader->source.name, y, state->lines, turned ? "columns" : "rows");
    }
    if (state->swapped) {
        swap_bytes(state->samples, n, bytes);
    }
    int64_t good = STATES[state->header.type](state->samples, n, state->states);
    if (good < n) {
        return halo_fail(HALO_FORMAT,
                         "%s: the sample in row %" PRId64 ", column %" PRId64
                         " (from 0) is no state of a cell: whole numbers from 0 to 255 are, and "
                         "fractions that are numbers (0 is dead)",
                         reader->source.name, turned ? x + good : y, turned ? y : x + good);
    }
    for (int64_t i = 0; state->is_mask && i < n; i++) {
        state->states[i] = state->states[i] != 0;
    }
    return HALO_OK;
}

static halo_status restart(halo_cells_reader *reader)
{
    array *state = reader->state;
    HALO_TRY(halo_source_rewind(&reader->source));
    for (size_t left = state->head; left > 0;) {
        size_t taken = left < sizeof state->samples ? left : sizeof state->samples;
        if (!halo_source_read(&reader->source, state->samples, taken)) {
            return halo_cells_fail_changed(reader);
        }
        left -= taken;
    }
    return HALO_OK;
}

static int64_t chunk_at(int64_t x, int64_t width)
{
    return width - x < CHUNK ? width - x : CHUNK;
}

static halo_status find_max_state(halo_cells_reader *reader)
{
    array *state = reader->state;
    int max = 1;
    bool others = false; /* than 0 and 255 */
    for (int64_t y = 0; y < state->lines && state->line > 0; y++) {
        for (int64_t x = 0; x < state->line; x += CHUNK) {
            int64_t n = chunk_at(x, state->line);
            HALO_TRY(take_chunk(reader, x, y, n));
            for (int64_t i = 0; i < n; i++) {
                int found = state->states[i];
                max = found > max ? found : max;
                others = others || (found != 0 && found != MASK);
            }
            if (state->header.by_columns) {
                HALO_TRY(halo_buffer_append(&state->columns, state->states, (size_t)n));
            }
        }
    }
    state->is_mask = max == MASK && !others;
    max = state->is_mask ? 1 : max;
    reader->info.states = max + 1;
    reader->info.cell_bits = max == 1 ? 1 : 8;
    return HALO_OK;
}

static halo_status open_array(halo_cells_reader *reader)
{
    halo_source *source = &reader->source;
    array *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a reader of cells"));
    reader->state = state;
    HALO_TRY(halo_npy_parse(source->at, (size_t)(source->end - source->at), reader->source.name,
                            &state->header, &state->swapped, &state->head));
    reader->info.width = state->header.width;
    reader->info.height = state->header.height;
    state->line = state->header.by_columns ? state->header.height : state->header.width;
    state->lines = state->header.by_columns ? state->header.width : state->header.height;
    if (reader->info.width > HALO_CELLS_AXIS_LIMIT || reader->info.height > HALO_CELLS_AXIS_LIMIT) {
        return halo_fail(HALO_FORMAT,
                         "%s: an array of %" PRId64 " x %" PRId64
                         " cells is too large: 2^40 rows and columns are allowed",
                         reader->source.name, reader->info.height, reader->info.width);
    }
    HALO_TRY(restart(reader));
    HALO_TRY(find_max_state(reader));
    return restart(reader);
}

/* The states of `n` cells of row `y`, from column `x` on. */
static halo_status fetch_chunk(halo_cells_reader *reader, int64_t x, int64_t y, int64_t n)
{
    array *state = reader->state;
    if (!state->header.by_columns) {
        return take_chunk(reader, x, y, n);
    }
    const unsigned char *from = state->columns.data + (size_t)(x * state->line + y);
    for (int64_t i = 0; i < n; i++, from += state->line) {
        state->states[i] = state->is_mask ? *from != 0 : *from;
    }
    return HALO_OK;
}

static halo_status rows_array(halo_cells_reader *reader, int64_t rows, void *out, size_t pitch)
{
    array *state = reader->state;
    int64_t width = state->header.width;
    for (int64_t i = 0; i < rows; i++) {
        unsigned char *row = (unsigned char *)out + (size_t)i * pitch;
        for (int64_t x = 0; x < width; x += CHUNK) {
            int64_t n = chunk_at(x, width);
            HALO_TRY(fetch_chunk(reader, x, reader->row + i, n));
            if (reader->info.cell_bits == 1) {
                halo_cells_pack_bits((uint64_t *)(void *)row + x / 64, state->states, n);
            } else {
                memcpy(row + x, state->states, (size_t)n);
            }
        }
    }
    return HALO_OK;
}

static void close_array(halo_cells_reader *reader)
{
    array *state = reader->state;
    if (state != NULL) {
        halo_buffer_free(&state->columns);
    }
}

const halo_cells_kind halo_cells_npy = {
    .format = HALO_CELLS_NPY, .open = open_array, .rows = rows_array, .close = close_array};
