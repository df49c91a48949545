#ifndef HALOBEAT_IO_TABLE_TABLE_H
#define HALOBEAT_IO_TABLE_TABLE_H

#include "base/memory.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Tables of exact numbers as CSV or JSON, one line per row. */

typedef enum {
    HALO_TABLE_CSV, /* a line of column names, then values separated by commas */
    HALO_TABLE_JSON /* an array with an object for each row */
} halo_table_format;

typedef enum {
    HALO_TABLE_INTEGER,  /* the numerator, any int64_t */
    HALO_TABLE_UNSIGNED, /* the numerator's bits, any uint64_t */
    HALO_TABLE_RATIO,    /* numerator / denominator, with denominator above 0, as a decimal with 6
                          * digits after the point, rounded half to even from the exact value; 0
                          * has no sign */
    HALO_TABLE_REAL      /* a double, with as many digits as are needed to read back the same
                          * value; if not finite, "nan", "inf" or "-inf" in CSV, null in JSON */
} halo_table_kind;

enum {
    HALO_TABLE_COLUMNS = 256,
    HALO_TABLE_TEXT_LIMIT = 128 << 20 /* default of halo_table.text_limit, in bytes */
};

typedef struct {
    const char *name; /* letters, digits, _ and - */
    halo_table_kind kind;
} halo_table_column;

typedef struct {
    int64_t numerator;   /* for HALO_TABLE_REAL the bits of the double; see halo_table_real */
    int64_t denominator; /* read for HALO_TABLE_RATIO only */
} halo_table_value;

/* Local. The value of a column of HALO_TABLE_REAL. */
static inline halo_table_value halo_table_real(double real)
{
    halo_table_value value = {0, 0};
    memcpy(&value.numerator, &real, sizeof real);
    return value;
}

/* Local. Writes row `row` of the calling rank (from 0) to `values` [columns]. May be called twice
 * for a row. */
typedef void halo_table_row(const void *context, int64_t row, halo_table_value *values);

/* A table; all members but `rows` and `context` are the same on all ranks. */
typedef struct {
    const halo_table_column *columns; /* [column_count] */
    int column_count;                 /* 1 to HALO_TABLE_COLUMNS */
    int64_t rows;                     /* rows of the calling rank; 0 or more */
    halo_table_row *row;
    const void *context;
    int64_t text_limit; /* bytes of text that a rank keeps in memory; 0 means
                         * HALO_TABLE_TEXT_LIMIT */
} halo_table;

/* Local. True if a file's name ends in .csv or .json, in lower or upper case. */
bool halo_table_is_one(const char *path);

/* Local. The format of a file name's ending, .csv or .json in lower or upper case.
 * HALO_ARGUMENT. */
halo_status halo_table_format_of(const char *path, halo_table_format *format);

/* Local. Appends what precedes the rows: the line of column names in CSV, the bracket in JSON.
 * HALO_MEMORY. */
halo_status halo_table_begin(halo_buffer *out, const halo_table *table, halo_table_format format);

/* Local. Appends rows `first` to `first + count - 1`; `opening` is true if the first of them is the
 * first row of the table. HALO_ARGUMENT, with row and column, for a ratio without a value;
 * HALO_MEMORY. */
halo_status halo_table_append(halo_buffer *out, const halo_table *table, halo_table_format format,
                              int64_t first, int64_t count, int opening);

/* Local. Appends what follows the rows. HALO_MEMORY. */
halo_status halo_table_end(halo_buffer *out, const halo_table *table, halo_table_format format);

/* Collective. Writes the rows of all ranks, in the order of ranks, to the file `path`, in the
 * format of its ending. A rank whose text is longer than table->text_limit formats its rows twice,
 * the first time to learn the length. The file has the same bytes for every distribution of the
 * rows, and appears under its name only when it is complete. HALO_ARGUMENT, HALO_FILE, HALO_MEMORY,
 * HALO_TRANSPORT; the same on all ranks. */
halo_status halo_table_write(halo_world *world, const char *path, const halo_table *table);

/* Local. Receives the values of a row, [count]. */
typedef halo_status halo_table_take(void *context, const int64_t *values);

/* Local. Reads a table of integers that halo_table_write has written, with these columns, and
 * passes each row to `take`. HALO_FILE if it cannot be read; HALO_FORMAT, with the line, if it is
 * not such a table; and what `take` returns. */
halo_status halo_table_read(const char *path, const halo_table_column *columns, int count,
                            halo_table_take *take, void *context);

#endif
