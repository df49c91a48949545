/* Rules read, refused and printed. */

#include "kernels/life/life_rule.h"
#include "support/images.h"
#include "support/unit_check.h"

/* Bits of up to nine counts, spelled out here once more. */
static uint16_t counts(const char *digits)
{
    unsigned bits = 0;
    for (; *digits != '\0'; digits++) {
        bits |= 1U << (*digits - '0');
    }
    return (uint16_t)bits;
}

typedef struct {
    const char *text, *born, *survive;
    int states;
    const char *grid;
} reading;

static void check_reading(const reading *wanted, halo_life_neighbourhood neighbourhood)
{
    halo_life_rule rule = {0};
    const char *grid = "not set";
    halo_status status = halo_life_rule_parse(wanted->text, &rule, &grid);
    if (!check(status == HALO_OK, "%s: %s", wanted->text, halo_last_message())) {
        return;
    }
    check(rule.born == counts(wanted->born) && rule.survive == counts(wanted->survive) &&
              rule.states == wanted->states && rule.neighbourhood == neighbourhood,
          "%s: born %x, survive %x, %d states, neighbourhood %d", wanted->text, rule.born,
          rule.survive, rule.states, rule.neighbourhood);
    if (wanted->grid == NULL) {
        check(grid == NULL, "%s: a grid", wanted->text);
        check(halo_life_rule_parse(wanted->text, &rule, NULL) == HALO_OK, "%s", wanted->text);
    } else {
        check(grid != NULL && strcmp(grid, wanted->grid) == 0, "%s: another grid", wanted->text);
        check(halo_life_rule_parse(wanted->text, &rule, NULL) == HALO_ARGUMENT,
              "%s is accepted where no grid can be", wanted->text);
    }
}

TEST("notations and names")
{
    static const reading readings[] = {
        {"B3/S23", "3", "23", 2, NULL},
        {"b3/s23", "3", "23", 2, NULL},
        {"B3S23", "3", "23", 2, NULL},
        {"S23/B3", "3", "23", 2, NULL},
        {"s23b3", "3", "23", 2, NULL},
        {"S32/B3", "3", "23", 2, NULL},
        {"23/3", "3", "23", 2, NULL},
        {" B3 / S23\t", "3", "23", 2, NULL},
        {"B2/S", "2", "", 2, NULL},
        {"b2s", "2", "", 2, NULL},
        {"/2", "2", "", 2, NULL},
        {"2/", "", "2", 2, NULL},
        {"B/S012345678", "", "012345678", 2, NULL},
        {"B012345678/S012345678", "012345678", "012345678", 2, NULL},
        {"B0/S8", "0", "8", 2, NULL},
        {"B2/S/C3", "2", "", 3, NULL},
        {"B2/S/3", "2", "", 3, NULL},
        {"B2/S/G3", "2", "", 3, NULL},
        {"b2sc3", "2", "", 3, NULL},
        {"345/2/4", "2", "345", 4, NULL},
        {"S345/B2/C4", "2", "345", 4, NULL},
        {"C4/B2/S345", "2", "345", 4, NULL},
        {"/2/3", "2", "", 3, NULL},
        {"0/0/256", "0", "0", 256, NULL},
        {"23/3/2", "3", "23", 2, NULL},
        {"B3/S23:T100,80", "3", "23", 2, "T100,80"},
        {"/2/3:P10", "2", "", 3, "P10"},
        {"life:T64", "3", "23", 2, "T64"},
        {"B3/S23:", "3", "23", 2, ""},
        {"B3/S23:T10,20:x", "3", "23", 2, "T10,20:x"},
        /* Names. */
        {"life", "3", "23", 2, NULL},
        {"Life", "3", "23", 2, NULL},
        {"Conway's Life", "3", "23", 2, NULL},
        {"HighLife", "36", "23", 2, NULL},
        {"high-life", "36", "23", 2, NULL},
        {"Day & Night", "3678", "34678", 2, NULL},
        {"day and night", "3678", "34678", 2, NULL},
        {"daynight", "3678", "34678", 2, NULL},
        {"seeds", "2", "", 2, NULL},
        {"replicator", "1357", "1357", 2, NULL},
        {"fredkin", "1357", "02468", 2, NULL},
        {"maze", "3", "12345", 2, NULL},
        {"2x2", "36", "125", 2, NULL},
        {"34 Life", "34", "34", 2, NULL},
        {"stains", "3678", "235678", 2, NULL},
        {"brian's brain", "2", "", 3, NULL},
        {"Brians_Brain", "2", "", 3, NULL},
        {"BRIANSBRAIN", "2", "", 3, NULL},
        {"star wars", "2", "345", 4, NULL},
        {"StarWars", "2", "345", 4, NULL},
        {"faders", "2", "2", 25, NULL},
    };
    for (size_t n = 0; n < COUNT(readings); n++) {
        check_reading(&readings[n], HALO_LIFE_MOORE);
    }
}

