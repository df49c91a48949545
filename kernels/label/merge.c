#include "kernels/label/merge.h"

#include "core/collect.h"
#include "core/memory.h"
#include "kernels/label/border.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

/* The strips that own rows, in order: only they take part. */
typedef struct {
    int *ranks; /* [count] */
    int count;
    int mine; /* our place among them, or -1 */
} strip_order;

/* One rank's side of the merging. */
typedef struct {
    label_job *job;
    strip_order strips;
    border_touch touch;
    label_border group;   /* the border of the group we are in */
    void *blocks[3];      /* our group's, theirs, and the next one's */
    border_sets scratch;  /* for two borders */
    int32_t own;          /* components of our strip that touch its border */
    int32_t *own_root;    /* [own] */
    int64_t *own_key;     /* [own] the smallest so far */
    int32_t *own_name;    /* [own] name in the group's border, or -1 when inside it */
    halo_letter *letters; /* [strips.count] */
} merge_state;

/* `runs`: at most, of two rows; a group's border has no more components either. */
static halo_status create_buffers(merge_state *state, size_t runs)
{
    const size_t room = border_room(state->touch.width);
    const size_t bytes[] = {room,
                            room,
                            room,
                            2 * runs * sizeof(int32_t),
                            2 * runs * sizeof(int64_t),
                            2 * runs * sizeof(int32_t),
                            runs * sizeof(int32_t),
                            runs * sizeof(int64_t),
                            runs * sizeof(int32_t)};
    enum { BUFFERS = sizeof bytes / sizeof bytes[0] };
    void *buffers[BUFFERS] = {0};
    halo_status status = HALO_OK;
    for (int i = 0; i < BUFFERS && status == HALO_OK; i++) {
        status = halo_memory_create(&buffers[i], bytes[i], "borders of strips");
    }
    for (int i = 0; i < 3; i++) {
        state->blocks[i] = buffers[i];
    }
    state->scratch = (border_sets){buffers[3], buffers[4], buffers[5]};
    state->own_root = buffers[6];
    state->own_key = buffers[7];
    state->own_name = buffers[8];
    return status;
}

static halo_status create_state(merge_state *state)
{
    const label_job *job = state->job;
    const label_strip *strip = &job->strip;
    const int64_t *cuts = job->cuts;
    int ranks = halo_world_ranks(job->world);
    int64_t width = strip->input.width;
    /* Columns are 32-bit numbers, and a border travels in one message. */
    bool alone = ranks == 1;
    if (alone ? width >= INT32_MAX : border_room(width) > INT_MAX) {
        return halo_fail(HALO_ARGUMENT, "rows of %" PRId64 " pixels are too wide for %s", width,
                         alone ? "a periodic image, the limit is 2147483646"
                               : "several ranks; use one rank");
    }
    state->strips.ranks = malloc((size_t)ranks * sizeof(int));
    state->letters = malloc((size_t)ranks * sizeof(halo_letter));
    if (state->strips.ranks == NULL || state->letters == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a table of %d ranks", ranks);
    }
    state->strips.mine = -1;
    for (int r = 0; r < ranks; r++) {
        if (cuts[r] < cuts[r + 1]) {
            if (r == halo_world_rank(job->world)) {
                state->strips.mine = state->strips.count;
            }
            state->strips.ranks[state->strips.count++] = r;
        }
    }
    return create_buffers(state, (size_t)width + 2);
}

static void free_state(merge_state *state)
{
    for (int i = 0; i < 3; i++) {
        halo_memory_free(state->blocks[i]);
    }
    halo_memory_free(state->scratch.sets);
    halo_memory_free(state->scratch.set_keys);
    halo_memory_free(state->scratch.renamed);
    halo_memory_free(state->own_root);
    halo_memory_free(state->own_key);
    halo_memory_free(state->own_name);
    free(state->strips.ranks);
    free(state->letters);
}

/* The strips first to first + count - 1. */
typedef struct {
    int first, count;
} strip_group;

static strip_group group_at(const merge_state *state, int index, int size)
{
    int first = index * size, rest = state->strips.count - first;
    return (strip_group){first, rest < 0 ? 0 : rest < size ? rest : size};
}

/* Send our group's border to the other group, and receive theirs into blocks[1]. The last group
 * may be smaller than its partner: then its members serve several strips each. */
