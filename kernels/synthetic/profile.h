#ifndef HALOBEAT_SYNTHETIC_PROFILE_H
#define HALOBEAT_SYNTHETIC_PROFILE_H

#include "base/status.h"
#include "kernels/synthetic/synthetic.h"

#include <stdint.h>

/* What a row costs, in steps: from WORK to RATIO times as much. Everything is computed in whole
 * numbers, so that it is the same on every machine. */

/* key, min, max, default, is it a whole number? */
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
    int shape;                     /* its place in the list */
    double values[SYNTHETIC_KEYS]; /* as asked for */
    int64_t rows, work;
    int64_t extra;             /* steps that the dearest row costs more than `work` */
    int64_t first_dear;        /* row of a step */
    int64_t dear_rows;         /* of a hot spot */
    int64_t speed, speed_rest; /* rows a beat, and millionths of a row */
    uint64_t seed;
} synthetic_profile;

/* All functions are local and pure. Reads "NAME" or "NAME:KEY=VALUE,..." of
 * HALO_SYNTHETIC_PROFILE_LIST; NULL means "constant". HALO_ARGUMENT for text that is not that,
 * `rows` beyond 1 to 2^31 - 1, `work` below 1, and rows of more than HALO_SYNTHETIC_MAX_STEPS. */
halo_status synthetic_profile_read(synthetic_profile *out, const char *text, int64_t rows,
                                   int64_t work);

/* The same of a run's options. HALO_ARGUMENT also for `columns` beyond 1 to 2^31 - 1. */
halo_status synthetic_profile_of(synthetic_profile *out, const halo_synthetic_options *options);

/* The profile with all its keys, as text. */
void synthetic_profile_write(const synthetic_profile *profile,
                             char text[HALO_SYNTHETIC_PROFILE_SIZE]);

/* Steps of global row `row` (0 to rows - 1) at `beat` (from 0). */
int64_t synthetic_profile_steps(const synthetic_profile *profile, int64_t row, int64_t beat);

/* Steps of all rows together, which is the same at every beat. */
int64_t synthetic_profile_sum(const synthetic_profile *profile);

#endif
