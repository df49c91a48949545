#ifndef HALOBEAT_BASE_FILENAME_PATTERN_H
#define HALOBEAT_BASE_FILENAME_PATTERN_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* File names that contain a number: "frame-%04d.png" stands for frame-0000.png and so on. All
 * functions are local. */

typedef struct {
    const char *text; /* the whole pattern; owned by the caller */
    bool numbered;    /* false: a name without a number */
    size_t before;    /* characters before the number */
    int digits;       /* minimum digits */
    const char *after;
} filename_pattern;

enum {
    FILENAME_SIZE = 4096, /* maximum bytes of a name */
    FILENAME_DIGITS = 18  /* maximum of `digits` */
};

/* Parses a pattern: a % followed by a number of digits and d. HALO_ARGUMENT for two of them, or too
 * many digits. */
halo_status halo_filename_parse(filename_pattern *name, const char *text);

/* The name with this number, 0 or more; a name without a number is unchanged. */
const char *halo_filename_print(const filename_pattern *name, int64_t number,
                                char out[FILENAME_SIZE]);

/* The number, 0 or more, for which the pattern gives `text`, or -1. "%04d" gives 0012 and 12345,
 * but neither 012 nor 00012. */
int64_t halo_filename_match(const filename_pattern *name, const char *text);

#endif
