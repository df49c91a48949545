#ifndef HALOBEAT_APP_BATCH_TABLE_H
#define HALOBEAT_APP_BATCH_TABLE_H

#include "base/memory.h"
#include "io/table/table.h"

#include <stdbool.h>

/* Joining the CSV tables of many images into one with an additional first column `image`. It has
 * the columns of all images (some have colours or a third axis); cells that an image does not have
 * are empty. The last column may be the unit of each image. Local. */

typedef struct {
    const char *name; /* not terminated: a part of a table's text */
    size_t length;
} batch_title;

/* Zero-initialise it. */
typedef struct {
    batch_title titles[HALO_TABLE_COLUMNS];
    int count;
    bool united; /* there is a column `unit` */
} batch_table;

/* Adds the columns of an image's table, which must stay valid. HALO_ARGUMENT for more than
 * HALO_TABLE_COLUMNS. */
halo_status batch_table_meet(batch_table *table, const char *text);

/* When the columns of all images are known: appends the lines of an image's table, the first ones
 * after the column names; `unit` is written if table->united is set. HALO_MEMORY. */
halo_status batch_table_append(const batch_table *table, halo_buffer *out, const char *image,
                               const char *text, size_t bytes, const char *unit);

#endif
