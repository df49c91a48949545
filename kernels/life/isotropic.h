#ifndef HALOBEAT_LIFE_ISOTROPIC_H
#define HALOBEAT_LIFE_ISOTROPIC_H

#include "kernels/life/life_rule.h"

#include <stdbool.h>

/* Isotropic non-totalistic rules in A. Hensel's notation: a letter behind a count names an
 * arrangement of that many live neighbours, up to rotation and reflection. Internal to the Life
 * kernel. */

/* For a dead cell (of[0]) and a live one (of[1]), and each number of live neighbours: the letters
 * of the arrangements with which the cell lives in the next generation. Bit i is letter i of
 * life_letters. */
typedef struct {
    uint16_t of[2][9];
} life_arrangements;

/* The bit in the index of a map of each neighbour, clockwise from the one above. */
extern const int life_ring[8];

/* Local, pure. The outcome of a map for the neighbourhood of this index: 0 or 1. */
static inline unsigned life_map_at(const uint64_t map[HALO_LIFE_MAP_WORDS], int index)
{
    return (unsigned)(map[index / 64] >> index % 64 & 1);
}

/* Local, pure. The letters of a count of 0 to 8, in alphabetical order: "" for 0 and 8, which have
 * one arrangement. */
const char *life_letters(int count);

/* Local, pure. The bits of all letters of a count. */
uint16_t life_letters_all(int count);

/* Local. Sets `map` to the table of the outcomes of these arrangements, as halo_life_rule has it.
 */
void life_arrangements_map(const life_arrangements *from, uint64_t map[HALO_LIFE_MAP_WORDS]);

/* Local. The inverse of life_arrangements_map. False if the table is not isotropic: two rotated or
 * reflected neighbourhoods have different outcomes. */
bool life_arrangements_of(const uint64_t map[HALO_LIFE_MAP_WORDS], life_arrangements *into);

/* Local. Set the births and survivals of a rule; as counts if the outcome depends on counts only.
 * The number of states is not changed. */
void life_rule_set(halo_life_rule *rule, const life_arrangements *from);
void life_rule_set_map(halo_life_rule *rule, const uint64_t map[HALO_LIFE_MAP_WORDS]);

/* Local. Makes the rule WireWorld's. */
void life_rule_set_wireworld(halo_life_rule *rule);

/* Local, pure. True if all members of the rule are within their limits. */
bool life_rule_is_valid(const halo_life_rule *rule);

/* Local. A table as 86 digits of base 64, the first neighbourhood in the highest bit of the first,
 * with or without the "==" of RFC 4648 behind them, as Golly reads it. False if it is none. */
bool life_map_read(const char *digits, uint64_t map[HALO_LIFE_MAP_WORDS]);

#endif
