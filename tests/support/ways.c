#include "support/ways.h"

#include "base/isa.h"
#include "support/blocks.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHOICES = 10 /* most of one kind */ };

static const struct {
    const char *name;
    const char *of[CHOICES];
} kinds[WAYS] = {
#define WAY_KIND(name, ...) {#name, {__VA_ARGS__}},
    WAY_LIST(WAY_KIND)
#undef WAY_KIND
};

/* ---- pairs ---------------------------------------------------------------------------------- */

/* Which pairs of choices have met. */
typedef bool meetings[WAYS][CHOICES][WAYS][CHOICES];

static int choices_of(int kind)
{
    int count = 0;
    while (count < CHOICES && kinds[kind].of[count] != NULL) {
        count++;
    }
    return count;
}

/* Return the number of pairs that would meet for the first time if `kind` were `choice`; negative
 * choices are open. */
static int gain(meetings met, const int chosen[WAYS], int kind, int choice)
{
    int count = 0;
    for (int other = 0; other < WAYS; other++) {
        count += other != kind && chosen[other] >= 0 && !met[kind][choice][other][chosen[other]];
    }
    return count;
}

/* Choose what is still open, each kind such that as many pairs as possible meet. */
static void choose_rest(meetings met, unsigned mask, uint64_t *random, int chosen[WAYS])
{
    int offset = (int)random_below(random, WAYS);
    for (int i = 0; i < WAYS; i++) {
        int kind = (i + offset) % WAYS, best = -1;
        if (chosen[kind] >= 0 || !(mask >> kind & 1)) {
            continue;
        }
        int count = choices_of(kind), from = (int)random_below(random, count);
        for (int j = 0; j < count; j++) {
            int choice = (from + j) % count, more = gain(met, chosen, kind, choice);
            if (more > best) {
                best = more;
                chosen[kind] = choice;
            }
        }
    }
}

