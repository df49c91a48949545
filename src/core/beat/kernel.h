#ifndef HALOBEAT_CORE_BEAT_KERNEL_H
#define HALOBEAT_CORE_BEAT_KERNEL_H

#include "base/option.h"
#include "core/balance/row_cost.h"
#include "core/exchange/exchange.h"
#include "core/field/field.h"

/* A kernel: a table of functions and properties that says what is computed. It knows nothing of
 * ranks.
 *
 * Without a launcher the ranks of `halobeat run` and of programs made by halo_main are threads of
 * one process, which call its functions at the same time, each with its own `state`. Variables that
 * last as long as the program (static ones, and those outside functions) are shared by all ranks:
 * a row's buffer in one of them makes results wrong. Keep such things in `state`, or declare them
 * _Thread_local. `halobeat run` loads a copy of a shared object for each rank, which has static
 * variables of its own, but the libraries that it is linked with are there once. --check computes
 * on threads, too, and finds kernels whose cells become others. */

enum {
    HALO_KERNEL_FIELDS = 4,  /* maximum number of fields of a kernel */
    HALO_KERNEL_SAVED = 4096 /* maximum bytes of its state in a checkpoint */
};

/* Flags of a kernel. */
enum {
    /* Ranks may not be threads of one process, since the kernel, or a library that it calls, has
     * variables that last as long as the program. Without a launcher there is then one rank;
     * mpiexec gives each rank a process; halo_beat_create refuses a world of several threads. A
     * kernel that only needs memory of its own has a better place for it: `state`. */
    HALO_KERNEL_NOT_THREAD_SAFE = 1
};

/* One call of a kernel's `step`: compute the cells of `todo` in `out` from those in `in`. `in` and
 * `out` are arrays with a view for each field of the kernel, so that `step->in` is that of the
 * first field. */
typedef struct {
    const halo_view *in;  /* the cells before this beat; readable up to `depth` cells around
                           * `todo` */
    const halo_view *out; /* the cells after this beat; for a kernel in place the same as `in`.
                           * Every cell of `todo` must be written */
    halo_box todo;        /* local indices; never empty. With several beats per exchange it
                           * includes halo cells whose cells exist in the domain: across a cut,
                           * or across a periodic edge, where the global index is lo + index
                           * modulo n */
    int64_t beat;         /* number of the beat, from 0 */
    void *state;          /* the kernel's own state, or NULL */
    /* To be passed to halo_row_cost_mark by a kernel that sets `whole`. */
    halo_row_cost *row_cost;
    int64_t changed; /* output: add the number of cells of `todo` that changed; 0 at first */
    bool more;       /* output, of kernels that compute asynchronously: work is left, whatever
                      * the halo's values */
} halo_step;

/* The kind of an end along axis 0 of the layers of an advance: it says what lies beyond. */
typedef enum {
    HALO_END_WIDENS, /* cells not yet advanced: each beat but the last covers `depth` more layers
                      * there than the beat after it */
    HALO_END_JOINS,  /* cells that an earlier call of the same superstep has advanced: each beat
                      * but the last covers `depth` fewer layers there than the beat after it */
    HALO_END_EDGE    /* the edge of the domain: every beat covers the same layers */
} halo_end;

/* One call of a kernel's `advance`: several beats at once, in place, on layers lo to hi - 1 of axis
 * 0 (local indices; rows in two axes) and all of the other axes.
 *
 * With d the kernel's depth, beat b of 1 to `beats` covers d * (beats - b) more layers than the
 * last beat at an end of type HALO_END_WIDENS: halo layers too, or layers of a later call of the
 * same superstep.
 *
 * A superstep calls it for the middle of the strip first, with both ends widening, while the halo
 * is under way, and then for the two ends, which join the middle. The call for the middle must keep
 * copies of what it overwrites and the calls for the ends need. None of its beats reaches the
 * layers that are being sent. The calls of a superstep come in the order middle, low end, high end,
 * with none in between; `parts_follow` of the middle announces the other two, which have d * (max
 * beats + beats - 1) layers each. A strip too low for a middle, or without another rank next to it,
 * is advanced in one call after the exchange.
 *
 * Halo layers beyond a widening end, and halo cells of the other axes, may be overwritten: every
 * superstep receives them again. Beyond an edge that is not periodic the halo is 0 and must stay
 * 0. */
typedef struct {
    const halo_view *fields; /* the kernel's fields, in place, with a halo of d * (max beats)
                              * layers */
    int64_t lo, hi;          /* the layers of the last beat */
    halo_end ends[2];        /* at lo; at hi - 1 */
    bool parts_follow[2];    /* in the call for the middle: calls for the low end and for the
                              * high end follow */
    int beats;               /* number of beats, 1 or more */
    int64_t beat;            /* number of beats done before this superstep */
    void *state;
    halo_row_cost *row_cost; /* to be passed to halo_row_cost_mark when rows are done */
    int64_t *changed;        /* output, [beats]: in a kernel that converges, add the number of owned
                              * cells that each beat changed; 0 at the start of the superstep */
} halo_advance;

/* Type of a cell's value, for files and pictures. Cells of other sizes are written as bytes. */
typedef enum {
    HALO_UNSIGNED, /* 1, 8, 16, 32 or 64 bits */
    HALO_SIGNED,   /* 8 to 64 bits */
    HALO_FLOAT     /* 32 or 64 bits */
} halo_cell_kind;

