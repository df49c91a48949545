#include "laboratory.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The paper's table: seconds of its clustering without balancing, with LB1 and with LB2, for seven
 * sets of computers, beside what the simulated laboratory gives. Two numbers are found from two of
 * the paper's times, without balancing: the speed of the Suns from the fourth row, whose workers
 * are alone on equal computers, and what it costs to share a computer from the sixth, where all are
 * on one. All other times are predicted. What else the paper does not tell was chosen: a sweep
 * calibrates all combinations of other values in the same way, and tells which of the paper's
 * orders hold in each. In both, SimGrid divides a computer among its processes; with the same
 * constants rows can also be run with time slices. paper.sh runs all of that and summarises it. */

/* The Ultra 1's speed is that of its clock; the last two are what `./run bench repeated` measured,
 * on two cores of an AMD EPYC: balancing took .4 to 1.1 us for each worker and beat, an operation
 * .86 ns. */
static const lab_constants chosen = {.iterations = 3,
                                     .pc = .8,
                                     .ultra1 = .8,
                                     .conversion = .2,
                                     .cluster_cost = .2,
                                     .plan_cost = 1000};

enum { ALONE = 3, TOGETHER = 5 }; /* rows that calibrate */

/* Times that differ by less than this share count as the same. */
static const double SAME = .01;

/* ---- calibration ----------------------------------------------------------------------------- */

