#include "kernels/life/engine.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_NEIGHBOURS = 8,
    MAX_BLOCK_ROWS = 32, /* longer walks gain nothing more and need more cache */
    MIN_BLOCK_ROWS = 8
};

/* For simulated machines: a cell is computed in 4 ps where a flop takes 1 ns. */
static const double FLOPS_PER_CELL = .004;

/* The rows that a wavefront holds may take this much of the second-level cache. */
static const size_t CACHE_BYTES = (size_t)1 << 20;

bool halo_life_background(const halo_life_rule *rule, int64_t generation)
{
    bool born = (rule->born & 1) != 0,
         stays = (rule->survive >> halo_life_neighbours(rule) & 1) != 0;
    return born && (stays || generation % 2 != 0);
}

static void spread(uint64_t lanes[LIFE_COLUMN_WORDS], bool set)
{
    for (int i = 0; i < LIFE_COLUMN_WORDS; i++) {
        lanes[i] = set ? ~(uint64_t)0 : 0;
    }
}

/* The same for a map, whose cells all change places with their neighbours. */
static void turn_map(const uint64_t from[HALO_LIFE_MAP_WORDS], bool before, bool after,
                     uint64_t to[HALO_LIFE_MAP_WORDS])
{
    memset(to, 0, HALO_LIFE_MAP_WORDS * sizeof *to);
    for (int i = 0; i < HALO_LIFE_MAP_CELLS; i++) {
        int was = before ? HALO_LIFE_MAP_CELLS - 1 - i : i;
        bool alive = (from[was / 64] >> was % 64 & 1) != 0;
        to[i / 64] |= (uint64_t)(alive != after) << i % 64;
    }
}

/* The rule between two generations, for cells that are kept as what differs from the background:
 * where that is alive, live and dead change places. */
static void spread_rule(life_rule_lanes *lanes, const halo_life_rule *rule, bool before, bool after)
{
    uint16_t born = before ? rule->survive : rule->born;
    uint16_t survive = before ? rule->born : rule->survive;
    int all = halo_life_neighbours(rule);
    for (int n = 0; n <= MOST_NEIGHBOURS; n++) {
        int alive = before ? (n <= all ? all - n : n) : n; /* more than all there never are */
        spread(lanes->born[n], ((born >> alive & 1) != 0) != after);
        spread(lanes->survive[n], ((survive >> alive & 1) != 0) != after);
    }
    for (int i = 1; i < LIFE_PLANES; i++) {
        spread(lanes->last[i], ((rule->states - 2) >> (i - 1) & 1) != 0);
    }
}

static life_ends make_ends(const life_lanes *lanes, bool periodic)
{
    life_ends ends = {.columns = lanes->columns,
                      .periodic = periodic,
                      .full = lanes->width == lanes->columns * LIFE_LANES};
    ends.last_word = life_lanes_place(lanes->columns, lanes->width - 1, &ends.last_bit);
    if (!ends.full) {
        ends.end_word = life_lanes_place(lanes->columns, lanes->width, &ends.end_bit);
    }
    return ends;
}

/* The lowest `count` bits of a word; none or all beyond its ends. */
static uint64_t low_bits(int64_t count)
{
    return count >= 64 ? ~(uint64_t)0 : count > 0 ? ((uint64_t)1 << count) - 1 : 0;
}

/* Lanes with cells before `end` in a column. They are full but for one, which has a cell in the
 * first columns only. */
static int64_t lanes_before(const life_lanes *lanes, int64_t end, int64_t column)
{
    return end / lanes->columns + (column < end % lanes->columns);
}

static void make_mask(life_engine *engine)
{
    const life_lanes *lanes = &engine->lanes;
    const life_engine_span *span = &engine->span;
    uint64_t *words = (uint64_t *)(void *)engine->mask;
    for (int64_t column = 0; column < lanes->columns; column++) {
        int64_t first = lanes_before(lanes, span->first, column);
        int64_t end = lanes_before(lanes, span->first + span->owned, column);
        for (int64_t lane = 0; lane < LIFE_LANES; lane += 64) {
            *words++ = low_bits(end - lane) & ~low_bits(first - lane);
        }
    }
}

