#include "kernels/life/program.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernels/life/isotropic.h"

#include <stdlib.h>
#include <string.h>

enum {
    AROUND = 8,
    /* Diagrams that are tried, with variables chosen by a randomised heuristic; the smallest is
     * used. It takes 2 to 4 ms, and 5 ms for maps that are not isotropic. */
    TRIES = 100,
    MAP_TRIES = 12,
    NOISE_PERCENT = 30,
    /* Costs of fixed code that a program may need, in steps. */
    FACE_COST = 1,
    PAIRS_COST = 4,
    THREE_COST = 2
};

/* ---- the given values ------------------------------------------------------------------------ */

/* Properties of a neighbourhood that the given values count. */
typedef struct {
    int edges, corners, pairs;
    bool edges_face, corners_face, three;
} features;

static features features_of(int index)
{
    features f = {0};
    bool live[AROUND];
    for (int i = 0; i < AROUND; i++) {
        live[i] = (index >> life_ring[i] & 1) != 0;
    }
    for (int i = 0; i < AROUND; i++) {
        bool next = live[(i + 1) % AROUND], opposite = live[(i + AROUND / 2) % AROUND];
        *(i % 2 == 0 ? &f.edges : &f.corners) += live[i];
        *(i % 2 == 0 ? &f.edges_face : &f.corners_face) |= live[i] && opposite;
        f.pairs += live[i] && next;
        f.three |= live[i] && next && live[(i + 2) % AROUND];
    }
    return f;
}

bool life_program_given(int value, int index)
{
    if (value < LIFE_VALUE_COUNT0) {
        return (index >> value & 1) != 0;
    }
    features f = features_of(index);
    if (value <= LIFE_VALUE_COUNT3) {
        return ((f.edges + f.corners) >> (value - LIFE_VALUE_COUNT0) & 1) != 0;
    }
    switch (value) {
    case LIFE_VALUE_EDGES0:
    case LIFE_VALUE_EDGES1:
        return (f.edges >> (value - LIFE_VALUE_EDGES0) & 1) != 0;
    case LIFE_VALUE_CORNERS0:
    case LIFE_VALUE_CORNERS1:
        return (f.corners >> (value - LIFE_VALUE_CORNERS0) & 1) != 0;
    case LIFE_VALUE_EDGES_FACE:
        return f.edges_face;
    case LIFE_VALUE_CORNERS_FACE:
        return f.corners_face;
    case LIFE_VALUE_PAIRS0:
    case LIFE_VALUE_PAIRS1:
        return (f.pairs >> (value - LIFE_VALUE_PAIRS0) & 1) != 0;
    default:
        return f.three;
    }
}

/* ---- sets of neighbourhoods ------------------------------------------------------------------ */

typedef struct {
    uint64_t word[HALO_LIFE_MAP_WORDS];
} set;

static void include(set *s, int index)
{
    s->word[index / 64] |= (uint64_t)1 << index % 64;
}

static set common(const set *a, const set *b)
{
    set both;
    for (int i = 0; i < HALO_LIFE_MAP_WORDS; i++) {
        both.word[i] = a->word[i] & b->word[i];
    }
    return both;
}

static set without(const set *a, const set *b)
{
    set rest;
    for (int i = 0; i < HALO_LIFE_MAP_WORDS; i++) {
        rest.word[i] = a->word[i] & ~b->word[i];
    }
    return rest;
}

static bool is_empty(const set *s)
{
    uint64_t any = 0;
    for (int i = 0; i < HALO_LIFE_MAP_WORDS; i++) {
        any |= s->word[i];
    }
    return any == 0;
}

static int size_of(const set *s)
{
    int size = 0;
    for (int i = 0; i < HALO_LIFE_MAP_WORDS; i++) {
        size += __builtin_popcountll(s->word[i]);
    }
    return size;
}

/* ---- the diagram ----------------------------------------------------------------------------- */

/* A value or its complement, or a constant. */
typedef struct {
    int value; /* LIFE_VALUES and on: a node; CONSTANT */
    bool negated;
} ref;

enum { CONSTANT = -1, MOST_REFS = LIFE_VALUES + LIFE_MOST_STEPS };

/* The neighbourhoods for which a function must be alive, and those for which it must be dead;
 * others do not matter. */
typedef struct {
    set on, off;
} wanted;

typedef struct {
    int which;
    ref one, zero;
} node;

typedef struct {
    set of[MOST_REFS]; /* where each value is set; nodes follow the given values */
    node nodes[LIFE_MOST_STEPS];
    int count;
    uint32_t variables; /* given values that may be read */
    set all;            /* the neighbourhoods that matter */
    int tries;
    unsigned attempt; /* the first one, 0, is without noise */
    int64_t draws;    /* of random numbers */
} diagram;

