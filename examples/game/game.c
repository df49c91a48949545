/* A cellular automaton of one's own: Day & Night (N. Thompson, 1997), in which the dead live among
 * the living as the living do among the dead. A cell comes alive with 3, 6, 7 or 8 live neighbours,
 * and stays alive with 3, 4, 6, 7 or 8.
 *   game --size 2000x2000 --periodic all --beats 500 --movie game.gif */

#include <halobeat/halobeat.h>

static halo_status game_step(halo_step *step)
{
    int64_t lo = step->todo.lo[1], end = lo + step->todo.n[1];
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        const uint8_t *above = halo_row(step->in, y - 1);
        const uint8_t *here = halo_row(step->in, y);
        const uint8_t *below = halo_row(step->in, y + 1);
        uint8_t *restrict next = halo_row(step->out, y);
        int32_t changed = 0;
        for (int64_t x = lo; x < end; x++) {
            uint8_t around = (uint8_t)(above[x - 1] + above[x] + above[x + 1] + here[x - 1] +
                                       here[x + 1] + below[x - 1] + below[x] + below[x + 1]);
            next[x] = (around == 3) | (around > 5) | (here[x] & (around == 4));
            changed += next[x] != here[x];
        }
        step->changed += changed;
    }
    return HALO_OK;
}

/* A soup, half of it alive: every cell from its own place, so that ranks do not matter. */
static halo_status game_start(void *state, const halo_view *cells)
{
    (void)state;
    for (int64_t y = 0; y < cells->owned.n[0]; y++) {
        uint8_t *row = halo_row(cells, y);
        for (int64_t x = 0; x < cells->owned.n[1]; x++) {
            uint64_t line = (uint64_t)(cells->owned.lo[0] + y);
            row[x] = halo_random_at(1, line, cells->owned.lo[1] + x) % 2;
        }
    }
    return HALO_OK;
}

static const halo_kernel game = {.name = "game",
                                 .help = "Day & Night",
                                 .axes = 2,
                                 .cell_bits = {8},
                                 .depth = 1,
                                 .corners = true,
                                 .converges = true,
                                 .step = game_step,
                                 .start = game_start,
                                 .white = 1};

int main(int argc, char **argv)
{
    return halo_main(argc, argv, &game);
}
