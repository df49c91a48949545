/* A search without rounds: counts the boards of the 3 x 3 sliding puzzle that can be reached from
 * the solved one. Each board belongs to a rank, which looks at its neighbours and sends those of
 * other ranks there. No rank waits for others as long as it has boards to look at; a termination
 * detector says when no board is left anywhere, nor under way.
 *   puzzle safra
 * The detector may be any of those in docs/termination.md that are always right. */

#include <halobeat/halobeat.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 3, CELLS = SIDE * SIDE, BOARDS = 362880, BATCH = 256, QUOTA = 500 };

typedef struct {
    halo_quiescence *quiescence;
    int rank, ranks;
    bool *seen;     /* [BOARDS], of this rank's boards */
    int32_t *queue; /* [BOARDS], of these, those that are to be looked at */
    int64_t queued, found;
    int32_t (*batches)[BATCH]; /* [ranks], boards that are to be sent there, */
    int *counts;               /* [ranks], and how many */
} search;

/* ---- boards: permutations of 0 to 8, where 0 is the hole, by their number -------------------- */

static int32_t number_of(const int *board)
{
    int32_t number = 0;
    for (int i = 0; i < CELLS; i++) {
        int smaller = 0;
        for (int j = i + 1; j < CELLS; j++) {
            smaller += board[j] < board[i];
        }
        number = number * (CELLS - i) + smaller;
    }
    return number;
}

static void board_of(int32_t number, int *board)
{
    for (int i = CELLS - 1; i >= 0; i--) {
        board[i] = number % (CELLS - i);
        number /= CELLS - i;
        for (int j = i + 1; j < CELLS; j++) {
            board[j] += board[j] >= board[i];
        }
    }
}

/* ---- the search ------------------------------------------------------------------------------ */

static void visit(search *s, int32_t number)
{
    if (!s->seen[number]) {
        s->seen[number] = true;
        s->queue[s->queued++] = number;
        s->found++;
    }
}

static halo_status send_batch(search *s, int to)
{
    size_t bytes = (size_t)s->counts[to] * sizeof(int32_t);
    s->counts[to] = 0;
    return bytes > 0 ? halo_quiescence_send(s->quiescence, to, s->batches[to], bytes) : HALO_OK;
}

static halo_status hand_over(search *s, int32_t number)
{
    int to = number % s->ranks;
    if (to == s->rank) {
        visit(s, number);
        return HALO_OK;
    }
    s->batches[to][s->counts[to]++] = number;
    return s->counts[to] == BATCH ? send_batch(s, to) : HALO_OK;
}

static halo_status look_at(search *s, int32_t number)
{
    static const int steps[][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
    int board[CELLS], hole = 0;
    board_of(number, board);
    while (board[hole] != 0) {
        hole++;
    }
    for (int i = 0; i < 4; i++) {
        int y = hole / SIDE + steps[i][0], x = hole % SIDE + steps[i][1], from = y * SIDE + x;
        if (y >= 0 && y < SIDE && x >= 0 && x < SIDE) {
            board[hole] = board[from];
            board[from] = 0;
            HALO_TRY(hand_over(s, number_of(board)));
            board[from] = board[hole];
            board[hole] = 0;
        }
    }
    return HALO_OK;
}

/* Some boards, so that messages are not kept waiting; at the end, what has not been sent. */
static halo_status work(search *s)
{
    for (int i = 0; i < QUOTA && s->queued > 0; i++) {
        HALO_TRY(look_at(s, s->queue[--s->queued]));
    }
    for (int to = 0; to < s->ranks && s->queued == 0; to++) {
        HALO_TRY(send_batch(s, to));
    }
    return HALO_OK;
}

static void take(search *s, const halo_quiescence_event *event)
{
    for (size_t i = 0; i < event->bytes / sizeof(int32_t); i++) {
        int32_t number;
        memcpy(&number, (const char *)event->data + i * sizeof number, sizeof number);
        visit(s, number);
    }
}

static halo_status run(search *s)
{
    static const int solved[CELLS] = {1, 2, 3, 4, 5, 6, 7, 8, 0};
    halo_quiescence_event event = {.kind = HALO_QUIESCENCE_NOTHING};
    halo_status status = halo_quiescence_begin(s->quiescence);
    if (number_of(solved) % s->ranks == s->rank) {
        visit(s, number_of(solved));
    }
    while (status == HALO_OK && event.kind != HALO_QUIESCENCE_OVER) {
        status = work(s);
        if (status == HALO_OK) {
            status = halo_quiescence_receive(
                s->quiescence, s->queued > 0 ? HALO_QUIESCENCE_LOOK : HALO_QUIESCENCE_REST, &event);
        }
        if (status == HALO_OK && event.kind == HALO_QUIESCENCE_MESSAGE) {
            take(s, &event);
        }
    }
    return halo_quiescence_end(s->quiescence, status); /* a failure reaches all ranks */
}

/* ---- the program ----------------------------------------------------------------------------- */

static halo_status allocate(search *s)
{
    HALO_TRY(HALO_ALLOCATE(s->seen, BOARDS, "boards"));
    HALO_TRY(HALO_ALLOCATE(s->queue, BOARDS, "boards"));
    HALO_TRY(HALO_ALLOCATE(s->batches, s->ranks, "messages"));
    return HALO_ALLOCATE(s->counts, s->ranks, "messages");
}

static halo_status count(halo_world *world, search *s, const char *detector)
{
    const halo_quiescence_options options = {.detector = detector, .max_bytes = sizeof *s->batches};
    HALO_TRY(halo_agree(world, allocate(s)));
    HALO_TRY(halo_quiescence_create(&s->quiescence, world, &options));
    HALO_TRY(run(s));
    HALO_TRY(halo_allreduce_sum(world, &s->found, 1));
    const halo_quiescence_report report = halo_quiescence_get_report(s->quiescence);
    if (s->rank == 0) {
        printf("%" PRId64 " boards can be reached\n", s->found);
        printf("%s: %" PRId64 " messages, and %" PRId64 " to find the end\n", report.detector,
               report.messages, report.control + report.announcements);
    }
    return HALO_OK;
}

static halo_status search_all(halo_world *world, void *words)
{
    const char *detector = *(char **)words; /* or NULL */
    search s = {.rank = halo_world_rank(world), .ranks = halo_world_ranks(world)};
    halo_status status = count(world, &s, detector);
    halo_quiescence_destroy(&s.quiescence);
    free(s.seen);
    free(s.queue);
    free(s.batches);
    free(s.counts);
    return status;
}

int main(int argc, char **argv)
{
    return halo_program_run(argc, argv, search_all, argv + 1);
}
