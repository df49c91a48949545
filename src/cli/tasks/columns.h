#ifndef HALOBEAT_CLI_TASKS_COLUMNS_H
#define HALOBEAT_CLI_TASKS_COLUMNS_H

#include "base/memory.h"

/* Columns of inputs. All functions are local. */
typedef struct column_splitter column_splitter;

/* Prepares to split at `expression`: an extended regular expression of POSIX in which \t, \n, \d
 * and \s mean what they mean in Perl, also within brackets. HALO_ARGUMENT for what it does not
 * understand, and for one that matches nothing; HALO_MEMORY. */
halo_status column_splitter_create(column_splitter **out, const char *expression);

/* Accepts a pointer to NULL. */
void column_splitter_destroy(column_splitter **splitter);

/* Appends the columns of `record` to `out`, each ended by '\0', and adds their number to *count.
 * HALO_MEMORY. */
halo_status column_splitter_split(const column_splitter *splitter, const char *record,
                                  halo_buffer *out, int *count);

#endif
