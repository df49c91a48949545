#include "core/beat/vote.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "base/option.h"
#include "core/beat/vote_pipeline.h"
#include "core/world/collect.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RESULT_TAG = 201, ANSWER_TAG = 202, COORDINATOR = 0 };

/* On the wire a packet is preceded by the steps the message depends on. */
enum { WIRE_STEPS, WIRE_PACKET };

typedef struct {
    void (*connect)(halo_vote *vote); /* fill in senders and parent; NULL: there are none */
    halo_status (*post)(halo_vote *vote);
    halo_status (*collect)(halo_vote *vote);
    bool pipelined; /* has a pipeline, and no packets but `mine` and `total` */
} vote_method;

struct halo_vote {
    halo_world *world;
    const vote_method *method;
    const char *name;
    int entries; /* of a wire packet */
    int64_t *mine;
    int64_t *total;
    int64_t *results; /* [senders * entries]: what this rank receives to add up */
    int64_t *copies;  /* [below * entries]: answers on their way down */
    int *senders;     /* [ranks] who sends to this rank */
    int sender_count; /* all ranks at the coordinator, children in the tree */
    int *below;       /* [ranks] whom this rank sends the answer */
    int below_count;
    int parent;             /* in the tree; -1 at its root */
    halo_request *requests; /* [ranks] one per sender, for results, then for answers */
    halo_request sent, answer;
    halo_pipeline *pipeline; /* or NULL */
    int lateness, under_way; /* votes */
    halo_vote_counts counts;
};

static halo_status send_packet(halo_vote *vote, int64_t *wire, int to, int tag,
                               halo_request *request)
{
    vote->counts.messages++;
    return halo_post(vote->world, true, wire, vote->entries * (int)sizeof *wire, to, tag, request);
}

static halo_status receive_packet(halo_vote *vote, int64_t *wire, int from, int tag,
                                  halo_request *request)
{
    return halo_post(vote->world, false, wire, vote->entries * (int)sizeof *wire, from, tag,
                     request);
}

/* Post receives before sends, so that messages arrive in posted buffers. */
static halo_status post_receives(halo_vote *vote)
{
    for (int i = 0; i < vote->sender_count; i++) {
        HALO_TRY(receive_packet(vote, vote->results + (size_t)i * (size_t)vote->entries,
                                vote->senders[i], RESULT_TAG, &vote->requests[i]));
    }
    return HALO_OK;
}

/* Wait for the results and add them to the total, in a fixed order. Each takes a step of this
 * rank, after those it depends on. */
static halo_status add_results(halo_vote *vote)
{
    HALO_TRY(halo_wait(vote->world, vote->sender_count, vote->requests));
    for (int i = 0; i < vote->sender_count; i++) {
        const int64_t *wire = vote->results + (size_t)i * (size_t)vote->entries;
        vote->total[WIRE_STEPS] = halo_max(vote->total[WIRE_STEPS], wire[WIRE_STEPS]) + 1;
        for (int k = WIRE_PACKET; k < vote->entries; k++) {
            vote->total[k] += wire[k];
        }
    }
    return HALO_OK;
}

/* Begin to send the total on, to the last one first: in the tree no other has more ranks below it.
 */
static halo_status send_answers(halo_vote *vote)
{
    for (int i = vote->below_count - 1; i >= 0; i--) {
        int64_t *wire = vote->copies + (size_t)i * (size_t)vote->entries;
        memcpy(wire, vote->total, (size_t)vote->entries * sizeof *wire);
        HALO_TRY(send_packet(vote, wire, vote->below[i], ANSWER_TAG, &vote->requests[i]));
        vote->total[WIRE_STEPS]++; /* the next one leaves a step later */
    }
    return HALO_OK;
}

static halo_status post_allreduce(halo_vote *vote)
{
    return halo_iallreduce(vote->world, vote->mine, vote->total, vote->entries, HALO_REDUCE_SUM,
                           &vote->answer);
}

static halo_status collect_allreduce(halo_vote *vote)
{
    return halo_wait(vote->world, 1, &vote->answer);
}

/* Answers come down a binomial tree: a rank's parent lacks its lowest set bit, its children have
 * one lower bit more. */
static void connect_answers(halo_vote *vote)
{
    int rank = halo_world_rank(vote->world), ranks = halo_world_ranks(vote->world);
    for (int bit = 1; bit < ranks && (rank & bit) == 0; bit *= 2) {
        if (rank + bit < ranks) {
            vote->below[vote->below_count++] = rank + bit;
        }
    }
    vote->parent = rank > 0 ? rank & (rank - 1) : -1;
}

/* And results go up the same one. */
static void connect_tree(halo_vote *vote)
{
    connect_answers(vote);
    vote->sender_count = vote->below_count;
    memcpy(vote->senders, vote->below, sizeof *vote->below * (size_t)vote->below_count);
}

