#ifndef HALOBEAT_CLI_LIFE_SCHEDULE_H
#define HALOBEAT_CLI_LIFE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* When something happens between generations. Pure functions.
 *
 * Generations are counted from that of the pattern's file on, so that a run that goes on from a
 * checkpoint does things at the same generations as one that was never interrupted. */
typedef enum {
    LIFE_SAMPLE,     /* a line of the table */
    LIFE_FRAME,      /* a picture */
    LIFE_SHOW,       /* the overview in the terminal */
    LIFE_CHECKPOINT, /* a state saved */
    LIFE_PERIOD,     /* is all as it was a period before? */
    LIFE_EVENTS
} life_event;

typedef struct {
    int64_t begin, end;         /* first and last generation */
    int64_t every[LIFE_EVENTS]; /* at multiples of it; 0: never */
} life_schedule;

/* Generations between frames so that there are not too many of them. */
int64_t life_schedule_frames_every(int64_t generations);

/* Does it happen at this generation, of which `ends` says that it is the last one? Samples, frames
 * and shows also happen at the first and the last generation, checkpoints also at the last. */
bool life_schedule_due(const life_schedule *schedule, life_event event, int64_t generation,
                       bool ends);

/* Are births and deaths of every generation wanted? Then samples need no stop. */
bool life_schedule_counts_all(const life_schedule *schedule);

/* The generation at which the next thing happens, or the last one; `now` is before it. */
int64_t life_schedule_next(const life_schedule *schedule, int64_t now);

#endif
