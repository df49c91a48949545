#ifndef HALOBEAT_LABEL_COLOURS_H
#define HALOBEAT_LABEL_COLOURS_H

#include <stdint.h>
#include <stdlib.h>

/* Colours of regions: those of their numbers, modulo 255, but for some regions that touch others of
 * the same colour. Internal to the label kernel. */

enum { LABEL_COLOURS = 255, LABEL_COLOUR_SIEVE = 1 << 16 };

typedef struct {
    int64_t number;
    uint8_t colour;
} label_own_colour;

/* Zero-initialised: no region has a colour of its own. */
typedef struct {
    label_own_colour *own; /* [count] in ascending order */
    int64_t count;
    uint8_t *sieve; /* [LABEL_COLOUR_SIEVE] whether any of them has a number with these last bits */
} label_colours;

static inline uint8_t label_plain_colour(int64_t number)
{
    return (uint8_t)(number == 0 ? 0 : (number - 1) % LABEL_COLOURS + 1);
}

/* Local. The entry of a region, or NULL; label_own_colour_of is faster. */
const label_own_colour *label_colours_find(const label_colours *colours, int64_t number);

static inline const label_own_colour *label_own_colour_of(const label_colours *colours,
                                                          int64_t number)
{
    return colours->count > 0 && colours->sieve[number & (LABEL_COLOUR_SIEVE - 1)] != 0
               ? label_colours_find(colours, number)
               : NULL;
}

/* Local. 0 for the number 0, otherwise 1 to 255. */
static inline uint8_t label_colour_of(const label_colours *colours, int64_t number)
{
    const label_own_colour *own = label_own_colour_of(colours, number);
    return own != NULL ? own->colour : label_plain_colour(number);
}

/* Local. Accepts zeroed colours, and leaves them so. */
void label_colours_free(label_colours *colours);

#endif
