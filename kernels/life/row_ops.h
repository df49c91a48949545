#ifndef HALOBEAT_LIFE_ROW_OPS_H
#define HALOBEAT_LIFE_ROW_OPS_H

#include "base/isa.h"
#include "kernels/life/lanes.h"
#include "kernels/life/life_rule.h"
#include "kernels/life/program.h"

#include <stdbool.h>

/* The inner loops of Life, compiled from one source for each ISA, all with the same
 * results. Internal to the Life kernel. */

/* Rules with code of their own, whose constants the compiler works into the formula: name, born,
 * survive. Conway's rule itself has a better formula and is not in the list. */
#define LIFE_FIXED_RULE_LIST(X)    \
    X(highlife, 0x048, 0x00c)      \
    X(day_and_night, 0x1c8, 0x1d8) \
    X(replicator, 0x0aa, 0x0aa)    \
    X(seeds, 0x004, 0x000)         \
    X(maze, 0x008, 0x03e)          \
    X(without_death, 0x008, 0x1ff) \
    X(two_by_two, 0x048, 0x026)

/* A rule for code that works for any: all ones or zeros in every lane, for each number of live
 * neighbours. */
typedef struct {
    _Alignas(LIFE_COLUMN_BYTES) uint64_t born[9][LIFE_COLUMN_WORDS];
    uint64_t survive[9][LIFE_COLUMN_WORDS];
    uint64_t last[LIFE_PLANES][LIFE_COLUMN_WORDS]; /* bits of the last dying state, less 1 */
    const life_program *program;                   /* of a map, in place of born and survive */
} life_rule_lanes;

/* The program of a map computes several rows at a time: about LIFE_MAP_COLUMNS columns, and at
 * least one row. Each of its steps computes LIFE_TILE_COLUMNS columns, so that interpreting the
 * step takes little of the time. */
enum { LIFE_MAP_COLUMNS = 96, LIFE_TILE_COLUMNS = 12 };

/* Local, pure. The number of rows, with their ghosts. */
static inline int64_t life_map_rows(int64_t columns)
{
    return columns + 2 < LIFE_MAP_COLUMNS ? LIFE_MAP_COLUMNS / (columns + 2) : 1;
}

/* Local, pure. Columns of memory for that: the rows with one above and one below, what they become,
 * and a program's values. The first two may be read and written up to a tile beyond their ends. */
static inline int64_t life_map_columns(int64_t columns, int values)
{
    int64_t rows = life_map_rows(columns);
    return (2 * rows + 2) * (columns + 2) + 2 * LIFE_TILE_COLUMNS +
           (int64_t)values * LIFE_TILE_COLUMNS;
}

/* Some rows, to be advanced by one generation in place. Pointers are aligned to 64 bytes; `row`,
 * `sums` and `mask` point at what belongs to column 0, behind the ghost. */
typedef struct {
    char *row;        /* plane 0 of the first row */
    ptrdiff_t stride; /* bytes to the next row */
    int rows;         /* at least 1 */
    int64_t columns;
    int planes;
    ptrdiff_t plane_stride;
    char *sums;        /* [2 * columns] columns: sums and carries of the neighbours in the row above
                        * (all three of eight); on return those in the last row as it was. For a map
                        * [columns + 2]: the row itself, from the ghost on */
    const char *below; /* the same for the row below, or NULL if that stands in memory behind the
                        * last row, as it was in the generation before */
    char *side;        /* room for rows + 1 columns; for a map life_map_columns */
    const life_rule_lanes *rule; /* only read by code for any rule */
    const char *mask;            /* counting: which lanes of each column are cells of the grid */
    int64_t births, deaths;      /* counting: added to */
    int64_t aged;                /* counting: cells that began to die or went on dying; added to */
} life_block;

/* The ends of a row's lanes, at which shifted cells pass from lane to lane. */
typedef struct {
    int64_t columns;
    bool periodic;     /* the row's last cell and its first are neighbours */
    bool full;         /* no cells beyond the width in the last lane */
    int64_t last_word; /* of the row's last cell, from column 0 on */
    int last_bit;
    int64_t end_word; /* of the cell behind it, if not full */
    int end_bit;
} life_ends;

/* Cells that a row shares with the block beside it; see sides.h. */
enum { LIFE_GHOSTS = 64 };

/* Cells of a window that lie in one word of a row's plane. */
typedef struct {
    int64_t word;     /* from column 0 on */
    int shift;        /* of the first of them; the others follow, bit by bit */
    uint64_t pattern; /* their places in the window */
    uint64_t mask;    /* and in the word */
} life_window_part;

/* LIFE_GHOSTS cells in a row. */
typedef struct {
    int parts;
    life_window_part part[LIFE_GHOSTS];
} life_window;

typedef void life_block_function(life_block *block);

typedef struct {
    const char *name;       /* of the rule, for reports */
    uint16_t born, survive; /* the rule it is for */
    life_block_function *advance, *count;
} life_rule_code;

/* Cells of a row that are neighbours of the middle one of the row beside it. */
typedef enum {
    LIFE_ALL_THREE,
    LIFE_MIDDLE,
    LIFE_LEFT_AND_MIDDLE,
    LIFE_MIDDLE_AND_RIGHT,
    LIFE_ROW_ITSELF /* no sums: all its cells are kept */
} life_beside;

/* Those above and those below. */
static inline life_beside life_beside_of(halo_life_neighbourhood neighbourhood, bool below)
{
    return neighbourhood == HALO_LIFE_MOORE || neighbourhood == HALO_LIFE_WIREWORLD ? LIFE_ALL_THREE
           : neighbourhood == HALO_LIFE_VON_NEUMANN                                 ? LIFE_MIDDLE
           : neighbourhood == HALO_LIFE_MAP ? LIFE_ROW_ITSELF
           : below                          ? LIFE_MIDDLE_AND_RIGHT
                                            : LIFE_LEFT_AND_MIDDLE;
}

typedef struct {
    /* Sums and carries of one row, as in life_block. */
    void (*sums)(const char *row, int64_t columns, life_beside which, char *sums);

    /* Bring the ghosts of plane 0 up to date in `rows` rows, and the cell behind the last one. */
    void (*ghosts)(char *row, ptrdiff_t stride, int64_t rows, const life_ends *ends);

    /* Lanes with a cell in them: bits of `columns` columns, after masking. */
    int64_t (*population)(const char *column, const char *mask, int64_t columns);

    life_transpose *transpose;

    /* A window of a plane, whose column 0 is at `plane`. */
    uint64_t (*read_window)(const life_window *window, const void *plane);
    void (*write_window)(const life_window *window, void *plane, uint64_t cells);

    const life_rule_code *codes; /* rules with code of their own, ending with a NULL name */
    life_rule_code any[HALO_LIFE_NEIGHBOURHOODS];         /* any rule with two states */
    life_rule_code generations[HALO_LIFE_NEIGHBOURHOODS]; /* any rule with more */
} life_row_ops;

extern const life_row_ops life_row_ops_avx512, life_row_ops_avx2, life_row_ops_plain;

/* Tables of life_row_ops. */
extern const halo_isa_variant life_row_variants[];

/* Local. The code for a rule among these operations. */
const life_rule_code *life_rule_code_of(const life_row_ops *ops, const halo_life_rule *rule);

#endif
