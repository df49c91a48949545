#define _DEFAULT_SOURCE /* strdup */
#include "core/file/checkpoint_format.h"

#include "base/json_internal.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define START         "{\"halobeat checkpoint\": "
#define CHECKSUM_NAME "xxh3_64"

enum {
    VERSION = 1,
    UNIT = HALO_CHECKPOINT_HEADER_UNIT,
    MAX_HEADER = 16 << 20,
    BLOCK_BYTES = 1 << 20,
    MAX_BLOCK_BYTES = 64 << 20, /* that a reader has memory for, unless a row is longer */
    START_SIZE = 64,            /* of START, version and length, and a zero */
    CLOSING_SIZE = 20           /* of 16 digits, quote, brace, line end, and a zero */
};

static const char CHECKSUM_KEY[] = "\"header_checksum\": \"";

static const char *const BYTE_ORDER_NAME =
    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "big" : "little";

int64_t halo_checkpoint_block_end(const halo_checkpoint_layout *layout, int64_t block)
{
    int64_t left = layout->rows - block * layout->block_rows;
    return layout->rows - left + (left < layout->block_rows ? left : layout->block_rows);
}

uint64_t halo_checkpoint_sum_rows(const void *data, int64_t first, int64_t rows, size_t row_bytes)
{
    const char *row = data;
    uint64_t sum = 0;
    for (int64_t i = 0; i < rows; i++, row += row_bytes) {
        sum += XXH3_64bits_withSeed(row, row_bytes, (uint64_t)(first + i));
    }
    return sum;
}

uint64_t halo_checkpoint_sum_entry(uint64_t entry, int64_t block)
{
    return XXH3_64bits_withSeed(&entry, sizeof entry, (uint64_t)block);
}

/* Fill in what follows from rows, row_bytes, block_rows and rows_at. */
static void lay_out(halo_checkpoint_layout *layout)
{
    int64_t rest = layout->rows % layout->block_rows;
    layout->blocks = layout->rows / layout->block_rows + (rest > 0);
    layout->table_at = layout->rows_at + layout->rows * (int64_t)layout->row_bytes;
    layout->bytes = layout->table_at + (layout->blocks + 1) * (int64_t)sizeof(uint64_t);
}

static bool size_is_possible(int64_t rows, int64_t row_bytes)
{
    return rows >= 0 && row_bytes > 0 && row_bytes <= INT32_MAX &&
           rows <= INT64_MAX / 16 / row_bytes;
}

static halo_status check_content(const halo_checkpoint *what)
{
    int64_t row_bytes = what->row_bytes > INT32_MAX ? 0 : (int64_t)what->row_bytes;
    if (!size_is_possible(what->rows, row_bytes)) {
        return halo_fail(HALO_ARGUMENT,
                         "a checkpoint cannot have %" PRId64
                         " rows of %zu bytes: rows must be 0 or "
                         "more, their bytes 1 to 2^31 - 1, and the product below 2^59",
                         what->rows, what->row_bytes);
    }
    if (what->kernel == NULL || what->kernel[0] == '\0') {
        return halo_fail(HALO_ARGUMENT, "a checkpoint needs the name of its kernel");
    }
    if (what->beat < 0) {
        return halo_fail(HALO_ARGUMENT, "a checkpoint of beat %" PRId64 ": beats are 0 or more",
                         what->beat);
    }
    return HALO_OK;
}

/* All members of the header but the first two and the last, as an object's text to be freed; NULL
 * if that fails. */
static char *dump_members(const halo_checkpoint *what, const halo_checkpoint_layout *layout,
                          json_t *options)
{
    json_t *members = json_pack(
        "{s:s, s:O, s:I, s:I, s:I, s:I, s:I, s:s, s:s, s:I, s:I}", "kernel", what->kernel,
        "options", options, "beat", (json_int_t)what->beat, "rows", (json_int_t)layout->rows,
        "row_bytes", (json_int_t)layout->row_bytes, "block_rows", (json_int_t)layout->block_rows,
        "blocks", (json_int_t)layout->blocks, "byte_order", BYTE_ORDER_NAME, "checksum",
        CHECKSUM_NAME, "table_at", (json_int_t)layout->table_at, "file_bytes",
        (json_int_t)layout->bytes);
    char *text = members == NULL ? NULL : halo_json_text(members, JSON_SORT_KEYS);
    json_decref(members);
    return text;
}

/* 16 digits and what closes the header, for the `bytes` bytes at `header` before them. */
static void close_header(char *closing, const char *header, size_t bytes)
{
    snprintf(closing, CLOSING_SIZE, "%016" PRIx64 "\"}\n", (uint64_t)XXH3_64bits(header, bytes));
}

