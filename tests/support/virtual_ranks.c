#include "support/virtual_ranks.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum { WORK_ENDS, BASIC_COMES, CONTROL_COMES } event_kind;

typedef struct {
    double time;
    int64_t number; /* of events at one time the first one made comes first */
    event_kind kind;
    int rank;
    halo_detector_note note;
} event;

enum { EVENTS = 1024 };

typedef struct {
    int pieces; /* of work, the one at hand among them */
    /* VIRTUAL_EXPECTED: messages that will come; that are still to be sent, and to whom. */
    int expected, planned, targets[VIRTUAL_MESSAGES];
} virtual_rank;

typedef struct {
    const virtual_run *run;
    uint64_t state;
    double scales[CONTROL_COMES + 1]; /* of delays, where work takes about 1 */
    double now, true_end;
    event heap[EVENTS];
    int events;
    int64_t made;
    halo_detector *detectors[VIRTUAL_RANKS];
    virtual_rank ranks[VIRTUAL_RANKS];
    double latest[VIRTUAL_RANKS][VIRTUAL_RANKS]; /* of channels: when the last message arrives */
    int left, under_way;
} simulation;

/* ---- random numbers: splitmix64 (G. Steele, D. Lea, C. Flood, 2014) -------------------------- */

static uint64_t draw(simulation *s)
{
    uint64_t z = (s->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int draw_below(simulation *s, int limit)
{
    return (int)(draw(s) % (uint64_t)limit);
}

/* Mostly about 1, now and then 30 times as long. */
static double draw_time(simulation *s)
{
    double time = .01 + 2 * (double)(draw(s) >> 11) * 0x1p-53;
    return draw_below(s, 8) == 0 ? 30 * time : time;
}

/* Chains leave out rank 0 where they can: it would give them fresh energy. */
static int draw_other(simulation *s, int rank)
{
    int ranks = s->run->ranks;
    if (s->run->program == VIRTUAL_CHAIN && ranks > 2 && rank > 0) {
        return 1 + (rank + draw_below(s, ranks - 2)) % (ranks - 1);
    }
    return (rank + 1 + draw_below(s, s->run->ranks - 1)) % s->run->ranks;
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool before(const event *a, const event *b)
{
    return a->time < b->time || (a->time == b->time && a->number < b->number);
}

static void add_event(simulation *s, const event *added)
{
    if (s->events == EVENTS) {
        fprintf(stderr, "more than %d events at a time\n", EVENTS);
        abort();
    }
    int i = s->events++;
    event e = *added;
    e.number = s->made++;
    for (; i > 0 && before(&e, &s->heap[(i - 1) / 2]); i = (i - 1) / 2) {
        s->heap[i] = s->heap[(i - 1) / 2];
    }
    s->heap[i] = e;
}

static event take_event(simulation *s)
{
    event first = s->heap[0], last = s->heap[--s->events];
    int i = 0;
    for (int child = 1; child < s->events; child = 2 * i + 1) {
        child += child + 1 < s->events && before(&s->heap[child + 1], &s->heap[child]);
        if (!before(&s->heap[child], &last)) {
            break;
        }
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return first;
}

/* ---- messages -------------------------------------------------------------------------------- */

static void post(simulation *s, int from, int to, event_kind kind, const halo_detector_note *note)
{
    double arrives = s->now + s->scales[kind] * draw_time(s);
    if (s->run->fifo && arrives <= s->latest[from][to]) {
        arrives = s->latest[from][to];
    }
    s->latest[from][to] = arrives;
    add_event(s, &(event){.time = arrives, .kind = kind, .rank = to, .note = *note});
}

static void post_all(simulation *s, int from, const halo_detector_outbox *out)
{
    for (int i = 0; i < out->count; i++) {
        post(s, from, out->sent[i].to, CONTROL_COMES, &out->sent[i].note);
    }
}

static void begin_work(simulation *s, int rank)
{
    add_event(s, &(event){.time = s->now + draw_time(s), .kind = WORK_ENDS, .rank = rank});
}

static void take_basic(simulation *s, int rank, const halo_detector_note *note)
{
    halo_detector_outbox out;
    halo_detector_receive(s->detectors[rank], note, &out);
    post_all(s, rank, &out);
    s->ranks[rank].expected--;
    if (s->ranks[rank].pieces++ == 0) {
        begin_work(s, rank);
    }
}

static void send_basic(simulation *s, int from, int to)
{
    halo_detector_note note = halo_detector_send(s->detectors[from], to);
    if (s->run->synchronous) {
        take_basic(s, to, &note);
    } else {
        s->under_way++;
        post(s, from, to, BASIC_COMES, &note);
    }
}

/* ---- what ranks do --------------------------------------------------------------------------- */

static void plan_messages(simulation *s)
{
    for (int m = 0; m < s->run->messages && s->run->ranks > 1; m++) {
        int from = draw_below(s, s->run->ranks), to = draw_other(s, from);
        virtual_rank *r = &s->ranks[from];
        r->targets[r->planned++] = to;
        r->pieces++;
        s->ranks[to].expected++;
    }
}

/* Send the messages of the piece of work that has just ended. */
static void send_messages(simulation *s, int rank)
{
    virtual_rank *r = &s->ranks[rank];
    int count = s->run->program == VIRTUAL_CHAIN ? 1 : draw_below(s, 2) * draw_below(s, 4);
    if (s->run->program == VIRTUAL_EXPECTED) {
        if (r->planned > 0) {
            send_basic(s, rank, r->targets[--r->planned]);
        }
        return;
    }
    for (int m = 0; m < count && s->left > 0 && s->run->ranks > 1; m++) {
        s->left--;
        send_basic(s, rank, draw_other(s, rank));
    }
}

static bool is_done(const simulation *s, int rank)
{
    const virtual_rank *r = &s->ranks[rank];
    return r->pieces == 0 && (s->run->program != VIRTUAL_EXPECTED || r->expected == 0);
}

static void rest_if_done(simulation *s, int rank)
{
    if (is_done(s, rank)) {
        halo_detector_outbox out;
        s->true_end = s->now;
        halo_detector_rest(s->detectors[rank], &out);
        post_all(s, rank, &out);
    }
}

static void end_work(simulation *s, int rank)
{
    send_messages(s, rank);
    if (--s->ranks[rank].pieces > 0) {
        begin_work(s, rank);
    }
    rest_if_done(s, rank);
}

/* All ranks are active at the beginning; which of them have work? */
static void begin(simulation *s)
{
    static const double scales[] = {.1, 1, 5};
    s->scales[BASIC_COMES] = scales[draw_below(s, 3)];
    s->scales[CONTROL_COMES] = scales[draw_below(s, 3)];
    s->left = s->run->messages;
    if (s->run->program == VIRTUAL_EXPECTED) {
        plan_messages(s);
    }
    int worker = draw_below(s, s->run->ranks);
    for (int r = 0; r < s->run->ranks; r++) {
        s->ranks[r].pieces += s->run->program == VIRTUAL_CHAIN ? r == worker : draw_below(s, 2);
        if (s->ranks[r].pieces > 0) {
            begin_work(s, r);
        } else {
            rest_if_done(s, r);
        }
    }
}

/* ---- a run ----------------------------------------------------------------------------------- */

static bool is_at_rest(const simulation *s)
{
    bool rests = s->under_way == 0;
    for (int r = 0; r < s->run->ranks; r++) {
        rests = rests && is_done(s, r);
    }
    return rests;
}

static void handle(simulation *s, const event *e)
{
    halo_detector_outbox out;
    switch (e->kind) {
    case WORK_ENDS:
        end_work(s, e->rank);
        break;
    case BASIC_COMES:
        s->under_way--;
        take_basic(s, e->rank, &e->note);
        break;
    case CONTROL_COMES:
        halo_detector_control(s->detectors[e->rank], &e->note, &out);
        post_all(s, e->rank, &out);
        break;
    }
}

static virtual_outcome simulate(simulation *s, virtual_result *result)
{
    bool found = false;
    begin(s);
    do {
        if (!found && halo_detector_has_ended(s->detectors[0])) {
            found = true;
            result->delay = s->now - s->true_end;
            if (!is_at_rest(s)) {
                return VIRTUAL_EARLY;
            }
        }
        if (s->events > 0) {
            event e = take_event(s);
            s->now = e.time;
            handle(s, &e);
        }
    } while (s->events > 0 || (!found && halo_detector_has_ended(s->detectors[0])));
    result->all_know = s->now - s->true_end;
    for (int r = 0; r < s->run->ranks; r++) {
        if (!halo_detector_has_ended(s->detectors[r])) {
            return VIRTUAL_MISSED;
        }
    }
    return VIRTUAL_RIGHT;
}

static void add_counts(halo_detector_counts *sum, const halo_detector *detector)
{
    const halo_detector_counts c = halo_detector_get_counts(detector);
    sum->basic += c.basic;
    sum->control += c.control;
    sum->announcements += c.announcements;
    sum->rounds += c.rounds;
    sum->renewals += c.renewals;
}

virtual_outcome virtual_run_once(const virtual_run *run, virtual_result *result)
{
    simulation s = {.run = run, .state = run->seed};
    *result = (virtual_result){.delay = 0};
    for (int r = 0; r < run->ranks; r++) {
        if (halo_detector_create(&s.detectors[r], run->detector, r, run->ranks) != HALO_OK) {
            fprintf(stderr, "%s\n", halo_last_message());
            abort();
        }
    }
    virtual_outcome outcome = simulate(&s, result);
    for (int r = 0; r < run->ranks; r++) {
        add_counts(&result->counts, s.detectors[r]);
        halo_detector_destroy(&s.detectors[r]);
    }
    return outcome;
}
