/* Ising's magnet: spins up or down on a torus, each pulled by its four neighbours and shaken by
 * heat (the Metropolis algorithm on a checkerboard: black cells on even beats, white ones on odd).
 *   ising --size 1024x1024 --periodic all --beats 2000 --temperature 2 --seed 1
 * Below a temperature of 2 / log(1 + sqrt 2) = 2.269 most spins stay one way: their mean is
 * (1 - sinh(2 / T)^-4)^(1/8) (L. Onsager; C. N. Yang, 1952).
 *
 * It begins with all spins up. A cell is 1 for up, 0 for down. */

#include <halobeat/halobeat.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int64_t n[2];
    uint64_t seed;
    uint64_t flips[5]; /* the chance to flip with so many neighbours that are alike */
} magnet;

typedef struct {
    double temperature;
    int64_t seed;
} ising_options;

static const halo_option rows[] = {
    {HALO_OPTION_ROW(ising_options, "temperature", REAL, temperature), .min = 1e-9, .max = 1e9,
     .standard = "2", .help = "Of the magnet; above 2.27 it has no order"},
    {HALO_OPTION_ROW(ising_options, "seed", INTEGER, seed), .standard = "1",
     .help = "Which random numbers are drawn"},
    {0}};

static halo_status ising_create(void **state, const halo_domain *domain, const void *options)
{
    const ising_options *given = options;
    bool even = domain->n[0] % 2 == 0 && domain->n[1] % 2 == 0;
    if (!even || !domain->periodic[0] || !domain->periodic[1]) {
        return halo_fail(HALO_ARGUMENT, "a magnet has --periodic all, and even numbers of rows and "
                                        "columns");
    }
    magnet *m;
    HALO_TRY(HALO_ALLOCATE(m, 1, "the magnet"));
    *m = (magnet){.n = {domain->n[0], domain->n[1]}, .seed = (uint64_t)given->seed};
    for (int alike = 0; alike <= 4; alike++) {
        m->flips[alike] = halo_random_chance(exp(-4 * (alike - 2) / given->temperature));
    }
    *state = m;
    return HALO_OK;
}

static void ising_destroy(void **state)
{
    free(*state);
    *state = NULL;
}

/* A place on the torus: with several beats an exchange, neighbours' cells are computed as well,
 * and those may lie beyond the seam. */
static int64_t round_the_torus(int64_t place, int64_t n)
{
    return place < 0 ? place + n : place < n ? place : place - n;
}

static halo_status ising_step(halo_step *step)
{
    const magnet *m = step->state;
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        const uint8_t *above = halo_row(step->in, y - 1);
        const uint8_t *here = halo_row(step->in, y);
        const uint8_t *below = halo_row(step->in, y + 1);
        uint8_t *next = halo_row(step->out, y);
        int64_t row = round_the_torus(step->in->owned.lo[0] + y, m->n[0]);
        for (int64_t x = step->todo.lo[1]; x < step->todo.lo[1] + step->todo.n[1]; x++) {
            int64_t column = round_the_torus(step->in->owned.lo[1] + x, m->n[1]);
            next[x] = here[x];
            if ((row + column + step->beat) % 2 == 0) {
                int up = above[x] + below[x] + here[x - 1] + here[x + 1];
                int alike = here[x] ? up : 4 - up;
                uint32_t number =
                    halo_random_at(m->seed, (uint64_t)step->beat, row * m->n[1] + column);
                next[x] = here[x] ^ (number < m->flips[alike]);
            }
        }
    }
    return HALO_OK;
}

static halo_status ising_start(void *state, const halo_view *cells)
{
    (void)state;
    for (int64_t y = 0; y < cells->owned.n[0]; y++) {
        uint8_t *row = halo_row(cells, y);
        for (int64_t x = 0; x < cells->owned.n[1]; x++) {
            row[x] = 1;
        }
    }
    return HALO_OK;
}

static const halo_kernel ising = {.name = "ising",
                                  .help = "Ising's magnet",
                                  .axes = 2,
                                  .cell_bits = {8},
                                  .depth = 1,
                                  .create = ising_create,
                                  .options = rows,
                                  .options_bytes = sizeof(ising_options),
                                  .destroy = ising_destroy,
                                  .step = ising_step,
                                  .start = ising_start,
                                  .white = 1};

int main(int argc, char **argv)
{
    return halo_main(argc, argv, &ising);
}
