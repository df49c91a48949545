#ifndef HALOBEAT_TESTS_LIFE_RULE_CHECK_H
#define HALOBEAT_TESTS_LIFE_RULE_CHECK_H

#include "kernels/life/life_rule.h"
#include "support/unit_check.h"

/* Helpers that tests of Life's rules share. */

/* A text that is refused, and words of the reason. */
typedef struct {
    const char *text, *because;
} life_rule_refusal;

/* Each text is refused for its reason, with what is allowed, and the rule is left as it was. */
static inline void check_refused(const life_rule_refusal *refused, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        halo_life_rule rule = {.born = 77, .survive = 78, .states = 79};
        const char *grid, *text = refused[i].text;
        FAILS(HALO_ARGUMENT, refused[i].because, halo_life_rule_parse(text, &rule, &grid));
        check(strstr(halo_last_message(), "B3/S23") != NULL, "%s: not said what is allowed", text);
        check(rule.born == 77 && rule.survive == 78 && rule.states == 79, "%s: changed", text);
    }
}

/* The rule, printed, is read as the same rule. */
static inline void check_round(halo_life_rule rule)
{
    char text[HALO_LIFE_RULE_TEXT];
    halo_life_rule again = {0};
    halo_life_rule_print(&rule, text);
    if (halo_life_rule_parse(text, &again, NULL) != HALO_OK || again.born != rule.born ||
        again.survive != rule.survive || again.states != rule.states ||
        again.neighbourhood != rule.neighbourhood ||
        memcmp(again.map, rule.map, sizeof rule.map) != 0) {
        check(false, "%s is not read as it was printed", text);
    }
}

/* A text is read, and its rule printed like this. Returns the rule. */
static inline halo_life_rule check_printed(const char *text, const char *expected)
{
    halo_life_rule rule = {0};
    char printed[HALO_LIFE_RULE_TEXT];
    SUCCEEDS(halo_life_rule_parse(text, &rule, NULL));
    halo_life_rule_print(&rule, printed);
    CU_ASSERT_STRING_EQUAL(printed, expected);
    return rule;
}

#endif
