#include "io/canvas/palette.h"

#include <math.h>
#include <string.h>

enum {
    FAINTEST = 56,       /* of a dot with one live cell among many */
    FADED_AT_ONCE = 176, /* what death leaves of a live cell's brightness, so that the live stand
                          * out from their trails */
    FADE_DIVISOR = 9,    /* what every frame takes of a trail's brightness */
    FAINTEST_TRAIL = 10, /* the next frame has none */
    NEWLY_DYING = 200,   /* brightness of the first and of the last dying state */
    NEARLY_DEAD = 60
};

/* A palette is drawn straight from one of these colours to the next. */
typedef struct {
    int level;
    int colour[3]; /* red, green, blue */
} ramp_step;

static const unsigned char LINE_COLOUR[3] = {14, 17, 32};

enum { RAMP_STEPS = 9 };

static const ramp_step RAMPS[][RAMP_STEPS] = {
    [HALO_PICTURE_TRAIL] = {{0, {7, 9, 20}},
                            {12, {12, 15, 38}},
                            {40, {30, 28, 92}},
                            {80, {88, 34, 140}},
                            {120, {170, 46, 126}},
                            {160, {234, 98, 74}},
                            {200, {250, 172, 72}},
                            {230, {253, 216, 150}},
                            {255, {255, 247, 228}}},
    [HALO_PICTURE_PLAIN] = {{0, {7, 9, 20}},
                            {12, {12, 16, 36}},
                            {56, {38, 50, 88}},
                            {80, {56, 76, 118}},
                            {120, {88, 120, 158}},
                            {160, {134, 164, 188}},
                            {200, {188, 204, 210}},
                            {230, {230, 232, 224}},
                            {255, {255, 247, 228}}},
};

void halo_picture_fill_palette(halo_picture_style style,
                               unsigned char palette[HALO_PICTURE_PALETTE_BYTES])
{
    const ramp_step *step = RAMPS[style];
    for (int level = 0; level < HALO_PICTURE_COLOURS; level++) {
        if (level > step[1].level) {
            step++;
        }
        int wide = step[1].level - step[0].level;
        for (int i = 0; i < 3; i++) {
            int risen = (step[1].colour[i] - step[0].colour[i]) * (level - step[0].level);
            palette[3 * level + i] = (unsigned char)(step[0].colour[i] + risen / wide);
        }
    }
    memcpy(palette + (size_t)3 * HALO_PICTURE_LINE, LINE_COLOUR, sizeof LINE_COLOUR);
}

void halo_picture_fill_brightness(int states, unsigned char brightness[256])
{
    memset(brightness, HALO_PICTURE_BACKGROUND, 256);
    brightness[1] = HALO_PICTURE_BRIGHTEST;
    for (int state = 2; state < states; state++) {
        int left = states - 1 - state;
        int steps = states > 3 ? states - 3 : 1;
        brightness[state] =
            (unsigned char)(NEARLY_DEAD + (NEWLY_DYING - NEARLY_DEAD) * left / steps);
    }
}

void halo_picture_fill_fading(unsigned char faded[256])
{
    for (int level = 0; level < 256; level++) {
        int fading = level < FADED_AT_ONCE ? level : FADED_AT_ONCE;
        int left = fading - fading / FADE_DIVISOR - 1;
        faded[level] = (unsigned char)(left < FAINTEST_TRAIL ? HALO_PICTURE_BACKGROUND : left);
    }
}

/* Live cells are often few among many: the square root lifts them. Correctly rounded, it is the
 * same on every machine. */
unsigned char halo_picture_level(int64_t sum, int64_t cells)
{
    if (sum == 0) {
        return HALO_PICTURE_BACKGROUND;
    }
    double share = (double)sum / ((double)HALO_PICTURE_BRIGHTEST * (double)cells);
    return (unsigned char)(FAINTEST + (HALO_PICTURE_BRIGHTEST - FAINTEST) * sqrt(share));
}

/* ---- lines on greys -------------------------------------------------------------------------- */

enum {
    WHITE = 255,
    GREYS = 192,    /* without a line */
    COVERS = 8,     /* steps of how much a line covers */
    GREYS_BELOW = 8 /* greys below a line at each step: 192 + 8 * 8 colours in all */
};

void halo_picture_fill_line_palette(const unsigned char line[3],
                                    unsigned char palette[HALO_PICTURE_PALETTE_BYTES])
{
    for (int i = 0; i < GREYS; i++) {
        memset(palette + 3 * i, i * WHITE / (GREYS - 1), 3);
    }
    unsigned char *colour = palette + 3 * GREYS;
    for (int cover = 1; cover <= COVERS; cover++) {
        for (int grey = 0; grey < GREYS_BELOW; grey++) {
            for (int c = 0; c < 3; c++) {
                int below = grey * WHITE / (GREYS_BELOW - 1);
                *colour++ = (unsigned char)(below + (line[c] - below) * cover / COVERS);
            }
        }
    }
}

unsigned char halo_picture_line_colour(int grey, int cover)
{
    int eighths = (cover * COVERS + WHITE / 2) / WHITE;
    int below = (grey * (GREYS_BELOW - 1) + WHITE / 2) / WHITE;
    return (unsigned char)(eighths == 0 ? grey * (GREYS - 1) / WHITE
                                        : GREYS + (eighths - 1) * GREYS_BELOW + below);
}
