/* Isotropic non-totalistic rules, as letters behind counts and as tables: read, refused and
 * printed. */

#include "support/images.h"
#include "support/life_rule_check.h"

/* B3/S23 as Golly's map, from its help. */
#define LIFE_MAP \
    "ARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA"

/* A neighbourhood for each letter with which Golly's program was seen to bring its middle to life.
 */
static const struct {
    int count;
    const char *letters, *cells[13];
} DRAWN[] = {
    {1, "ce", {".../.../..o", ".../o../..."}},
    {2,
     "ceakin",
     {"o.o/.../...", ".o./..o/...", "..o/..o/...", ".../o../..o", ".../o.o/...", "..o/.../o.."}},
    {3,
     "ceakinyqjr",
     {"..o/.../o.o", ".../o.o/.o.", "oo./o../...", ".o./o../..o", "o../o../o..", ".oo/.../..o",
      "o.o/.../.o.", "o../o../..o", "oo./..o/...", "o../o.o/..."}},
    {4,
     "ceakinyqjrtwz",
     {"o.o/.../o.o", ".o./o.o/.o.", "ooo/..o/...", ".oo/o../..o", ".oo/.../.oo", "ooo/.../..o",
      "o.o/o../..o", "..o/o../oo.", ".o./..o/oo.", ".../o.o/.oo", "ooo/.../.o.", "..o/..o/oo.",
      "o../o.o/..o"}},
    {5,
     "ceakinyqjr",
     {".o./o.o/.oo", "ooo/.../o.o", "ooo/o../o..", "oo./..o/o.o", ".../o.o/ooo", ".oo/o.o/..o",
      "oo./..o/oo.", "oo./o../.oo", "o.o/o../oo.", "ooo/.../oo."}},
    {6,
     "ceakin",
     {"oo./o.o/oo.", "ooo/o../o.o", ".oo/..o/ooo", "ooo/..o/oo.", "ooo/.../ooo", ".oo/o.o/oo."}},
    {7, "ce", {"ooo/o.o/.oo", "o.o/o.o/ooo"}},
};

/* The index of a drawing in the table of outcomes, after a reflection (or none) and a rotation by
 * `quarters` * 90 degrees. */
static int index_of(const char *cells, int quarters, bool reflected)
{
    int index = 0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            int across = reflected ? -x : x, down = y;
            for (int turn = 0; turn < quarters; turn++) {
                int was = across;
                across = -down;
                down = was;
            }
            int bit = 8 - (3 * (down + 1) + across + 1);
            index |= (cells[4 * (y + 1) + x + 1] == 'o') << bit;
        }
    }
    return index;
}

static bool alive_after(const halo_life_rule *rule, int index)
{
    return (rule->map[index / 64] >> index % 64 & 1) != 0;
}

/* The rule's map has the drawing in all its positions, for cells of this state, and nothing else.
 */
static void check_map(const char *text, const char *cells, int state)
{
    bool wanted[512] = {false};
    halo_life_rule rule;
    if (!check(halo_life_rule_parse(text, &rule, NULL) == HALO_OK, "%s: %s", text,
               halo_last_message())) {
        return;
    }
    for (int n = 0; n < 8; n++) {
        wanted[index_of(cells, n % 4, n >= 4) | state << 4] = true;
    }
    int wrong = 0;
    for (int index = 0; index < 512; index++) {
        wrong += alive_after(&rule, index) != wanted[index];
    }
    check(rule.neighbourhood == HALO_LIFE_MAP && wrong == 0, "%s: %d of 512 cells", text, wrong);
}

TEST("letters of arrangements")
{
    int letters = 0;
    for (size_t n = 0; n < COUNT(DRAWN); n++) {
        for (int i = 0; DRAWN[n].letters[i] != '\0'; i++) {
            char text[20];
            snprintf(text, sizeof text, "B%d%c/S", DRAWN[n].count, DRAWN[n].letters[i]);
            check_map(text, DRAWN[n].cells[i], 0);
            snprintf(text, sizeof text, "B/S%d%c", DRAWN[n].count, DRAWN[n].letters[i]);
            check_map(text, DRAWN[n].cells[i], 1);
            letters++;
        }
    }
    check(letters == 49, "%d letters", letters);
}