static int choose_block_rows(const life_engine *engine)
{
    size_t held = CACHE_BYTES / engine->lanes.row_bytes;
    size_t others = 3 * (size_t)engine->levels; /* one row behind each other, and their sums */
    size_t rows = held > others ? held - others : 0;
    return (int)halo_max(MIN_BLOCK_ROWS, halo_min((int64_t)rows, MAX_BLOCK_ROWS));
}

/* Everything in one piece: hand out the next `bytes` of it, rounded up to whole columns. */
static void *take(char **free_bytes, size_t bytes)
{
    void *taken = *free_bytes;
    *free_bytes += (bytes + LIFE_COLUMN_BYTES - 1) / LIFE_COLUMN_BYTES * LIFE_COLUMN_BYTES;
    return taken;
}

/* Return the bytes that the code for a rule keeps of the row above: see life_block. */
static size_t sums_bytes(const life_lanes *lanes)
{
    return (size_t)halo_max(2 * lanes->columns, lanes->columns + 2) * LIFE_COLUMN_BYTES;
}

static size_t side_bytes(const life_lanes *lanes, bool map)
{
    int64_t columns = map ? life_map_columns(lanes->columns, LIFE_MOST_VALUES) : MAX_BLOCK_ROWS + 1;
    return (size_t)columns * LIFE_COLUMN_BYTES;
}

double life_engine_column_flops(const life_lanes *lanes)
{
    return FLOPS_PER_CELL * LIFE_LANES * lanes->planes;
}

size_t life_engine_bytes(const life_lanes *lanes, int levels, const halo_life_rule *rule)
{
    size_t mask = (size_t)lanes->columns * LIFE_COLUMN_BYTES;
    size_t side = side_bytes(lanes, rule->neighbourhood == HALO_LIFE_MAP);
    size_t changes = 2 * (size_t)levels * sizeof(int64_t) + LIFE_COLUMN_BYTES;
    size_t rules = 2 * sizeof(life_rule_lanes) + LIFE_COLUMN_BYTES;
    return 3 * (size_t)levels * sums_bytes(lanes) + mask + side + 2 * changes + rules;
}

static halo_status make_memory(life_engine *engine, life_rule_lanes **rules)
{
    size_t sums = (size_t)engine->levels * sums_bytes(&engine->lanes);
    size_t mask = (size_t)engine->lanes.columns * LIFE_COLUMN_BYTES;
    size_t side = side_bytes(&engine->lanes, engine->rule.neighbourhood == HALO_LIFE_MAP);
    size_t changes = 2 * (size_t)engine->levels * sizeof(int64_t);
    HALO_TRY(halo_memory_create(&engine->memory,
                                life_engine_bytes(&engine->lanes, engine->levels, &engine->rule),
                                "a wavefront of generations"));
    char *next = engine->memory;
    engine->last_sums = take(&next, sums);
    engine->low_sums = take(&next, sums);
    engine->seam_sums = take(&next, sums);
    engine->mask = take(&next, mask);
    engine->side = take(&next, side);
    engine->changes = take(&next, changes);
    engine->agreed = take(&next, changes);
    *rules = take(&next, 2 * sizeof(life_rule_lanes));
    return HALO_OK;
}

/* The rule's tables in every lane; a map's as programs, the second where the background changes. */
static halo_status make_rules(life_engine *engine, life_rule_lanes rules[2])
{
    const halo_life_rule *rule = &engine->rule;
    const bool before[2] = {false, engine->relative};
    const bool after[2] = {engine->relative,
                           engine->relative &&
                               (rule->survive >> halo_life_neighbours(rule) & 1) != 0};
    bool map = rule->neighbourhood == HALO_LIFE_MAP;
    int programs = !map ? 0 : engine->relative ? 2 : 1;
    engine->rules = rules;
    if (map) {
        HALO_TRY(HALO_ALLOCATE(engine->programs, programs, "the program of a rule"));
    }
    for (int i = 0; i < 2; i++) {
        spread_rule(&rules[i], rule, before[i], after[i]);
        rules[i].program = i < programs ? &engine->programs[i] : NULL;
    }
    for (int i = 0; i < programs; i++) {
        uint64_t turned[HALO_LIFE_MAP_WORDS];
        turn_map(rule->map, before[i], after[i], turned);
        HALO_TRY(life_program_make(&engine->programs[i], turned));
    }
    return HALO_OK;
}