TEST("other neighbourhoods")
{
    static const reading four[] = {
        {"B1/S012V", "1", "012", 2, NULL},
        {"34/2/5V", "2", "34", 5, NULL},
        {"B2/S34/C5V", "2", "34", 5, NULL},
    };
    static const reading six[] = {
        {"b2/s34h", "2", "34", 2, NULL},
        {"S34/B2H", "2", "34", 2, NULL},
        {"B2/SH", "2", "", 2, NULL},
        {"34/2H", "2", "34", 2, NULL},
        {"B246/S135H:T60,40", "246", "135", 2, "T60,40"},
    };
    for (size_t n = 0; n < COUNT(four); n++) {
        check_reading(&four[n], HALO_LIFE_VON_NEUMANN);
    }
    for (size_t n = 0; n < COUNT(six); n++) {
        check_reading(&six[n], HALO_LIFE_HEXAGONAL);
    }
}

/* B3/S23 as Golly's map, from its help. */
#define LIFE_MAP \
    "ARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA"

/* ---- isotropic rules ------------------------------------------------------------------------- */

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

/* The index of a drawing, turned by so many quarters after it was reflected or not. */
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
        {"12/2-a/3", "12/2-a/3"},
        {"B2-a/S12/C3", "12/2-a/3"},
    };
    for (size_t n = 0; n < COUNT(rules); n++) {
        halo_life_rule rule;
        char text[HALO_LIFE_RULE_TEXT] = "";
        SUCCEEDS(halo_life_rule_parse(rules[n].text, &rule, NULL));
        halo_life_rule_print(&rule, text);
        check(strcmp(text, rules[n].printed) == 0, "%s became %s", rules[n].text, text);
    }
}

static const struct {
    const char *text, *because;
} REFUSED[] = {
    {"", "empty"},
    {"  ", "empty"},
    {":T10", "empty"},
    {"B9/S23", "0 to 8 neighbours"},
    {"B3/S239", "0 to 8 neighbours"},
    {"23/9", "0 to 8 neighbours"},
    {"B3", "S, the counts"},
    {"S23", "B, the counts"},
    {"C3", "B, the counts"},
    {"23", "slash"},
    {"B3/S23/B3", "B appears twice"},
    {"B3/S23/S", "S appears twice"},
    {"B3/S23/C3/4", "appears twice"},
    {"B3/S235V", "0 to 4 neighbours in a von Neumann"},
    {"B37/S23H", "0 to 6 neighbours in a hexagonal"},
    {"B3V/S23", "'V' means nothing"},
    {"B3/S23VH", "'V' means nothing"},
    {"B3/S23X", "'X' means nothing"},
    {"B2z/S", "count 2 has no letter 'z', but these: aceikn"},
    {"B0e/S", "count 0 has no letter 'e'"},
    {"B3/S8c", "count 8 has no letter 'c'"},
    {"B3/S2-", "a minus needs letters"},
    {"B2--a/S", "a minus needs letters"},
    {"B2a/S3H", "need eight neighbours"},
    {"B2/S3aH", "'H' means nothing"},
    {"B2a2c/S", "count 2 appears twice"},
    {"B22a/S", "count 2 appears twice"},
    {"B2a2/S", "count 2 appears twice"},
    {"1/2c2/4", "count 2 appears twice"},
    {"W110", "one row (Wolfram's) is not supported"},
    {"R5,C0,M1,S34..58,B34..45,NM", "Larger than Life is not supported"},
    {"M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15", "Margolus"},
    {"MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAA", "86 digits of base 64"},
    {"MAP", "86 digits of base 64"},
    {"map" LIFE_MAP "A", "86 digits of base 64"},
    {"MAP*" LIFE_MAP, "86 digits of base 64"},
    {"JvN29", "29 states is not supported"},
    {"Langtons-Loops", "Langton's ant or loops is not supported"},
    {"B3//S23", "letters with digits"},
    {"23/B3", "letters with digits"},
    {"B3/S23/C1", "2 to 256 states"},
    {"B3/S23/C0", "2 to 256 states"},
    {"B3/S23/C", "2 to 256 states"},
    {"B3/S23/C257", "2 to 256 states"},
    {"B3/S23/C99999999999999999999", "2 to 256 states"},
    {"23/3/", "2 to 256 states"},
    {"23/3/4/5", "left over"},
    {"lifeless", "means nothing"},
    {"WireWorld/3", "'W' means nothing"},
    {"WireWorldV", "'W' means nothing"},
    {"B3/S23?", "letters with digits"},
    {"B3/S-1", "letters with digits"},
};

