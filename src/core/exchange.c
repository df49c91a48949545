#include "core/exchange.h"

#include "core/wrap.h"

#include <stdlib.h>
#include <string.h>

enum { EXCHANGE_TAG = 1000, UP = 0, DOWN = 1, SIDES = 2 };

/* MPI counts are ints; larger halos travel in pieces. */
static const size_t PIECE = (size_t)1 << 30;

typedef struct {
    char *data;
    int bytes;
    int peer;
    int tag;
    bool sending;
} message;

typedef struct {
    const char *name;
    halo_status (*prepare)(halo_exchange *exchange);
    halo_status (*start)(halo_exchange *exchange);
    void (*release)(halo_exchange *exchange);
} exchange_mode;

struct halo_exchange {
    halo_world *world;
    const exchange_mode *mode;
    halo_field **fields;
    int field_count;
    halo_box owned;
    int neighbour[SIDES]; /* -1 for none, this rank itself if it is alone on a periodic axis */
    message *messages;    /* receives first: what arrives finds its place */
    MPI_Request *requests;
    int message_count;
    bool begun;
    halo_exchange_counts counts;
};

static halo_status start_p2p(halo_exchange *exchange)
{
    MPI_Comm comm = halo_world_comm(exchange->world);
    for (int i = 0; i < exchange->message_count; i++) {
        const message *m = &exchange->messages[i];
        MPI_Request *request = &exchange->requests[i];
        if (m->sending) {
            HALO_MPI_TRY(MPI_Isend(m->data, m->bytes, MPI_BYTE, m->peer, m->tag, comm, request));
        } else {
            HALO_MPI_TRY(MPI_Irecv(m->data, m->bytes, MPI_BYTE, m->peer, m->tag, comm, request));
        }
    }
    return HALO_OK;
}

static halo_status prepare_p2p(halo_exchange *exchange)
{
    (void)exchange;
    return HALO_OK;
}

static void release_p2p(halo_exchange *exchange)
{
    (void)exchange;
}

static halo_status prepare_persistent(halo_exchange *exchange)
{
    MPI_Comm comm = halo_world_comm(exchange->world);
    for (int i = 0; i < exchange->message_count; i++) {
        const message *m = &exchange->messages[i];
        MPI_Request *request = &exchange->requests[i];
        if (m->sending) {
            HALO_MPI_TRY(
                MPI_Send_init(m->data, m->bytes, MPI_BYTE, m->peer, m->tag, comm, request));
        } else {
            HALO_MPI_TRY(
                MPI_Recv_init(m->data, m->bytes, MPI_BYTE, m->peer, m->tag, comm, request));
        }
    }
    return HALO_OK;
}

static halo_status start_persistent(halo_exchange *exchange)
{
    if (exchange->message_count > 0) {
        HALO_MPI_TRY(MPI_Startall(exchange->message_count, exchange->requests));
    }
    return HALO_OK;
}

static void release_persistent(halo_exchange *exchange)
{
    for (int i = 0; i < exchange->message_count; i++) {
        if (exchange->requests[i] != MPI_REQUEST_NULL) {
            MPI_Request_free(&exchange->requests[i]);
        }
    }
}

static const exchange_mode modes[] = {
#define MODE_ENTRY(name, help) {#name, prepare_##name, start_##name, release_##name},
    MODE_ENTRY(p2p, "") MODE_ENTRY(persistent, "")
#undef MODE_ENTRY
};

static const exchange_mode *find_mode(const char *name)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (name == NULL || strcmp(modes[i].name, name) == 0) {
            return &modes[i];
        }
    }
    return NULL;
}

static bool same_box(const halo_box *a, const halo_box *b)
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        if (a->n[axis] != b->n[axis] || (a->n[axis] > 0 && a->lo[axis] != b->lo[axis])) {
            return false;
        }
    }
    return true;
}