/* Both times are linear in what is looked for. False if there is no such number above 0. */
static halo_status calibrate(lab *l, lab_constants *c, bool *possible)
{
    clustering_result one, two;
    c->sharing = 0;
    c->flops = 20;
    HALO_TRY(lab_run(l, &lab_rows[ALONE], HALO_SHARE_NONE, c, false, &one));
    c->flops = 60;
    HALO_TRY(lab_run(l, &lab_rows[ALONE], HALO_SHARE_NONE, c, false, &two));
    double slope = (two.seconds - one.seconds) / 40;
    c->flops = 20 + (lab_rows[ALONE].paper[0] - one.seconds) / slope;
    *possible = c->flops > 0;
    if (!*possible) {
        return HALO_OK;
    }
    HALO_TRY(lab_run(l, &lab_rows[TOGETHER], HALO_SHARE_NONE, c, false, &one));
    c->sharing = .5;
    HALO_TRY(lab_run(l, &lab_rows[TOGETHER], HALO_SHARE_NONE, c, false, &two));
    c->sharing = .5 * (lab_rows[TOGETHER].paper[0] - one.seconds) / (two.seconds - one.seconds);
    *possible = c->sharing >= 0;
    return HALO_OK;
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* Compare two times: -1, 0 or 1; 0 if they differ by a hundredth or less. */
static int order(double a, double b)
{
    return fabs(a / b - 1) <= SAME ? 0 : a < b ? -1 : 1;
}

/* Every two of the three times: where the paper's differ, in the same direction, by however little;
 * where they do not, by a hundredth at most. */
static bool is_in_order(const double *paper, const double *seconds)
{
    bool in_order = true;
    for (int a = 0; a < HALO_SHARE_METHODS; a++) {
        for (int b = a + 1; b < HALO_SHARE_METHODS; b++) {
            int wanted = order(paper[a], paper[b]);
            bool same = order(seconds[a], seconds[b]) == 0;
            in_order = in_order && (wanted < 0   ? seconds[a] < seconds[b]
                                    : wanted > 0 ? seconds[a] > seconds[b]
                                                 : same);
        }
    }
    return in_order;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static halo_status print_table(lab *l, const lab_constants *c, bool computes)
{
    bool first = lab_is_first(l);
    int good = 0, predicted = 0;
    double squares = 0;
    if (first) {
        printf("%-21s %26s %28s %9s  %s\n%-21s %8s %8s %8s %10s %8s %8s %9s  %s\n", "",
               "the paper's seconds   ", "simulated seconds     ", "transfer", "paper's",
               "master; workers", "none", "LB1", "LB2", "none", "LB1", "LB2", "with LB2", "order");
    }
    for (int i = 0; i < LAB_ROWS; i++) {
        const lab_row *row = &lab_rows[i];
        clustering_result results[HALO_SHARE_METHODS];
        double seconds[HALO_SHARE_METHODS];
        for (halo_share_method b = 0; b < HALO_SHARE_METHODS; b++) {
            HALO_TRY(lab_run(l, row, b, c, computes, &results[b]));
            seconds[b] = results[b].seconds;
            bool fitted = b == HALO_SHARE_NONE && (i == ALONE || i == TOGETHER);
            squares += fitted ? 0 : pow(log(seconds[b] / row->paper[b]), 2);
            predicted += !fitted;
        }
        bool in_order = is_in_order(row->paper, seconds);
        good += in_order;
        if (first) {
            printf("%-21s %8.4f %8.4f %8.4f %9.4f%s %8.4f %8.4f %7.1f %%  %s\n", row->name,
                   row->paper[0], row->paper[1], row->paper[2], seconds[0],
                   i == ALONE || i == TOGETHER ? "*" : " ", seconds[1], seconds[2],
                   100 * results[2].transfer_share, in_order ? "yes" : "NO");
        }
    }
    if (first) {
        printf("* calibrated: %.3g flops an operation, %.1f %% longer where a computer is shared\n"
               "%d of %d rows in the paper's order; the other %d times are off by %.0f %% (root of "
               "the mean square)\n",
               c->flops, 100 * c->sharing, good, (int)LAB_ROWS, predicted,
               100 * (exp(sqrt(squares / predicted)) - 1));
    }
    return HALO_OK;
}

/* ---- the sweep ------------------------------------------------------------------------------- */

/* All that was chosen, and not measured: iterations, the PC's and the Ultra 1's speed, conversion,
 * what clusters cost; and whether a master on the PC spins. */
static const double swept[][3] = {{2, 3, 4}, {.6, .8, 1}, {.7, .8, .9}, {0, .2, .4}, {.1, .2, .4}};

enum { COMBINATIONS = 2 * 3 * 3 * 3 * 3 * 3 };

static lab_constants combination(int number)
{
    lab_constants c = chosen;
    double values[sizeof swept / sizeof swept[0]];
    for (size_t i = 0; i < sizeof swept / sizeof swept[0]; i++) {
        values[i] = swept[i][number % 3];
        number /= 3;
    }
    c.iterations = (int)values[0];
    c.pc = values[1];
    c.ultra1 = values[2];
    c.conversion = values[3];
    c.cluster_cost = values[4];
    c.pc_spins = number > 0;
    return c;
}

/* A line: the constants, whether they can be calibrated, and 1 for each row in the paper's order.
 */
static halo_status try_combination(lab *l, int number)
{
    lab_constants c = combination(number);
    bool possible, in_order[LAB_ROWS] = {false};
    HALO_TRY(calibrate(l, &c, &possible));
    for (int i = 0; possible && i < LAB_ROWS; i++) {
        double seconds[HALO_SHARE_METHODS];
        for (halo_share_method b = 0; b < HALO_SHARE_METHODS; b++) {
            clustering_result result;
            HALO_TRY(lab_run(l, &lab_rows[i], b, &c, false, &result));
            seconds[b] = result.seconds;
        }
        in_order[i] = is_in_order(lab_rows[i].paper, seconds);
    }
    if (lab_is_first(l)) {
        printf("%d,%g,%g,%g,%g,%d,%d", c.iterations, c.pc, c.ultra1, c.conversion, c.cluster_cost,
               c.pc_spins, possible);
        for (int i = 0; i < LAB_ROWS; i++) {
            printf(",%d", in_order[i]);
        }
        printf("\n");
        fflush(stdout);
    }
    return HALO_OK;
}

/* Every `step`th combination, so that several programs can share them. */
static halo_status sweep(lab *l, int first, int step)
{
    for (int i = first; i < COMBINATIONS; i += step) {
        HALO_TRY(try_combination(l, i));
    }
    return HALO_OK;
}

/* Return the difference of the greatest and the least of the workers' shares. */
static int difference(const int64_t *shares)
{
    int64_t least = shares[1], most = shares[1];
    for (int i = 2; i <= LAB_WORKERS; i++) {
        least = shares[i] < least ? shares[i] : least;
        most = shares[i] > most ? shares[i] : most;
    }
    return (int)(most - least);
}

/* ---- time slices ----------------------------------------------------------------------------- */

/* A row, with the constants of the table, but with processes that take turns as under the Suns'
 * system. A line for every tenth, from the `first`, of PHASES moments at which it may raise waiting
 * processes: seconds with each balancer, and by how many lines the workers' last shares differ. */
enum { PHASES = 40, PHASE_STEP = 10 };

static halo_status take_turns(lab *l, int row, int iterations, bool workers_spin, int first)
{
    lab_constants c = chosen;
    bool possible;
    c.iterations = iterations;
    HALO_TRY(calibrate(l, &c, &possible));
    c.slices = true;
    c.workers_spin = workers_spin;
    for (int i = first; i < PHASES; i += PHASE_STEP) {
        clustering_result results[HALO_SHARE_METHODS];
        c.phase = (i + .5) / PHASES;
        for (halo_share_method b = 0; b < HALO_SHARE_METHODS; b++) {
            HALO_TRY(lab_run(l, &lab_rows[row], b, &c, false, &results[b]));
        }
        if (lab_is_first(l)) {
            printf("%d,%d,%d,%.4f", row + 1, iterations, workers_spin, c.phase);
            for (halo_share_method b = 0; b < HALO_SHARE_METHODS; b++) {
                printf(",%.4f,%d", results[b].seconds, difference(results[b].lines));
            }
            printf("\n");
        }
    }
    return HALO_OK;
}

static halo_status tabulate(lab *l)
{

    lab_constants c = chosen;
    bool possible;
    HALO_TRY(calibrate(l, &c, &possible));
    if (!possible) {
        return halo_fail(HALO_ARGUMENT,
                         "%g flops an operation, %g longer where shared: such "
                         "constants cannot be calibrated",
                         c.flops, c.sharing);
    }
    return print_table(l, &c, true);
}

/* Nothing: the table. "sweep FIRST STEP": lines of these combinations. "turns ROW ITERATIONS SPIN
 * FIRST": lines of a row, 1 to 7, with time slices, from FIRST, 0 to 9, on; SPIN is 1 if waiting
 * workers look for messages. */
static halo_status run(lab *l, int argc, char **argv)
{
    int numbers[4] = {0};
    if (argc == 1) {
        return tabulate(l);
    }
    for (int i = 0; i < 4 && i + 2 < argc; i++) {
        numbers[i] = atoi(argv[i + 2]);
    }
    if (argc == 4 && strcmp(argv[1], "sweep") == 0 && numbers[0] >= 0 && numbers[1] > 0) {
        return sweep(l, numbers[0], numbers[1]);
    }
    if (argc == 6 && strcmp(argv[1], "turns") == 0 && numbers[0] >= 1 && numbers[0] <= LAB_ROWS &&
        numbers[1] >= 1 && numbers[3] >= 0) {
        return take_turns(l, numbers[0] - 1, numbers[1], numbers[2] != 0, numbers[3]);
    }
    return halo_fail(HALO_ARGUMENT,
                     "use no arguments, or: sweep FIRST STEP, or: turns ROW ITERATIONS SPIN FIRST");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    lab *l = NULL;
    halo_status status = lab_open(&l);
    if (status == HALO_OK) {
        status = run(l, argc, argv);
    }
    if (status != HALO_OK) {
        printf("failed: %s\n", halo_last_message());
    }
    lab_close(&l);
    MPI_Finalize();
    return status == HALO_OK ? 0 : 1;
}