/* Inner nodes of the tree can send only what their children have sent them. */
static halo_status post_tree(halo_vote *vote)
{
    memcpy(vote->total, vote->mine, (size_t)vote->entries * sizeof *vote->total);
    HALO_TRY(post_receives(vote));
    if (vote->parent >= 0 && vote->sender_count == 0) {
        return send_packet(vote, vote->mine, vote->parent, RESULT_TAG, &vote->sent);
    }
    return HALO_OK;
}

/* From the parent. */
static halo_status receive_answer(halo_vote *vote)
{
    HALO_TRY(receive_packet(vote, vote->total, vote->parent, ANSWER_TAG, &vote->answer));
    HALO_TRY(halo_wait(vote->world, 1, &vote->answer));
    HALO_TRY(halo_wait(vote->world, 1, &vote->sent));
    vote->total[WIRE_STEPS]++;
    return HALO_OK;
}

static halo_status collect_tree(halo_vote *vote)
{
    HALO_TRY(add_results(vote));
    if (vote->parent >= 0) {
        if (vote->sender_count > 0) {
            memcpy(vote->mine, vote->total, (size_t)vote->entries * sizeof *vote->mine);
            HALO_TRY(send_packet(vote, vote->mine, vote->parent, RESULT_TAG, &vote->sent));
        }
        HALO_TRY(receive_answer(vote));
    }
    HALO_TRY(send_answers(vote));
    return halo_wait(vote->world, vote->below_count, vote->requests);
}

static void connect_results(halo_vote *vote)
{
    int ranks = halo_world_ranks(vote->world);
    vote->sender_count = halo_world_rank(vote->world) == COORDINATOR ? ranks : 0;
    for (int r = 0; r < vote->sender_count; r++) {
        vote->senders[r] = r;
    }
}

static void connect_workers(halo_vote *vote)
{
    connect_results(vote);
    vote->below_count = vote->sender_count;
    memcpy(vote->below, vote->senders, sizeof *vote->senders * (size_t)vote->sender_count);
}

static void connect_broadcast(halo_vote *vote)
{
    connect_results(vote);
    connect_answers(vote);
}

static halo_status post_result(halo_vote *vote)
{
    memset(vote->total, 0, (size_t)vote->entries * sizeof *vote->total);
    HALO_TRY(post_receives(vote));
    return send_packet(vote, vote->mine, COORDINATOR, RESULT_TAG, &vote->sent);
}

/* The answer goes to `mine`, which is free once the result is sent: the coordinator's own worker
 * receives while the total is still being sent to others. */
static halo_status collect_coordinator(halo_vote *vote)
{
    HALO_TRY(add_results(vote));
    HALO_TRY(halo_wait(vote->world, 1, &vote->sent));
    HALO_TRY(receive_packet(vote, vote->mine, COORDINATOR, ANSWER_TAG, &vote->answer));
    HALO_TRY(send_answers(vote));
    HALO_TRY(halo_wait(vote->world, 1, &vote->answer));
    HALO_TRY(halo_wait(vote->world, vote->sender_count, vote->requests));
    memcpy(vote->total, vote->mine, (size_t)vote->entries * sizeof *vote->total);
    vote->total[WIRE_STEPS]++;
    return HALO_OK;
}

/* The broadcast is of messages that can be counted, down a tree as a transport's would be. */
static halo_status collect_broadcast(halo_vote *vote)
{
    HALO_TRY(add_results(vote));
    HALO_TRY(vote->parent >= 0 ? receive_answer(vote) : halo_wait(vote->world, 1, &vote->sent));
    HALO_TRY(send_answers(vote));
    return halo_wait(vote->world, vote->below_count, vote->requests);
}

static halo_status post_pipeline(halo_vote *vote)
{
    int64_t before = halo_pipeline_messages(vote->pipeline);
    HALO_TRY(halo_pipeline_post(vote->pipeline, vote->mine + WIRE_PACKET));
    vote->counts.messages += halo_pipeline_messages(vote->pipeline) - before;
    return HALO_OK;
}

/* Each round takes a step. */
static halo_status collect_pipeline(halo_vote *vote)
{
    int64_t before = halo_pipeline_messages(vote->pipeline);
    HALO_TRY(halo_pipeline_collect(vote->pipeline, vote->total + WIRE_PACKET));
    vote->counts.messages += halo_pipeline_messages(vote->pipeline) - before;
    vote->total[WIRE_STEPS] = vote->lateness;
    return HALO_OK;
}

/* In the order of HALO_VOTE_LIST. */
static const vote_method methods[] = {
    {NULL, post_allreduce, collect_allreduce, false},
    {connect_tree, post_tree, collect_tree, false},
    {connect_workers, post_result, collect_coordinator, false},
    {connect_broadcast, post_result, collect_broadcast, false},
    {NULL, post_pipeline, collect_pipeline, true},
};
static const char *const method_names[] = {HALO_VOTE_LIST(HALO_NAME)};
_Static_assert(sizeof methods / sizeof *methods == sizeof method_names / sizeof *method_names,
               "a method that is not in the list, or the other way round");