static halo_status check_arguments(const halo_world *world, const halo_partition *partition,
                                   halo_field *const *fields, int count, const char *mode)
{
    if (find_mode(mode) == NULL) {
        return halo_fail(HALO_ARGUMENT, "unknown exchange mode \"%s\"; use p2p or persistent",
                         mode);
    }
    int ranks = halo_world_ranks(world);
    if (partition->parts[0] != ranks || partition->parts[1] != 1 || partition->parts[2] != 1) {
        return halo_fail(
            HALO_ARGUMENT, "an exchange among %d ranks needs %d x 1 x 1 parts, not %d x %d x %d",
            ranks, ranks, partition->parts[0], partition->parts[1], partition->parts[2]);
    }
    halo_box mine = halo_partition_box(partition, halo_world_rank(world));
    for (int i = 0; i < count; i++) {
        if (!same_box(&halo_field_view(fields[i])->owned, &mine)) {
            return halo_fail(HALO_ARGUMENT, "field %d of an exchange is not this rank's part", i);
        }
    }
    return HALO_OK;
}

static halo_status check_depth(const halo_exchange *exchange, const halo_partition *partition)
{
    int depth = 0;
    for (int i = 0; i < exchange->field_count; i++) {
        int own = halo_field_view(exchange->fields[i])->depth;
        depth = own > depth ? own : depth;
    }
    return halo_cuts_check_depth(partition->cuts[0], partition->parts[0], depth);
}

static bool is_other(const halo_exchange *exchange, int side)
{
    return exchange->neighbour[side] >= 0 &&
           exchange->neighbour[side] != halo_world_rank(exchange->world);
}

/* Add the pieces of one field's message to or from one side; without `messages` yet, count. With
 * two owners on a periodic axis both neighbours are the same rank, so the tag says which way a
 * message travels. */
static void add_message(halo_exchange *exchange, int field, int side, bool sending)
{
    const halo_view *view = halo_field_view(exchange->fields[field]);
    int64_t n = view->owned.n[0], first = side == UP ? 0 : n - view->depth;
    if (!sending) {
        first = side == UP ? -view->depth : n;
    }
    int direction = sending ? side : SIDES - 1 - side;
    size_t bytes;
    char *data = halo_wrap_layers(exchange->fields[field], first, view->depth, &bytes);
    for (size_t done = 0; done < bytes; done += PIECE) {
        if (exchange->messages != NULL) {
            size_t piece = bytes - done < PIECE ? bytes - done : PIECE;
            exchange->messages[exchange->message_count] =
                (message){data + done, (int)piece, exchange->neighbour[side],
                          EXCHANGE_TAG + SIDES * field + direction, sending};
        }
        exchange->message_count++;
    }
}

static void add_messages(halo_exchange *exchange)
{
    exchange->message_count = 0;
    for (int sending = 0; sending < 2; sending++) {
        for (int field = 0; field < exchange->field_count; field++) {
            for (int side = UP; side < SIDES; side++) {
                if (is_other(exchange, side) &&
                    halo_field_view(exchange->fields[field])->depth > 0) {
                    add_message(exchange, field, side, sending == 1);
                }
            }
        }
    }
}

static halo_status make_messages(halo_exchange *exchange)
{
    add_messages(exchange);
    size_t room = (size_t)exchange->message_count + 1;
    exchange->messages = malloc(room * sizeof(message));
    exchange->requests = malloc(room * sizeof(MPI_Request));
    if (exchange->messages == NULL || exchange->requests == NULL) {
        exchange->message_count = 0;
        return halo_fail(HALO_MEMORY, "out of memory: %zu halo messages", room);
    }
    add_messages(exchange);
    for (int i = 0; i < exchange->message_count; i++) {
        exchange->requests[i] = MPI_REQUEST_NULL;
    }
    return exchange->mode->prepare(exchange);
}

