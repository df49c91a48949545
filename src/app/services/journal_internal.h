#ifndef HALOBEAT_APP_SERVICES_JOURNAL_INTERNAL_H
#define HALOBEAT_APP_SERVICES_JOURNAL_INTERNAL_H

#include "app/services/journal.h"
#include "base/memory.h"

#include <stdio.h>

/* A journal in two files: journal_lines.c has the text of its lines, journal.c the results that
 * were read from them. */

/* A finished task, in the buffer of all, before its result. */
typedef struct {
    int64_t task;
    size_t bytes;
} journal_entry;

struct app_journal {
    char *path;
    FILE *file;         /* rank 0 */
    unsigned char *has; /* [tasks], is it done? */
    int64_t tasks, left;
    bool grows;         /* there may be more tasks */
    int64_t room[2];    /* of `has` and `where`, if so */
    int64_t *numbers;   /* [left] */
    halo_buffer found;  /* rank 0, or one that is loaded: entries that were read */
    size_t *where;      /* [tasks], the same: offset of a task's last entry in these */
    halo_buffer line;   /* scratch */
    int64_t line_count; /* read so far */
};

enum { JOURNAL_HEAD_LINES = 2 };

/* Local. The second line of the job's journals, with its end; allocated for the caller. It has what
 * the job says, how many tasks, and a checksum of their names, which tell jobs apart. HALO_MEMORY.
 */
halo_status journal_key(const app_journal_job *job, char **out);

/* Local. Makes room for a task. False: there is none of this number. HALO_MEMORY. */
halo_status journal_meet(app_journal *journal, int64_t task, bool *is_one);

/* Local. Reads the lines behind the heading: `key`, and then one for each result. Those of a
 * file that ends before `key` does are none. HALO_FORMAT, HALO_FILE, HALO_MEMORY. */
halo_status journal_read_lines(app_journal *journal, const char *key);

/* Local. Appends the line of a result, [bytes], to the file. HALO_MEMORY, HALO_FILE. */
halo_status journal_write_line(app_journal *journal, int64_t task, const void *data, size_t bytes);

#endif
