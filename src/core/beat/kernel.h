#ifndef HALOBEAT_CORE_BEAT_KERNEL_H
#define HALOBEAT_CORE_BEAT_KERNEL_H

#include "core/balance/row_cost.h"
#include "core/beat/param.h"
#include "core/exchange/exchange.h"
#include "core/field/field.h"

/* What is computed: a table of functions that knows nothing of ranks. */

enum {
    HALO_KERNEL_FIELDS = 4,  /* of a kernel, at most */
    HALO_KERNEL_SAVED = 4096 /* bytes of its state in a checkpoint, at most */
};

/* One call of a kernel: update the cells of `todo` from `in` to `out`. Both hold a view for each
 * field of the kernel, so that `step->in` is the first one's. */
typedef struct {
    const halo_view *in;  /* cells before this beat; readable `depth` cells around `todo` */
    const halo_view *out; /* cells after it, the same fields for a kernel in place; every cell of
                           * `todo` must be written */
    halo_box todo;        /* local indices; never empty. With several beats an exchange also cells
                           * of the halo, where the domain goes on: across a cut, or round a
                           * periodic axis, where a cell's global place is lo + index modulo n */
    int64_t beat;         /* from 0 */
    void *state;          /* the kernel's own, or NULL */
    /* For halo_row_cost_mark, by a kernel that wants its strip whole. */
    halo_row_cost *row_cost;
    int64_t changed; /* out: add the cells of `todo` that changed; 0 at the start */
    bool more;       /* out, of kernels that compute asynchronously: there is something left to do,
                      * whatever the halo says */
} halo_step;

/* Where the cells of an advance end along axis 0, and what lies beyond. */
typedef enum {
    HALO_END_WIDENS, /* cells not advanced yet: each beat but the last covers `depth` more of them
                      * than the one after it */
    HALO_END_JOINS,  /* cells that an earlier call of the same superstep has advanced: each beat but
                      * the  last covers `depth` less than the one after it */
    HALO_END_EDGE    /* the domain ends: every beat covers the same */
} halo_end;

/* One call of a kernel's advance: several beats at once, in place, on layers lo to hi - 1 of axis
 * 0 (local indices, rows in two axes) and the whole of the other axes.
 *
 * With d the kernel's depth, beat b of 1 to `beats` covers, at an end that widens, d * (beats - b)
 * more layers than the last one: halo layers too, or layers of a later call of the same superstep.
 * In a superstep the middle of a strip comes first, widening at both ends, while its halo is on its
 * way; then the two ends, which join it: the call for the middle must keep for them what it
 * overwrites and they need. None of its beats reaches the layers that are being sent. Calls of one
 * superstep come in the order middle, low end, high end, without others in between; `parts_follow`
 * announces the latter two, which are d * (max beats + beats - 1) layers each. A strip too low for
 * a middle, or with no other rank beside it, is advanced in one call after the exchange. Beyond an
 * end that widens, and to the sides, halo layers may be overwritten: every superstep brings them
 * anew. Beyond an edge that is not periodic the halo is 0 and must stay so. */
typedef struct {
    const halo_view *fields; /* of the kernel, each in place, with a halo d * (max beats) deep */
    int64_t lo, hi;          /* layers at the last beat */
    halo_end ends[2];        /* beyond lo; beyond hi - 1 */
    bool parts_follow[2];    /* the middle of a superstep: calls that join at lo, at hi will come */
    int beats;               /* at least 1 */
    int64_t beat;            /* done before this superstep */
    void *state;
    halo_row_cost *row_cost; /* for halo_row_cost_mark, when rows are done */
    int64_t *changed; /* out, [beats]: add the owned cells that each beat changed, in a kernel that
                       * converges; 0 at the start of the superstep */
} halo_advance;

/* What a cell holds, for files and pictures. Cells of another size are bytes to them. */
typedef enum {
    HALO_UNSIGNED, /* 1, 8, 16, 32 or 64 bits */
    HALO_SIGNED,   /* 8 to 64 bits */
    HALO_FLOAT     /* 32 or 64 bits */
} halo_cell_kind;

