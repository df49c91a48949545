#include "base/memory.h"
#include "kernels/filter/network.h"

#include <stdlib.h>
#include <string.h>

/* Programs of networks: operations that are needed, in an order, and registers. */

static const char what[] = "a program that sorts";

enum { NOWHERE = -1 };

typedef struct {
    const filter_network *network;
    filter_program *program;
    bool *wanted; /* by node: it is computed */
    int *more;    /* samples past those of the outputs */
    int *partner; /* the node that is the other result of the same operation, or NOWHERE */
    int *uses;    /* how often it is read */
    int *into;    /* the node of a later minimum whose operation computes it, or NOWHERE */
    int *last;    /* the last operation that reads it */
    int *place;   /* its register */
    int *spare;   /* registers that are free: a stack, */
    int spares;   /* and how many */
} making;

static halo_status create(making *m, int64_t nodes, int outputs)
{
    HALO_TRY(HALO_ALLOCATE(m->wanted, nodes, what));
    HALO_TRY(HALO_ALLOCATE(m->more, nodes, what));
    HALO_TRY(HALO_ALLOCATE(m->partner, nodes, what));
    HALO_TRY(HALO_ALLOCATE(m->uses, nodes, what));
    HALO_TRY(HALO_ALLOCATE(m->into, nodes, what));
    HALO_TRY(HALO_ALLOCATE(m->last, nodes, what));
    HALO_TRY(HALO_ALLOCATE(m->place, nodes, what));
    HALO_TRY(HALO_ALLOCATE(m->spare, nodes, what));
    HALO_TRY(HALO_ALLOCATE(m->program->pair, 2 * nodes, what));
    return HALO_ALLOCATE(m->program->operation, nodes + outputs, what);
}

static void destroy(making *m)
{
    free(m->wanted);
    free(m->more);
    free(m->partner);
    free(m->uses);
    free(m->into);
    free(m->last);
    free(m->place);
    free(m->spare);
}

static void want(making *m, filter_value value, int more)
{
    m->wanted[value.node] = true;
    if (more + value.shift > m->more[value.node]) {
        m->more[value.node] = more + value.shift;
    }
}

/* Marks what outputs need, from them back to the inputs. */
static void find_wanted(making *m, const filter_value *outputs, int count)
{
    for (int i = 0; i < count; i++) {
        want(m, outputs[i], 0);
    }
    for (int64_t i = m->network->count - 1; i >= 0; i--) {
        const filter_node *n = &m->network->node[i];
        m->partner[i] = NOWHERE;
        if (m->wanted[i] && n->kind != FILTER_NETWORK_INPUT) {
            want(m, n->a, m->more[i]);
            want(m, n->b, m->more[i]);
        }
    }
}

/* A minimum and a maximum of the same values are nodes next to each other. */
static void find_partners(making *m)
{
    for (int64_t i = 0; i + 1 < m->network->count; i++) {
        const filter_node *n = &m->network->node[i];
        if (m->wanted[i] && m->wanted[i + 1] && n[0].kind == FILTER_NETWORK_MIN &&
            n[1].kind == FILTER_NETWORK_MAX && memcmp(&n[0].a, &n[1].a, sizeof n->a) == 0 &&
            memcmp(&n[0].b, &n[1].b, sizeof n->b) == 0) {
            m->partner[i] = (int)i + 1;
            m->partner[i + 1] = (int)i;
        }
    }
}

/* A minimum of maxima and minima that nothing else reads is one operation, which keeps them in
 * the processor's registers: a selection is a chain of these. */
static void find_chains(making *m)
{
    const int64_t nodes = m->network->count;
    for (int64_t i = 0; i < nodes; i++) {
        const filter_node *n = &m->network->node[i];
        m->into[i] = NOWHERE;
        if (m->wanted[i] && n->kind != FILTER_NETWORK_INPUT) {
            m->uses[n->a.node]++;
            m->uses[n->b.node]++;
        }
    }
    for (int64_t i = nodes - 1; i >= 0; i--) {
        const filter_node *n = &m->network->node[i];
        bool shifted = n->a.shift != 0 || n->b.shift != 0;
        if (!m->wanted[i] || n->kind != FILTER_NETWORK_MIN || m->partner[i] != NOWHERE || shifted) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            filter_value v = k == 0 ? n->a : n->b;
            const filter_node *from = &m->network->node[v.node];
            bool alone = m->uses[v.node] == 1 && m->partner[v.node] == NOWHERE &&
                         from->a.shift == 0 && from->b.shift == 0;
            if (alone && from->kind != FILTER_NETWORK_INPUT && m->place[v.node] == NOWHERE) {
                m->into[v.node] = (int)i;
            }
        }
    }
}

/* Is it computed by an operation of its own? */
static bool leads(const making *m, int64_t i)
{
    return m->wanted[i] && m->network->node[i].kind != FILTER_NETWORK_INPUT &&
           m->into[i] == NOWHERE && !(m->partner[i] != NOWHERE && m->partner[i] < i);
}

/* Notes the operation that reads what a node is made of. */
static void read_last(making *m, int i, int at)
{
    const filter_node *n = &m->network->node[i];
    for (int k = 0; k < 2; k++) {
        int from = k == 0 ? n->a.node : n->b.node;
        m->last[from] = at;
        if (m->into[from] != NOWHERE) {
            read_last(m, from, at);
        }
    }
}

