#include "kernels/life/rule_names.h"

#include "kernels/life/life_rule.h"

#include <stddef.h>
#include <string.h>

const char LIFE_RULE_WIREWORLD[] = "*";

/* Rules by the names that people know, from the lexicons of MCell (M. Wojtowicz) and LifeWiki.
 * Names are compared by their letters and digits alone. */
static const struct {
    const char *name, *rule;
} rule_names[] = {
    {"2x2", "B36/S125"},
    {"34 life", "B34/S34"},
    {"amoeba", "B357/S1358"},
    {"anneal", "B4678/S35678"},
    {"assimilation", "B345/S4567"},
    {"banners", "2367/3457/5"},
    {"belzhab", "23/23/8"},
    {"bloomerang", "234/34678/24"},
    {"bombers", "345/24/25"},
    {"brian's brain", "/2/3"},
    {"coagulations", "B378/S235678"},
    {"conway", "B3/S23"},
    {"conway's life", "B3/S23"},
    {"coral", "B3/S45678"},
    {"corrosion of conformity", "B3/S124"},
    {"day & night", "B3678/S34678"},
    {"day and night", "B3678/S34678"},
    {"diamoeba", "B35678/S5678"},
    {"dotlife", "B3/S023"},
    {"drylife", "B37/S23"},
    {"faders", "2/2/25"},
    {"fireworks", "2/13/21"},
    {"flakes", "B3/S012345678"},
    {"flaming starbows", "347/23/8"},
    {"flock", "B3/S12"},
    {"fredkin", "B1357/S02468"},
    {"frogs", "12/34/3"},
    {"game of life", "B3/S23"},
    {"gnarl", "B1/S1"},
    {"h-trees", "B1/S012345678"},
    {"highlife", "B36/S23"},
    {"iceballs", "B25678/S5678"},
    {"inverse life", "B012345678/S34678"},
    {"lava", "12345/45678/8"},
    {"life", "B3/S23"},
    {"life without death", "B3/S012345678"},
    {"lines", "012345/458/3"},
    {"live free or die", "B2/S0"},
    {"living on the edge", "345/3/6"},
    {"long life", "B345/S5"},
    {"lowlife", "B3/S13"},
    {"maze", "B3/S12345"},
    {"mazectric", "B3/S1234"},
    {"meteor guns", "01245678/3/8"},
    {"morley", "B368/S245"},
    {"move", "B368/S245"},
    {"nova", "45678/2478/25"},
    {"prairie on fire", "345/34/6"},
    {"pseudo life", "B357/S238"},
    {"replicator", "B1357/S1357"},
    {"seeds", "B2/S"},
    {"serviettes", "B234/S"},
    {"stains", "B3678/S235678"},
    {"star wars", "345/2/4"},
    {"transers", "345/26/5"},
    {"vote", "B5678/S45678"},
    {"walled cities", "B45678/S2345"},
    {"wireworld", LIFE_RULE_WIREWORLD},
};

const char *halo_life_rule_name(int i)
{
    return i >= 0 && i < (int)(sizeof rule_names / sizeof rule_names[0]) ? rule_names[i].name
                                                                         : NULL;
}

static const char *skip_marks(const char *text)
{
    while (*text != '\0' && !life_is_letter(*text) && !life_is_digit(*text)) {
        text++;
    }
    return text;
}

/* Is the text the name, but for blanks, marks and capitals? A slash makes it no name: 2/2 is not
 * the rule 2x2, and "/2/3" has no letters to compare. */
static bool is_name(const char *text, const char *name)
{
    if (strchr(text, '/') != NULL) {
        return false;
    }
    for (;; text++, name++) {
        text = skip_marks(text);
        name = skip_marks(name);
        if (life_capital(*text) != life_capital(*name)) {
            return false;
        }
        if (*text == '\0') {
            return true;
        }
    }
}

const char *life_rule_named(const char *text)
{
    for (size_t n = 0; n < sizeof rule_names / sizeof rule_names[0]; n++) {
        if (is_name(text, rule_names[n].name)) {
            return rule_names[n].rule;
        }
    }
    return NULL;
}

/* Rules that others know and we do not: how their names or texts begin, or what is in them. */
static const struct {
    const char *begins, *what;
} unsupported[] = {
    {"JVN", "von Neumann's automaton of 29 states"},
    {"NOBILI", "Nobili's automaton"},
    {"HUTTON", "Hutton's automaton"},
    {"LANGTON", "Langton's ant or loops"},
    {"CODD", "Codd's automaton"},
    {"M", "of a Margolus neighbourhood"},
    {"LARGERTHANLIFE", "Larger than Life"},
    {"LTL", "Larger than Life"},
    {"R", "Larger than Life"},
    {"W", "of one row (Wolfram's)"},
    {"ELEMENTARY", "of one row (Wolfram's)"},
    {"3D", "of three axes"},
};
static const struct {
    const char *contains, *what;
} unsupported_within[] = {
    {"TURMITE", "a turmite"},
    {"MARGOLUS", "of a Margolus neighbourhood"},
    {"HISTORY", "one that keeps the history of cells"},
    {"SUPER", "one that keeps the history of cells"},
    {"INVESTIGATOR", "one that marks cells to investigate"},
};

const char *life_rule_unsupported(const char *text)
{
    for (size_t n = 0; n < sizeof unsupported / sizeof *unsupported; n++) {
        size_t length = strlen(unsupported[n].begins);
        bool begins = strncmp(text, unsupported[n].begins, length) == 0;
        if (begins && (length > 1 || life_is_digit(text[length]))) {
            return unsupported[n].what;
        }
    }
    for (size_t n = 0; n < sizeof unsupported_within / sizeof *unsupported_within; n++) {
        if (strstr(text, unsupported_within[n].contains) != NULL) {
            return unsupported_within[n].what;
        }
    }
    return NULL;
}

bool life_rule_looks_named(const char *text)
{
    bool counts = strncmp(text, "BS", 2) == 0 || strncmp(text, "SB", 2) == 0;
    return life_is_letter(text[0]) && life_is_letter(text[1]) && !counts;
}
