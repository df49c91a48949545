#ifndef HALOBEAT_ARRAY_ARRAY_TABLE_H
#define HALOBEAT_ARRAY_ARRAY_TABLE_H

#include "base/sample.h"

/* Tables that calls on arrays return (kernels/label/regions_array.h): columns of numbers with
 * names, all of the same length. They do not change. Everything is local. */
typedef struct halo_array_table halo_array_table;

/* A column, which belongs to its table, as its name and values do. */
typedef struct {
    const char *name;
    halo_sample_type type; /* HALO_SAMPLE_I64, HALO_SAMPLE_U64 or HALO_SAMPLE_F64 */
    const void *values;    /* [rows] of int64_t, uint64_t or double */
} halo_array_column;

/* The number of rows, and of columns. */
int64_t halo_array_table_rows(const halo_array_table *table);
int halo_array_table_columns(const halo_array_table *table);

/* Column `i`, from 0; NULL if there is none. */
const halo_array_column *halo_array_table_column(const halo_array_table *table, int i);

/* The column of this name; NULL if there is none. */
const halo_array_column *halo_array_table_find(const halo_array_table *table, const char *name);

/* Frees the table and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_array_table_destroy(halo_array_table **table);

#endif
