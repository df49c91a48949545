#ifndef HALOBEAT_BASE_FILENAME_PATTERN_H
#define HALOBEAT_BASE_FILENAME_PATTERN_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names of files that differ in a number: "frame-%04d.png" stands for frame-0000.png and so on. All
 * of it is local. */

typedef struct {
    const char *text; /* whole; the caller's */
    bool numbered;    /* false: a name like any other */
    size_t before;    /* characters before the number */
    int digits;       /* at least; more where the number has more */
    const char *after;
} filename_pattern;

enum {
    FILENAME_SIZE = 4096, /* room for a name */
    FILENAME_DIGITS = 18  /* most that can be asked for */
};

/* Find the place of the number: a % with d behind it, and between them the digits that are asked
 * for. HALO_ARGUMENT for two of them, or too many digits. */
halo_status filename_pattern_parse(filename_pattern *name, const char *text);

/* The name with that number, 0 or more; without a place for it, as it is. */
const char *filename_pattern_print(const filename_pattern *name, int64_t number,
                                   char out[FILENAME_SIZE]);

/* The number, 0 or more, with which the pattern gives `text`, or -1. "%04d" gives 0012 and 12345,
 * but neither 012 nor 00012. */
int64_t filename_pattern_match(const filename_pattern *name, const char *text);

#endif