/* Packets and requests; a rank may hear from all others. */
static halo_status allocate(halo_vote *vote)
{
    size_t ranks = (size_t)halo_world_ranks(vote->world), entries = (size_t)vote->entries;
    HALO_TRY(HALO_ALLOCATE(vote->senders, ranks, "the ranks of a vote"));
    HALO_TRY(HALO_ALLOCATE(vote->below, ranks, "the ranks of a vote"));
    HALO_TRY(HALO_ALLOCATE(vote->requests, ranks, "the messages of a vote"));
    HALO_TRY(HALO_ALLOCATE(vote->mine, entries, "the numbers of a vote"));
    HALO_TRY(HALO_ALLOCATE(vote->total, entries, "the numbers of a vote"));
    if (vote->method->connect != NULL) {
        vote->method->connect(vote);
    }
    if (vote->method->pipelined) {
        HALO_TRY(halo_pipeline_create(&vote->pipeline, vote->world, vote->entries - WIRE_PACKET));
        vote->lateness = halo_pipeline_rounds(vote->pipeline);
    }
    size_t numbers = (size_t)vote->sender_count * entries;
    HALO_TRY(HALO_ALLOCATE(vote->results, numbers, "the numbers of a vote"));
    return HALO_ALLOCATE(vote->copies, (size_t)vote->below_count * entries,
                         "the numbers of a vote");
}

static halo_status create(halo_vote **out, halo_world *world, const char *name, int sums)
{
    int method;
    name = name == NULL || strcmp(name, "auto") == 0 ? method_names[0] : name;
    HALO_TRY(halo_names_find("vote", method_names, HALO_NAMES_COUNT(method_names), name, &method));
    if (sums < 0) {
        return halo_fail(HALO_ARGUMENT, "a vote carries 0 or more sums, not %d", sums);
    }
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a vote"));
    halo_vote *vote = *out;
    vote->world = world;
    /* A rank alone has nobody to send to, nor may it. */
    vote->method = &methods[halo_world_is_alone(world) ? 0 : method];
    vote->name = method_names[method];
    vote->entries = WIRE_PACKET + HALO_VOTE_SUMS + sums;
    vote->parent = -1;
    vote->sent = vote->answer = HALO_NO_REQUEST;
    return allocate(vote);
}

halo_status halo_vote_create(halo_vote **out, halo_world *world, const char *method, int sums)
{
    *out = NULL;
    halo_status status = halo_agree(world, create(out, world, method, sums));
    if (status != HALO_OK) {
        halo_vote_destroy(out);
    }
    return status;
}

void halo_vote_destroy(halo_vote **vote)
{
    if (*vote != NULL) {
        free((*vote)->senders);
        free((*vote)->below);
        free((*vote)->requests);
        free((*vote)->mine);
        free((*vote)->total);
        free((*vote)->results);
        free((*vote)->copies);
        halo_pipeline_destroy(&(*vote)->pipeline);
        free(*vote);
        *vote = NULL;
    }
}

const char *halo_vote_name(const halo_vote *vote)
{
    return vote->name;
}

int halo_vote_lateness(const halo_vote *vote)
{
    return vote->lateness;
}

halo_status halo_vote_post(halo_vote *vote, const int64_t *packet)
{
    if (vote->under_way > vote->lateness) {
        return halo_fail(HALO_ARGUMENT,
                         "a vote was posted while %d are to be collected; collect one first",
                         vote->under_way);
    }
    vote->mine[WIRE_STEPS] = 0;
    memcpy(vote->mine + WIRE_PACKET, packet,
           (size_t)(vote->entries - WIRE_PACKET) * sizeof *packet);
    HALO_TRY(vote->method->post(vote));
    vote->under_way++;
    return HALO_OK;
}

halo_status halo_vote_collect(halo_vote *vote, int64_t *packet)
{
    if (vote->under_way == 0) {
        return halo_fail(HALO_ARGUMENT, "a vote was collected that has not been posted");
    }
    vote->under_way--;
    HALO_TRY(vote->method->collect(vote));
    memcpy(packet, vote->total + WIRE_PACKET,
           (size_t)(vote->entries - WIRE_PACKET) * sizeof *packet);
    vote->counts.votes++;
    vote->counts.steps += vote->total[WIRE_STEPS];
    return HALO_OK;
}

void halo_vote_count_sized(const halo_vote *vote, halo_vote_counts *counts, size_t counts_bytes)
{
    halo_report_give(counts, counts_bytes, &vote->counts, sizeof vote->counts);
}