/* The first pair that has not met; false if all have. */
static bool find_pair(meetings met, unsigned mask, int chosen[WAYS])
{
    for (int a = 0; a < WAYS; a++) {
        for (int b = a + 1; b < WAYS; b++) {
            for (int i = 0; (mask >> a & mask >> b & 1) && i < choices_of(a); i++) {
                for (int j = 0; j < choices_of(b); j++) {
                    if (!met[a][i][b][j]) {
                        chosen[a] = i;
                        chosen[b] = j;
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

static void name_way(way *w)
{
    int length = snprintf(w->text, sizeof w->text, "run %d", w->number);
    for (int kind = 0; kind < WAYS; kind++) {
        if (w->of[kind] != NULL && length < (int)sizeof w->text) {
            length += snprintf(w->text + length, sizeof w->text - (size_t)length, ", %s %s",
                               kinds[kind].name, w->of[kind]);
        }
    }
}

bool way_moves(const way *w)
{
    return w->of[WAY_boundaries] != NULL && strcmp(w->of[WAY_boundaries], "by hand") == 0;
}

/* Balancers at random decide something else in each run. */
static void name_balancer(way *w)
{
    const char *how = w->of[WAY_boundaries];
    if (how == NULL || strcmp(how, "stay") == 0 || way_moves(w)) {
        return;
    }
    const char *options = strstr(how, ":empty");
    if (strncmp(how, "random", 6) == 0) {
        snprintf(w->balancer, sizeof w->balancer, "random:seed=%d%s%s", 7 + w->number,
                 options != NULL ? "," : "", options != NULL ? options + 1 : "");
    } else {
        snprintf(w->balancer, sizeof w->balancer, "%s", how);
    }
}

static bool has_instructions(const char *name)
{
#define HAS_ISA(code, text)                                               \
    if (strcmp(name, text) == 0 && halo_isa_supported(HALO_ISA_##code)) { \
        return true;                                                      \
    }
    HALO_ISA_LIST(HAS_ISA)
#undef HAS_ISA
    return false;
}

static way make_way(const int chosen[WAYS], int number)
{
    way w = {.number = number};
    for (int kind = 0; kind < WAYS; kind++) {
        const char *choice = chosen[kind] >= 0 ? kinds[kind].of[chosen[kind]] : "default";
        w.of[kind] = strcmp(choice, "default") != 0 ? choice : NULL;
    }
    const char **set = &w.of[WAY_instructions];
    *set = *set != NULL && !has_instructions(*set) ? "plain" : *set;
    const char *cut = w.of[WAY_cut], *beats = w.of[WAY_beats_per_exchange];
    w.strips = cut == NULL || strstr(cut, "strips") != NULL;
    w.even = cut == NULL || strstr(cut, "even") != NULL;
    w.beats_per_exchange = beats != NULL ? atoi(beats) : 0;
    name_balancer(&w);
    name_way(&w);
    return w;
}

int ways_make(unsigned choices, uint64_t seed, way *ways)
{
    static PER_RANK meetings met;
    int count = 0, chosen[WAYS];
    memset(met, 0, sizeof met);
    for (;; count++) {
        memset(chosen, -1, sizeof chosen);
        if (!find_pair(met, choices, chosen)) {
            return count;
        }
        if (count == WAY_MOST) {
            fprintf(stderr, "more than %d ways\n", WAY_MOST);
            exit(1);
        }
        choose_rest(met, choices, &seed, chosen);
        for (int a = 0; a < WAYS; a++) {
            for (int b = 0; b < WAYS; b++) {
                if (chosen[a] >= 0 && chosen[b] >= 0) {
                    met[a][chosen[a]][b][chosen[b]] = true;
                }
            }
        }
        ways[count] = make_way(chosen, count);
    }
}

/* ---- what they ask for ---------------------------------------------------------------------- */

halo_beat_options way_beat_options(const way *w)
{
    return (halo_beat_options){.vote = w->of[WAY_vote],
                               .exchange = w->of[WAY_exchange],
                               .corner_way = w->of[WAY_corners],
                               .packing = w->of[WAY_packing],
                               .beats_per_exchange = w->beats_per_exchange};
}

void way_cuts(const way *w, uint64_t *random, int64_t n, int parts, int64_t min, int64_t *cuts)
{
    if (w->even && n / parts >= min) {
        halo_cuts_even(n, parts, cuts);
    } else {
        random_cuts(random, n, parts, parts > 1 ? min : 1, cuts);
    }
}

void way_cut(const way *w, uint64_t *random, const halo_domain *domain, int64_t min,
             halo_partition *out)
{
    int ranks = all_ranks();
    int strips[HALO_AXES] = {ranks, 1, 1};
    if (w->strips) {
        random_block_cuts(random, domain, strips, min, out);
    } else {
        random_blocks(random, domain, ranks, min, out);
    }
    for (int axis = 0; axis < domain->axes; axis++) {
        way_cuts(w, random, domain->n[axis], out->parts[axis], min, out->cuts[axis]);
    }
}

struct halo_balancing *way_balance(const way *w, balance_watch *watch, int64_t min)
{
    if (w->balancer[0] == '\0') {
        return NULL;
    }
    watch->min_rows = min;
    watch->blocks = !w->strips;
    balance_watch_start(watch, mpi_check_world(), w->balancer, 1, w->of[WAY_migrate]);
    return watch->balancing;
}

void way_balance_end(const way *w, balance_watch *watch, way_tally *all)
{
    all->runs++;
    if (w->balancer[0] != '\0') {
        balance_watch_end(watch);
        bool by_chance = strncmp(w->balancer, "random", 6) == 0;
        all->plans += by_chance ? watch->plans : 0;
        all->moves += by_chance ? watch->moves : 0;
        all->refilled += watch->refilled;
    }
}

void ways_check(unsigned choices, uint64_t seed, way_check *check)
{
    static PER_RANK way ways[WAY_MOST];
    uint64_t random = seed;
    way_tally all = {0};
    int count = ways_make(choices, seed, ways);
    for (int i = 0; i < count; i++) {
        check(&ways[i], &random, &all);
    }
    expect(all_ranks() == 1 || all.moves > 0, "no boundary has moved");
}
