#ifndef HALOBEAT_APP_BATCH_TABLE_H
#define HALOBEAT_APP_BATCH_TABLE_H

#include "base/memory.h"
#include "io/table/table.h"

/* Tables of many images, as CSV, that become one with a column `image` before the others. Where
 * some images have columns that others have not (colours, a third axis), the table has all of them,
 * and nothing stands in those that an image has not. Local. */

typedef struct {
    const char *name; /* not ended: in the text of a table */
    size_t length;
} batch_title;

/* Zero-initialise it. */
typedef struct {
    batch_title titles[HALO_TABLE_COLUMNS];
    int count;
} batch_table;

/* Learn the columns of an image's table, which stays where it is. HALO_ARGUMENT if there are more
 * than HALO_TABLE_COLUMNS. */
halo_status batch_table_meet(batch_table *table, const char *text);

/* When those of all images are known: append its lines, the very first ones behind the names of
 * columns. HALO_MEMORY. */
halo_status batch_table_append(const batch_table *table, halo_buffer *out, const char *image,
                               const char *text, size_t bytes);

#endif
