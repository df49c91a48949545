#ifndef HALOBEAT_CLI_TASKS_STORE_H
#define HALOBEAT_CLI_TASKS_STORE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Keeps what jobs have written until it is printed: a few megabytes of all of it in memory, and the
 * rest in one file without a name in TMPDIR, which has holes where nothing is needed any more. All
 * functions are local, of one thread. */
typedef struct {
    size_t held;  /* bytes in memory */
    int64_t used; /* bytes in the file that are needed, */
    int64_t end;  /* of so many */
    int file;     /* -1: not yet opened */
} output_store;
#define OUTPUT_STORE_EMPTY \
    {                      \
        .file = -1         \
    }

/* A text in the store. Zero-initialise it. */
typedef struct {
    halo_buffer memory;  /* its beginning, or all of it */
    halo_buffer extents; /* of the rest: in the file */
    int64_t bytes;
} stored_text;

/* Appends to a text. HALO_FILE if there is no room for it, with what to do; HALO_MEMORY. */
halo_status stored_text_append(output_store *store, stored_text *text, const void *data,
                               size_t bytes);

/* Gives all of it to `take`, piece by piece. HALO_FILE, HALO_MEMORY, and what `take` returns. */
halo_status stored_text_read(output_store *store, const stored_text *text,
                             halo_status (*take)(void *context, const void *data, size_t bytes),
                             void *context);

void stored_text_drop(output_store *store, stored_text *text);
void output_store_close(output_store *store);

#endif
