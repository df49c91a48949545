#ifndef HALOBEAT_LABEL_THRESHOLD_CHOICE_H
#define HALOBEAT_LABEL_THRESHOLD_CHOICE_H

#include "base/option.h"
#include "kernels/label/threshold/threshold.h"

/* A threshold as users write it: otsu, nonzero, 100, 40%, 20..60, 20,60, local:7. Internal to the
 * kernels and the program; everything here is local. */

typedef enum {
    THRESHOLD_OTSU,
    THRESHOLD_NONZERO,
    THRESHOLD_VALUE,
    THRESHOLD_PERCENT,
    THRESHOLD_RANGE,
    THRESHOLD_LOCAL,
    THRESHOLD_HYSTERESIS
} threshold_kind;

/* A sample value, or a percentage of the largest one. */
typedef struct {
    halo_number number;
    bool percent;
} threshold_bound;

typedef struct {
    threshold_kind kind;
    threshold_bound low, high;  /* `high` of a range, and of hysteresis */
    halo_local_threshold local; /* of THRESHOLD_LOCAL */
} threshold_choice;

/* Parses a threshold_choice: one of otsu, nonzero, VALUE, VALUE%, LOW..HIGH; the second one takes
 * LOW,HIGH and local:R[:OFFSET], too. HALO_ARGUMENT, without a message. */
halo_option_parse threshold_parse, threshold_parse_regions;

/* Takes a value or a percentage from *text, which is set to behind it. False if there is none. */
bool threshold_take_bound(const char **text, threshold_bound *bound);

/* As reports call where it comes from. */
const char *threshold_source(const threshold_choice *choice);

#endif
