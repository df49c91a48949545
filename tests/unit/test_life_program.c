/* Programs of maps: what they compute is the map, for every neighbourhood. */

#include "kernels/life/program.h"
#include "support/images.h"
#include "support/unit_check.h"

static unsigned choose(unsigned which, unsigned one, unsigned zero)
{
    return (which & one) | (~which & zero);
}

/* One step for one neighbourhood. Bits stand for rows of cells, whose complement is ~. */
static bool after_step(const life_step *step, const bool *value)
{
    unsigned which = value[step->which], one = value[step->one], zero = value[step->zero];
    switch (step->kind) {
#define STEP_CASE(name, result) \
    case LIFE_STEP_##name:      \
        return ((unsigned)(result)&1) != 0;
        LIFE_STEP_LIST(STEP_CASE)
#undef STEP_CASE
    default:
        check(false, "a step of kind %d", step->kind);
        return false;
    }
}

static bool result_of(const life_program *program, int index)
{
    static bool value[LIFE_MOST_VALUES];
    for (int i = 0; i < LIFE_VALUES; i++) {
        bool needed = (program->needs >> i & 1) != 0;
        value[i] = needed && life_program_given(i, index);
    }
    for (int i = 0; i < program->steps; i++) {
        value[program->step[i].to] = after_step(&program->step[i], value);
    }
    return value[LIFE_VALUE_RESULT];
}

static void check_program(const char *text, const halo_life_rule *rule, int most_steps)
{
    static life_program program;
    SUCCEEDS(life_program_make(&program, rule->map));
    int wrong = 0;
    for (int index = 0; index < HALO_LIFE_MAP_CELLS; index++) {
        bool alive = (rule->map[index / 64] >> index % 64 & 1) != 0;
        wrong += result_of(&program, index) != alive;
    }
    check(wrong == 0, "%s: %d of 512 neighbourhoods", text, wrong);
    check(program.steps > 0 && program.steps <= most_steps, "%s: %d steps, not up to %d", text,
          program.steps, most_steps);
    check(program.values <= LIFE_MOST_VALUES && program.values >= LIFE_VALUE_FIRST_OWN,
          "%s: %d values", text, program.values);
}

TEST("rules of arrangements")
{
    /* Few steps are what makes them fast. */
    static const struct {
        const char *text;
        int most_steps;
    } rules[] = {{"B2-a/S12", 6},
                 {"B2n3/S23-q", 6},
                 {"B3/S2-i34q", 10},
                 {"B3-cnqy4/S2-i34q", 13},
                 {"B1c/S", 8},
                 {"B2-ak3cn4ce5ajk/S2ck3-an4ijz5cr6ae", 25},
                 {"B2ein3cijn4cnrwy5cnq6e/S1c2-ai3acny4anqy5c6ek8", 40}};
    for (size_t n = 0; n < COUNT(rules); n++) {
        halo_life_rule rule;
        SUCCEEDS(halo_life_rule_parse(rules[n].text, &rule, NULL));
        check_program(rules[n].text, &rule, rules[n].most_steps);
    }
}

/* Maps that no letters can say, and those that need no decision at all. */
TEST("maps")
{
    uint64_t random = 1;
    halo_life_rule rule = {.neighbourhood = HALO_LIFE_MAP};
    check_program("nothing", &rule, 1);
    memset(rule.map, 0xff, sizeof rule.map);
    check_program("everything", &rule, 1);
    for (int bit = 0; bit < 9; bit++) {
        for (int index = 0; index < HALO_LIFE_MAP_CELLS; index++) {
            uint64_t set = (uint64_t)1 << index % 64, *word = &rule.map[index / 64];
            *word = (index >> bit & 1) != 0 ? *word | set : *word & ~set;
        }
        check_program("a neighbour", &rule, 1);
        for (int i = 0; i < HALO_LIFE_MAP_WORDS; i++) {
            rule.map[i] = ~rule.map[i];
        }
        check_program("not a neighbour", &rule, 1);
    }
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < HALO_LIFE_MAP_WORDS; i++) {
            rule.map[i] = random_next(&random);
            if (round % 3 > 0) {
                rule.map[i] &= random_next(&random);
            }
            if (round % 3 > 1) {
                rule.map[i] &= random_next(&random) & random_next(&random);
            }
        }
        check_program("a random map", &rule, 200);
    }
}