static halo_status assemble(halo_buffer *out, const char *members, size_t header_bytes)
{
    char start[START_SIZE], closing[CLOSING_SIZE];
    int start_bytes =
        snprintf(start, sizeof start, START "%d, \"header_bytes\": %8zu, ", VERSION, header_bytes);
    size_t member_bytes = strlen(members) - 2; /* without braces */
    size_t used = (size_t)start_bytes + member_bytes + 1;
    size_t key_at = header_bytes - (CLOSING_SIZE - 1) - (sizeof CHECKSUM_KEY - 1);
    HALO_TRY(halo_buffer_reserve(out, header_bytes));
    char *header = (char *)out->data + out->size;
    memset(header, ' ', header_bytes);
    memcpy(header, start, (size_t)start_bytes);
    memcpy(header + start_bytes, members + 1, member_bytes);
    header[used - 1] = ',';
    memcpy(header + key_at, CHECKSUM_KEY, sizeof CHECKSUM_KEY - 1);
    close_header(closing, header, header_bytes - (CLOSING_SIZE - 1));
    memcpy(header + header_bytes - (CLOSING_SIZE - 1), closing, CLOSING_SIZE - 1);
    out->size += header_bytes;
    return HALO_OK;
}

/* The length of a header with members of `member_bytes` bytes. */
static size_t header_bytes_for(size_t member_bytes)
{
    size_t used = START_SIZE + member_bytes + sizeof CHECKSUM_KEY + CLOSING_SIZE;
    return (used + UNIT - 1) / UNIT * UNIT;
}

/* The text of the members, and the layout, which depend on each other's lengths. */
static char *settle_layout(halo_checkpoint_layout *layout, const halo_checkpoint *what,
                           json_t *options)
{
    int64_t block_rows = BLOCK_BYTES / (int64_t)what->row_bytes;
    *layout = (halo_checkpoint_layout){.rows = what->rows,
                                       .row_bytes = what->row_bytes,
                                       .block_rows = block_rows < 1 ? 1 : block_rows,
                                       .rows_at = MAX_HEADER};
    lay_out(layout);
    /* Uses the largest offsets there can be, so that the text for the real ones is no longer. */
    char *members = dump_members(what, layout, options);
    if (members == NULL) {
        return NULL;
    }
    layout->rows_at = (int64_t)header_bytes_for(strlen(members));
    lay_out(layout);
    free(members);
    return dump_members(what, layout, options);
}

static halo_status parse_options(json_t **options, const char *text)
{
    json_error_t error;
    *options = json_loads(text == NULL ? "{}" : text, JSON_DECODE_ANY, &error);
    if (!json_is_object(*options)) {
        halo_status status =
            halo_fail(HALO_ARGUMENT, "the options of a checkpoint must be a JSON object: %s",
                      *options == NULL ? error.text : "they are something else");
        json_decref(*options);
        return status;
    }
    return HALO_OK;
}

halo_status halo_checkpoint_refuse_texts(const char *kernel)
{
    json_t *name = json_string(kernel);
    bool is_text = name != NULL;
    json_decref(name);
    return is_text ? halo_fail(HALO_MEMORY, "out of memory: the header of a checkpoint")
                   : halo_fail(HALO_ARGUMENT, "the header of a checkpoint cannot be made: the name "
                                              "of its kernel must be UTF-8");
}

halo_status halo_checkpoint_encode(halo_buffer *out, halo_checkpoint_layout *layout,
                                   const halo_checkpoint *what)
{
    json_t *options;
    HALO_TRY(check_content(what));
    HALO_TRY(parse_options(&options, what->options));
    char *members = settle_layout(layout, what, options);
    halo_status status;
    if (members == NULL) {
        status = halo_checkpoint_refuse_texts(what->kernel);
    } else if (layout->rows_at > MAX_HEADER) {
        status = halo_fail(HALO_ARGUMENT,
                           "the header of a checkpoint has %zu bytes of JSON, and %d fit: give it "
                           "fewer options",
                           strlen(members), MAX_HEADER - UNIT);
    } else {
        status = assemble(out, members, (size_t)layout->rows_at);
    }
    free(members);
    json_decref(options);
    return status;
}

static halo_status refuse_header(const char *path, const char *reason)
{
    return halo_fail(HALO_FORMAT,
                     "the header at the start of %s is damaged: %s; " HALO_CHECKPOINT_REMEDY, path,
                     reason);
}

/* Version and length, which stand in the same place in every version. */
static bool read_start(const char *header, int *version, size_t *bytes)
{
    char start[START_SIZE];
    memcpy(start, header, sizeof start - 1);
    start[sizeof start - 1] = '\0';
    return sscanf(start, START "%9d, \"header_bytes\": %9zu,", version, bytes) == 2;
}

