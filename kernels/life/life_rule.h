#ifndef HALOBEAT_KERNELS_LIFE_LIFE_RULE_H
#define HALOBEAT_KERNELS_LIFE_LIFE_RULE_H

#include "base/status.h"

#include <stdint.h>

/* Which cells are neighbours. */
typedef enum {
    HALO_LIFE_MOORE,       /* all eight around */
    HALO_LIFE_VON_NEUMANN, /* the four that share an edge; V in a rule's text */
    HALO_LIFE_HEXAGONAL,   /* six: all but those above right and below left; H */
    HALO_LIFE_MAP,         /* all eight; the outcome depends on which are alive */
    HALO_LIFE_WIREWORLD,   /* all eight, for a rule of its own: B. Silverman's WireWorld */
    HALO_LIFE_NEIGHBOURHOODS
} halo_life_neighbourhood;

enum { HALO_LIFE_MAP_CELLS = 512, HALO_LIFE_MAP_WORDS = HALO_LIFE_MAP_CELLS / 64 };

/* Rules of Life and its relatives: what a cell becomes, from how many neighbours live or from which
 * of them do. */
typedef struct {
    uint16_t born;    /* bit n: a dead cell with n live neighbours comes alive */
    uint16_t survive; /* bit n: a live one with n stays alive. Of a map, both have bits 0 and 8
                       * only, as the map says */
    int states;       /* 2; or 3 to 256 (Generations): a live cell that does not stay alive passes
                       * through states 2 to states - 1 before it is dead, and is no neighbour; or
                       * 4 of WireWorld: a head of an electron (1) becomes a tail (2), that a
                       * conductor (3), and that a head beside one head or two (`born`) */
    halo_life_neighbourhood neighbourhood;

    /* A rule by a map is 512 bits; 0 for other rules. Bit i % 64 of word i / 64 tells whether a
     * cell is alive after its neighbourhood was i: bits 8 to 0 of i are the cells upper left,
     * above, upper right, left, itself, right, lower left, below, lower right. */
    uint64_t map[HALO_LIFE_MAP_WORDS];
} halo_life_rule;

enum { HALO_LIFE_RULE_TEXT = 100 }; /* bytes that hold any rule's text */

/* Local, pure. Neighbours of a cell: 8, 4, 6, 8 or 8. */
static inline int halo_life_neighbours(const halo_life_rule *rule)
{
    static const int counts[] = {8, 4, 6, 8, 8};
    return counts[rule->neighbourhood];
}

/* Local. Read a rule: B3/S23 (either case and order; the slash may be missing between letters, and
 * so may B or S, which then has no counts), 23/3 (survive/born), and with states for Generations:
 * B2/S/C3, B2/S/G3, B2/S/3, 345/2/4; or a name that people know, such as "life", "highlife" or
 * "brian's brain", compared by its letters and digits alone. A V or H at the end, as in B1/S012V,
 * is another neighbourhood. Letters behind a count, as in B2-a/S12 or B3/S2-i34q, are the
 * arrangements of neighbours that the count holds for, or with a minus does not hold for (A.
 * Hensel's notation). MAP with 86 digits of base 64 is Golly's table of all 512 neighbourhoods.
 * WireWorld takes no suffix but a grid's. Blanks are ignored. A bounded grid as Golly writes it may
 * follow after a colon:
 * `*grid` is set to the text behind the colon, a part of `text`, or to NULL. `grid` may be NULL:
 * then a colon is an error. HALO_ARGUMENT, saying what is not understood and what is allowed;
 * nothing is changed then. */
halo_status halo_life_rule_parse(const char *text, halo_life_rule *rule, const char **grid);

/* Local. The rule as Golly writes it: B3/S23, or 345/2/4 for Generations; a map as letters if it is
 * isotropic. */
void halo_life_rule_print(const halo_life_rule *rule, char text[HALO_LIFE_RULE_TEXT]);

/* Local. The i-th name that people know, or NULL after the last. */
const char *halo_life_rule_name(int i);

#endif
