#ifndef HALOBEAT_CLI_TASKS_RECORDS_H
#define HALOBEAT_CLI_TASKS_RECORDS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Texts of any length, one after the other: inputs of jobs, or jobs themselves. All functions are
 * local. */
typedef struct {
    halo_buffer text; /* each record, ended by '\0' */
    halo_buffer ends; /* int64_t: the byte behind each record */
    int64_t count;
} record_list;

void record_list_free(record_list *list);

/* HALO_MEMORY. */
halo_status record_list_add(record_list *list, const char *record, size_t length);

/* Adds the records of a file, "-" for standard input, that `end` ends, '\n' or '\0'. Without
 * `empty`, empty ones are left out. HALO_FILE, HALO_FORMAT for a line with a zero byte in it,
 * HALO_MEMORY. */
halo_status record_list_read(record_list *list, const char *path, char end, bool empty);

/* Record `i`, from 0. */
const char *record_list_at(const record_list *list, int64_t i);

#endif
