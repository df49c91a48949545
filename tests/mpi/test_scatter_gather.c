#include "base/memory.h"
#include "core/move/scatter_gather.h"
#include "core/world/collect.h"
#include "partition/cuts.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are scattered, gathered and moved, whatever the cuts, and failures on either side.
 * Between threads they are taken from where they were made. */

enum { MAX_RANKS = 64, MAX_ROWS = 1000, NEVER = -1 };

/* Who has the rows before and after; row r becomes row r + shift. */
typedef struct {
    int64_t from[MAX_RANKS + 1], to[MAX_RANKS + 1];
    int64_t shift;
    size_t row_bytes;
    int64_t fails_to_make, fails_to_take; /* a row before, a row after; or NEVER */
} hand_over;

/* One rank's part in it. */
typedef struct {
    const hand_over *on;
    int64_t requested, progress, total;
    int turn;     /* 0 own rows, 1 from higher ranks, 2 from lower ones */
    int64_t last; /* row taken */
    int64_t held; /* bytes before */
    uint8_t taken[MAX_ROWS];
} part;

static unsigned char byte_at(int64_t row, size_t x)
{
    return (unsigned char)(row * 7 + (int64_t)x * 3 + 1);
}

static bool owns(const int64_t *cuts, int rank, int64_t row)
{
    return cuts[rank] <= row && row < cuts[rank + 1];
}

/* -1 if nobody has it. */
static int owner(const int64_t *cuts, int64_t row)
{
    for (int rank = 0; rank < all_ranks(); rank++) {
        if (owns(cuts, rank, row)) {
            return rank;
        }
    }
    return -1;
}

/* The memory in which a rank of this process made each row. */
static _Atomic(const void *) places[MAX_ROWS];

static halo_status make(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    part *p = context;
    expect(rows > 0 && pitch >= p->on->row_bytes, "%" PRId64 " rows, pitch %zu", rows, pitch);
    for (int64_t y = 0; y < rows; y++) {
        int64_t row = first + y;
        expect(owns(p->on->from, my_rank(), row) && owner(p->on->to, row + p->on->shift) >= 0,
               "asked for row %" PRId64, row);
        if (row == p->on->fails_to_make) {
            return halo_fail(HALO_FORMAT, "row %" PRId64 " is broken", row);
        }
        unsigned char *place = (unsigned char *)out + (size_t)y * pitch;
        for (size_t x = 0; x < p->on->row_bytes; x++) {
            place[x] = byte_at(row, x);
        }
        atomic_store(&places[row], place);
        p->requested++;
    }
    return HALO_OK;
}

static void check_row(part *p, int64_t row, const unsigned char *data)
{
    int source = owner(p->on->from, row - p->on->shift);
    int turn = source == my_rank() ? 0 : (source > my_rank() ? 1 : 2);
    expect(owns(p->on->to, my_rank(), row) && source >= 0, "row %" PRId64 " came here", row);
    expect(turn > p->turn || (turn == p->turn && row > p->last),
           "row %" PRId64 " of rank %d came after row %" PRId64, row, source, p->last);
    p->turn = turn;
    p->last = row;
    p->taken[row < 0 || row >= MAX_ROWS ? 0 : row]++;
    int64_t wrong = 0;
    for (size_t x = 0; x < p->on->row_bytes; x++) {
        wrong += data[x] != byte_at(row - p->on->shift, x);
    }
    expect(wrong == 0, "%" PRId64 " bytes of row %" PRId64 " are wrong", wrong, row);
}

/* Threads take rows where their makers have them, and need no memory for what comes. */
static void check_place(const part *p, int64_t row, const void *data)
{
    int source = owner(p->on->from, row - p->on->shift);
    bool threads = all_ranks() > 1 && halo_world_is_process(mpi_check_world());
    if (source == my_rank() || threads) {
        expect(atomic_load(&places[row - p->on->shift]) == data,
               "row %" PRId64 " of rank %d was copied", row, source);
    }
    if (threads && p->on->from[my_rank()] == p->on->from[my_rank() + 1]) {
        int64_t more = halo_memory_held() - p->held;
        expect(more == 0, "%" PRId64 " bytes to take rows of other threads", more);
    }
}

