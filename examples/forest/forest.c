/* A forest that burns and grows (B. Drossel, F. Schwabl, 1992). A burning tree leaves an empty
 * place; a tree beside a burning one catches fire, others by lightning; in empty places trees grow.
 *   forest --size 1000x1000 --beats 2000 --movie forest.gif
 *   forest --growth .02 --lightning .0001 --seed 7
 * The same forest on any number of ranks: a number is drawn for a beat and a place, whoever
 * computes it. */

#include <halobeat/halobeat.h>

#include <stdio.h>
#include <stdlib.h>

enum { EMPTY, TREE, FIRE };

typedef struct {
    uint64_t growth, lightning; /* chances, as halo_random_chance has them */
    uint64_t seed;
    int64_t columns; /* of the whole forest */
} forest;

typedef struct {
    double growth, lightning;
    int64_t seed;
} forest_options;

static const halo_option rows[] = {
    {HALO_OPTION_ROW(forest_options, "growth", REAL, growth), .max = 1, .standard = ".01",
     .help = "Chance that a tree grows in an empty cell, each beat"},
    {HALO_OPTION_ROW(forest_options, "lightning", REAL, lightning), .max = 1, .standard = ".0001",
     .help = "Chance that lightning strikes a tree, each beat"},
    {HALO_OPTION_ROW(forest_options, "seed", INTEGER, seed), .standard = "1",
     .help = "Which random numbers are drawn"},
    {0}};

static halo_status forest_create(void **state, const halo_domain *domain, const void *options)
{
    const forest_options *given = options;
    /* Cells computed for a neighbour lie in the forest, unless it goes round. */
    if (domain->periodic[0] || domain->periodic[1]) {
        return halo_fail(HALO_ARGUMENT, "this forest has edges; leave --periodic out");
    }
    forest *f;
    HALO_TRY(HALO_ALLOCATE(f, 1, "the forest"));
    *f = (forest){halo_random_chance(given->growth), halo_random_chance(given->lightning),
                  (uint64_t)given->seed, domain->n[1]};
    *state = f;
    return HALO_OK;
}

static void forest_destroy(void **state)
{
    free(*state);
    *state = NULL;
}

/* Up to so many cells of a row; their numbers are drawn together. */
enum { PIECE = 512 };

static void forest_piece(const forest *f, const halo_step *step, int64_t y, int64_t lo, int64_t n)
{
    uint32_t numbers[PIECE];
    int64_t row = step->in->owned.lo[0] + y, column = step->in->owned.lo[1] + lo;
    halo_random_fill(f->seed, (uint64_t)step->beat, row * f->columns + column, n, numbers);
    const uint8_t *above = halo_row(step->in, y - 1);
    const uint8_t *here = halo_row(step->in, y);
    const uint8_t *below = halo_row(step->in, y + 1);
    uint8_t *next = halo_row(step->out, y);
    for (int64_t i = 0; i < n; i++) {
        int64_t x = lo + i;
        bool beside =
            above[x] == FIRE || below[x] == FIRE || here[x - 1] == FIRE || here[x + 1] == FIRE;
        uint8_t grown = numbers[i] < f->growth ? TREE : EMPTY;
        uint8_t lit = beside || numbers[i] < f->lightning ? FIRE : TREE;
        next[x] = here[x] == TREE ? lit : here[x] == FIRE ? EMPTY : grown;
    }
}

static halo_status forest_step(halo_step *step)
{
    int64_t end = step->todo.lo[1] + step->todo.n[1];
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        for (int64_t x = step->todo.lo[1]; x < end; x += PIECE) {
            forest_piece(step->state, step, y, x, end - x < PIECE ? end - x : PIECE);
        }
    }
    return HALO_OK;
}

static const halo_kernel kernel = {.name = "forest",
                                   .help = "a forest that burns and grows",
                                   .axes = 2,
                                   .cell_bits = {8},
                                   .depth = 1,
                                   .create = forest_create,
                                   .options = rows,
                                   .options_bytes = sizeof(forest_options),
                                   .destroy = forest_destroy,
                                   .step = forest_step,
                                   .white = FIRE};

int main(int argc, char **argv)
{
    return halo_main(argc, argv, &kernel);
}
