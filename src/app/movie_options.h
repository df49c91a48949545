#ifndef HALOBEAT_APP_MOVIE_OPTIONS_H
#define HALOBEAT_APP_MOVIE_OPTIONS_H

#include "app/options.h"
#include "app/schedule.h"

/* A movie of a run as users ask for it. */
typedef struct {
    const char *path;          /* or NULL; belongs to argv */
    int64_t every;             /* beats from one picture to the next; 0: as many as suit */
    int64_t frames_per_second; /* 0: as many as suit */
} movie_arguments;

/* --movie, --every, --fps. Their structure is movie_arguments. */
extern const app_option app_movie_rows[];

/* Local. When pictures are due in a run of `beats` beats. */
schedule_event movie_event(const movie_arguments *arguments, int64_t beats);

#endif