static halo_status take(void *context, int64_t first, int64_t rows, const void *data, size_t pitch)
{
    part *p = context;
    for (int64_t y = 0; y < rows; y++) {
        if (first + y == p->on->fails_to_take) {
            return halo_fail(HALO_FILE, "row %" PRId64 " finds no room", first + y);
        }
        const unsigned char *row = (const unsigned char *)data + (size_t)y * pitch;
        check_place(p, first + y, row);
        check_row(p, first + y, row);
    }
    return HALO_OK;
}

static void progress(void *context, int64_t done, int64_t total)
{
    part *p = context;
    p->progress = done;
    p->total = total;
}

/* ---- the three ways -------------------------------------------------------------------------- */

static halo_status scatter(part *p, halo_clock *clock)
{
    return halo_rows_scatter(mpi_check_world(), p->on->to, p->on->row_bytes, make, take, p, clock);
}

static halo_status gather(part *p, halo_clock *clock)
{
    const halo_rows rows = {.fill = make, .progress = progress, .context = p};
    halo_status status =
        halo_rows_gather(mpi_check_world(), p->on->from, p->on->to[0], p->on->to[1] - p->on->to[0],
                         p->on->row_bytes, &rows, take, p, clock);
    expect(status != HALO_OK || (p->progress == p->requested && p->total == p->requested),
           "progress %" PRId64 " of %" PRId64 ", made %" PRId64, p->progress, p->total,
           p->requested);
    return status;
}

static halo_status move(part *p, halo_clock *clock)
{
    return halo_rows_redistribute(mpi_check_world(), p->on->from, p->on->to, p->on->shift,
                                  p->on->row_bytes, make, take, p, clock);
}

/* To memory of a field, whose rows need not be taken one by one. */
static void note_rows(void *context, int64_t first, int64_t rows)
{
    part *p = context;
    int64_t lo = p->on->to[my_rank()];
    expect(lo + first == p->last + 1 || (p->last == NEVER && first == 0),
           "row %" PRId64 " after row %" PRId64, lo + first, p->last);
    p->last = lo + first + rows - 1;
}

static halo_status scatter_field(part *p, halo_clock *clock)
{
    const int64_t lo = p->on->to[my_rank()], rows = p->on->to[my_rank() + 1] - lo;
    const size_t bytes = p->on->row_bytes;
    unsigned char *memory = malloc((size_t)rows * bytes + 1);
    const halo_view view = {.origin = memory,
                            .stride = {(ptrdiff_t)bytes, 1},
                            .owned = {.lo = {lo}, .n = {rows, (int64_t)bytes, 1}},
                            .axes = 2,
                            .cell_bits = 8};
    const halo_rows_input input = {.source = make, .sink = note_rows, .context = p};
    halo_status status =
        halo_rows_scatter_field(mpi_check_world(), p->on->to, &view, &input, clock);
    p->last = NEVER;
    p->turn = 0;
    for (int64_t y = 0; y < rows && status == HALO_OK; y++) {
        check_row(p, lo + y, memory + (size_t)y * bytes);
    }
    free(memory);
    return status;
}

/* All rows on rank 0. */
static void all_on_first(int64_t lo, int64_t hi, int64_t *cuts)
{
    cuts[0] = lo;
    for (int rank = 1; rank <= all_ranks(); rank++) {
        cuts[rank] = hi;
    }
}

static void plan_scatter(uint64_t *random, int64_t height, hand_over *on)
{
    random_cuts(random, height, all_ranks(), 1, on->to);
    all_on_first(0, height, on->from);
}

static void plan_gather(uint64_t *random, int64_t height, hand_over *on)
{
    int64_t first = random_below(random, height);
    random_cuts(random, height, all_ranks(), 1, on->from);
    all_on_first(first, first + random_below(random, height - first + 1), on->to);
}

