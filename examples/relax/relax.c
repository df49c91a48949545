/* A plate whose upper edge is kept at 1 and whose other edges are at 0, until it is at rest: a
 * kernel with a sum of its own over all ranks, and a rule of its own for when to stop.
 *   relax --size 200x200 --until steady --change 1e-6 -o relax.npy
 * Every hundredth beat all changes are added up; once a cell's mean change is below the option, the
 * next hundred are the last. */

#include <halobeat/halobeat.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A decision is made of a beat and holds from so many beats later: until then every rank has heard
 * of it, however many beats an exchange lasts for, up to this. So the last beat does not depend on
 * the depth of halos. */
enum { EVERY = 100 };

/* Sums over ranks are whole numbers, in any order the same: changes in units of 2^-40. */
static const double UNITS = 1099511627776.0;

typedef struct {
    /* The same on all ranks, and saved in checkpoints. */
    int64_t looks; /* times that changes were added up */
    int64_t last;  /* beat; from there on nothing changes */
    /* This rank's. */
    int64_t sum;  /* since the last vote */
    bool summed;  /* there was a beat to add up */
    double limit; /* of the sum over all ranks */
} relax_state;

typedef struct {
    double change;
} relax_options;

static const halo_option rows[] = {
    {HALO_OPTION_ROW(relax_options, "change", REAL, change), .min = 1e-300, .max = 1e300,
     .standard = "1e-6",
     .help = "The plate is at rest when cells change less than this in a beat, in the mean"},
    {0}};

static halo_status relax_create(void **state, const halo_domain *domain, const void *options)
{
    const relax_options *given = options;
    if (domain->periodic[0] || domain->periodic[1]) {
        return halo_fail(HALO_ARGUMENT, "a plate whose edges are neighbours is never at rest; "
                                        "leave out --periodic");
    }
    relax_state *s;
    HALO_TRY(HALO_ALLOCATE(s, 1, "relax"));
    *s =
        (relax_state){.last = INT64_MAX,
                      .limit = given->change * UNITS * (double)domain->n[0] * (double)domain->n[1]};
    *state = s;
    return HALO_OK;
}

static void relax_destroy(void **state)
{
    free(*state);
    *state = NULL;
}

static void update_row(const halo_step *step, int64_t y, double top)
{
    const double *above = halo_row(step->in, y - 1);
    const double *here = halo_row(step->in, y);
    const double *below = halo_row(step->in, y + 1);
    double *restrict next = halo_row(step->out, y);
    for (int64_t x = step->todo.lo[1]; x < step->todo.lo[1] + step->todo.n[1]; x++) {
        next[x] = 0.25 * (above[x] + top + below[x] + here[x - 1] + here[x + 1]);
    }
}

static void keep_row(const halo_step *step, int64_t y)
{
    const double *here = halo_row(step->in, y);
    double *next = halo_row(step->out, y);
    for (int64_t x = step->todo.lo[1]; x < step->todo.lo[1] + step->todo.n[1]; x++) {
        next[x] = here[x];
    }
}

/* Cells that are computed for neighbours are counted by these. */
static int64_t sum_row(const halo_step *step, int64_t y)
{
    const double *here = halo_row(step->in, y), *next = halo_row(step->out, y);
    const halo_box *owned = &step->in->owned;
    int64_t sum = 0;
    for (int64_t x = step->todo.lo[1]; x < step->todo.lo[1] + step->todo.n[1]; x++) {
        if (y >= 0 && y < owned->n[0] && x >= 0 && x < owned->n[1]) {
            sum += (int64_t)(fabs(next[x] - here[x]) * UNITS);
        }
    }
    return sum;
}

static halo_status relax_step(halo_step *step)
{
    relax_state *s = step->state;
    bool rests = step->beat >= s->last, sums = step->beat % EVERY == 0;
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        if (rests) {
            keep_row(step, y);
        } else {
            /* Beyond the edge cells are 0, so that what is there can be added. */
            update_row(step, y, step->in->owned.lo[0] + y == 0 ? 1 : 0);
        }
        s->sum += sums ? sum_row(step, y) : 0;
    }
    s->summed = s->summed || sums;
    step->changed += rests ? 0 : halo_box_cells(&step->todo);
    return HALO_OK;
}

/* Before the vote what this rank has to add; after it what all have. */
static halo_status relax_beat(void *state, int64_t *sums, bool agreed)
{
    relax_state *s = state;
    if (!agreed) {
        sums[0] = s->sum;
        sums[1] = s->summed;
        s->sum = 0;
        s->summed = false;
    } else if (sums[1] > 0) {
        s->looks++;
        if (s->last == INT64_MAX && (double)sums[0] < s->limit) {
            s->last = EVERY * s->looks;
        }
    }
    return HALO_OK;
}

static const halo_kernel relax = {.name = "relax",
                                  .help = "heat on a plate, until it rests",
                                  .axes = 2,
                                  .cell_bits = {64},
                                  .cell_kind = {HALO_FLOAT},
                                  .depth = 1,
                                  .converges = true,
                                  .sums = 2,
                                  .saved_bytes = 2 * sizeof(int64_t),
                                  .create = relax_create,
                                  .options = rows,
                                  .options_bytes = sizeof(relax_options),
                                  .destroy = relax_destroy,
                                  .step = relax_step,
                                  .beat = relax_beat,
                                  .white = 1};

int main(int argc, char **argv)
{
    return halo_main(argc, argv, &relax);
}
