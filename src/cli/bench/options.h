#ifndef HALOBEAT_CLI_BENCH_OPTIONS_H
#define HALOBEAT_CLI_BENCH_OPTIONS_H

#include "app/options.h"
#include "cli/bench/measure.h"
#include "cli/bench/subject.h"

/* What a user asked `halobeat bench` to do. Strings belong to argv or are constants. */

enum { BENCH_MOST_ENTRIES = 16, BENCH_ENTRY_SIZE = 32 };

/* What stood between the commas of an option. */
typedef struct {
    int count;
    char text[BENCH_MOST_ENTRIES][BENCH_ENTRY_SIZE];
} bench_words;

typedef struct {
    int count;
    int numbers[BENCH_MOST_ENTRIES];
} bench_numbers;

typedef struct {
    const char *what;   /* "decomposition", or a kind of BENCH_KIND_LIST */
    const char *kernel; /* of BENCH_SUBJECT_LIST */
    const bench_subject *subject;
    bench_words size_words;
    int sizes;
    int64_t size[BENCH_MOST_ENTRIES][HALO_AXES];
    bench_numbers ranks; /* none: what makes sense */
    bench_words shapes, modes;
    bench_numbers depths;
    int64_t repeats;
    bench_effort effort;
    int64_t beats; /* of a repeat; 0: as many as fill the seconds */
    const char *wait, *csv, *json, *plot, *progress; /* csv, json, plot may be NULL */
    bool quiet;
} bench_arguments;

extern const app_syntax bench_syntax;

#endif
