#ifndef HALOBEAT_CORE_BEAT_KERNEL_CHECK_INTERNAL_H
#define HALOBEAT_CORE_BEAT_KERNEL_CHECK_INTERNAL_H

#include "core/beat/kernel_check.h"
#include "core/field/field.h"

/* Parts of the check of kernels: the grid with all its cells, and parts of it. All functions are
 * local. */

enum {
    CHECK_BEATS = 4,
    CHECK_COPIES = 2,
    CHECK_MAX_PARTS = 16,
    CHECK_MAX_SUMS = 64,
    CHECK_MAX_CELL = 4096 /* bytes */
};

/* A cell is the bytes of all fields, one behind the other; of bits, a byte that is 0 or 1. */
typedef struct {
    const halo_kernel *kernel;
    const void *options;
    halo_domain domain;
    int fields;
    size_t bytes[HALO_KERNEL_FIELDS], offset[HALO_KERNEL_FIELDS];
    size_t cell_bytes;
    int64_t cells;
    int margin;                          /* cells beyond the halo of a part, along each axis */
    unsigned char *now[CHECK_BEATS + 1]; /* the cells after each beat, [cells * cell_bytes] */
    int64_t changed[CHECK_BEATS];        /* as the kernel counts it */
    unsigned char *zero;                 /* one cell */
    unsigned char *values;               /* different cells that occur, */
    int64_t value_count;
    bool constant[HALO_KERNEL_FIELDS]; /* in which this field is the same */
    bool drawn;                        /* the first cells are not those of `start` */
} check_grid;

halo_status check_grid_create(check_grid *grid, const halo_kernel *kernel,
                              const halo_domain *domain, const void *options);
void check_grid_free(check_grid *grid);

/* The cell at a global position, which may lie beyond periodic edges; beyond others it is 0. */
const unsigned char *check_grid_cell(const check_grid *grid, int beat, const int64_t at[HALO_AXES]);

/* Note the values that occur at all beats up to `last`. */
void check_grid_find_values(check_grid *grid, int last);

/* A cell that is not `truth`: one that occurs elsewhere, and floating-point numbers besides. */
void check_grid_poison(const check_grid *grid, uint64_t seed, int64_t number,
                       const unsigned char *truth, unsigned char *out);

/* A part, as a rank has it. */
typedef struct {
    halo_box box;
    bool cut[HALO_AXES]; /* axes along which there are other parts */
    int depth;           /* of the halo: that of the kernel, or more for several beats */
    bool corners;        /* the halo has cells of parts at corners */
    int margin;
    void *state;
    halo_field *fields[CHECK_COPIES][HALO_KERNEL_FIELDS];
    halo_view views[CHECK_COPIES][HALO_KERNEL_FIELDS];
    int copies;
} check_part;

halo_status check_part_create(check_part *part, const check_grid *grid);
void check_part_free(check_part *part, const check_grid *grid);

/* May the kernel read this cell (local indices) for cells of the part? */
bool check_part_may_read(const check_part *part, const check_grid *grid,
                         const int64_t at[HALO_AXES]);

/* The cells before `beat`: the part's, its halo, and what lies beyond, which is poison if that is
 * asked for. The copy that will be written is poison in any case. */
void check_part_fill(check_part *part, const check_grid *grid, int beat, uint64_t seed,
                     bool poisons);

void check_part_get(const check_part *part, const check_grid *grid, int copy,
                    const int64_t at[HALO_AXES], unsigned char *cell);
void check_part_put(const check_part *part, const check_grid *grid, int copy,
                    const int64_t at[HALO_AXES], const unsigned char *cell);

/* Return the cells that the kernel computes in a beat with halos for `deep` + 1 beats: local
 * indices. */
halo_box check_part_todo(const check_part *part, const check_grid *grid, bool deep);

/* One beat of the part's cells, with `pieces` as a rank does it: the interior first, then edges. */
halo_status check_part_step(check_part *part, int beat, const check_grid *grid,
                            const halo_box *todo, bool pieces, int64_t *changed);

/* Is there a first cell of `todo` that is not as after beat `beat` + 1? Sets its local indices. */
bool check_part_differs(const check_part *part, const check_grid *grid, int beat,
                        const halo_box *todo, int64_t at[HALO_AXES]);

/* Has the last step, after a fill with this seed, left this cell as it was? Has it written a cell
 * that it was not to write? Sets its local indices. */
bool check_part_is_unwritten(const check_part *part, const check_grid *grid, uint64_t seed,
                             const int64_t at[HALO_AXES]);
bool check_part_wrote_outside(const check_part *part, const check_grid *grid, uint64_t seed,
                              const halo_box *todo, int64_t at[HALO_AXES]);

/* Next cell of a box of local indices, which is `first` before the first; false after the last. */
bool check_next(const halo_box *box, int64_t at[HALO_AXES], bool *first);

/* The box with all that can be filled around a part. */
halo_box check_part_around(const check_part *part, const check_grid *grid);

/* The failure to report of a cell of a part that is computed differently at a beat. */
halo_status check_blame(const check_part *part, const check_grid *grid, int beat, bool deep,
                        const int64_t at[HALO_AXES]);

/* As many parts as can be along an axis, at most `most`, of at least that many layers; 1 where the
 * axis is not to be cut. */
int check_parts_of(const check_grid *grid, int axis, int64_t layers, int most);

/* Once for a report: are parts that threads compute at the same time as when they are computed
 * alone? Sets report->threads and report->unsafe. */
halo_status check_threads(const check_grid *grid, halo_kernel_check_report *report);

enum { CHECK_PLACE = 96 };

/* "row 3, column 4" of a cell with these global indices. */
void check_print_place(const check_grid *grid, const int64_t at[HALO_AXES], char text[CHECK_PLACE]);

#endif
