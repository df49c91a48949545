#include "io/image/density.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double METRES_OF_INCH = 0.0254;

bool halo_density_is_usual(double per_inch)
{
    static const double usual[] = {72, 96, 100, 150, 200, 300, 400, 600, 1200, 2400, 4800, 9600};
    bool found = false;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        found = found || fabs(per_inch / usual[i] - 1) < 1e-3;
    }
    return found;
}

/* The length of which there are `count` in `whole`, when this was rounded to a whole number: it is
 * meant to have few digits. */
static double shortest(double whole, double count)
{
    enum { MOST = 15, TEXT = 32 };
    double length = whole / count;
    for (int digits = 1; digits <= MOST; digits++) {
        char text[TEXT];
        snprintf(text, sizeof text, "%.*g", digits, length);
        double rounded = strtod(text, NULL);
        if (rounded > 0 && fabs(whole / rounded - count) <= 0.5) {
            return rounded;
        }
    }
    return length;
}

/* Dots an inch, a whole number if they are that but for rounding. */
static double inch_of(double per_inch)
{
    double whole = round(per_inch);
    return 1 / (whole > 0 && fabs(per_inch / whole - 1) < 1e-3 ? whole : per_inch);
}

static void note_shape(halo_image_reader *reader, double across, double down)
{
    const double SQUARE = 0.01;
    if (fabs(across / down - 1) > SQUARE) { /* more of them in a length are narrower */
        halo_image_add_note(reader, "pixels are %.3g times as %s as %s, and counted as squares",
                            across > down ? across / down : down / across,
                            across > down ? "high" : "wide", across > down ? "wide" : "high");
    }
}

void halo_density_set(halo_image_reader *reader, double across, double down, halo_length unit)
{
    enum { MOST_DOTS = 2400 };
    const double MICROMETRES = 1e6;
    halo_image_geometry *g = &reader->info.geometry;
    double metres = halo_length_metres(unit);
    if (!(across > 0) || !(down > 0)) {
        return;
    }
    if (metres <= 0) {
        note_shape(reader, across, down);
        return;
    }
    double dots = across / metres * METRES_OF_INCH;
    g->printed = dots <= MOST_DOTS || halo_density_is_usual(dots);
    if (g->printed) {
        note_shape(reader, across, down);
        g->unit = HALO_LENGTH_INCH;
        g->spacing[0] = inch_of(dots);
        g->spacing[1] = inch_of(down / metres * METRES_OF_INCH);
        return;
    }
    g->unit = HALO_LENGTH_MICROMETRE;
    g->spacing[0] = shortest(metres * MICROMETRES, across);
    g->spacing[1] = shortest(metres * MICROMETRES, down);
}

bool halo_density_of(const halo_image_geometry *geometry, uint32_t density[2])
{
    const double LEAST = 100, MOST = INT32_MAX;
    double metres = halo_length_metres(geometry->unit);
    bool known = metres > 0 && geometry->spacing[0] > 0 && geometry->spacing[1] > 0 &&
                 (!geometry->assumed || halo_geometry_measures(geometry, 2));
    for (int axis = 0; axis < 2; axis++) {
        double count = known ? round(1 / (geometry->spacing[axis] * metres)) : 0;
        known = known && count >= LEAST && count <= MOST;
        density[axis] = known ? (uint32_t)count : 0;
    }
    return known;
}
