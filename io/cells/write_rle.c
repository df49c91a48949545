#include "io/cells/cells_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Run lengths, line for line as Golly writes them: a run goes to the next line if this one would
 * get longer than 70 bytes by it, and dead cells at the end of a row and dead rows at the end of
 * the pattern are left out. */

enum {
    LINE_BYTES = 70,
    TOKEN_MAX = 32, /* a count of 20 digits, a state of two letters, a line feed; rounded up */
    WORD_MAX = 65 * 3 + 2 * TOKEN_MAX /* what a word of cells can add */
};

/* How a state is written; returns the number of bytes. */
static int print_state(const halo_cells_writer *writer, int state, char tag[2])
{
    if (writer->header.states == 2) {
        tag[0] = state == 0 ? 'b' : 'o';
        return 1;
    }
    if (state == 0) {
        tag[0] = '.';
        return 1;
    }
    int prefix = (state - 1) / 24;
    int length = 0;
    if (prefix > 0) {
        tag[length++] = (char)('p' + prefix - 1);
    }
    tag[length++] = (char)('A' + (state - 1) % 24);
    return length;
}

static void prepare_tokens(halo_cells_writer *writer)
{
    for (int state = 0; state < 2; state++) {
        for (int count = 1; count < HALO_CELLS_TOKENS; count++) {
            char *token = writer->tokens[state][count];
            char tag[2];
            print_state(writer, state, tag);
            int length = count == 1 ? 0 : snprintf(token, HALO_CELLS_TOKEN_BYTES, "%d", count);
            token[length] = tag[0];
            token[HALO_CELLS_TOKEN_BYTES - 1] = (char)(length + 1);
        }
    }
}

static halo_status begin_rle(halo_cells_writer *writer, halo_buffer *out)
{
    const halo_cells_header *header = &writer->header;
    char text[512];
    int length = 0;
    size_t room = sizeof text;
    prepare_tokens(writer);
    if (header->placed || writer->generation[0] != '\0') {
        length += snprintf(text, room, "#CXRLE");
        if (header->placed) {
            length += snprintf(text + length, room - (size_t)length, " Pos=%" PRId64 ",%" PRId64,
                               header->x, header->y);
        }
        if (writer->generation[0] != '\0') {
            length += snprintf(text + length, room - (size_t)length, " Gen=%s", writer->generation);
        }
        text[length++] = '\n';
    }
    length += snprintf(text + length, room - (size_t)length, "x = %" PRId64 ", y = %" PRId64,
                       header->width, header->height);
    if (writer->rule[0] != 0) {
        length += snprintf(text + length, room - (size_t)length, ", rule = %s", writer->rule);
    }
    text[length++] = '\n';
    return halo_buffer_append(out, text, (size_t)length);
}

/* There is room for a token in `out`. Golly keeps a byte free for the prefix of a state, used or
 * not, where there can be one. */
static void begin_token(halo_cells_writer *writer, halo_buffer *out, int length)
{
    if (writer->line + length > LINE_BYTES) {
        out->data[out->size++] = '\n';
        writer->line = 0;
    }
}

static void put_token(halo_cells_writer *writer, halo_buffer *out, int64_t count, const char *tag,
                      int tag_length)
{
    char digits[24];
    int length = count == 1 ? 0 : snprintf(digits, sizeof digits, "%" PRId64, count);
    begin_token(writer, out, length + 1 + (writer->header.states > 2));
    memcpy(out->data + out->size, digits, (size_t)length);
    memcpy(out->data + out->size + length, tag, (size_t)tag_length);
    out->size += (size_t)(length + tag_length);
    writer->line += length + tag_length;
}

/* The row's first run is about to be written: end the rows before it. */
static void end_rows(halo_cells_writer *writer, halo_buffer *out)
{
    if (writer->ended_rows > 0) {
        put_token(writer, out, writer->ended_rows, "$", 1);
        writer->ended_rows = 0;
    }
}

static inline void put_run(halo_cells_writer *writer, halo_buffer *out, int64_t count, int live)
{
    if (count >= HALO_CELLS_TOKENS) {
        put_token(writer, out, count, live ? "o" : "b", 1);
        return;
    }
    const char *token = writer->tokens[live][count];
    int length = token[HALO_CELLS_TOKEN_BYTES - 1];
    begin_token(writer, out, length);
    memcpy(out->data + out->size, token, HALO_CELLS_TOKEN_BYTES);
    out->size += (size_t)length;
    writer->line += length;
}

/* Every cell that differs from the one before it ends a run. */
static halo_status put_bits(halo_cells_writer *writer, halo_buffer *out, const uint64_t *row)
{
    int64_t words = (writer->header.width + 63) / 64;
    int64_t start = 0;
    uint64_t live = 0;
    for (int64_t i = 0; i < words; i++) {
        uint64_t changes = row[i] ^ (row[i] << 1 | live);
        if (changes == 0) {
            continue;
        }
        HALO_TRY(halo_buffer_reserve(out, WORD_MAX));
        end_rows(writer, out);
        for (; changes != 0; changes &= changes - 1) {
            int64_t x = i * 64 + __builtin_ctzll(changes);
            if (x > start) {
                put_run(writer, out, x - start, (int)live);
            }
            live ^= 1;
            start = x;
        }
    }
    if (live != 0) {
        HALO_TRY(halo_buffer_reserve(out, WORD_MAX));
        put_run(writer, out, writer->header.width - start, 1);
    }
    return HALO_OK;
}

static halo_status put_bytes(halo_cells_writer *writer, halo_buffer *out, const unsigned char *row)
{
    int64_t width = writer->header.width;
    while (width > 0 && row[width - 1] == 0) {
        width--;
    }
    for (int64_t x = 0; x < width;) {
        int64_t start = x;
        int state = row[x];
        while (x < width && row[x] == state) {
            x++;
        }
        if (state >= writer->header.states) {
            return halo_fail(HALO_ARGUMENT,
                             "a cell of state %d cannot be written to a file of %d states", state,
                             writer->header.states);
        }
        char tag[2];
        int length = print_state(writer, state, tag);
        HALO_TRY(halo_buffer_reserve(out, WORD_MAX));
        end_rows(writer, out);
        put_token(writer, out, x - start, tag, length);
    }
    return HALO_OK;
}

static halo_status rows_rle(halo_cells_writer *writer, halo_buffer *out, int64_t rows,
                            const unsigned char *data, size_t pitch)
{
    bool bits = writer->header.states == 2;
    for (int64_t i = 0; i < rows; i++) {
        const void *row = data + (size_t)i * pitch;
        HALO_TRY(bits ? put_bits(writer, out, row) : put_bytes(writer, out, row));
        writer->ended_rows++;
    }
    return HALO_OK;
}

static halo_status end_rle(halo_cells_writer *writer, halo_buffer *out)
{
    HALO_TRY(halo_buffer_reserve(out, TOKEN_MAX));
    put_token(writer, out, 1, "!", 1);
    out->data[out->size++] = '\n';
    return HALO_OK;
}

const halo_cells_writer_kind halo_cells_write_rle = {.format = HALO_CELLS_RLE,
                                                     .max_states = 256,
                                                     .begin = begin_rle,
                                                     .rows = rows_rle,
                                                     .end = end_rle};