halo_status life_engine_create(life_engine **out, const life_row_ops *ops,
                               const life_engine_options *options)
{
    *out = NULL;
    life_engine *engine;
    HALO_TRY(HALO_ALLOCATE(engine, 1, "an engine for Life"));
    engine->ops = ops;
    engine->lanes = life_lanes_make(options->span.width, options->rule.states);
    engine->span = options->span;
    engine->blocks = options->blocks;
    engine->ends = make_ends(&engine->lanes, options->periodic);
    engine->levels = options->levels;
    engine->block_rows = choose_block_rows(engine);
    engine->rule = options->rule;
    engine->relative = options->infinite && (options->rule.born & 1) != 0;
    engine->code = engine->relative ? &ops->any[options->rule.neighbourhood]
                                    : life_rule_code_of(ops, &options->rule);
    life_rule_lanes *rules;
    halo_status status = make_memory(engine, &rules);
    if (status == HALO_OK) {
        status = make_rules(engine, rules);
    }
    if (status != HALO_OK) {
        life_engine_destroy(&engine);
        return status;
    }
    make_mask(engine);
    if (options->blocks) {
        life_sides_make(&engine->sides, &engine->lanes, options->span.first, options->span.owned);
    }
    *out = engine;
    return HALO_OK;
}

void life_engine_destroy(life_engine **engine)
{
    if (*engine != NULL) {
        halo_memory_free((*engine)->memory);
        free((*engine)->programs);
        free(*engine);
        *engine = NULL;
    }
}

/* One call of advance, and what all its levels need. */
typedef struct {
    const halo_advance *call;
    life_engine *engine;
    const halo_view *view;
    int64_t owned; /* rows of this rank */
    size_t sums_bytes;
    char *sums; /* of the row above the next block, for each level */
} pass;

static int64_t slope(halo_end end)
{
    return end == HALO_END_WIDENS ? 1 : end == HALO_END_JOINS ? -1 : 0;
}

static int64_t first_row(const halo_advance *call, int level)
{
    return call->lo - slope(call->ends[0]) * (call->beats - level);
}

static int64_t end_row(const halo_advance *call, int level)
{
    return call->hi + slope(call->ends[1]) * (call->beats - level);
}

static char *level_sums(const pass *p, char *sums, int level)
{
    return sums + (size_t)(level - 1) * p->sums_bytes;
}

/* The sums above a level's first row, and for the low end that will join here those of the row
 * itself, which is about to be overwritten. */
static void begin_level(const pass *p, int level, int64_t first)
{
    const life_engine *engine = p->engine;
    int64_t columns = engine->lanes.columns;
    if (p->call->ends[0] != HALO_END_JOINS) {
        engine->ops->sums(life_engine_row(p->view, first - 1), columns,
                          life_beside_of(engine->rule.neighbourhood, false),
                          level_sums(p, p->sums, level));
    }
    if (p->call->parts_follow[0]) {
        engine->ops->sums(life_engine_row(p->view, first), columns,
                          life_beside_of(engine->rule.neighbourhood, true),
                          level_sums(p, engine->seam_sums, level));
    }
}

/* Advance rows lo to hi - 1, all of them owned or none. */
static void advance_rows(const pass *p, int level, int64_t lo, int64_t hi)
{
    life_engine *engine = p->engine;
    if (lo >= hi) {
        return;
    }
    bool joins = p->call->ends[1] == HALO_END_JOINS && hi == end_row(p->call, level);
    int64_t generation = engine->generation + p->call->beat + level - 1;
    bool alive = engine->relative && halo_life_background(&engine->rule, generation);
    life_block block = {.row = life_engine_row(p->view, lo),
                        .stride = p->view->stride[0],
                        .rows = (int)(hi - lo),
                        .columns = engine->lanes.columns,
                        .planes = engine->lanes.planes,
                        .plane_stride = (ptrdiff_t)engine->lanes.plane_bytes,
                        .sums = level_sums(p, p->sums, level),
                        .below = joins ? level_sums(p, engine->seam_sums, level) : NULL,
                        .side = engine->side,
                        .rule = &engine->rules[alive],
                        .mask = engine->mask};
    if (engine->counting && lo >= 0 && lo < p->owned) {
        engine->code->count(&block);
        engine->changes[2 * (level - 1)] += block.births;
        engine->changes[2 * (level - 1) + 1] += block.deaths;
        p->call->changed[level - 1] += block.births + block.deaths + block.aged;
    } else {
        engine->code->advance(&block);
    }
    engine->ops->ghosts(block.row, block.stride, hi - lo, &engine->ends);
}