typedef struct halo_kernel {
    const char *name, *help;
    unsigned flags;                    /* such as HALO_KERNEL_NOT_THREAD_SAFE */
    int axes;                          /* number of axes of its domains; 0: any */
    int cell_bits[HALO_KERNEL_FIELDS]; /* of each field: 1 or a multiple of 8; the list ends with
                                        * 0 */
    halo_cell_kind cell_kind[HALO_KERNEL_FIELDS];
    int depth;      /* halo cells that one beat reads */
    bool corners;   /* reads diagonal neighbours too. Strips, and several beats per exchange,
                     * provide them in any case */
    bool whole;     /* `step` is called once for the whole box after the exchange, instead of for
                     * the interior first and then for the edges */
    bool in_place;  /* one copy of each field: `in` and `out` are the same */
    bool converges; /* counts `changed`. A beat that changes nothing on any rank ends the run;
                     * further beats must change nothing either */
    bool single;    /* one beat per exchange only: beats after one that counts no change may
                     * still change cells */
    int sums;       /* number of sums over all ranks, for the function `beat` */
    bool sums_can_wait; /* no beat depends on the sums: they may arrive some exchanges late */

    /* The number of leading bytes of a cell, up to 8, that are monotone: their value only
     * decreases, or only increases, towards a fixed point that does not depend on the order of
     * work. The other bytes never change. 0: not monotone. Such a kernel, with one field, in place,
     * with `step` and without `beat`, can compute asynchronously (`async` of halo_beat_options):
     * `step` then does some of the work on this rank's whole part, and is called again as halo
     * cells change. */
    int monotone_bytes;

    /* Local. Computes one box. A failure ends the run on all ranks. NULL in a kernel with
     * `advance`. */
    halo_status (*step)(halo_step *step);

    /* The following members are optional. `options` of `create` are those of the run; in programs
     * made by halo_main, and in `halobeat run`, a structure of `options_bytes` bytes filled in from
     * `options`, or NULL without `options`. */
    halo_status (*create)(void **state, const halo_domain *domain, const void *options);
    const halo_option *options;
    size_t options_bytes;
    void (*destroy)(void **state);

    /* Local, pure. Returns the table for these options (NULL: the defaults). It has the same name,
     * flags, axes, parameters and `suited`; it may differ in the type of its cells, or in whether
     * it converges. */
    const struct halo_kernel *(*suited)(const void *options);

    /* Local. Fills in the owned cells of all fields before the first beat; they are 0 before.
     * Values must depend on global positions only, so that they are the same on any number of
     * ranks. Called by programs made by halo_main; other programs may fill in the views
     * themselves. */
    halo_status (*start)(void *state, const halo_view *fields);

    /* Local. Called after the cells of the first field were read from the file --input, in place of
     * `start`: applies the options that concern any initial cells, such as those for cells at
     * edges. */
    halo_status (*adjust)(void *state, const halo_view *fields);

    /* The number of bytes at the start of the state that change from beat to beat and are the same
     * on all ranks, for instance agreed sums; at most HALO_KERNEL_SAVED. Checkpoints store them, so
     * they must not contain pointers. */
    size_t saved_bytes;

    /* Values that are black and white in pictures of the first field; both 0: its minimum and
     * maximum. */
    double black, white;

    /* Halo along axis 1 for rows with a layout of their own, in a domain of two axes in which every
     * rank owns one cell of axis 1, of any size. The fields have no halo cells there. */
    const halo_side_halo *side_halo;

    /* Local. Floating-point operations of computing global row `row` at one beat, for simulated
     * machines. Without it each cell takes `flops` operations, or 1 if that is 0. */
    double (*row_flops)(const void *state, int64_t row, int64_t beat);
    double flops;

    /* Local, called on every rank after cuts have moved, for state that depends on the rows owned.
     * `fields` are the new fields: their owned cells are valid, their halos are not. The time
     * counts as part of the move. A failure ends the run on all ranks. */
    halo_status (*moved)(void *state, const halo_view *fields);

    /* Local. Computes several beats at once on a deep halo, for kernels in place. A failure ends
     * the run on all ranks. A kernel without it is stepped beat by beat: with two copies of each
     * field also on boxes in the halo, in place with one beat per exchange. */
    halo_status (*advance)(halo_advance *advance);

    /* Local, called twice per beat (with several beats per exchange, twice per exchange) on every
     * rank, also if it owns no cells. Before the vote, with `agreed` false, it fills in this rank's
     * `sums`, 0 at first. After the vote, with `agreed` true, it reads the sums over all ranks. A
     * failure ends the run on all ranks. */
    halo_status (*beat)(void *state, int64_t *sums, bool agreed);
} halo_kernel;

/* Local. The table to run with these options: kernel->suited(options), or the kernel itself. */
static inline const halo_kernel *halo_kernel_suited(const halo_kernel *kernel, const void *options)
{
    return kernel->suited != NULL ? kernel->suited(options) : kernel;
}

/* Local. A `destroy` for kernels whose state is one block from malloc or calloc: frees it and sets
 * the pointer to NULL. */
void halo_kernel_free_state(void **state);

#endif
