#ifndef HALOBEAT_SYNTHETIC_PROFILE_H
#define HALOBEAT_SYNTHETIC_PROFILE_H

#include "base/status.h"
#include "kernels/synthetic/synthetic.h"

#include <stdint.h>

/* The cost of rows, in steps: from WORK to RATIO times as much. Everything is computed in integers,
 * so that it is the same on every machine. */

/* key, min, max, default, integer only */
#define SYNTHETIC_KEY_LIST(X)   \
    X(ratio, 1, 1000, 3, false) \
    X(at, 0, 1, .5, false)      \
    X(width, 0, 1, .1, false)   \
    X(speed, 0, 1e6, 1, false)  \
    X(seed, 0, 1e15, 1, true)

typedef enum {
#define SYNTHETIC_KEY_ENUM(name, min, max, default_value, whole) SYNTHETIC_KEY_##name,
    SYNTHETIC_KEY_LIST(SYNTHETIC_KEY_ENUM)
#undef SYNTHETIC_KEY_ENUM
        SYNTHETIC_KEYS
} synthetic_key;

typedef struct {
    int shape;                     /* index in the list */
    double values[SYNTHETIC_KEYS]; /* as given */
    int64_t rows, work;
    int64_t extra;             /* additional steps of the most expensive row over `work` */
    int64_t first_dear;        /* row at which the cost changes */
    int64_t dear_rows;         /* number of rows of a hot spot */
    int64_t speed, speed_rest; /* rows per beat, and millionths of a row */
    uint64_t seed;
} synthetic_profile;

/* All functions are local and pure. Parses "NAME" or "NAME:KEY=VALUE,..." of
 * HALO_SYNTHETIC_PROFILE_LIST; NULL means "constant". HALO_ARGUMENT for other text, `rows` outside
 * 1 to 2^31 - 1, `work` below 1, and rows of more than HALO_SYNTHETIC_MAX_STEPS. */
halo_status synthetic_profile_read(synthetic_profile *out, const char *text, int64_t rows,
                                   int64_t work);

/* As synthetic_profile_read, for the options of a run. HALO_ARGUMENT also for `columns` outside 1
 * to 2^31 - 1. */
halo_status synthetic_profile_of(synthetic_profile *out, const halo_synthetic_options *options);

/* Writes the profile with all its keys as text. */
void synthetic_profile_write(const synthetic_profile *profile,
                             char text[HALO_SYNTHETIC_PROFILE_SIZE]);

/* Steps of global row `row` (0 to rows - 1) at `beat` (from 0). */
int64_t synthetic_profile_steps(const synthetic_profile *profile, int64_t row, int64_t beat);

/* Steps of all rows together; the same at every beat. */
int64_t synthetic_profile_sum(const synthetic_profile *profile);

#endif
