#include "io/table/table.h"

#include "base/names.h"
#include "core/file/file.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_SIZE = 32, /* room for any number of either kind */
    DECIMALS = 6,
    ROWS_AT_ONCE = 4096,
    ROWS_MEASURED = 256 /* how long they are tells how much room all rows take */
};

static const int64_t MILLION = 1000000;

/* The digits of 0 to 99: halves the divisions, which are what formatting costs. */
static const char PAIRS[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

bool halo_table_is_one(const char *path)
{
    return halo_name_ends(path, ".csv") || halo_name_ends(path, ".json");
}

halo_status halo_table_format_of(const char *path, halo_table_format *format)
{
    *format = halo_name_ends(path, ".json") ? HALO_TABLE_JSON : HALO_TABLE_CSV;
    return HALO_REQUIRE(halo_table_is_one(path), HALO_ARGUMENT,
                        "cannot tell a table's format from %s: end it in .csv or .json", path);
}

static int digits_of(uint64_t value)
{
    int digits = 1;
    for (; value >= 10000; value /= 10000) {
        digits += 4;
    }
    return digits + (value >= 10) + (value >= 100) + (value >= 1000);
}

static char *put_unsigned(char *out, uint64_t value)
{
    char *end = out + digits_of(value);
    char *at = end;
    for (; value >= 100; value /= 100) {
        at -= 2;
        memcpy(at, PAIRS + 2 * (value % 100), 2);
    }
    if (value >= 10) {
        memcpy(out, PAIRS + 2 * value, 2);
    } else {
        *out = (char)('0' + value);
    }
    return end;
}

static char *put_integer(char *out, int64_t value)
{
    if (value < 0) {
        *out++ = '-';
        return put_unsigned(out, 0 - (uint64_t)value);
    }
    return put_unsigned(out, (uint64_t)value);
}

/* Round numerator / denominator to a multiple of a millionth, ties to the even one. */
static char *put_ratio(char *out, uint64_t numerator, uint64_t denominator)
{
    uint64_t whole = numerator / denominator;
    /* The rest is below the denominator, so its multiple fits in 84 bits. */
    __extension__ typedef unsigned __int128 wide;
    wide rest = (wide)(numerator % denominator) * (uint64_t)MILLION;
    uint64_t fraction;
    uint64_t left;
    if ((uint64_t)(rest >> 64) == 0) {
        fraction = (uint64_t)rest / denominator;
        left = (uint64_t)rest % denominator;
    } else {
        fraction = (uint64_t)(rest / denominator);
        left = (uint64_t)(rest % denominator);
    }
    uint64_t missing = denominator - left;
    if (left > missing || (left == missing && fraction % 2 == 1)) {
        fraction++;
    }
    if (fraction == (uint64_t)MILLION) {
        whole++;
        fraction = 0;
    }
    out = put_unsigned(out, whole);
    *out++ = '.';
    for (int i = 0; i < DECIMALS; i += 2) {
        memcpy(out + DECIMALS - 2 - i, PAIRS + 2 * (fraction % 100), 2);
        fraction /= 100;
    }
    return out + DECIMALS;
}

/* As many decimals either side of 0, which has no sign, whatever was rounded to it. */
static char *put_signed_ratio(char *out, int64_t numerator, uint64_t denominator)
{
    if (numerator >= 0) {
        return put_ratio(out, (uint64_t)numerator, denominator);
    }
    char *end = put_ratio(out + 1, 0 - (uint64_t)numerator, denominator);
    char *digit = out + 1;
    while (digit < end && (*digit == '0' || *digit == '.')) {
        digit++;
    }
    if (digit == end) {
        memmove(out, out + 1, (size_t)(end - out) - 1);
        return end - 1;
    }
    *out = '-';
    return end;
}

static halo_status check_ratio(const halo_table_column *column, int64_t row, halo_table_value value)
{
    if (value.denominator <= 0) {
        return halo_fail(HALO_ARGUMENT,
                         "column %s of row %" PRId64 " is %" PRId64 " / %" PRId64
                         ", which is no ratio: a number above 0 goes below the line",
                         column->name, row, value.numerator, value.denominator);
    }
    return HALO_OK;
}

static char *put_text(char *out, const char *text)
{
    while (*text != '\0') {
        *out++ = *text++;
    }
    return out;
}

static char *put_real(char *out, int64_t bits, bool json)
{
    enum { FEWEST = 15, MOST = 17 };
    int length = 0;
    double value;
    memcpy(&value, &bits, sizeof value);
    if (json && !isfinite(value)) {
        return put_text(out, "null");
    }
    if (!isfinite(value)) {
        return put_text(out, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    }
    for (int digits = FEWEST; digits <= MOST; digits++) {
        length = snprintf(out, NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(out, NULL) == value) {
            break;
        }
    }
    return out + length;
}

/* Bytes that one row cannot exceed. */
static size_t row_bound(const halo_table *table)
{
    size_t bytes = NUMBER_SIZE;
    for (int i = 0; i < table->column_count; i++) {
        bytes += strlen(table->columns[i].name) + NUMBER_SIZE;
    }
    return bytes;
}

static halo_status put_row(char **out, const halo_table *table, bool json, int64_t row)
{
    halo_table_value values[HALO_TABLE_COLUMNS];
    char *at = *out;
    table->row(table->context, row, values);
    for (int i = 0; i < table->column_count; i++) {
        const halo_table_column *column = &table->columns[i];
        if (i > 0) {
            *at++ = ',';
        }
        if (json) {
            at = put_text(at, i > 0 ? " \"" : "{\"");
            at = put_text(at, column->name);
            at = put_text(at, "\": ");
        }
        if (column->kind == HALO_TABLE_RATIO) {
            HALO_TRY(check_ratio(column, row, values[i]));
            at = put_signed_ratio(at, values[i].numerator, (uint64_t)values[i].denominator);
        } else if (column->kind == HALO_TABLE_REAL) {
            at = put_real(at, values[i].numerator, json);
        } else if (column->kind == HALO_TABLE_UNSIGNED) {
            at = put_unsigned(at, (uint64_t)values[i].numerator);
        } else {
            at = put_integer(at, values[i].numerator);
        }
    }
    *at++ = json ? '}' : '\n';
    *out = at;
    return HALO_OK;
}

static halo_status append_text(halo_buffer *out, const char *text)
{
    return halo_buffer_append(out, text, strlen(text));
}

halo_status halo_table_begin(halo_buffer *out, const halo_table *table, halo_table_format format)
{
    if (format == HALO_TABLE_JSON) {
        return append_text(out, "[");
    }
    for (int i = 0; i < table->column_count; i++) {
        HALO_TRY(append_text(out, i > 0 ? "," : ""));
        HALO_TRY(append_text(out, table->columns[i].name));
    }
    return append_text(out, "\n");
}

/* JSON's commas stand between rows, so they come with every row but the first. */
halo_status halo_table_append(halo_buffer *out, const halo_table *table, halo_table_format format,
                              int64_t first, int64_t count, int opening)
{
    bool json = format == HALO_TABLE_JSON;
    size_t bound = row_bound(table);
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(halo_buffer_reserve(out, bound));
        char *start = (char *)out->data + out->size;
        char *at = start;
        if (json) {
            at = put_text(at, opening && i == 0 ? "\n" : ",\n");
        }
        HALO_TRY(put_row(&at, table, json, first + i));
        out->size += (size_t)(at - start);
    }
    return HALO_OK;
}

halo_status halo_table_end(halo_buffer *out, const halo_table *table, halo_table_format format)
{
    (void)table;
    return append_text(out, format == HALO_TABLE_JSON ? "\n]\n" : "");
}

static halo_status check_table(const halo_table *table, const char *path, halo_table_format *format)
{
    HALO_TRY(halo_table_format_of(path, format));
    if (table->column_count < 1 || table->column_count > HALO_TABLE_COLUMNS || table->rows < 0) {
        return halo_fail(HALO_ARGUMENT,
                         "a table has 1 to %d columns and 0 or more rows, not %d and %" PRId64,
                         HALO_TABLE_COLUMNS, table->column_count, table->rows);
    }
    return HALO_OK;
}

/* Room for all rows, if they are as long as the `rows` that `text` holds. A buffer that grows step
 * by step frees smaller ones, and the process keeps that memory. */
static halo_status reserve(halo_buffer *text, int64_t rows, int64_t all, int64_t limit)
{
    const double margin = 1.1;
    double bytes = margin * (double)text->size * (double)all / (double)rows;
    size_t room = (size_t)(bytes < (double)limit ? bytes : (double)limit);
    return room > text->size ? halo_buffer_reserve(text, room - text->size) : HALO_OK;
}

/* Local. Format this rank's rows: *bytes is their length, and `text` holds them if they are few
 * enough to be kept. */
static halo_status measure(const halo_table *table, halo_table_format format, int opening,
                           halo_buffer *text, int64_t *bytes)
{
    int64_t limit = table->text_limit > 0 ? table->text_limit : HALO_TABLE_TEXT_LIMIT;
    int64_t dropped = 0;
    for (int64_t first = 0, count; first < table->rows; first += count) {
        int64_t left = table->rows - first, most = first == 0 ? ROWS_MEASURED : ROWS_AT_ONCE;
        count = left < most ? left : most;
        HALO_TRY(halo_table_append(text, table, format, first, count, opening && first == 0));
        HALO_TRY(first == 0 ? reserve(text, count, table->rows, limit) : HALO_OK);
        if (dropped + (int64_t)text->size > limit) {
            dropped += (int64_t)text->size;
            text->size = 0;
        }
    }
    *bytes = dropped + (int64_t)text->size;
    return HALO_OK;
}

/* Local. Write this rank's rows from byte `offset` on. */
static halo_status write_rows(halo_file *file, const halo_table *table, halo_table_format format,
                              int opening, halo_buffer *text, int64_t offset, int64_t bytes)
{
    if (bytes == (int64_t)text->size) {
        return halo_file_write(file, offset, text->data, text->size);
    }
    for (int64_t first = 0; first < table->rows; first += ROWS_AT_ONCE) {
        int64_t left = table->rows - first;
        int64_t count = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        text->size = 0;
        HALO_TRY(halo_table_append(text, table, format, first, count, opening && first == 0));
        HALO_TRY(halo_file_write(file, offset, text->data, text->size));
        offset += (int64_t)text->size;
    }
    return HALO_OK;
}

/* Collective. The last rank with its own place in the file writes the end too. */
static halo_status write_table(halo_world *world, halo_file *file, const halo_table *table,
                               halo_table_format format)
{
    halo_buffer text = {0};
    halo_buffer head = {0};
    halo_buffer tail = {0};
    int64_t before = table->rows;
    int64_t bytes = 0;
    halo_status status;
    HALO_TRY_OR(done, halo_exscan(world, &before, 1));
    status = measure(table, format, before == 0, &text, &bytes);
    status = status != HALO_OK ? status : halo_table_begin(&head, table, format);
    status = status != HALO_OK ? status : halo_table_end(&tail, table, format);
    HALO_TRY_OR(done, halo_agree(world, status));
    int64_t offset = bytes;
    HALO_TRY_OR(done, halo_exscan(world, &offset, 1));
    offset += (int64_t)head.size;
    if (halo_world_rank(world) == 0) {
        HALO_TRY_OR(done, halo_file_write(file, 0, head.data, head.size));
    }
    HALO_TRY_OR(done, write_rows(file, table, format, before == 0, &text, offset, bytes));
    if (halo_world_rank(world) == halo_world_ranks(world) - 1) {
        HALO_TRY_OR(done, halo_file_write(file, offset + bytes, tail.data, tail.size));
    }
done:
    halo_buffer_free(&text);
    halo_buffer_free(&head);
    halo_buffer_free(&tail);
    return status;
}

halo_status halo_table_write(halo_world *world, const char *path, const halo_table *table)
{
    halo_table_format format = HALO_TABLE_CSV;
    halo_file *file = NULL;
    HALO_TRY(halo_agree(world, check_table(table, path, &format)));
    HALO_TRY(halo_file_create(&file, world, path));
    return halo_file_commit(&file, write_table(world, file, table, format));
}
