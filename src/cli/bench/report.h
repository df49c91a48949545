#ifndef HALOBEAT_CLI_BENCH_REPORT_H
#define HALOBEAT_CLI_BENCH_REPORT_H

#include "cli/bench/options.h"

#include <jansson.h>

/* What was measured, as tables for people, as CSV and as JSON. A row is a structure, and a column
 * says where in it a value is. */

typedef enum {
    BENCH_TEXT, /* char [BENCH_TEXT_SIZE] */
    BENCH_NAME, /* const char *; NULL is empty */
    BENCH_INT,  /* int and int64_t; what is below 0 is not known */
    BENCH_LONG,
    BENCH_WHOLE, /* double that is a whole number; NAN is not known */
    BENCH_REAL
} bench_kind;

typedef struct {
    const char *name; /* in files */
    bench_kind kind;
    size_t offset;     /* of the value in the row */
    const char *title; /* for people; NULL is not shown to them */
    int width;         /* at least, so that tables of a kind have the same columns */
    double scale;      /* people see the number times this; 0 means 1 */
    int digits;        /* after the point, for people */
} bench_column;

typedef struct {
    const bench_column *columns; /* [count] */
    int count;
    const void *rows; /* [row_count], `row_bytes` each */
    int row_count;
    size_t row_bytes;
} bench_table;

/* Local. Print the columns with a title, aligned. */
void bench_table_print(const bench_table *table);

/* Local. An array with an object for each row; such an object alone. NULL for want of memory. */
json_t *bench_table_json(const bench_table *table);
json_t *bench_row_json(const bench_column *columns, int count, const void *row);

/* Collective. Rank 0 prints the machine and `table`, unless quiet, and all write the files that
 * were asked for; entries of `more` (or NULL) come into the JSON besides. */
halo_status bench_report(halo_world *world, const bench_arguments *arguments,
                         const bench_table *table, json_t *more);

#endif
