#ifndef HALOBEAT_APP_SCHEDULE_H
#define HALOBEAT_APP_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* When something happens between beats. Pure functions.
 *
 * Beats are counted from the first beat of all, so that a run continued from a checkpoint does
 * things at the same beats as an uninterrupted one. */

/* At the first beat of a run: if it is a multiple too, always, or never. */
typedef enum { SCHEDULE_AS_EVER, SCHEDULE_ALWAYS, SCHEDULE_NEVER } schedule_begin;

typedef struct {
    int64_t every; /* at multiples of it; 0: never */
    schedule_begin begin;
    bool end;      /* also at the last beat */
    int64_t batch; /* if `every` is 1 and beats are recorded during a run: their maximum number
                    * before they must be collected; otherwise 0 */
} schedule_event;

/* True if it happens at beat `now` of a run that began at `begin`; `ends`: this is its last
 * beat. */
bool schedule_due(const schedule_event *event, int64_t begin, int64_t now, bool ends);

/* The next beat after `now`, at most `end`, at which it happens; `end` if there is none. */
int64_t schedule_next(const schedule_event *event, int64_t now, int64_t end);

/* The minimum of that over `events` [count]. */
int64_t schedule_next_of(const schedule_event *events, int count, int64_t now, int64_t end);

/* True if beats are recorded during a run, so that the run need not stop for them. */
bool schedule_is_noted(const schedule_event *event);

/* A number of beats between pictures that gives a reasonable number of pictures. */
int64_t schedule_pictures_every(int64_t beats);

#endif