static void plan_move(uint64_t *random, int64_t height, hand_over *on)
{
    random_cuts(random, height, all_ranks(), 1, on->from);
    random_cuts(random, 1 + random_below(random, 2 * height), all_ranks(), 1, on->to);
    on->shift = random_below(random, 2 * height + 1) - height;
}

typedef struct {
    const char *name;
    void (*plan)(uint64_t *random, int64_t height, hand_over *on);
    halo_status (*run)(part *p, halo_clock *clock);
} way;

static const way ways[] = {{"scatter", plan_scatter, scatter},
                           {"gather", plan_gather, gather},
                           {"move", plan_move, move},
                           {"scatter to a field", plan_scatter, scatter_field}};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* ---- tests ----------------------------------------------------------------------------------- */

static void expect_all_taken(const part *p, const char *name)
{
    for (int64_t row = 0; row < MAX_ROWS; row++) {
        int wanted = owns(p->on->to, my_rank(), row) && owner(p->on->from, row - p->on->shift) >= 0;
        expect(p->taken[row] == wanted, "%s: row %" PRId64 " was taken %d times, not %d", name, row,
               p->taken[row], wanted);
    }
}

static void expect_times(const halo_clock *clock, const char *name)
{
    for (int phase = 0; phase < HALO_PHASES; phase++) {
        expect(clock->seconds[phase] >= -1e-6, "%s took %g s in phase %s", name,
               clock->seconds[phase], halo_phase_name((halo_phase)phase));
    }
}

/* A chunk is about 1 MiB: small strips are one, others many, and long rows one each. */
static void test_ways(void)
{
    static const struct {
        int64_t height;
        size_t row_bytes;
    } sizes[] = {{1, 1}, {7, 100}, {300, 20000}, {60, 300000}, {23, 1500000}};
    uint64_t random = 3;
    for (int n = 0; n < 4 * WAYS * (int)(sizeof sizes / sizeof sizes[0]); n++) {
        const way *w = &ways[n % WAYS];
        const int size = n / WAYS / 4;
        hand_over on = {
            .row_bytes = sizes[size].row_bytes, .fails_to_make = NEVER, .fails_to_take = NEVER};
        w->plan(&random, sizes[size].height, &on);
        part p = {.on = &on, .last = NEVER, .held = halo_memory_held()};
        halo_clock clock = {0};
        expect_case_ok(w->name, w->run(&p, &clock));
        expect_all_taken(&p, w->name);
        expect_times(&clock, w->name);
    }
    EXPECT_AGREED();
}

static void expect_failure(const hand_over *on, halo_status status, const char *name)
{
    bool makes = on->fails_to_make != NEVER;
    int culprit = makes ? owner(on->from, on->fails_to_make) : owner(on->to, on->fails_to_take);
    char text[HALO_MESSAGE_SIZE], message[HALO_MESSAGE_SIZE];
    snprintf(text, sizeof text,
             makes ? "row %" PRId64 " is broken" : "row %" PRId64 " finds no room",
             makes ? on->fails_to_make : on->fails_to_take);
    snprintf(message, sizeof message, "rank %d: %.100s", culprit, text);
    expect(status == (makes ? HALO_FORMAT : HALO_FILE) &&
               strcmp(halo_last_message(), all_ranks() > 1 ? message : text) == 0,
           "%s: \"%s\", not \"%s\"", name, halo_last_message(), message);
}

/* Either side may fail at any row that travels. */
static void test_failures(void)
{
    uint64_t random = 8;
    int failures = 0;
    for (int i = 0; i < 120; i++) {
        const way *w = &ways[i % WAYS];
        hand_over on = {.row_bytes = 400000, .fails_to_make = NEVER, .fails_to_take = NEVER};
        w->plan(&random, 40, &on);
        int64_t row = random_below(&random, 40);
        if (owner(on.from, row) < 0 || owner(on.to, row + on.shift) < 0) {
            continue;
        }
        if (i / WAYS % 2 == 0 || w->run == scatter_field) {
            on.fails_to_make = row;
        } else {
            on.fails_to_take = row + on.shift;
        }
        part p = {.on = &on, .last = NEVER, .held = halo_memory_held()};
        halo_clock clock = {0};
        halo_status status = w->run(&p, &clock);
        expect_failure(&on, status, w->name);
        failures++;
    }
    expect(failures > 30, "only %d runs with a failure", failures);
    EXPECT_AGREED();
}

