#include "partition/model.h"

#include <math.h> /* INFINITY */
#include <string.h>

enum { NEIGHBOURS = 27 }; /* directions from a box, itself included, in three axes */

/* The traffic of one superstep: an exchange, and the beats that it lasts for. */
typedef struct {
    double messages, bytes;
    double loose_bytes; /* those that are not contiguous in memory */
    double halo_cells;
} traffic;

/* The part that has most to do: as many cells as any, and neighbours wherever a part has some. */
typedef struct {
    double n[HALO_AXES];
    int sides[HALO_AXES]; /* on which another part's cells lie: 0, 1 or 2 */
    double halo;          /* cells of it on such a side */
    bool corners;         /* does an exchange bring them? */
    bool possible;        /* is no part less deep than the halo taken from it? */
} busiest_part;

halo_machine halo_machine_ordinary(void)
{
    return (halo_machine){.cell_seconds = 1e-9,
                          .message_seconds = 2e-6,
                          .post_seconds = 3e-7,
                          .byte_seconds = 1e-10,
                          .pack_seconds = 2.5e-10,
                          .vote_seconds = 4e-6};
}

static busiest_part find_part(const halo_workload *workload, const int parts[HALO_AXES])
{
    busiest_part part = {.halo = (double)workload->depth * workload->beats,
                         .corners = workload->corners || workload->beats > 1,
                         .possible = true};
    for (int a = 0; a < HALO_AXES; a++) {
        int64_t n = workload->domain.n[a];
        int64_t owners = parts[a] < n ? parts[a] : n; /* surplus parts are empty */
        int64_t min = n / owners, max = (n + owners - 1) / owners;
        part.n[a] = (double)max;
        part.sides[a] = owners == 1 ? 0 : owners == 2 && !workload->domain.periodic[a] ? 1 : 2;
        part.possible = part.possible && (owners == 1 || (double)min >= part.halo);
    }
    return part;
}

/* Set the step of direction `number` on each axis: 0 stays, 1 and 2 leave to either side. Return
 * the number of axes with a step that is not 0. */
static int direction_of(int number, int step[HALO_AXES])
{
    int leaves = 0;
    for (int a = 0; a < HALO_AXES; a++) {
        step[a] = number % 3;
        number /= 3;
        leaves += step[a] != 0;
    }
    return leaves;
}

/* Layers of axis 0 are one run of memory where they are whole, and a single one also where it is
 * cut only along the slowest of its own axes. */
static bool is_contiguous(const busiest_part *part, const int step[HALO_AXES])
{
    return step[1] == 0 && step[2] == 0 && part->sides[2] == 0 &&
           (part->sides[1] == 0 || part->halo <= 1);
}

static traffic count_traffic(const busiest_part *part, int cell_bytes)
{
    traffic all = {0};
    for (int number = 1; number < NEIGHBOURS; number++) {
        int step[HALO_AXES];
        int leaves = direction_of(number, step);
        bool there = leaves == 1 || part->corners;
        double cells = 1;
        for (int a = 0; a < HALO_AXES; a++) {
            there = there && step[a] <= part->sides[a]; /* with one side, that is step 1 */
            cells *= step[a] != 0 ? part->halo : part->n[a];
        }
        if (there && cells > 0) {
            all.messages++;
            all.halo_cells += cells;
            all.bytes += cells * cell_bytes;
            all.loose_bytes += is_contiguous(part, step) ? 0 : cells * cell_bytes;
        }
    }
    return all;
}

/* Cells of a box `layers` larger (or, below 0, smaller) on each side where there is another part.
 */
static double cells_with(const busiest_part *part, double layers)
{
    double cells = 1;
    for (int a = 0; a < HALO_AXES; a++) {
        double n = part->n[a] + part->sides[a] * layers;
        cells *= n > 0 ? n : 0;
    }
    return cells;
}

/* Cells computed in a round; `inner` of them before its halo is there. */
static double count_cells(const busiest_part *part, const halo_workload *workload, double *inner)
{
    double cells = 0;
    *inner = 0;
    for (int later = 0; later < workload->beats; later++) { /* beats after this one */
        cells += cells_with(part, (double)workload->depth * later);
        *inner += cells_with(part, -(double)workload->depth * (2 * workload->beats - 1 - later));
    }
    return cells;
}

int halo_model_vote_rounds(int64_t ranks)
{
    int rounds = 0;
    while ((INT64_C(1) << rounds) < ranks) {
        rounds++;
    }
    return rounds;
}