typedef struct halo_kernel {
    const char *name, *help;
    int axes;                          /* of its domains; 0: any number */
    int cell_bits[HALO_KERNEL_FIELDS]; /* of each field: 1 or a multiple of 8; ends with 0 */
    halo_cell_kind cell_kind[HALO_KERNEL_FIELDS];
    int depth;      /* cells of halo one beat reads */
    bool corners;   /* diagonal neighbours too; strips, and several beats an exchange, bring them in
                     * any case */
    bool whole;     /* wants the whole box after the exchange, not first interior, then edges */
    bool in_place;  /* one copy of each field: `in` and `out` are the same */
    bool converges; /* counts `changed`; a beat that changes nothing anywhere ends the run, and
                     * beats that may be done after it would change nothing either */
    bool single;    /* an exchange lasts for one beat: a beat that counts as changing nothing may
                     * change cells, and the beats after it would as well */
    int sums;       /* numbers that ride on the vote for `beat` */
    bool sums_can_wait; /* no beat depends on them: they may come some exchanges later */

    /* The first bytes of a cell, up to 8, whose value only ever falls, or only ever rises, towards
     * a fixed point that does not depend on the order of work; the other bytes never change. 0: not
     * so. Such a kernel of one field, in place, with `step` and without `beat`, can compute
     * asynchronously (`async` of halo_beat_options): `step` does a part of the work for its whole
     * part, called again and again as cells of the halo change. */
    int monotone_bytes;

    /* Local. Computes one box. A failure ends the run on all ranks. NULL in a kernel that has
     * `advance`. */
    halo_status (*step)(halo_step *step);

    /* All below are optional. `options` is handed over from the run's options; in programs made by
     * halo_main and in `halobeat run` it is a structure of `params_bytes` that is filled in from
     * `params`, NULL without these. */
    halo_status (*create)(void **state, const halo_domain *domain, const void *options);
    const halo_param *params;
    size_t params_bytes;
    void (*destroy)(void **state);

    /* Local, pure. The table that suits these options, NULL for the defaults: of the same name,
     * axes, parameters and `suited`, but maybe with cells of another type, or one that converges.
     */
    const struct halo_kernel *(*suited)(const void *options);

    /* Local. Fill in the owned cells of all fields before the first beat, each by its global place,
     * so that they are the same on any number of ranks. For programs made by halo_main; others
     * may fill in views themselves. Cells are 0 before. */
    halo_status (*start)(void *state, const halo_view *fields);

    /* Local, optional. Cells of the first field came from a file behind `start`, those of --input:
     * make them what the options say of all beginnings, of cells at edges for instance. */
    halo_status (*adjust)(void *state, const halo_view *fields);

    /* Bytes that `create`'s state begins with which change from beat to beat and are the same on
     * all ranks, agreed sums for instance: checkpoints keep them, up to HALO_KERNEL_SAVED. No
     * pointers among them. */
    size_t saved_bytes;

    /* What is black and what is white in pictures of the first field; both 0: its minimum and its
     * maximum. */
    double black, white;

    /* Halos along axis 1 of rows with a layout of their own, in a domain of two axes in which every
     * rank owns one cell of axis 1, of any size. The fields have no halo cells there. */
    const halo_side_halo *side_halo;

    /* Local. Flops of computing global row `row` at one beat, for simulated machines; without it a
     * cell costs `flops`, and 1 if that is 0. */
    double (*row_flops)(const void *state, int64_t row, int64_t beat);
    double flops;

    /* Local, on every rank, after boundaries have moved, and part of what moving takes: the fields
     * are now those of `fields`, whose owned cells are there and whose halos are not. For state
     * that is bound to rows. A failure ends the run on all ranks. */
    halo_status (*moved)(void *state, const halo_view *fields);

    /* Local. Several beats at once on a deep halo, for kernels in place. A failure ends the run on
     * all ranks. A kernel without it is stepped beat by beat, and with two copies of each field
     * also on boxes in the halo; in place it does one beat an exchange. */
    halo_status (*advance)(halo_advance *advance);

    /* Local, twice a beat (or, with several beats an exchange, twice an exchange) on every rank,
     * owner of cells or not: before the vote with `agreed` false, to fill in this rank's `sums`
     * (zero at first); after it with `agreed` true and the sums over all ranks, to read them. A
     * failure ends the run on all ranks. */
    halo_status (*beat)(void *state, int64_t *sums, bool agreed);
} halo_kernel;

/* Local. The table to create a run of, with these options. */
static inline const halo_kernel *halo_kernel_suited(const halo_kernel *kernel, const void *options)
{
    return kernel->suited != NULL ? kernel->suited(options) : kernel;
}

/* Local. The `destroy` of kernels whose state is one block, allocated by malloc or calloc: frees it
 * and sets the pointer to NULL. */
void halo_kernel_free_state(void **state);

#endif
