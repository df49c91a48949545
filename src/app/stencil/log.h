#ifndef HALOBEAT_APP_STENCIL_LOG_H
#define HALOBEAT_APP_STENCIL_LOG_H

#include "app/run.h"
#include "app/schedule.h"
#include "partition/cuts.h"

#include <stdio.h>

/* --log: a line of statistics of the cells every N beats: the least and the greatest, the
 * mean, and the most that a cell changed by in the last beat (of a run that goes on from a
 * checkpoint there is none for its first line). The same bytes for any number of ranks and any
 * decomposition. */
typedef struct {
    FILE *file;          /* rank 0's; NULL for standard output */
    halo_field *before;  /* cells of beat `beat`, cut by `cuts`; */
    halo_partition cuts; /* of a line's beat, those of the beat before it */
    int64_t beat;        /* -1: of none */
    bool goes_on;        /* with what a run before this one has logged */
    bool failed;         /* nothing can be written any more */
} stencil_log;

/* Collective, before the first beat. HALO_ARGUMENT, HALO_FILE. */
halo_status stencil_log_open(app_run *run);

/* Local. */
void stencil_log_close(stencil_log *log);

/* An app_event. */
schedule_event stencil_log_when(const app_run *run);
halo_status stencil_log_visit(app_run *run);

/* Collective. As app_beats.advance: also remembers the cells of a beat before one with a line, or,
 * where each may be the last one, of every beat. */
halo_status stencil_log_advance(app_run *run, int64_t beats);

#endif