halo_prediction halo_model_predict(const halo_machine *machine, const halo_workload *workload,
                                   const int parts[HALO_AXES])
{
    busiest_part part = find_part(workload, parts);
    traffic sent = count_traffic(&part, workload->cell_bytes);
    double beats = workload->beats, inner = 0;
    double compute = machine->cell_seconds * count_cells(&part, workload, &inner);
    double busy = 2 * (machine->post_seconds * sent.messages +
                       machine->pack_seconds * sent.loose_bytes); /* sending, and receiving */
    double wire =
        sent.messages > 0 ? machine->message_seconds + machine->byte_seconds * sent.bytes : 0;
    double meanwhile = machine->cell_seconds * inner, travels = machine->overlap * wire;
    double hidden = travels < meanwhile ? travels : meanwhile;
    int64_t ranks = (int64_t)parts[0] * parts[1] * parts[2];
    double vote = machine->vote_seconds * halo_model_vote_rounds(ranks);
    return (halo_prediction){
        .seconds = part.possible ? (compute + busy + wire - hidden + vote) / beats : INFINITY,
        .compute_seconds = compute / beats,
        .exchange_seconds = (busy + wire - hidden) / beats,
        .vote_seconds = vote / beats,
        .messages = sent.messages / beats,
        .bytes = sent.bytes / beats,
        .surface = sent.halo_cells / (part.n[0] * part.n[1] * part.n[2])};
}

/* The best of `first` to `last` beats: of all, or with `apart` 1 of those a 16th apart. */
static int best_of(const halo_machine *machine, const halo_workload *workload,
                   const int parts[HALO_AXES], int64_t first, int64_t last, int apart)
{
    enum { PARTS = 16 };
    halo_workload tried = *workload;
    double best_seconds = INFINITY;
    int64_t best = first;
    for (int64_t beats = first; beats <= last;) {
        tried.beats = (int)beats;
        double seconds = halo_model_predict(machine, &tried, parts).seconds;
        if (seconds < best_seconds) {
            best_seconds = seconds;
            best = beats;
        }
        int64_t next = beats + 1 + apart * beats / PARTS;
        beats = beats < last && next > last ? last : next;
    }
    return (int)best;
}

int halo_model_best_beats(const halo_machine *machine, const halo_workload *workload,
                          const int parts[HALO_AXES], int min, int max)
{
    enum { NEAR = 8 }; /* about: an 8th more or less */
    int about = best_of(machine, workload, parts, min, max, 1);
    int64_t first = about - about / NEAR, last = (int64_t)about + about / NEAR;
    return best_of(machine, workload, parts, first > min ? first : min, last < max ? last : max, 0);
}

/* The next smaller divisor of `of`, which `from` is one of. */
static int divisor_below(int of, int from)
{
    do {
        from--;
    } while (of % from != 0);
    return from;
}

bool halo_model_next_parts(int64_t ranks, const bool cut[HALO_AXES], int parts[HALO_AXES])
{
    int all = (int)ranks;
    do {
        if (parts[0] == 0) {
            parts[0] = all;
            parts[1] = 1;
        } else if (parts[1] > 1) {
            parts[1] = divisor_below(all / parts[0], parts[1]);
        } else if (parts[0] > 1) {
            parts[0] = divisor_below(all, parts[0]);
            parts[1] = all / parts[0];
        } else {
            return false;
        }
        parts[2] = all / parts[0] / parts[1];
    } while ((!cut[0] && parts[0] > 1) || (!cut[1] && parts[1] > 1) || (!cut[2] && parts[2] > 1));
    return true;
}

void halo_model_best(const halo_machine *machine, const halo_workload *workload,
                     const bool cut[HALO_AXES], int64_t ranks, bool strips, int parts[HALO_AXES])
{
    int tried[HALO_AXES] = {0};
    double min = INFINITY;
    parts[0] = (int)ranks;
    parts[1] = parts[2] = 1;
    /* Strips come first, so that blocks have to be better to be chosen. */
    while (!strips && halo_model_next_parts(ranks, cut, tried)) {
        double seconds = halo_model_predict(machine, workload, tried).seconds;
        if (seconds < min) {
            min = seconds;
            memcpy(parts, tried, sizeof tried);
        }
    }
}

int64_t halo_model_crossing(const halo_machine *machine, const halo_workload *workload, int64_t max)
{
    bool cut[HALO_AXES];
    for (int a = 0; a < HALO_AXES; a++) {
        cut[a] = a < workload->domain.axes;
    }
    for (int64_t ranks = 1; ranks <= max; ranks *= 2) {
        int strips[HALO_AXES], blocks[HALO_AXES];
        halo_model_best(machine, workload, cut, ranks, true, strips);
        halo_model_best(machine, workload, cut, ranks, false, blocks);
        if (halo_model_predict(machine, workload, blocks).seconds <
            halo_model_predict(machine, workload, strips).seconds) {
            return ranks;
        }
    }
    return 0;
}
