#include "io/cells/cells_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Plain text --- */

static halo_status rows_plain(halo_cells_writer *writer, halo_buffer *out, int64_t rows,
                              const unsigned char *data, size_t pitch)
{
    int64_t width = writer->header.width;
    for (int64_t i = 0; i < rows; i++) {
        const uint64_t *row = (const uint64_t *)(const void *)(data + (size_t)i * pitch);
        HALO_TRY(halo_buffer_reserve(out, (size_t)width + 1));
        unsigned char *text = out->data + out->size;
        for (int64_t x = 0; x < width; x++) {
            text[x] = (unsigned char)((row[x / 64] >> (x % 64) & 1) != 0 ? 'O' : '.');
        }
        text[width] = '\n';
        out->size += (size_t)width + 1;
    }
    return HALO_OK;
}

static const halo_cells_writer_kind plain = {
    .format = HALO_CELLS_CELLS, .max_states = 2, .rows = rows_plain};

/* --- Any format --- */

static const halo_cells_writer_kind *const KINDS[] = {&halo_cells_write_rle, &plain};

static halo_status check_size(const halo_cells_header *header)
{
    const int64_t limit = HALO_CELLS_AXIS_LIMIT;
    if (header->width < 0 || header->height < 0 || header->width > limit ||
        header->height > limit) {
        return halo_fail(HALO_ARGUMENT,
                         "a file cannot hold %" PRId64 " x %" PRId64
                         " cells: each axis may have 0 to 2^40",
                         header->width, header->height);
    }
    const int64_t far = HALO_CELLS_PLACE_LIMIT;
    if (header->x < -far || header->x > far || header->y < -far || header->y > far ||
        header->generation < 0) {
        return halo_fail(HALO_ARGUMENT,
                         "cells cannot lie at (%" PRId64 ", %" PRId64 ") in generation %" PRId64
                         ": at most 2^61 from (0, 0), and generation 0 or later are allowed",
                         header->x, header->y, header->generation);
    }
    return HALO_OK;
}

/* The sum of the header's generations, in decimal digits. False if `earlier` is no number. */
static bool add_generations(const halo_cells_header *header, char sum[HALO_CELLS_GENERATION + 2])
{
    enum { TEN = 10 };
    const char *earlier = header->earlier != NULL ? header->earlier : "";
    size_t length = strlen(earlier), at = HALO_CELLS_GENERATION + 1;
    if (length > HALO_CELLS_GENERATION || strspn(earlier, "0123456789") != length) {
        return false;
    }
    uint64_t carry = (uint64_t)header->generation;
    sum[at] = '\0';
    for (; length > 0 || carry > 0; carry /= TEN) {
        carry += length > 0 ? (uint64_t)(earlier[--length] - '0') : 0;
        sum[--at] = (char)('0' + carry % TEN);
    }
    memmove(sum, sum + at, HALO_CELLS_GENERATION + 2 - at);
    return true;
}

static halo_status check_rule(const char *rule)
{
    size_t length = strlen(rule);
    bool good = length <= HALO_CELLS_RULE_WRITTEN;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)rule[i];
        good = good && byte >= ' ' && byte != 127;
    }
    if (!good) {
        return halo_fail(HALO_ARGUMENT,
                         "a rule of %zu bytes cannot be written: up to %d without control "
                         "characters are allowed",
                         length, (int)HALO_CELLS_RULE_WRITTEN);
    }
    return HALO_OK;
}

static const halo_cells_writer_kind *find_kind(halo_cells_format format)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (KINDS[i]->format == format) {
            return KINDS[i];
        }
    }
    return NULL;
}

static halo_status check(const halo_cells_header *header, const halo_cells_writer_kind *kind)
{
    if (kind == NULL) {
        return halo_fail(HALO_ARGUMENT,
                         "cells can be written as rle and .cells only; take pictures "
                         "and arrays to their own writers");
    }
    if (header->states < 0 || header->states == 1 || header->states > kind->max_states) {
        return halo_fail(
            HALO_ARGUMENT,
            "a file of format %s cannot hold cells of %d states: 2 to %d are allowed%s",
            halo_cells_format_name(kind->format), header->states, kind->max_states,
            kind->max_states < 256 ? "; write RLE" : "");
    }
    HALO_TRY(check_size(header));
    return check_rule(header->rule != NULL ? header->rule : "");
}

halo_status halo_cells_writer_create(halo_cells_writer **out, halo_cells_format format,
                                     const halo_cells_header *header)
{
    *out = NULL;
    const halo_cells_writer_kind *kind = find_kind(format);
    HALO_TRY(check(header, kind));
    const char *rule = header->rule != NULL ? header->rule : "";
    halo_cells_writer *writer;
    HALO_TRY(HALO_ALLOCATE(writer, 1, "a writer of cells"));
    memcpy(writer->rule, rule, strlen(rule));
    writer->header = *header;
    writer->header.rule = writer->rule;
    if (!add_generations(header, writer->generation)) {
        free(writer);
        return halo_fail(HALO_ARGUMENT, "a generation must be a number of at most %d digits",
                         HALO_CELLS_GENERATION);
    }
    writer->header.earlier = NULL;
    writer->header.states = header->states == 0 ? 2 : header->states;
    writer->kind = kind;
    *out = writer;
    return HALO_OK;
}

void halo_cells_writer_destroy(halo_cells_writer **writer)
{
    free(*writer);
    *writer = NULL;
}

halo_status halo_cells_writer_begin(halo_cells_writer *writer, halo_buffer *out)
{
    /* An empty text is a text, too, and its place is not NULL. */
    HALO_TRY(halo_buffer_reserve(out, 1));
    return writer->kind->begin != NULL ? writer->kind->begin(writer, out) : HALO_OK;
}

halo_status halo_cells_writer_rows(halo_cells_writer *writer, halo_buffer *out, int64_t rows,
                                   const void *data, size_t pitch)
{
    bool bits = writer->header.states == 2;
    int64_t left = writer->header.height - writer->row;
    size_t needed = halo_cells_row_bytes(writer->header.width, bits ? 1 : 8);
    size_t unit = bits ? sizeof(uint64_t) : 1;
    if (rows < 0 || rows > left || pitch < needed || pitch % unit != 0) {
        return halo_fail(HALO_ARGUMENT,
                         "%" PRId64 " rows at a pitch of %zu bytes cannot be written; %" PRId64
                         " rows are left, of at least %zu bytes each, in steps of %zu",
                         rows, pitch, left, needed, unit);
    }
    HALO_TRY(writer->kind->rows(writer, out, rows, data, pitch));
    writer->row += rows;
    return HALO_OK;
}

halo_status halo_cells_writer_end(halo_cells_writer *writer, halo_buffer *out)
{
    if (writer->row < writer->header.height) {
        return halo_fail(HALO_ARGUMENT,
                         "only %" PRId64 " of %" PRId64 " rows have been written; write them all",
                         writer->row, writer->header.height);
    }
    return writer->kind->end != NULL ? writer->kind->end(writer, out) : HALO_OK;
}
