/* Notations of Life's rules: read, refused and printed. */

#include "support/images.h"
#include "support/life_rule_check.h"

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
        {"B3", "3", "", 2, NULL},
        {"S23", "", "23", 2, NULL},
        {"B0:P9,9", "0", "", 2, "P9,9"},
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
    static const life_rule_refusal refused[] = {
        {"", "empty"},
        {"  ", "empty"},
        {":T10", "empty"},
        {"B9/S23", "0 to 8 neighbours"},
        {"B3/S239", "0 to 8 neighbours"},
        {"23/9", "0 to 8 neighbours"},
        {"C3", "are missing"},
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
        {"W110", "is not supported: it is of one row (Wolfram's)"},
        {"R5,C0,M1,S34..58,B34..45,NM", "is not supported: it is Larger than Life"},
        {"Larger than Life", "is not supported: it is Larger than Life"},
        {"M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15", "Margolus"},
        {"DLA-Margolus-emulated", "Margolus"},
        {"JvN29", "not supported: it is von Neumann's automaton of 29 states"},
        {"Langtons-Loops", "not supported: it is Langton's ant or loops"},
        {"AbsoluteTurmite_1N10S11S30N21W01N11S20E1", "not supported: it is a turmite"},
        {"LifeHistory", "not supported: it is one that keeps the history"},
        {"B3/S23Super", "not supported: it is one that keeps the history"},
        {"3D", "not supported: it is of three axes"},
        {"Codd2", "not supported: it is Codd's automaton"},
        {"Banks-I", "is not known: none has this name"},
        {"foo", "is not known: none has this name"},
        {"DeadlyEnemies", "is not known: none has this name"},
        {"B3//S23", "letters with digits"},
        {"23/B3", "letters with digits"},
        {"B3/S23/C1", "2 to 256 states"},
        {"B3/S23/C0", "2 to 256 states"},
        {"B3/S23/C", "2 to 256 states"},
        {"B3/S23/C257", "2 to 256 states"},
        {"B3/S23/C99999999999999999999", "2 to 256 states"},
        {"23/3/", "2 to 256 states"},
        {"23/3/4/5", "left over"},
        {"lifeless", "is not known: none has this name"},
        {"WireWorld/3", "is not known"},
        {"WireWorldV", "is not known"},
        {"B3/S23?", "letters with digits"},
        {"B3/S-1", "letters with digits"},
    };
    check_refused(refused, COUNT(refused));
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
