#include "io/flow/flow_colours.h"

#include "base/minmax.h"
#include "io/canvas/whole_root.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNITS = 256,          /* of vectors in a pixel */
    MAX_LENGTH = 1 << 20, /* pixels; longer ones count as that */
    FULL = 1 << 16,       /* a colour as full as it gets */
    TURN_BITS = 30,       /* a turn is 2^30 */
    ROTATIONS = 24,       /* of an angle's search, each half as large as the one before */
    FRACTION = 20,        /* bits that vectors are lifted by for it */
    DARKER = 192          /* of 256, for vectors that are longer than the longest */
};

static const double UNKNOWN = 1e9; /* and beyond */

/* ---- the wheel ----------------------------------------------------------------------------- */

/* From one colour to the next in equal steps, the first of which is the colour itself. */
typedef struct {
    int steps;
    unsigned char colour[3]; /* at the beginning: full channels are 1 */
} transition;

static const transition TRANSITIONS[] = {
    {15, {1, 0, 0}}, /* red to yellow: the eye tells more of these than of greens */
    {6, {1, 1, 0}},  /* to green */
    {4, {0, 1, 0}},  /* to cyan */
    {11, {0, 1, 1}}, /* to blue */
    {13, {0, 0, 1}}, /* to magenta */
    {6, {1, 0, 1}},  /* and back to red */
};
enum { TRANSITION_COUNT = sizeof TRANSITIONS / sizeof TRANSITIONS[0], HUES = 55 };

/* Channels are 0 to 255; steps are rounded down, as everyone has them. */
static void hue_colour(int hue, int channels[3])
{
    int t = 0;
    for (; hue >= TRANSITIONS[t].steps; t++) {
        hue -= TRANSITIONS[t].steps;
    }
    const transition *from = &TRANSITIONS[t], *to = &TRANSITIONS[(t + 1) % TRANSITION_COUNT];
    for (int c = 0; c < 3; c++) {
        int risen = 255 * hue / from->steps;
        channels[c] = from->colour[c] == to->colour[c] ? 255 * from->colour[c]
                      : to->colour[c] == 1             ? risen
                                                       : 255 - risen;
    }
}

/* ---- angles -------------------------------------------------------------------------------- */

/* atan(2^-i) as a part of a turn. */
static const int32_t ROTATION[ROTATIONS] = {
    134217728, 79233351, 41864727, 21251189, 10666833, 5338616, 2669960, 1335061,
    667541,    333772,   166886,   83443,    41722,    20861,   10430,   5215,
    2608,      1304,     652,      326,      163,      81,      41,      20};

/* The angle of (x, y), y down, going round as the clock does from the right: 0 to 2^30 - 1. By
 * turning the vector until it points right (J. E. Volder's CORDIC, 1959). */
static int64_t angle_of(int64_t x, int64_t y)
{
    const int64_t turn = INT64_C(1) << TURN_BITS;
    int64_t angle = x < 0 ? turn / 2 : 0;
    int64_t right = llabs(x) * (1 << FRACTION), down = (x < 0 ? -y : y) * (1 << FRACTION);
    for (int i = 0; i < ROTATIONS && down != 0; i++) {
        int64_t part_right = right / (INT64_C(1) << i), part_down = down / (INT64_C(1) << i);
        right += down > 0 ? part_down : -part_down;
        angle += down > 0 ? ROTATION[i] : -ROTATION[i];
        down += down > 0 ? -part_right : part_right;
    }
    return (angle + turn) % turn;
}

/* ---- vectors ------------------------------------------------------------------------------- */

typedef struct {
    int64_t x, y; /* units */
    bool known;
} whole_vector;

static int64_t whole_part(float value)
{
    double pixels = fmin(fmax(value, -MAX_LENGTH), MAX_LENGTH);
    return (int64_t)rint(pixels * UNITS);
}

static whole_vector vector_of(const float *pair)
{
    whole_vector v = {.known =
                          fabs((double)pair[0]) <= UNKNOWN && fabs((double)pair[1]) <= UNKNOWN};
    if (v.known) {
        v.x = whole_part(pair[0]);
        v.y = whole_part(pair[1]);
    }
    return v;
}

int64_t halo_flow_max_square(const float *vectors, int64_t count)
{
    int64_t max = 0;
    for (int64_t i = 0; i < count; i++) {
        whole_vector v = vector_of(vectors + 2 * i);
        max = halo_max(max, v.x * v.x + v.y * v.y);
    }
    return max;
}

/* A length in 256ths of a unit; of a very long vector only to a quarter of a unit. */
static int64_t fine_length(int64_t square)
{
    return square < INT64_C(1) << 45 ? halo_whole_root(square << 16)
                                     : halo_whole_root(square << 4) << 6;
}

static void colour_of(whole_vector v, int64_t max_length, unsigned char *colour)
{
    if (!v.known) {
        memset(colour, 0, 3);
        return;
    }
    int64_t length = fine_length(v.x * v.x + v.y * v.y);
    int64_t full = max_length > 0 ? length * FULL / max_length : 0;
    int64_t place = angle_of(v.x, v.y) * (HUES - 1);
    int hue = (int)(place >> TURN_BITS), from[3], to[3];
    int64_t between = (place >> (TURN_BITS - 16)) & (FULL - 1);
    hue_colour(hue, from);
    hue_colour((hue + 1) % HUES, to);
    for (int c = 0; c < 3; c++) {
        int64_t pure = from[c] * (FULL - between) + to[c] * between; /* of 255 * FULL */
        int64_t shown = full <= FULL
                            ? 255 * (int64_t)FULL - (255 * (int64_t)FULL - pure) * full / FULL
                            : pure * DARKER / 256;
        colour[c] = (unsigned char)(shown / FULL);
    }
}

void halo_flow_colours(const float *vectors, int64_t count, int64_t max_square,
                       unsigned char *colours)
{
    int64_t max_length = fine_length(max_square);
    for (int64_t i = 0; i < count; i++) {
        /* Neighbours often move together. */
        if (i > 0 && memcmp(vectors + 2 * i, vectors + 2 * (i - 1), 2 * sizeof *vectors) == 0) {
            memcpy(colours + 3 * i, colours + 3 * (i - 1), 3);
        } else {
            colour_of(vector_of(vectors + 2 * i), max_length, colours + 3 * i);
        }
    }
}
