#include "kernels/label/merge/merge.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/label/merge/border.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* One rank's side of the merging. */
typedef struct {
    label_job *job;
    border_touch touch;
    bool open[HALO_AXES];      /* axes along which something is joined, */
    bool sides[BORDER_SIDES];  /* our sides that something is beyond, */
    int64_t counts[HALO_AXES]; /* and our runs on them */
    int64_t runs;              /* of any group's border, at most */
    label_border group;        /* the border of the group we are in */
    void *blocks[3];           /* our group's, theirs, and the next one's */
    border_sets sets;          /* of the names of two borders */
    int32_t own;               /* components of our strip or block that touch its border */
    int32_t *own_root;         /* [own] */
    int64_t *own_key;          /* [own] the smallest so far */
    int32_t *own_name;         /* [own] name in the group's border, or -1 when inside it */
    bool *own_joins;           /* [own] has it found a smaller key than its own? */
    size_t room;               /* bytes of each block */
    int axis, size; /* of the groups that the next beat joins, in places along this axis */
} merge_state;

/* Do sides grow where groups are joined along another axis? */
static bool sides_grow(const merge_state *state)
{
    int cut = 0, open = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        cut += state->job->lines[axis].count > 1;
        open += state->open[axis];
    }
    return cut > 0 && open > 1;
}

/* Sides of an axis that a border has at most: of two places that are no circle each has one. */
static int border_sides(const label_job *job, int axis)
{
    return job->lines[axis].count > 2 || job->periodic[axis] ? 2 : 1;
}

/* Collective. Finds the maximum number of runs of a border: for strips, cut along one axis, that of
 * their sides, for blocks that of all blocks. */
static halo_status bound_runs(merge_state *state)
{
    const label_job *job = state->job;
    int64_t runs[HALO_AXES] = {0};
    if (job->lines[0].mine >= 0) {
        border_count(&job->strip, state->sides, state->counts);
        memcpy(runs, state->counts, sizeof runs);
    }
    HALO_TRY(sides_grow(state) ? halo_allreduce_sum(job->world, runs, HALO_AXES)
                               : halo_allreduce_max(job->world, runs, HALO_AXES));
    for (int axis = 0; axis < HALO_AXES; axis++) {
        state->runs += (sides_grow(state) ? 2 : border_sides(job, axis)) * runs[axis];
    }
    return HALO_OK;
}

enum { BUFFERS = 9 };
static const size_t CACHE_LINE = 64;

/* Bytes of all buffers, each of which begins with a cache line. */
static size_t buffers_bytes(const merge_state *state)
{
    size_t name = sizeof(int64_t) + 2 * sizeof(int32_t) + sizeof(bool);
    size_t name_of_two = 2 * sizeof(int32_t);
    return 3 * state->room + ((size_t)state->runs + 1) * (name + 2 * name_of_two) +
           BUFFERS * CACHE_LINE;
}

/* The memory stays with the job: a new block would be cleared by the system, page by page, which
 * takes longer than merging. */
static halo_status ensure_room(label_job *job, size_t bytes, const char *what)
{
    if (bytes <= job->merge_room) {
        return HALO_OK;
    }
    halo_memory_free(job->merging);
    job->merging = NULL;
    job->merge_room = 0;
    /* Most borders are shorter than they might be. */
    job->merging = halo_memory_room(bytes, 1, "%s", what);
    HALO_TRY(job->merging != NULL ? HALO_OK : HALO_MEMORY);
    job->merge_room = bytes;
    return HALO_OK;
}

