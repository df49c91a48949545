#define _POSIX_C_SOURCE 200809L /* strdup */
#include "kernels/array/array_table_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Tables of columns. */

struct halo_array_table {
    halo_array_column *columns; /* [count] */
    int64_t room;
    int count;
    int64_t rows;
};

halo_status array_table_create(halo_array_table **out)
{
    return HALO_ALLOCATE(*out, 1, "a table");
}

halo_status array_table_add(halo_array_table *table, const char *name, halo_sample_type type)
{
    HALO_TRY(halo_grow(&table->columns, &table->room, table->count, sizeof *table->columns,
                       "columns of a table"));
    char *copy = strdup(name);
    HALO_FAIL_IF(copy == NULL, HALO_MEMORY, "out of memory: columns of a table");
    table->columns[table->count++] = (halo_array_column){.name = copy, .type = type};
    return HALO_OK;
}

halo_status array_table_allocate(halo_array_table *table, int64_t rows)
{
    for (int i = 0; i < table->count; i++) {
        int64_t *values; /* as large as the other types of columns */
        HALO_TRY(HALO_ALLOCATE_LARGE(values, rows + 1, "columns of a table"));
        table->columns[i].values = values;
    }
    table->rows = rows;
    return HALO_OK;
}

void *array_table_values(const halo_array_table *table, int i)
{
    return (void *)table->columns[i].values;
}

int64_t halo_array_table_rows(const halo_array_table *table)
{
    return table->rows;
}

int halo_array_table_columns(const halo_array_table *table)
{
    return table->count;
}

const halo_array_column *halo_array_table_column(const halo_array_table *table, int i)
{
    return i >= 0 && i < table->count ? &table->columns[i] : NULL;
}

const halo_array_column *halo_array_table_find(const halo_array_table *table, const char *name)
{
    for (int i = 0; i < table->count; i++) {
        if (strcmp(table->columns[i].name, name) == 0) {
            return &table->columns[i];
        }
    }
    return NULL;
}

void halo_array_table_destroy(halo_array_table **table)
{
    if (*table == NULL) {
        return;
    }
    for (int i = 0; i < (*table)->count; i++) {
        halo_memory_free((void *)(*table)->columns[i].values);
        free((char *)(*table)->columns[i].name);
    }
    free((*table)->columns);
    free(*table);
    *table = NULL;
}