static halo_status fill_in(halo_exchange *exchange, const halo_partition *partition,
                           halo_field *const *fields, int count)
{
    int rank = halo_world_rank(exchange->world);
    exchange->owned = halo_partition_box(partition, rank);
    exchange->fields = malloc(((size_t)count + 1) * sizeof(halo_field *));
    if (exchange->fields == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: an exchange of %d fields", count);
    }
    for (int i = 0; i < count; i++) {
        exchange->fields[i] = fields[i];
    }
    exchange->field_count = count;
    bool periodic = count > 0 && halo_field_domain(fields[0])->periodic[0];
    for (int side = UP; side < SIDES; side++) {
        exchange->neighbour[side] = halo_cuts_neighbour(partition->cuts[0], partition->parts[0],
                                                        rank, side == UP ? -1 : 1, periodic);
    }
    HALO_TRY(check_depth(exchange, partition));
    return make_messages(exchange);
}

halo_status halo_exchange_create(halo_exchange **out, halo_world *world,
                                 const halo_partition *partition, halo_field *const *fields,
                                 int count, const halo_exchange_options *options)
{
    const char *mode = options != NULL ? options->mode : NULL;
    *out = NULL;
    halo_exchange *exchange = NULL;
    halo_status status = check_arguments(world, partition, fields, count, mode);
    if (status == HALO_OK) {
        exchange = calloc(1, sizeof *exchange);
        status = exchange != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: an exchange");
    }
    if (exchange != NULL) {
        exchange->world = world;
        exchange->mode = find_mode(mode);
        status = fill_in(exchange, partition, fields, count);
    }
    status = halo_agree(world, status);
    if (status != HALO_OK) {
        halo_exchange_destroy(&exchange);
    }
    *out = exchange;
    return status;
}

void halo_exchange_destroy(halo_exchange **exchange)
{
    if (*exchange != NULL) {
        if ((*exchange)->requests != NULL && (*exchange)->messages != NULL) {
            (*exchange)->mode->release(*exchange);
        }
        free((*exchange)->messages);
        free((*exchange)->requests);
        free((*exchange)->fields);
        free(*exchange);
        *exchange = NULL;
    }
}

static void count_sends(halo_exchange *exchange)
{
    exchange->counts.exchanges++;
    for (int i = 0; i < exchange->message_count; i++) {
        if (exchange->messages[i].sending) {
            exchange->counts.messages++;
            exchange->counts.bytes += exchange->messages[i].bytes;
        }
    }
}

halo_status halo_exchange_begin(halo_exchange *exchange)
{
    if (exchange->begun) {
        return halo_fail(HALO_ARGUMENT, "an exchange was begun twice; end it first");
    }
    /* Own halos first: rows that are sent take their column halos along. */
    for (int i = 0; i < exchange->field_count; i++) {
        const halo_view *view = halo_field_view(exchange->fields[i]);
        halo_wrap_inner(exchange->fields[i], 0, view->owned.n[0], view->depth);
        if (exchange->neighbour[UP] == halo_world_rank(exchange->world)) {
            halo_wrap_outer(exchange->fields[i]);
        }
    }
    HALO_TRY(exchange->mode->start(exchange));
    exchange->begun = true;
    count_sends(exchange);
    return HALO_OK;
}

halo_status halo_exchange_end(halo_exchange *exchange)
{
    if (!exchange->begun) {
        return halo_fail(HALO_ARGUMENT, "an exchange was ended that has not begun");
    }
    exchange->begun = false;
    return halo_wait(exchange->world, exchange->message_count, exchange->requests);
}

int halo_exchange_split(const halo_exchange *exchange, int depth, halo_box *interior,
                        halo_box edges[HALO_EDGES])
{
    halo_box local = exchange->owned;
    memset(local.lo, 0, sizeof local.lo);
    int before[HALO_AXES] = {is_other(exchange, UP) ? depth : 0};
    int after[HALO_AXES] = {is_other(exchange, DOWN) ? depth : 0};
    return halo_box_peel(&local, before, after, interior, edges);
}

halo_exchange_counts halo_exchange_count(const halo_exchange *exchange)
{
    return exchange->counts;
}
