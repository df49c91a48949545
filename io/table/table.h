#ifndef HALOBEAT_IO_TABLE_TABLE_H
#define HALOBEAT_IO_TABLE_TABLE_H

#include "base/memory.h"
#include "core/world/world.h"

#include <stdint.h>
#include <string.h>

/* Tables of exact numbers as CSV or JSON, one row a line. */

typedef enum {
    HALO_TABLE_CSV, /* a line of names, then commas between values */
    HALO_TABLE_JSON /* an array with an object for each row */
} halo_table_format;

typedef enum {
    HALO_TABLE_INTEGER, /* the numerator, any int64_t */
    HALO_TABLE_RATIO,   /* numerator over denominator > 0, as a decimal with 6 digits after the
                         * point, rounded half to even from the exact value; 0 has no sign */
    HALO_TABLE_REAL     /* a real, with as many digits as tell it from all others; "nan", "inf" and
                         * "-inf" of what is not finite, all of which are null in JSON */
} halo_table_kind;

enum {
    HALO_TABLE_COLUMNS = 64,
    HALO_TABLE_TEXT_LIMIT = 128 << 20 /* bytes of text that a rank keeps, if not asked */
};

typedef struct {
    const char *name; /* letters, digits, _ and - */
    halo_table_kind kind;
} halo_table_column;

typedef struct {
    int64_t numerator;   /* of HALO_TABLE_REAL: its bits, see halo_table_real */
    int64_t denominator; /* only read for HALO_TABLE_RATIO */
} halo_table_value;

/* Local. The value for a column of HALO_TABLE_REAL. */
static inline halo_table_value halo_table_real(double real)
{
    halo_table_value value = {0, 0};
    memcpy(&value.numerator, &real, sizeof real);
    return value;
}

/* Local. Put row `row` of the calling rank (from 0) into values [columns]. May be asked for a row
 * twice. */
typedef void halo_table_row(const void *context, int64_t row, halo_table_value *values);

/* What a table holds; all but `rows` and `context` are the same on all ranks. */
typedef struct {
    const halo_table_column *columns; /* [column_count] */
    int column_count;                 /* 1 to HALO_TABLE_COLUMNS */
    int64_t rows;                     /* of the calling rank; 0 or more */
    halo_table_row *row;
    const void *context;
    int64_t text_limit; /* bytes of text to keep; 0 for HALO_TABLE_TEXT_LIMIT */
} halo_table;

/* Local. The format that a file's ending, .csv or .json in any case, asks for. HALO_ARGUMENT. */
halo_status halo_table_format_of(const char *path, halo_table_format *format);

/* Local. Append what stands before the rows: CSV's line of names, JSON's bracket. */
halo_status halo_table_begin(halo_buffer *out, const halo_table *table, halo_table_format format);

/* Local. Append rows `first` to `first + count - 1`; `opening` says that the table's very first
 * row is the first of them. HALO_ARGUMENT, naming row and column, for a ratio without a value;
 * HALO_MEMORY. */
halo_status halo_table_append(halo_buffer *out, const halo_table *table, halo_table_format format,
                              int64_t first, int64_t count, int opening);

/* Local. Append what stands after the rows. */
halo_status halo_table_end(halo_buffer *out, const halo_table *table, halo_table_format format);

/* Collective. Write the rows of all ranks, in the order of ranks, to the file `path`, in the
 * format its ending (.csv or .json, in any case) asks for. A rank whose text is longer than
 * table->text_limit formats its rows twice, once to know their length. The file has the same bytes
 * however the rows are spread, and appears under its name only when it is whole. All ranks return
 * the same status: HALO_ARGUMENT, HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status halo_table_write(halo_world *world, const char *path, const halo_table *table);

/* Local. Given the values of a row [count], one after the other. */
typedef halo_status halo_table_take(void *context, const int64_t *values);

/* Local. Read a table of integers that halo_table_write has written, with these columns. HALO_FILE:
 * it cannot be read; HALO_FORMAT, naming the line: it is no such table; and what `take` returns. */
halo_status halo_table_read(const char *path, const halo_table_column *columns, int count,
                            halo_table_take *take, void *context);

#endif
