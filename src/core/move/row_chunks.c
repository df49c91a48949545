#include "core/move/row_chunks.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/move/common_parts.h"
#include "core/world/collect.h"

#include <limits.h>
#include <string.h>

/* Processes send the bytes of a chunk. Threads send where it lies: the receiver takes the rows from
 * the memory in which the sender has made them, and answers when it has. Nothing is copied on the
 * way, the receiver needs no memory for what comes, and the sender makes the next rows meanwhile.
 */

enum {
    CHUNK_TAG = 103,
    TAKEN_TAG = 106,
    AHEAD = 3,             /* messages under way at a time, each way */
    LENT = 2,              /* chunks that a thread lends at a time: a huge page */
    CHUNK_BYTES = 1 << 20, /* small enough to stay in the second-level cache until sent */
    NOT_YET = -1
};

typedef struct {
    int peer;
    int64_t first, rows; /* of `to` */
} chunk;

/* The message for a chunk that its receiver takes from its sender's memory. */
typedef struct {
    int slot; /* of the sender */
    int bytes;
} lent_chunk;

/* Goes through the chunks that a rank sends, or receives. With the chunks to lower ranks first, all
 * of them in ascending order, and the ones from higher ranks first, every rank deals with its
 * chunks in the same order as every other: the first one in that order that has not come can always
 * travel, so that no ring of ranks waits for each other. */
typedef struct {
    bool incoming;
    int step; /* peers dealt with */
    int64_t row;
} cursor;

typedef struct {
    const halo_row_chunks *on;
    int me, ranks;
    int64_t chunk_rows;
    int64_t slot_rows;                /* at most that: none of this rank's chunks has more */
    bool lends;                       /* ranks are threads: */
    halo_common_parts parts;          /* the memory of all */
    char *memory;                     /* chunks to send, then chunks to receive */
    int send_slots;                   /* 0, AHEAD or LENT */
    halo_request requests[2 * AHEAD]; /* AHEAD of sending, then AHEAD of receiving */
    chunk coming[AHEAD];
    lent_chunk lent[AHEAD]; /* of those */
    int came[AHEAD];        /* bytes, or NOT_YET */
    int64_t posted, taken;  /* chunks received; slots are used in turn */
    halo_status failure;    /* this rank's own */
    bool stopped;           /* it has failed, or a rank that sends to it has */
    double excluded;        /* seconds in phases that are no part of handing over */
} moving;

/* ---- who sends what to whom ------------------------------------------------------------------ */

static void owned_rows(const halo_owners *owners, int rank, int64_t *lo, int64_t *hi)
{
    if (owners->cuts != NULL) {
        *lo = owners->cuts[rank];
        *hi = owners->cuts[rank + 1];
    } else if (owners->begins != NULL) {
        *lo = owners->begins[rank];
        *hi = owners->ends[rank];
    } else {
        *lo = owners->lo;
        *hi = rank == 0 ? owners->hi : owners->lo;
    }
}

/* The first chunk, from row `from_row` on, of what `source` hands to `target`. */
static bool first_chunk(const moving *m, int source, int target, int64_t from_row, chunk *out)
{
    int64_t source_lo, source_hi, lo, hi;
    owned_rows(&m->on->from, source, &source_lo, &source_hi);
    owned_rows(&m->on->to, target, &lo, &hi);
    lo = halo_max(halo_max(lo, source_lo + m->on->shift), from_row);
    hi = halo_min(hi, source_hi + m->on->shift);
    *out = (chunk){source == m->me ? target : source, lo, halo_min(hi - lo, m->chunk_rows)};
    return out->rows > 0;
}

static bool next_chunk(const moving *m, cursor *c, chunk *out)
{
    for (; c->step < m->ranks; c->step++, c->row = INT64_MIN) {
        int peer = (c->step + (c->incoming ? m->me + 1 : 0)) % m->ranks;
        if (peer != m->me && (c->incoming ? first_chunk(m, peer, m->me, c->row, out)
                                          : first_chunk(m, m->me, peer, c->row, out))) {
            c->row = out->first + out->rows;
            return true;
        }
    }
    return false;
}

/* The first chunk to or from a rank is its longest. */
static int64_t longest_chunk(const moving *m)
{
    int64_t rows = 0;
    for (int peer = 0; peer < m->ranks; peer++) {
        chunk to = {0}, from = {0};
        first_chunk(m, m->me, peer, INT64_MIN, &to);
        first_chunk(m, peer, m->me, INT64_MIN, &from);
        rows = halo_max(rows, halo_max(to.rows, from.rows));
    }
    return rows;
}

/* ---- one chunk ------------------------------------------------------------------------------- */

static size_t slot_bytes(const moving *m)
{
    return (size_t)m->slot_rows * m->on->pitch;
}