/* Is there a value already that will do? */
static bool find_value(const diagram *d, const wanted *w, ref *found)
{
    for (int value = 0; value < LIFE_VALUES + d->count; value++) {
        if (value < LIFE_VALUES && (d->variables >> value & 1) == 0) {
            continue;
        }
        set on = common(&w->on, &d->of[value]), off = common(&w->off, &d->of[value]);
        set on_rest = without(&w->on, &d->of[value]), off_rest = without(&w->off, &d->of[value]);
        bool same = is_empty(&on_rest) && is_empty(&off),
             opposite = is_empty(&on) && is_empty(&off_rest);
        if (same || opposite) {
            *found = (ref){value, opposite};
            return true;
        }
    }
    return false;
}

/* Gini impurity of `on` and `off` neighbourhoods, times their number. */
static double mixed(int on, int off)
{
    return on > 0 && off > 0 ? (double)on * off / (on + off) : 0;
}

/* The given value that leaves the least to decide. */
static int choose_variable(diagram *d, const wanted *w)
{
    int best = -1, on = size_of(&w->on), off = size_of(&w->off);
    double least = 0;
    for (int value = 0; value < LIFE_VALUES; value++) {
        if ((d->variables >> value & 1) == 0) {
            continue;
        }
        set on_set = common(&w->on, &d->of[value]), off_set = common(&w->off, &d->of[value]);
        int on1 = size_of(&on_set), off1 = size_of(&off_set);
        if (on1 + off1 == 0 || on1 + off1 == on + off) {
            continue; /* decides nothing here */
        }
        double left = mixed(on1, off1) + mixed(on - on1, off - off1);
        if (d->attempt != 0) {
            left *= 1 + .01 * (halo_random_at(d->attempt, 0, d->draws++) % NOISE_PERCENT);
        }
        if (best < 0 || left < least) {
            best = value;
            least = left;
        }
    }
    return best;
}

static ref decide(diagram *d, const wanted *w)
{
    ref found;
    if (is_empty(&w->on) || is_empty(&w->off)) {
        return (ref){CONSTANT, is_empty(&w->off)};
    }
    if (find_value(d, w, &found)) {
        return found;
    }
    int which = choose_variable(d, w);
    const set *of = &d->of[which];
    ref one = decide(d, &(wanted){common(&w->on, of), common(&w->off, of)});
    ref zero = decide(d, &(wanted){without(&w->on, of), without(&w->off, of)});
    if (one.value == zero.value && one.negated == zero.negated) {
        return one;
    }
    set *made = &d->of[LIFE_VALUES + d->count];
    for (int i = 0; i < HALO_LIFE_MAP_WORDS; i++) {
        uint64_t ones = one.value == CONSTANT ? 0 : d->of[one.value].word[i];
        uint64_t zeros = zero.value == CONSTANT ? 0 : d->of[zero.value].word[i];
        made->word[i] = ((one.negated ? ~ones : ones) & of->word[i]) |
                        ((zero.negated ? ~zeros : zeros) & ~of->word[i]);
    }
    d->nodes[d->count] = (node){which, one, zero};
    return (ref){LIFE_VALUES + d->count++, false};
}

/* ---- from the diagram to a program ----------------------------------------------------------- */

static life_step_kind kind_of(const node *n)
{
    if (n->one.value == CONSTANT) {
        return n->one.negated ? (n->zero.negated ? LIFE_STEP_OR_NOT : LIFE_STEP_OR)
                              : (n->zero.negated ? LIFE_STEP_NEITHER : LIFE_STEP_NOT_AND);
    }
    if (n->zero.value == CONSTANT) {
        return n->zero.negated ? (n->one.negated ? LIFE_STEP_NOT_BOTH : LIFE_STEP_IMPLIES)
                               : (n->one.negated ? LIFE_STEP_AND_NOT : LIFE_STEP_AND);
    }
    return n->one.negated ? (n->zero.negated ? LIFE_STEP_CHOOSE_NEITHER : LIFE_STEP_CHOOSE_NOT_ONE)
                          : (n->zero.negated ? LIFE_STEP_CHOOSE_NOT_ZERO : LIFE_STEP_CHOOSE);
}

/* The root as a node, where it is another value or a constant. */
static void end_with(diagram *d, ref root)
{
    if (root.value >= LIFE_VALUES && !root.negated && root.value == LIFE_VALUES + d->count - 1) {
        return;
    }
    node end = {LIFE_VALUE_CELL, root, root};
    if (root.value == CONSTANT) {
        *(root.negated ? &end.zero : &end.one) = (ref){LIFE_VALUE_CELL, true};
    }
    d->nodes[d->count++] = end;
}

/* Which node reads each node last. */
static void find_ends(const diagram *d, int last[LIFE_MOST_STEPS])
{
    for (int i = 0; i < d->count; i++) {
        const int read[] = {d->nodes[i].which, d->nodes[i].one.value, d->nodes[i].zero.value};
        for (int k = 0; k < 3; k++) {
            if (read[k] >= LIFE_VALUES) {
                last[read[k] - LIFE_VALUES] = i;
            }
        }
    }
}

/* Numbers of values: those of nodes that nobody reads any more are used again. */
typedef struct {
    int place[LIFE_MOST_STEPS]; /* of each node */
    int last[LIFE_MOST_STEPS];
    int free[LIFE_MOST_STEPS], frees;
    int values;
} numbering;