static void *take(char **next, size_t count, size_t size)
{
    void *buffer = *next;
    *next += (count * size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return buffer;
}

static void place_buffers(merge_state *state)
{
    char *next = state->job->merging;
    size_t names = (size_t)state->runs + 1;
    for (int i = 0; i < 3; i++) {
        state->blocks[i] = take(&next, state->room, 1);
    }
    state->sets.sets = take(&next, 2 * names, sizeof *state->sets.sets);
    state->sets.renamed = take(&next, 2 * names, sizeof *state->sets.renamed);
    state->own_root = take(&next, names, sizeof *state->own_root);
    state->own_key = take(&next, names, sizeof *state->own_key);
    state->own_name = take(&next, names, sizeof *state->own_name);
    state->own_joins = take(&next, names, sizeof *state->own_joins);
}

static halo_status create_buffers(merge_state *state)
{
    HALO_TRY(label_job_check_sides(state->job));
    /* A group's border has no more components than runs, and travels in one message. */
    static const char what[] = "borders of strips";
    state->room = border_room(state->runs, state->job->near.type != HALO_LABEL_NONE);
    if (state->room > INT_MAX) {
        return halo_fail(HALO_ARGUMENT,
                         "borders with %" PRId64 " runs are too large to send, the limit is %d "
                         "bytes; cut another axis, or use fewer ranks",
                         state->runs, INT_MAX);
    }
    HALO_TRY(ensure_room(state->job, buffers_bytes(state), what));
    place_buffers(state);
    return HALO_OK;
}

/* Stores what joining found out about our own components. `shift` is the first of our group's
 * names; `high` is NULL in a border that was closed. */
static void follow_own(merge_state *state, const label_border *low, const label_border *high,
                       int32_t shift)
{
    for (int32_t i = 0; i < state->own; i++) {
        if (state->own_name[i] >= 0) {
            int32_t name = state->own_name[i] + shift;
            int64_t key = border_joined_key(low, high, &state->sets, name);
            state->own_joins[i] |= key != state->own_key[i];
            state->own_key[i] = key;
            state->own_name[i] = state->sets.renamed[state->sets.sets[name]];
        }
    }
}

/* The border in blocks[2] becomes our group's. */
static void take_over(merge_state *state, const label_border *fresh)
{
    void *old = state->blocks[0];
    state->group = *fresh;
    state->blocks[0] = state->blocks[2];
    state->blocks[2] = old;
}

/* Our group and the one it meets along an axis send each other their borders. */
static halo_status meet(merge_state *state)
{
    label_job *job = state->job;
    const label_line *line = &job->lines[state->axis];
    label_round round = label_line_round(line, state->size);
    if (round.theirs.count == 0) {
        return HALO_OK; /* the last group sits this round out */
    }
    halo_message out = {.data = state->group.head, .bytes = border_size(&state->group)};
    halo_message in = {.data = state->blocks[1], .bytes = state->room};
    HALO_TRY(label_job_sendrecv(job, line, &round, &out, &in));
    label_border other = border_open(state->blocks[1]);
    const label_border *low = round.lower ? &state->group : &other;
    const label_border *high = round.lower ? &other : &state->group;
    int32_t shift = round.lower ? 0 : other.head->names;
    label_border joined =
        border_join(state->blocks[2], low, high, state->axis, &state->touch, &state->sets);
    follow_own(state, low, high, shift);
    take_over(state, &joined);
    return HALO_OK;
}

static halo_status merge_beat(void *context, halo_loop_superstep *superstep)
{
    merge_state *state = context;
    label_job *job = state->job;
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = meet(state);
    halo_clock_end(&job->report->clock, HALO_PHASE_MERGE, stretch, job->world);
    state->size *= 2;
    superstep->changed[0] = state->own;
    return status;
}

/* Every component is a region before anything is merged, and the group is our strip or block. */
static void start_alone(merge_state *state)
{
    label_job *job = state->job;
    state->group = border_of_strip(state->blocks[0], &job->strip, state->sides, state->counts,
                                   state->blocks[1], state->own_root);
    state->own = state->group.head->names;
    for (int32_t i = 0; i < state->own; i++) {
        state->own_name[i] = i;
        state->own_key[i] = state->group.keys[i];
        state->own_joins[i] = false;
    }
}

/* Finishes the strip with our components whose regions begin elsewhere. */
static halo_status finish(merge_state *state)
{
    int32_t aliases = 0;
    for (int32_t i = 0; i < state->own; i++) {
        if (state->own_joins[i]) {
            state->own_root[aliases] = state->own_root[i];
            state->own_key[aliases++] = state->own_key[i];
        }
    }
    return label_job_finish(state->job, state->own_root, state->own_key, aliases);
}

/* All along one axis. */
static halo_status merge_line(merge_state *state, int axis)
{
    static const halo_loop_hooks hooks = {.superstep = merge_beat};
    label_job *job = state->job;
    const label_line *line = &job->lines[axis];
    int beats = label_line_rounds(line);
    state->axis = axis;
    state->size = 1;
    if (beats > 0) {
        HALO_TRY(halo_loop_run(job->loop, &hooks, state, beats));
    }
    bool round = job->periodic[axis];
    if (line->mine >= 0) {
        label_border closed =
            border_close(state->blocks[2], &state->group, axis, round, &state->touch, &state->sets);
        follow_own(state, &state->group, NULL, 0);
        take_over(state, &closed);
    }
    return HALO_OK;
}

/* The last axis first, so that rows of pixels are whole when they are joined to others. */
static halo_status merge_all(merge_state *state)
{
    label_job *job = state->job;
    if (job->lines[0].mine >= 0) {
        start_alone(state);
    }
    for (int axis = HALO_AXES - 1; axis >= 0; axis--) {
        if (state->open[axis]) {
            HALO_TRY(merge_line(state, axis));
        }
    }
    return HALO_OK;
}

/* Nothing is beyond the ends of a line, unless it is a circle. */
static void find_sides(merge_state *state, int axis)
{
    const label_job *job = state->job;
    const label_line *line = &job->lines[axis];
    bool open = state->open[axis] && line->mine >= 0, round = job->periodic[axis];
    state->sides[2 * axis] = open && (round || line->mine > 0);
    state->sides[2 * axis + 1] = open && (round || line->mine < line->count - 1);
}

halo_status label_merge(label_job *job)
{
    merge_state state = {.job = job, .touch = {.order = job->order, .near = job->near}};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        state.touch.n[axis] = job->n[axis];
        state.touch.periodic[axis] = job->periodic[axis];
        state.open[axis] = label_job_joins(job, axis);
        find_sides(&state, axis);
    }
    HALO_TRY(bound_runs(&state));
    /* From here on a rank that failed alone would leave its partners waiting. */
    HALO_TRY(halo_agree(job->world, create_buffers(&state)));
    HALO_TRY(merge_all(&state));
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = finish(&state);
    halo_clock_end(&job->report->clock, HALO_PHASE_COMPUTE, stretch, job->world);
    return status;
}
