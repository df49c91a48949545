#ifndef HALOBEAT_LIFE_PROGRAM_H
#define HALOBEAT_LIFE_PROGRAM_H

#include "base/status.h"
#include "kernels/life/life_rule.h"

#include <stdbool.h>

/* Compiles the table of an isotropic non-totalistic rule to a program of operations on bits, for
 * rows of many cells. The program is a decision diagram: each node selects one of two values by a
 * third (R. E. Bryant, Graph-based algorithms for Boolean function manipulation, 1986; here the
 * order of variables may differ from path to path). Internal to the Life kernel.
 *
 * Besides the nine cells of a neighbourhood, a program reads counts and other properties that
 * rotations and reflections do not change. They are computed by fixed code, and together they
 * distinguish all 102 arrangements, so that a rule in Hensel's notation takes few selections. */

/* The inputs of a program: 0 to 8 are the cells of a neighbourhood, by their bits in the index of a
 * map. */
enum {
    LIFE_VALUE_CELL = 4,
    LIFE_VALUE_COUNT0 = 9, /* bits of the number of live neighbours */
    LIFE_VALUE_COUNT1,
    LIFE_VALUE_COUNT2,
    LIFE_VALUE_COUNT3,
    LIFE_VALUE_EDGES0, /* the two lowest bits of the number of live neighbours at edges */
    LIFE_VALUE_EDGES1,
    LIFE_VALUE_CORNERS0, /* and at corners */
    LIFE_VALUE_CORNERS1,
    LIFE_VALUE_EDGES_FACE,   /* two live ones at opposite edges */
    LIFE_VALUE_CORNERS_FACE, /* and at opposite corners */
    LIFE_VALUE_PAIRS0, /* the lowest bits of the number of pairs of live neighbours that touch */
    LIFE_VALUE_PAIRS1,
    LIFE_VALUE_THREE, /* three live ones in a row around the cell */
    LIFE_VALUES,
    LIFE_VALUE_RESULT = LIFE_VALUES, /* where the program leaves what becomes of the cell */
    LIFE_VALUE_FIRST_OWN             /* and on: what it computes on the way */
};

enum {
    LIFE_MOST_STEPS = HALO_LIFE_MAP_CELLS, /* a tree down to single neighbourhoods, and a copy */
    LIFE_MOST_VALUES = LIFE_VALUE_FIRST_OWN + LIFE_MOST_STEPS
};

/* Operations: name, and the value for bits `which`, `one` and `zero`; choose takes `one` where
 * `which` is set, and `zero` elsewhere. */
#define LIFE_STEP_LIST(X)                         \
    X(CHOOSE, choose(which, one, zero))           \
    X(CHOOSE_NOT_ONE, choose(which, ~one, zero))  \
    X(CHOOSE_NOT_ZERO, choose(which, one, ~zero)) \
    X(CHOOSE_NEITHER, choose(which, ~one, ~zero)) \
    X(AND, which &one)                            \
    X(AND_NOT, which & ~one)                      \
    X(IMPLIES, ~which | one)                      \
    X(NOT_BOTH, ~(which & one))                   \
    X(NOT_AND, ~which &zero)                      \
    X(NEITHER, ~(which | zero))                   \
    X(OR, which | zero)                           \
    X(OR_NOT, which | ~zero)

typedef enum {
#define LIFE_STEP_ENUM(name, value) LIFE_STEP_##name,
    LIFE_STEP_LIST(LIFE_STEP_ENUM)
#undef LIFE_STEP_ENUM
} life_step_kind;

typedef struct {
    uint8_t kind;
    uint16_t to, which, one, zero; /* numbers of values; `one` or `zero` may be of no effect */
} life_step;

typedef struct {
    uint32_t needs; /* bit v: given value v is read */
    int values;     /* numbers in use: given ones, the result and the program's own */
    int steps;
    life_step step[LIFE_MOST_STEPS];
} life_program;

/* Local, pure. A given value for a neighbourhood, by its index in a map. */
bool life_program_given(int value, int index);

/* Local. The program of a table, the same on every machine. HALO_MEMORY. */
halo_status life_program_make(life_program *program, const uint64_t map[HALO_LIFE_MAP_WORDS]);

#endif