static void check_round(halo_life_rule rule)
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
static halo_life_rule check_printed(const char *text, const char *expected)
{
    halo_life_rule rule = {0};
    char printed[HALO_LIFE_RULE_TEXT];
    SUCCEEDS(halo_life_rule_parse(text, &rule, NULL));
    halo_life_rule_print(&rule, printed);
    CU_ASSERT_STRING_EQUAL(printed, expected);
    return rule;
}

TEST("WireWorld")
{
    static const char *const texts[] = {"WireWorld", "wireworld", "Wire World", "WIRE-WORLD"};
    for (size_t n = 0; n < COUNT(texts); n++) {
        halo_life_rule rule = check_printed(texts[n], "WireWorld");
        check(rule.states == 4 && rule.neighbourhood == HALO_LIFE_WIREWORLD, "%s", texts[n]);
        check_round(rule);
    }
}

TEST("what is refused, and why")
{
    for (size_t n = 0; n < COUNT(REFUSED); n++) {
        halo_life_rule rule = {.born = 77, .survive = 78, .states = 79};
        const char *grid, *text = REFUSED[n].text;
        FAILS(HALO_ARGUMENT, REFUSED[n].because, halo_life_rule_parse(text, &rule, &grid));
        check(strstr(halo_last_message(), "B3/S23") != NULL, "%s: not said what is allowed", text);
        check(rule.born == 77 && rule.survive == 78 && rule.states == 79, "%s: changed", text);
    }
}

TEST("every rule printed and read again")
{
    for (unsigned bits = 0; bits < 1U << 18; bits++) {
        halo_life_rule rule = {
            .born = (uint16_t)(bits & 511), .survive = (uint16_t)(bits >> 9), .states = 2};
        check_round(rule);
        rule.states = 3 + (int)(bits % 254);
        check_round(rule);
        if (((rule.born | rule.survive) & 0x180) == 0) {
            rule.neighbourhood = HALO_LIFE_HEXAGONAL;
            check_round(rule);
        }
        if (((rule.born | rule.survive) & 0x1e0) == 0) {
            rule.neighbourhood = HALO_LIFE_VON_NEUMANN;
            check_round(rule);
        }
    }
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

TEST("printed")
{
    static const char *const texts[] = {"B3/S23", "B2/S", "345/2/4", "012345678/012345678/256"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        check_printed(texts[i], texts[i]);
    }
}

/* Whatever is typed: a rule that can be printed and read again, or a refusal. */
TEST("random text")
{
    static const char letters[] = "BSCGbs/0123456789 :T,Vxé\xff\n-'aekn_";
    uint64_t random = 1;
    int accepted = 0;
    for (int round = 0; round < 200000; round++) {
        char text[120];
        int64_t length = random_below(&random, round % 100 == 0 ? 119 : 12);
        for (int64_t n = 0; n < length; n++) {
            text[n] = letters[random_below(&random, sizeof letters - 1)];
        }
        text[length] = '\0';
        halo_life_rule rule;
        const char *grid;
        if (halo_life_rule_parse(text, &rule, &grid) == HALO_OK) {
            check_round(rule);
            accepted++;
        }
    }
    check(accepted > 100, "only %d were rules", accepted);
}
