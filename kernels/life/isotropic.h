#ifndef HALOBEAT_LIFE_ISOTROPIC_H
#define HALOBEAT_LIFE_ISOTROPIC_H

#include "kernels/life/life_rule.h"

#include <stdbool.h>

/* Neighbours told apart by how they lie, but for turns and reflections: A. Hensel's notation, in
 * which a letter behind a count names an arrangement of so many live cells. Internal to the Life
 * kernel. */

/* For a dead cell and a live one, and each number of live neighbours: the letters with which the
 * cell is alive afterwards, a bit each in the order that life_letters has them. */
typedef struct {
    uint16_t of[2][9];
} life_arrangements;

/* Local, pure. The letters of a count of 0 to 8, in alphabetical order: "" for 0 and 8, which have
 * one arrangement. */
const char *life_letters(int count);

/* Local, pure. All arrangements of a count. */
uint16_t life_letters_all(int count);

/* Local. The table of these arrangements, as in a rule. */
void life_arrangements_map(const life_arrangements *from, uint64_t map[HALO_LIFE_MAP_WORDS]);

/* Local. The reverse; false for a table that tells more apart than arrangements. */
bool life_arrangements_of(const uint64_t map[HALO_LIFE_MAP_WORDS], life_arrangements *into);

/* Local. Set what a rule says of births and survivals; counts alone where they can say it. Its
 * states are left alone. */
void life_rule_set(halo_life_rule *rule, const life_arrangements *from);
void life_rule_set_map(halo_life_rule *rule, const uint64_t map[HALO_LIFE_MAP_WORDS]);

/* Local. WireWorld's. */
void life_rule_set_wireworld(halo_life_rule *rule);

/* Local, pure. Does a rule say what can be? */
bool life_rule_is_valid(const halo_life_rule *rule);

/* Local, pure. What a map says of cells with no live neighbours and with all, as a rule has it. */
void life_map_ends(const uint64_t map[HALO_LIFE_MAP_WORDS], uint16_t *born, uint16_t *survive);

/* Local. A table as 86 digits of base 64, the first neighbourhood in the highest bit of the first;
 * false if they are none. */
bool life_map_read(const char *digits, uint64_t map[HALO_LIFE_MAP_WORDS]);

#endif
