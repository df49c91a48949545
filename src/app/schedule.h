#ifndef HALOBEAT_APP_SCHEDULE_H
#define HALOBEAT_APP_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* When something happens between beats. Pure functions.
 *
 * Beats are counted from the very first one on, so that a run that goes on from a checkpoint does
 * things at the same beats as one that was never interrupted. */

/* At the first beat of a run: when it is a multiple as well, always, or never. */
typedef enum { SCHEDULE_AS_EVER, SCHEDULE_ALWAYS, SCHEDULE_NEVER } schedule_begin;

typedef struct {
    int64_t every; /* at multiples of it; 0: never */
    schedule_begin begin;
    bool end;      /* at the last beat, too */
    int64_t batch; /* where `every` is 1 and beats are noted while they run: how many at most, until
                    * they are to be collected; 0 where they are not */
} schedule_event;

/* Does it happen at beat `now` of a run that began at `begin`, and of which it is the last one if
 * it `ends`? */
bool schedule_due(const schedule_event *event, int64_t begin, int64_t now, bool ends);

/* The beat after `now`, at most `end`, at which it happens next, whether it ends there or not. */
int64_t schedule_next(const schedule_event *event, int64_t now, int64_t end);

/* The same for the first of `events` [count] that happens. */
int64_t schedule_next_of(const schedule_event *events, int count, int64_t now, int64_t end);

/* Are the beats noted while they run, so that none needs a stop? */
bool schedule_is_noted(const schedule_event *event);

/* Beats between pictures so that there are not too many of them. */
int64_t schedule_pictures_every(int64_t beats);

#endif
