#ifndef HALOBEAT_LIFE_LIFE_ARRAY_H
#define HALOBEAT_LIFE_LIFE_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"
#include "kernels/life/life.h"

/* Life on cells that come from an array in memory and go to one (kernels/array/array.h). The cells
 * are kept between calls, a bit for each, or with more than two states a byte: arrays are read and
 * written by two of the functions only. All functions are local. One call at a time may use a grid;
 * calls need not be made by the same thread, nor with the same context.
 *
 * Rows and columns are counted from the first cell of the array that the grid was made of, so that
 * cells which a plane has grown above or to the left of it have negative numbers. */
typedef struct halo_life_array halo_life_array;

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    const char *rule;     /* as halo_life_rule_parse reads it; NULL: "B3/S23" */
    const char *topology; /* as halo_life_topology_parse reads it: "plane", "dead", "torus",
                           * "cylinder", or Golly's "T100,80", a torus with the array in its
                           * middle; NULL: what follows the rule's colon, or else "dead" */
    int64_t generation;   /* of the array's cells */
    int64_t row, column;  /* numbers of the array's first row and column */
    bool stop_when_still; /* end a run after a generation that changes nothing; slower */
} halo_life_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_life_array_rows;

/* Makes a grid of the cells of an array of 2 axes, in any layout, which is not needed afterwards.
 * With two states elements of any type are alive if they are not 0; with more they are the states
 * themselves, also of any type: 0 dead, 1 alive, 2 and more dying. The caller frees the grid with
 * halo_life_array_destroy. HALO_ARGUMENT also for states that the rule does not have. */
halo_status halo_life_array_create_sized(halo_life_array **out, halo_context *context,
                                         const halo_array *cells,
                                         const halo_life_array_options *options,
                                         size_t options_bytes);
#define halo_life_array_create(...) \
    halo_life_array_create_sized(__VA_ARGS__, sizeof(halo_life_array_options))

/* Frees the grid and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_life_array_destroy(halo_life_array **life);

/* Computes `generations` generations, or fewer with stop_when_still. If `populations` is not NULL,
 * its entries, [generations], become the populations after each of them, and after the last one
 * computed its population; this is slower. After HALO_MEMORY, if a plane needs more memory than
 * there is, and after HALO_CANCELLED the grid is at the generation that it has reached. */
halo_status halo_life_array_run(halo_life_array *life, halo_context *context, int64_t generations,
                                int64_t *populations);

/* The state of a grid. */
typedef struct {
    int64_t generation; /* of the cells */
    int64_t population; /* cells that are not dead */
    halo_life_box live; /* the bounding box of these cells; n is 0 if there are none */
    halo_life_box box;  /* of the grid: all cells of an axis that has ends or wraps, and those of
                         * `live` of one that grows */
    int states;         /* of the rule */
    bool background; /* empty space is alive, on a plane of a rule with B0: live cells then count as
                      * dead ones, and are read and written as such, and dead ones as live ones
                      * (kernels/life/life.h) */
    bool still;      /* the last run ended before its generations, since nothing changed */
    const char *topology;           /* a constant string */
    char rule[HALO_LIFE_RULE_TEXT]; /* as halo_life_rule_print writes it */
} halo_life_array_report;

/* The state of the grid as it is now. */
void halo_life_array_get_report_sized(const halo_life_array *life, halo_life_array_report *report,
                                      size_t report_bytes);
static inline halo_life_array_report halo_life_array_get_report(const halo_life_array *life)
{
    halo_life_array_report halo_filled;
    halo_life_array_get_report_sized(life, &halo_filled, sizeof(halo_life_array_report));
    return halo_filled;
}

/* Sets `cells`, an array of 2 axes in any layout, of uint8 or int8, or with two states also of
 * bool, to the cells from `row` and `column` on, as many as it has elements. Cells beyond the grid
 * are dead. */
halo_status halo_life_array_get_cells(halo_life_array *life, halo_context *context, int64_t row,
                                      int64_t column, const halo_array *cells);

#endif