static int64_t clamp(int64_t row, int64_t lo, int64_t hi)
{
    return halo_max(lo, halo_min(row, hi));
}

/* The rows of one level in one block of the wavefront. */
static void advance_level(const pass *p, int level, int64_t base)
{
    int64_t first = first_row(p->call, level), end = end_row(p->call, level);
    int64_t lo = clamp(base - (level - 1), first, end);
    int64_t hi = clamp(base - (level - 1) + p->engine->block_rows, first, end);
    if (lo >= hi) {
        return;
    }
    if (lo == first) {
        begin_level(p, level, first);
    }
    int64_t outer_end = clamp(0, lo, hi), owned_end = clamp(p->owned, lo, hi);
    advance_rows(p, level, lo, outer_end);
    advance_rows(p, level, outer_end, owned_end);
    advance_rows(p, level, owned_end, hi);
}

/* If the background changes, every cell counts as changed: rows are stored relative to the
 * background, and the generation after one without stored changes may have some. */
static void count_background(const halo_advance *call)
{
    const life_engine *engine = call->state;
    for (int level = 1; engine->relative && level <= call->beats; level++) {
        int64_t before = engine->generation + call->beat + level - 1;
        call->changed[level - 1] += halo_life_background(&engine->rule, before) !=
                                    halo_life_background(&engine->rule, before + 1);
    }
}

static halo_status advance(halo_advance *call)
{
    life_engine *engine = call->state;
    count_background(call);
    const halo_view *view = &call->fields[0];
    bool low_end = call->ends[1] == HALO_END_JOINS;
    pass p = {.call = call,
              .engine = engine,
              .view = view,
              .owned = view->owned.n[0],
              .sums_bytes = sums_bytes(&engine->lanes),
              .sums = low_end ? engine->low_sums : engine->last_sums};
    for (int64_t base = first_row(call, 1); base - (call->beats - 1) < call->hi;
         base += engine->block_rows) {
        for (int level = 1; level <= call->beats; level++) {
            advance_level(&p, level, base);
        }
        /* Levels lag behind each other: where their middle is. */
        int64_t middle = base - (call->beats - 1) / 2;
        halo_row_cost_mark(call->row_cost, clamp(middle, call->lo, call->hi),
                           clamp(middle + engine->block_rows, call->lo, call->hi));
    }
    return HALO_OK;
}

/* Births and deaths ride on the vote. */
static halo_status exchange_changes(void *state, int64_t *sums, bool agreed)
{
    life_engine *engine = state;
    size_t bytes = 2 * (size_t)engine->levels * sizeof *sums;
    if (agreed) {
        memcpy(engine->agreed, sums, bytes);
    } else {
        memcpy(sums, engine->changes, bytes);
        memset(engine->changes, 0, bytes);
    }
    return HALO_OK;
}

/* The engine outlives its run: it is the run's state, and not the run's to destroy. */
static halo_status lend_engine(void **state, const halo_domain *domain, const void *options)
{
    (void)domain;
    *state = *(life_engine *const *)options;
    return HALO_OK;
}

halo_kernel life_engine_kernel(const life_engine *engine, bool converges)
{
    return (halo_kernel){
        .name = "life",
        .help = "Life and its relatives, many generations in a superstep",
        .cell_bits = {(int)engine->lanes.row_bytes * 8},
        .depth = 1,
        .corners = true,
        .in_place = true,
        .converges = converges,
        .sums = 2 * engine->levels,
        .sums_can_wait = true,
        .flops = FLOPS_PER_CELL * (double)engine->lanes.width * engine->lanes.planes,
        .side_halo = engine->blocks ? &life_engine_side_halo : NULL,
        .create = lend_engine,
        .advance = advance,
        .beat = exchange_changes,
    };
}