static uint16_t number_of(const numbering *n, ref r)
{
    return (uint16_t)(r.value == CONSTANT     ? LIFE_VALUE_CELL
                      : r.value < LIFE_VALUES ? r.value
                                              : n->place[r.value - LIFE_VALUES]);
}

static void release(numbering *n, ref r, int at)
{
    if (r.value >= LIFE_VALUES && n->last[r.value - LIFE_VALUES] == at) {
        n->free[n->frees++] = n->place[r.value - LIFE_VALUES];
        n->last[r.value - LIFE_VALUES] = -1; /* once, though it may be read twice */
    }
}

static void write_program(const diagram *d, numbering *n, life_program *program)
{
    n->frees = 0;
    n->values = LIFE_VALUE_FIRST_OWN;
    find_ends(d, n->last);
    program->steps = d->count;
    program->needs = 0;
    for (int i = 0; i < d->count; i++) {
        const node *from = &d->nodes[i];
        life_step *step = &program->step[i];
        const ref read[] = {{from->which, false}, from->one, from->zero};
        for (int k = 0; k < 3; k++) {
            if (read[k].value >= 0 && read[k].value < LIFE_VALUES) {
                program->needs |= (uint32_t)1 << read[k].value;
            }
        }
        *step = (life_step){.kind = (uint8_t)kind_of(from),
                            .which = number_of(n, read[0]),
                            .one = number_of(n, read[1]),
                            .zero = number_of(n, read[2])};
        release(n, from->one, i);
        release(n, from->zero, i);
        n->place[i] = n->frees > 0 ? n->free[--n->frees] : n->values++;
        step->to = (uint16_t)(i == d->count - 1 ? LIFE_VALUE_RESULT : n->place[i]);
    }
    program->values = n->values;
}

/* ---- the best of some tries ------------------------------------------------------------------ */

static int cost_of(const life_program *program)
{
    static const struct {
        int value, cost;
    } fixed[] = {{LIFE_VALUE_EDGES_FACE, FACE_COST},
                 {LIFE_VALUE_CORNERS_FACE, FACE_COST},
                 {LIFE_VALUE_THREE, THREE_COST}};
    int cost = program->steps;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        cost += (program->needs >> fixed[i].value & 1) != 0 ? fixed[i].cost : 0;
    }
    bool pairs = (program->needs >> LIFE_VALUE_PAIRS0 & 3) != 0;
    return cost + (pairs ? PAIRS_COST : 0);
}

/* The given values of each neighbourhood. */
static void give_values(diagram *d, uint32_t given[HALO_LIFE_MAP_CELLS])
{
    memset(d->of, 0, LIFE_VALUES * sizeof *d->of);
    for (int index = 0; index < HALO_LIFE_MAP_CELLS; index++) {
        given[index] = 0;
        for (int value = 0; value < LIFE_VALUES; value++) {
            if (life_program_given(value, index)) {
                include(&d->of[value], index);
                given[index] |= (uint32_t)1 << value;
            }
        }
    }
}

/* For arrangements one neighbourhood of each stands for all; other maps may read single cells. */
static void begin(diagram *d, const uint64_t map[HALO_LIFE_MAP_WORDS])
{
    life_arrangements arrangements;
    uint32_t given[HALO_LIFE_MAP_CELLS], cells = ((uint32_t)1 << LIFE_VALUE_COUNT0) - 1;
    d->variables = ((uint32_t)1 << LIFE_VALUES) - 1;
    d->tries = MAP_TRIES;
    if (life_arrangements_of(map, &arrangements)) {
        d->tries = TRIES;
        d->variables &= ~cells | (uint32_t)1 << LIFE_VALUE_CELL;
    }
    give_values(d, given);
    for (int index = 0; index < HALO_LIFE_MAP_CELLS; index++) {
        bool stands = true;
        for (int before = 0; before < index && stands; before++) {
            stands = ((given[index] ^ given[before]) & d->variables) != 0;
        }
        if (stands) {
            include(&d->all, index);
        }
    }
}

halo_status life_program_make(life_program *program, const uint64_t map[HALO_LIFE_MAP_WORDS])
{
    diagram *d;
    struct {
        numbering numbers;
        life_program program;
    } * one;
    HALO_TRY(HALO_ALLOCATE(d, 1, "the program of a rule"));
    halo_status status = HALO_ALLOCATE(one, 1, "the program of a rule");
    if (status != HALO_OK) {
        free(d);
        return status;
    }
    begin(d, map);
    wanted w;
    memcpy(w.on.word, map, sizeof w.on.word);
    w = (wanted){common(&d->all, &w.on), without(&d->all, &w.on)};
    program->steps = 0;
    for (int n = 0; n < d->tries; n++) {
        d->count = 0;
        d->attempt = (unsigned)n;
        d->draws = 0;
        end_with(d, decide(d, &w));
        write_program(d, &one->numbers, &one->program);
        if (program->steps == 0 || cost_of(&one->program) < cost_of(program)) {
            *program = one->program;
        }
    }
    free(one);
    free(d);
    return HALO_OK;
}