static char *chunk_memory(const moving *m, int slot)
{
    return m->memory + (size_t)slot * slot_bytes(m);
}

static void *place(const moving *m, int slot, int64_t row)
{
    return m->on->into != NULL ? halo_row(m->on->into, row - m->on->into->owned.lo[0])
                               : chunk_memory(m, slot);
}

/* Rows are a pitch apart, but behind the last one there may be nothing. */
static int chunk_bytes(const moving *m, const chunk *b)
{
    return (int)((size_t)(b->rows - 1) * m->on->pitch + m->on->row_bytes);
}

static void count_time(moving *m, halo_phase phase, double begun)
{
    if (phase != HALO_PHASE_DISTRIBUTE) {
        double seconds = halo_seconds() - begun;
        m->on->clock->seconds[phase] += seconds;
        m->excluded += seconds;
    }
}

static void note(moving *m, halo_status status)
{
    if (status != HALO_OK) {
        m->failure = status;
        m->stopped = true;
    }
}

static void fill(moving *m, const chunk *b, void *out)
{
    if (!m->stopped) {
        double begun = halo_seconds();
        note(m, m->on->fill(m->on->context, b->first - m->on->shift, b->rows, out, m->on->pitch));
        count_time(m, m->on->fill_phase, begun);
    }
}

