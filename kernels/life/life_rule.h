#ifndef HALOBEAT_KERNELS_LIFE_LIFE_RULE_H
#define HALOBEAT_KERNELS_LIFE_LIFE_RULE_H

#include "base/status.h"

#include <stdint.h>

/* Which cells are neighbours. */
typedef enum {
    HALO_LIFE_MOORE,       /* all eight around */
    HALO_LIFE_VON_NEUMANN, /* the four that share an edge; V in a rule's text */
    HALO_LIFE_HEXAGONAL,   /* six: all but those above right and below left; H */
    HALO_LIFE_NEIGHBOURHOODS
} halo_life_neighbourhood;

/* Rules of Life and its relatives: what a cell becomes, from how many neighbours live. */
typedef struct {
    uint16_t born;    /* bit n: a dead cell with n live neighbours comes alive */
    uint16_t survive; /* bit n: a live one with n stays alive */
    int states;       /* 2; or 3 to 256 (Generations): a live cell that does not stay alive passes
                       * through states 2 to states - 1 before it is dead, and is no neighbour */
    halo_life_neighbourhood neighbourhood;
} halo_life_rule;

enum { HALO_LIFE_RULE_TEXT = 40 }; /* bytes that hold any rule's text */

/* Local, pure. Neighbours of a cell: 8, 4 or 6. */
static inline int halo_life_neighbours(const halo_life_rule *rule)
{
    static const int counts[] = {8, 4, 6};
    return counts[rule->neighbourhood];
}

/* Local. Read a rule: B3/S23 (either case and order, the slash may be missing between letters),
 * 23/3 (survive/born), and with states for Generations: B2/S/C3, B2/S/G3, B2/S/3, 345/2/4; or a
 * name that people know, such as "life", "highlife" or "brian's brain", compared by its letters and
 * digits alone. A V or H at the end, as in B1/S012V, is another neighbourhood. Blanks do not count.
 * A bounded grid as Golly writes it may follow after a colon:
 * `*grid` is set to the text behind the colon, a part of `text`, or to NULL. `grid` may be NULL:
 * then a colon is an error. HALO_ARGUMENT, saying what is not understood and what is allowed;
 * nothing is changed then. */
halo_status halo_life_rule_parse(const char *text, halo_life_rule *rule, const char **grid);

/* Local. The usual way to write it: B3/S23, or 345/2/4 for Generations. */
void halo_life_rule_print(const halo_life_rule *rule, char text[HALO_LIFE_RULE_TEXT]);

/* Local. The i-th name that people know, or NULL after the last. */
const char *halo_life_rule_name(int i);

#endif
