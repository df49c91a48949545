#ifndef HALOBEAT_ARRAY_ARRAY_TABLE_INTERNAL_H
#define HALOBEAT_ARRAY_ARRAY_TABLE_INTERNAL_H

#include "base/status.h"
#include "kernels/array/array_table.h"

/* How calls make tables: columns are declared on one rank, which then allocates them; all ranks
 * write their rows. Internal to the kernels. Everything is local. */

/* An empty table. The caller destroys it. HALO_MEMORY. */
halo_status array_table_create(halo_array_table **out);

/* Appends a column, whose name is copied. HALO_MEMORY. */
halo_status array_table_add(halo_array_table *table, const char *name, halo_sample_type type);

/* Allocates the columns, of zeroes; no more are appended then. HALO_MEMORY. */
halo_status array_table_allocate(halo_array_table *table, int64_t rows);

/* The values of column `i`, of int64_t, uint64_t or double as its type says. */
void *array_table_values(const halo_array_table *table, int i);

#endif