static void take(moving *m, const chunk *b, const void *data)
{
    if (!m->stopped && m->on->take != NULL) {
        double begun = halo_seconds();
        note(m, m->on->take(m->on->context, b->first, b->rows, data, m->on->pitch));
        count_time(m, m->on->take_phase, begun);
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void move_own(moving *m)
{
    chunk b;
    for (int64_t row = INT64_MIN; first_chunk(m, m->me, m->me, row, &b); row = b.first + b.rows) {
        void *rows = place(m, 0, b.first);
        fill(m, &b, rows);
        take(m, &b, rows);
    }
}

/* Send a message that threads copy at once, so that it is complete whatever its receiver does. */
static halo_status send_note(const moving *m, const void *note, int bytes, int peer, int tag)
{
    halo_request request;
    HALO_TRY(halo_isend(m->on->world, note, bytes, peer, tag, &request));
    return halo_wait(m->on->world, 1, &request);
}

/* The slot is free when its receiver has taken the rows. */
static halo_status lend_chunk(moving *m, int bytes, int peer, int slot)
{
    const lent_chunk lent = {slot, bytes};
    HALO_TRY(halo_irecv(m->on->world, NULL, 0, peer, TAKEN_TAG, &m->requests[slot]));
    return send_note(m, &lent, (int)sizeof lent, peer, CHUNK_TAG);
}

/* A rank that has stopped goes on with empty messages, so that nobody waits for it. */
static halo_status send_chunk(moving *m, const chunk *b, int slot)
{
    fill(m, b, chunk_memory(m, slot));
    int bytes = m->stopped ? 0 : chunk_bytes(m, b);
    HALO_TRY(m->lends ? lend_chunk(m, bytes, b->peer, slot)
                      : halo_isend(m->on->world, chunk_memory(m, slot), bytes, b->peer, CHUNK_TAG,
                                   &m->requests[slot]));
    for (int i = 0; i < m->send_slots; i++) {
        bool complete;
        HALO_TRY(halo_test(m->on->world, &m->requests[i], &complete));
    }
    return HALO_OK;
}

static halo_status post_receives(moving *m, cursor *in)
{
    while (m->posted - m->taken < AHEAD) {
        int slot = (int)(m->posted % AHEAD);
        chunk *b = &m->coming[slot];
        if (!next_chunk(m, in, b)) {
            return HALO_OK;
        }
        m->came[slot] = NOT_YET;
        HALO_TRY(halo_irecv(m->on->world,
                            m->lends ? &m->lent[slot] : place(m, m->send_slots + slot, b->first),
                            m->lends ? (int)sizeof *m->lent : chunk_bytes(m, b), b->peer, CHUNK_TAG,
                            &m->requests[AHEAD + slot]));
        m->posted++;
    }
    return HALO_OK;
}

/* The owner of a field copies rows into it: a rank that decoded into the new memory of a field of
 * another rank took 75 us a MiB longer, while the others waited. */
static halo_status take_lent(moving *m, const chunk *b, const lent_chunk *lent)
{
    const halo_part *theirs;
    HALO_TRY(halo_common_parts_borrow(&m->parts, b->peer, "its rows", &theirs));
    const char *rows = theirs->origin + lent->slot * theirs->stride[0];
    m->stopped |= lent->bytes == 0;
    if (m->on->into != NULL && !m->stopped) {
        rows = memcpy(place(m, 0, b->first), rows, (size_t)lent->bytes);
    }
    take(m, b, rows);
    halo_common_parts_give_back(&m->parts, b->peer);
    return send_note(m, NULL, 0, b->peer, TAKEN_TAG);
}

/* From several ranks chunks come in any order; they are taken in theirs. */
static halo_status take_arrived(moving *m)
{
    for (; m->taken < m->posted && m->came[m->taken % AHEAD] != NOT_YET; m->taken++) {
        int slot = (int)(m->taken % AHEAD);
        const chunk *b = &m->coming[slot];
        if (m->lends) {
            HALO_TRY(take_lent(m, b, &m->lent[slot]));
        } else {
            m->stopped |= m->came[slot] == 0;
            take(m, b, place(m, m->send_slots + slot, b->first));
        }
    }
    return HALO_OK;
}

static int free_slot(const moving *m)
{
    for (int slot = 0; slot < m->send_slots; slot++) {
        if (!halo_request_is_set(m->requests[slot])) {
            return slot;
        }
    }
    return -1;
}

static halo_status move_others(moving *m)
{
    cursor out = {.row = INT64_MIN}, in = {.incoming = true, .row = INT64_MIN};
    chunk next;
    bool sends = next_chunk(m, &out, &next);
    HALO_TRY(post_receives(m, &in));
    while (sends || m->taken < m->posted) {
        int slot = sends ? free_slot(m) : -1, index, bytes;
        if (slot >= 0) {
            HALO_TRY(send_chunk(m, &next, slot));
            sends = next_chunk(m, &out, &next);
            continue;
        }
        HALO_TRY(halo_wait_any(m->on->world, 2 * AHEAD, m->requests, &index, &bytes));
        if (index >= AHEAD) {
            m->came[index - AHEAD] = bytes;
            HALO_TRY(take_arrived(m));
            HALO_TRY(post_receives(m, &in));
        }
    }
    return halo_wait(m->on->world, m->send_slots, m->requests);
}

/* A message holds one row or more, and transports count its bytes in an int. */
static halo_status prepare(moving *m)
{
    const halo_row_chunks *on = m->on;
    if (on->row_bytes == 0 || (m->ranks > 1 && on->row_bytes > INT_MAX)) {
        return halo_fail(HALO_ARGUMENT,
                         "rows of %zu bytes cannot be handed over, the limit is %d with several"
                         " ranks; use one rank for longer ones",
                         on->row_bytes, INT_MAX);
    }
    for (int i = 0; i < 2 * AHEAD; i++) {
        m->requests[i] = HALO_NO_REQUEST;
    }
    int64_t rows = CHUNK_BYTES / (int64_t)on->pitch;
    m->chunk_rows = rows > 0 ? rows : 1;
    m->slot_rows = longest_chunk(m);
    cursor out = {.row = INT64_MIN}, in = {.incoming = true, .row = INT64_MIN};
    chunk b;
    bool keeps = on->into == NULL && first_chunk(m, m->me, m->me, INT64_MIN, &b);
    bool receives = on->into == NULL && !m->lends && next_chunk(m, &in, &b);
    m->send_slots = !next_chunk(m, &out, &b) ? 0 : m->lends ? LENT : AHEAD;
    int64_t slots = halo_max(m->send_slots + (receives ? AHEAD : 0), keeps ? 1 : 0);
    void *memory = NULL;
    if (slots > 0) {
        HALO_TRY(halo_memory_create(&memory, (size_t)slots * slot_bytes(m),
                                    "chunks of rows on their way"));
    }
    m->memory = memory;
    return HALO_OK;
}

/* Collective. `mine` is this rank's status. After it, threads may take rows from each other. */
static halo_status share(moving *m, halo_status mine)
{
    if (m->lends) {
        const halo_part slots = {.origin = m->memory, .stride = {(ptrdiff_t)slot_bytes(m)}};
        HALO_TRY(halo_common_parts_join(&m->parts, m->on->world, &slots));
    }
    return halo_agree(m->on->world, mine);
}

halo_status halo_row_chunks_move(const halo_row_chunks *chunks)
{
    halo_world *world = chunks->world;
    halo_stretch stretch = halo_clock_begin(world);
    moving m = {.on = chunks, .me = halo_world_rank(world), .ranks = halo_world_ranks(world)};
    m.lends = m.ranks > 1 && halo_world_is_process(world);
    halo_status status = share(&m, prepare(&m));
    if (status == HALO_OK) {
        move_own(&m);
        status = move_others(&m);
        status = halo_agree(world, m.failure != HALO_OK ? m.failure : status);
    }
    halo_common_parts_leave(&m.parts);
    halo_memory_free(m.memory);
    halo_clock_end(chunks->clock, HALO_PHASE_DISTRIBUTE, stretch, world);
    chunks->clock->seconds[HALO_PHASE_DISTRIBUTE] -= m.excluded;
    return status;
}