/* Some letters of one count, or all but those: as Golly's program spells it. */
TEST("rules of arrangements printed")
{
    static const struct {
        const char *text, *printed;
    } rules[] = {
        {"B2n3/S23-q", "B2n3/S23-q"},
        {"B3-cnqy4/S2-i34q", "B3-cnqy4/S2-i34q"},
        {"b2-A/s12", "B2-a/S12"},
        {"s12b2-a", "B2-a/S12"},
        {"B2ceaki/S2-n", "B2-n/S2-n"},
        {"B3yqjrcekain/S4-z", "B3/S4-z"},
        {"B4cekain/S4cekainy", "B4aceikn/S4aceikny"},
        {"B4cekainyq/S4cekainyqj", "B4-jrtwz/S4-rtwz"},
        {"B2-aceikn/S", "B/S"},
        {"B12ce/S1ce", "B12ce/S1"},
        {"2n3/3-k", "B3-k/S2n3"},
        {"/2a", "B2a/S"},
        {"B3c2/S", "B23c/S"},
        {"B7c/S1e", "B7c/S1e"},
        {"B7-c/S", "B7e/S"},
        {"B3_S23-a4ei6", "B3/S23-a4ei6"},
        {"B 3 -a / S 2 3", "B3-a/S23"},
        {"MAP" LIFE_MAP, "B3/S23"},
        {"MAP" LIFE_MAP "==", "B3/S23"},
        /* The bits of the last digit, V, that are beyond the table are of no effect. */
        {"MAPARYAABZoAAEWaAABaIABFxZoAAFogAEXaIABF4AAF34WaAABaIABF2iAAReAABd+aIABF4AAF36AABd+AAB+"
         "6V",
         "B3/S568"},
        {"12/2-a/3", "12/2-a/3"},
        {"B2-a/S12/C3", "12/2-a/3"},
        {"B3-/S23-", "B3/S23"},
        {"B2e3-/S", "B2e3/S"},
    };
    for (size_t n = 0; n < COUNT(rules); n++) {
        halo_life_rule rule;
        char text[HALO_LIFE_RULE_TEXT] = "";
        SUCCEEDS(halo_life_rule_parse(rules[n].text, &rule, NULL));
        halo_life_rule_print(&rule, text);
        check(strcmp(text, rules[n].printed) == 0, "%s became %s", rules[n].text, text);
    }
}

TEST("what is refused, and why")
{
    static const life_rule_refusal refused[] = {
        {"B2z/S", "count 2 has no letter 'z', but these: aceikn"},
        {"B0e/S", "count 0 has no letter 'e'"},
        {"B3/S8c", "count 8 has no letter 'c'"},
        {"B2--a/S", "letters with digits behind them"},
        {"B2a/S3H", "need eight neighbours"},
        {"B2/S3aH", "'H' means nothing"},
        {"B2a2c/S", "count 2 appears twice"},
        {"B22a/S", "count 2 appears twice"},
        {"B2a2/S", "count 2 appears twice"},
        {"1/2c2/4", "count 2 appears twice"},
        {"MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAA", "86 digits of base 64"},
        {"MAP", "86 digits of base 64"},
        {"MAP" LIFE_MAP "=", "86 digits of base 64"},
        {"MAP" LIFE_MAP "===", "86 digits of base 64"},
        {"map" LIFE_MAP "A", "86 digits of base 64"},
        {"MAP*" LIFE_MAP, "86 digits of base 64"},
    };
    check_refused(refused, COUNT(refused));
}

/* Maps of all kinds, as 86 digits of which the last one's lowest four bits mean nothing. */
TEST("maps printed and read again")
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint64_t random = 1;
    for (int round = 0; round < 1000; round++) {
        char text[90] = "MAP", printed[HALO_LIFE_RULE_TEXT];
        for (int n = 3; n < 88; n++) {
            text[n] = digits[random_below(&random, 64)];
        }
        text[88] = digits[random_below(&random, 4) << 4];
        text[89] = '\0';
        halo_life_rule rule;
        SUCCEEDS(halo_life_rule_parse(text, &rule, NULL));
        halo_life_rule_print(&rule, printed);
        check(strcmp(printed, text) == 0, "%s became %s", text, printed);
        check_round(rule);
    }
}

/* Letters of every kind of count, with minus or without; 0 and 8 have none. */
TEST("random rules of arrangements")
{
    static const char *const letters[] = {"", "ce", "ceakin", "ceakinyqjr", "ceakinyqjrtwz"};
    uint64_t random = 2;
    for (int round = 0; round < 2000; round++) {
        char text[200] = "B", *end = text + 1;
        for (int count = 0; count <= 8; count++) {
            const char *of = letters[count > 4 ? 8 - count : count];
            *end++ = (char)('0' + count);
            if (*of != '\0' && random_below(&random, 3) > 0) {
                *end = '-';
                end += random_below(&random, 2);
                *end++ = *of;
                for (of++; *of != '\0'; of++) {
                    *end = *of;
                    end += random_below(&random, 2);
                }
            }
            if (count == 8 && strchr(text, 'S') == NULL) {
                *end++ = 'S';
                count = -1;
            }
            *end = '\0';
        }
        halo_life_rule rule;
        SUCCEEDS(halo_life_rule_parse(text, &rule, NULL));
        check_round(rule);
    }
}