static void test_bad_rows_are_refused(void)
{
    uint64_t random = 1;
    for (int i = 0; i < WAYS && ways[i].run != scatter_field; i++) {
        hand_over on = {.row_bytes = 0, .fails_to_make = NEVER, .fails_to_take = NEVER};
        ways[i].plan(&random, 10, &on);
        part p = {.on = &on, .last = NEVER, .held = halo_memory_held()};
        halo_clock clock = {0};
        expect(ways[i].run(&p, &clock) == HALO_ARGUMENT, "%s: rows of no bytes", ways[i].name);
        on.row_bytes = (size_t)INT_MAX + 1;
        expect(all_ranks() == 1 || ways[i].run(&p, &clock) == HALO_ARGUMENT,
               "%s: rows of 2^31 bytes", ways[i].name);
    }
    EXPECT_AGREED();
}

static halo_status make_nothing(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    (void)context, (void)first, (void)rows, (void)out, (void)pitch;
    return HALO_OK;
}

/* One row of just over what MPI counts for each rank; nothing touches the cells. */
static void test_long_rows(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    int64_t cuts[MAX_RANKS + 1];
    halo_cuts_even(ranks, ranks, cuts);
    const int64_t width = INT64_C(1) << 30;
    char cell[2]; /* of rows that nobody makes */
    const halo_view nowhere = {.origin = cell,
                               .stride = {(ptrdiff_t)1 << 31, 2},
                               .owned = {.lo = {halo_world_rank(world)}, .n = {1, width, 1}},
                               .axes = 2,
                               .cell_bits = 16};
    const halo_rows_input input = {.source = make_nothing};
    halo_clock clock = {0};
    halo_status status = halo_rows_scatter_field(world, cuts, &nowhere, &input, &clock);
    expect(status == (ranks == 1 ? HALO_OK : HALO_ARGUMENT), "status %d, %s", (int)status,
           halo_last_message());
    EXPECT_AGREED();
}

/* Bytes of ranks that have any number of them, every third none, come to rank 0 in rank order. */
static void test_gatherv(void)
{
    enum { MAX_BYTES = 1000 };
    unsigned char mine[MAX_BYTES];
    void *all;
    size_t total, place = 0, wrong = 0;
    size_t count = my_rank() % 3 == 2 ? 0 : 300 + (size_t)my_rank() % 7 * 100;
    memset(mine, my_rank() + 1, sizeof mine);
    expect_ok(halo_gatherv(mpi_check_world(), mine, count, &all, &total));
    if (my_rank() > 0) {
        expect(all == NULL && total == 0, "%zu bytes on rank %d", total, my_rank());
        return;
    }
    for (int r = 0; r < all_ranks(); r++) {
        size_t end = place + (r % 3 == 2 ? 0 : 300 + (size_t)r % 7 * 100);
        for (; place < end && place < total; place++) {
            wrong += ((const unsigned char *)all)[place] != (unsigned char)(r + 1);
        }
        expect(place == end, "the bytes of rank %d end at %zu, not %zu", r, place, end);
    }
    expect(place == total && wrong == 0, "%zu bytes came, %zu are wrong", total, wrong);
    halo_memory_free(all);
}

MPI_CHECK_MAIN("scatter and gather", {"rows change owners in all ways", test_ways},
               {"a failure on either side reaches all", test_failures},
               {"bad rows are refused", test_bad_rows_are_refused},
               {"rows too long for a message", test_long_rows},
               {"any number of bytes of each rank come to rank 0", test_gatherv})
