#ifndef HALOBEAT_CLI_BENCH_TABLE_H
#define HALOBEAT_CLI_BENCH_TABLE_H

#include "core/world/world.h"

#include <jansson.h>
#include <stdio.h>

/* What was measured, as a table: for people, as CSV and as JSON. All local but for the files. */

enum { BENCH_TEXT_SIZE = 40, BENCH_MOST_COLUMNS = 32 };

typedef enum {
    BENCH_TEXT,
    BENCH_COUNT, /* a whole number */
    BENCH_NUMBER /* any other; not a number is one that is not known */
} bench_kind;

typedef struct {
    const char *name; /* in files */
    bench_kind kind;
    const char *title; /* for people; NULL is not shown to them */
    double scale;      /* people see the number times this; 0 means 1 */
    int digits;        /* after the point, for people */
} bench_column;

typedef struct {
    char text[BENCH_TEXT_SIZE];
    double number;
} bench_value;

typedef struct {
    const bench_column *columns; /* [count] */
    int count;                   /* up to BENCH_MOST_COLUMNS */
    int rows;
    bench_value *values; /* [rows * count], row by row */
} bench_table;

/* One more row of unknown values; NULL for want of memory. */
bench_value *bench_table_add(bench_table *table);
void bench_table_free(bench_table *table);

/* Fill in a value of the table's last row by the name of its column. */
void bench_table_text(bench_table *table, const char *name, const char *text);
void bench_table_number(bench_table *table, const char *name, double number);

/* Print the columns with a title, aligned. */
void bench_table_print(const bench_table *table, FILE *to);

/* An array with an object for each row; NULL for want of memory. */
json_t *bench_table_json(const bench_table *table);

/* Collective. Write rank 0's table to the file `path` as CSV. */
halo_status bench_table_save_csv(halo_world *world, const char *path, const bench_table *table);

#endif