static void find_last(making *m)
{
    int at = 0;
    for (int64_t i = 0; i < m->network->count; i++) {
        if (leads(m, i)) {
            read_last(m, (int)i, at++);
        }
    }
}

/* ---- registers ------------------------------------------------------------------------------- */

/* Frees the register of a value that is read for the last time, unless it is the caller's. */
static void release(making *m, int node, int at)
{
    int place = m->place[node];
    if (m->last[node] == at && place >= m->program->inputs + m->program->outputs) {
        m->spare[m->spares++] = place;
        m->last[node] = NOWHERE;
    }
}

static int take_register(making *m, int node)
{
    if (m->place[node] == NOWHERE) {
        m->place[node] = m->spares > 0 ? m->spare[--m->spares] : m->program->registers++;
    }
    return m->place[node];
}

/* Adds the pairs of a selection that a value stands for: one of a maximum, those of a minimum, or
 * the value twice. */
static void add_pairs(making *m, filter_value value)
{
    const filter_node *n = &m->network->node[value.node];
    filter_program *p = m->program;
    bool inside = m->into[value.node] != NOWHERE;
    if (inside && n->kind == FILTER_NETWORK_MIN) {
        add_pairs(m, n->a);
        add_pairs(m, n->b);
        return;
    }
    p->pair[p->pairs][0] = m->place[inside ? n->a.node : value.node];
    p->pair[p->pairs++][1] = m->place[inside ? n->b.node : value.node];
}

static void release_all(making *m, int i, int at)
{
    const filter_node *n = &m->network->node[i];
    for (int k = 0; k < 2; k++) {
        int from = k == 0 ? n->a.node : n->b.node;
        if (m->into[from] != NOWHERE) {
            release_all(m, from, at);
        } else {
            release(m, from, at);
        }
    }
}

static bool selects(const making *m, const filter_node *n)
{
    return m->into[n->a.node] != NOWHERE || m->into[n->b.node] != NOWHERE;
}

static void add_operation(making *m, int i)
{
    const filter_node *n = &m->network->node[i];
    filter_program *p = m->program;
    int at = p->operations++, partner = m->partner[i];
    filter_operation *o = &p->operation[at];
    *o = (filter_operation){.kind = n->kind,
                            .a = m->place[n->a.node],
                            .b = m->place[n->b.node],
                            .shift_a = n->a.shift,
                            .shift_b = n->b.shift,
                            .more = m->more[i]};
    if (selects(m, n)) {
        *o = (filter_operation){.kind = FILTER_NETWORK_SELECT, .a = p->pairs, .more = m->more[i]};
        add_pairs(m, n->a);
        add_pairs(m, n->b);
        o->b = p->pairs - o->a;
    }
    release_all(m, i, at);
    o->low = take_register(m, i);
    if (partner != NOWHERE) {
        o->kind = FILTER_NETWORK_SORT;
        o->high = take_register(m, partner);
        o->more = m->more[partner] > o->more ? m->more[partner] : o->more;
    }
}

/* Results are computed where they are wanted; an input, or one that is wanted twice, is copied. */
static void place_outputs(making *m, const filter_value *outputs, int count)
{
    for (int i = 0; i < count; i++) {
        if (outputs[i].shift == 0 && m->place[outputs[i].node] == NOWHERE) {
            m->place[outputs[i].node] = m->program->inputs + i;
        }
    }
}

static void copy_outputs(making *m, const filter_value *outputs, int count)
{
    filter_program *p = m->program;
    for (int i = 0; i < count; i++) {
        int to = p->inputs + i, from = m->place[outputs[i].node];
        if (from != to || outputs[i].shift != 0) {
            p->operation[p->operations++] = (filter_operation){.kind = FILTER_NETWORK_COPY,
                                                               .a = from,
                                                               .b = from,
                                                               .shift_a = outputs[i].shift,
                                                               .low = to};
        }
    }
}

/* ---- making ---------------------------------------------------------------------------------- */

static void make(making *m, const filter_value *outputs, int count)
{
    filter_program *p = m->program;
    const int64_t nodes = m->network->count;
    find_wanted(m, outputs, count);
    find_partners(m);
    for (int64_t i = 0; i < nodes; i++) {
        bool input = m->network->node[i].kind == FILTER_NETWORK_INPUT;
        m->place[i] = input ? p->inputs++ : NOWHERE;
        m->last[i] = NOWHERE;
        p->more = input && m->more[i] > p->more ? m->more[i] : p->more;
    }
    p->outputs = count;
    p->registers = p->inputs + count;
    place_outputs(m, outputs, count);
    find_chains(m);
    find_last(m);
    for (int i = 0; i < count; i++) {
        m->last[outputs[i].node] = NOWHERE; /* it stays */
    }
    for (int64_t i = 0; i < nodes; i++) {
        if (leads(m, i)) {
            add_operation(m, (int)i);
        }
    }
    copy_outputs(m, outputs, count);
}

halo_status filter_program_make(filter_program *program, const filter_network *network,
                                const filter_value *outputs, int count)
{
    *program = (filter_program){0};
    making m = {.network = network, .program = program};
    halo_status status = network->status;
    HALO_IF_OK(status, create(&m, network->count, count));
    if (status == HALO_OK) {
        make(&m, outputs, count);
    }
    destroy(&m);
    return status;
}

void filter_program_free(filter_program *program)
{
    free(program->operation);
    free(program->pair);
    *program = (filter_program){0};
}