halo_status halo_checkpoint_header_bytes(size_t *bytes, const char *start, int64_t file_bytes,
                                         const char *path)
{
    const int64_t start_bytes = sizeof START - 1;
    int version;
    if (file_bytes == 0 ||
        memcmp(start, START, (size_t)(file_bytes < start_bytes ? file_bytes : start_bytes)) != 0) {
        return halo_fail(HALO_FORMAT,
                         "%s is not a checkpoint: it does not start with %s; name a file that "
                         "Halobeat wrote as a checkpoint",
                         path, START);
    }
    if (file_bytes >= UNIT && (!read_start(start, &version, bytes) || *bytes < UNIT ||
                               *bytes > MAX_HEADER || *bytes % UNIT != 0)) {
        return refuse_header(path, "it does not tell its length");
    }
    size_t min = file_bytes < UNIT ? UNIT : *bytes;
    if (file_bytes < (int64_t)min) {
        return halo_fail(HALO_FORMAT,
                         "%s is cut short: it has %" PRId64
                         " bytes, and its header alone has %zu or more; " HALO_CHECKPOINT_REMEDY,
                         path, file_bytes, min);
    }
    return HALO_OK;
}

/* Checks the header's checksum before anything in it is believed. */
static halo_status check_header(const char *header, size_t bytes, const char *path)
{
    char closing[CLOSING_SIZE];
    size_t covered = bytes - (CLOSING_SIZE - 1);
    close_header(closing, header, covered);
    if (memcmp(header + covered, closing, CLOSING_SIZE - 1) != 0) {
        return refuse_header(path, "it does not have its checksum");
    }
    int version = 0;
    size_t length;
    read_start(header, &version, &length);
    if (version != VERSION) {
        return halo_fail(HALO_FORMAT,
                         "%s is a checkpoint in version %d of the format, and this Halobeat reads "
                         "version %d; use a newer Halobeat",
                         path, version, VERSION);
    }
    return HALO_OK;
}

/* The members of a header as they came. */
typedef struct {
    const char *kernel, *byte_order, *checksum;
    json_t *options;
    json_int_t beat, rows, row_bytes, block_rows, blocks, table_at, file_bytes;
} header_members;

static halo_status check_members(const header_members *m, halo_checkpoint_layout *layout,
                                 const char *path)
{
    if (strcmp(m->byte_order, BYTE_ORDER_NAME) != 0) {
        return halo_fail(HALO_FORMAT,
                         "%s was written on a machine with %s-endian numbers, and this one's are "
                         "%s-endian; restore it on one of its kind",
                         path, m->byte_order, BYTE_ORDER_NAME);
    }
    if (strcmp(m->checksum, CHECKSUM_NAME) != 0) {
        return halo_fail(HALO_FORMAT,
                         "%s has checksums of the kind %s, and this Halobeat knows %s; use a newer "
                         "Halobeat",
                         path, m->checksum, CHECKSUM_NAME);
    }
    bool possible = size_is_possible(m->rows, m->row_bytes) && m->beat >= 0 &&
                    json_is_object(m->options) && m->block_rows >= 1 &&
                    (m->block_rows == 1 || m->block_rows <= MAX_BLOCK_BYTES / m->row_bytes);
    if (possible) {
        layout->rows = m->rows;
        layout->row_bytes = (size_t)m->row_bytes;
        layout->block_rows = m->block_rows;
        lay_out(layout);
        possible = layout->blocks == m->blocks && layout->table_at == m->table_at &&
                   layout->bytes == m->file_bytes;
    }
    return possible ? HALO_OK : refuse_header(path, "its numbers contradict each other");
}

static halo_status copy_texts(char **kernel, char **options, const header_members *m)
{
    *kernel = strdup(m->kernel);
    *options = halo_json_text(m->options, JSON_SORT_KEYS);
    if (*kernel == NULL || *options == NULL) {
        free(*kernel);
        free(*options);
        *kernel = *options = NULL;
        return halo_fail(HALO_MEMORY, "out of memory: the header of a checkpoint");
    }
    return HALO_OK;
}

halo_status halo_checkpoint_decode(char **kernel, char **options, halo_checkpoint *what,
                                   halo_checkpoint_layout *layout, const char *header, size_t bytes,
                                   const char *path)
{
    *kernel = *options = NULL;
    HALO_TRY(check_header(header, bytes, path));
    json_error_t error;
    json_t *parsed = json_loadb(header, bytes, JSON_REJECT_DUPLICATES, &error);
    if (parsed == NULL) {
        return refuse_header(path, error.text);
    }
    header_members m;
    halo_status status;
    if (json_unpack_ex(parsed, &error, 0, "{s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:s, s:s, s:I, s:I}",
                       "kernel", &m.kernel, "options", &m.options, "beat", &m.beat, "rows", &m.rows,
                       "row_bytes", &m.row_bytes, "block_rows", &m.block_rows, "blocks", &m.blocks,
                       "byte_order", &m.byte_order, "checksum", &m.checksum, "table_at",
                       &m.table_at, "file_bytes", &m.file_bytes) != 0) {
        status = refuse_header(path, error.text);
        goto done;
    }
    layout->rows_at = (int64_t)bytes;
    HALO_TRY_OR(done, check_members(&m, layout, path));
    HALO_TRY_OR(done, copy_texts(kernel, options, &m));
    *what = (halo_checkpoint){*kernel, *options, m.beat, layout->rows, layout->row_bytes};
done:
    json_decref(parsed);
    return status;
}