static halo_status swap_borders(merge_state *state, strip_group ours, strip_group theirs)
{
    int place = state->strips.mine - ours.first, letters = 0;
    for (int i = place; i < theirs.count; i += ours.count) {
        state->letters[letters++] = (halo_letter){.rank = state->strips.ranks[theirs.first + i],
                                                  .data = state->group.head,
                                                  .bytes = border_size(&state->group)};
        state->job->report.messages++;
        state->job->report.bytes += (int64_t)border_size(&state->group);
    }
    int from = theirs.first + place % theirs.count;
    halo_letter in = {.rank = state->strips.ranks[from],
                      .data = state->blocks[1],
                      .bytes = border_room(state->touch.width)};
    return halo_swap(state->job->world, state->letters, letters, &in, 1);
}

/* What the joining found out about our own components. `shift`: where our group's names begin. */
static void follow_own(merge_state *state, int32_t shift, bool final)
{
    for (int32_t i = 0; i < state->own; i++) {
        if (state->own_name[i] >= 0) {
            int32_t set = state->scratch.sets[state->own_name[i] + shift];
            state->own_key[i] = state->scratch.set_keys[set];
            state->own_name[i] = final ? -1 : state->scratch.renamed[set];
        }
    }
}

static halo_status merge_round(merge_state *state, int size)
{
    int index = state->strips.mine / size;
    strip_group ours = group_at(state, index, size), theirs = group_at(state, index ^ 1, size);
    if (theirs.count == 0) {
        return HALO_OK; /* the last group sits this round out */
    }
    HALO_TRY(swap_borders(state, ours, theirs));
    label_border other = border_open(state->blocks[1]);
    bool we_are_upper = index % 2 == 0;
    const label_border *upper = we_are_upper ? &state->group : &other;
    const label_border *lower = we_are_upper ? &other : &state->group;
    int32_t shift = we_are_upper ? 0 : other.head->names;
    state->group = border_join(state->blocks[2], upper, lower, &state->touch, &state->scratch);
    follow_own(state, shift, false);
    void *old = state->blocks[0];
    state->blocks[0] = state->blocks[2];
    state->blocks[2] = old;
    return HALO_OK;
}

/* Before anything is merged every component is a region, and the group is our strip. */
static void start_alone(merge_state *state)
{
    label_job *job = state->job;
    int64_t first_key = label_key(halo_world_rank(job->world), 0);
    if (state->strips.mine < 0) {
        return;
    }
    state->group = border_of_strip(state->blocks[0], &job->strip, first_key, job->strip.apart,
                                   state->own_root);
    state->own = state->group.head->names;
    for (int32_t i = 0; i < state->own; i++) {
        state->own_name[i] = i;
        state->own_key[i] = state->group.keys[i];
    }
}

static halo_status merge_all(merge_state *state)
{
    label_job *job = state->job;
    bool takes_part = state->strips.mine >= 0;
    start_alone(state);
    for (int size = 1; size < state->strips.count; size *= 2) {
        halo_stretch stretch = halo_clock_begin(job->world);
        halo_status status = takes_part ? merge_round(state, size) : HALO_OK;
        halo_clock_end(&job->report.clock, HALO_PHASE_MERGE, stretch, job->world);
        HALO_TRY(label_job_beat(job, state->own, status));
    }
    if (job->domain.periodic[0] && takes_part) {
        border_close(&state->group, &state->touch, &state->scratch);
        follow_own(state, 0, true);
    }
    return HALO_OK;
}

halo_status label_merge(label_job *job)
{
    merge_state state = {.job = job,
                         .touch = {.width = job->domain.n[1],
                                   .diagonal = job->diagonal,
                                   .wrap = job->domain.periodic[1]}};
    halo_status status;
    /* From here on a rank that failed alone would leave its partners waiting. */
    HALO_TRY_OR(done, halo_agree(job->world, create_state(&state)));
    HALO_TRY_OR(done, merge_all(&state));
    halo_stretch stretch = halo_clock_begin(job->world);
    status = label_job_finish(job, state.own_root, state.own_key, state.own);
    halo_clock_end(&job->report.clock, HALO_PHASE_COMPUTE, stretch, job->world);
done:
    free_state(&state);
    return status;
}
