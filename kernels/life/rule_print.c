#include "kernels/life/isotropic.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NEIGHBOURS = 8, ALL_BUT_CELL = 0x1ef, CELL_ALONE = 0x010, ALL = 0x1ff };

/* As many bits as a digit of base 64 has. */
enum {
    DIGIT_BITS = 6,
    MAP_DIGITS = (HALO_LIFE_MAP_CELLS + DIGIT_BITS - 1) / DIGIT_BITS,
    PADDED_DIGITS = (MAP_DIGITS + 3) / 4 * 4
};

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* ---- rules of arrangements and maps ---------------------------------------------------------- */

/* The births and survivals of a map for 0 and for 8 live neighbours are bits 0 and 8. */
static void find_ends(const uint64_t map[HALO_LIFE_MAP_WORDS], uint16_t *born, uint16_t *survive)
{
    *born = (uint16_t)(life_map_at(map, 0) | life_map_at(map, ALL_BUT_CELL) << MAX_NEIGHBOURS);
    *survive = (uint16_t)(life_map_at(map, CELL_ALONE) | life_map_at(map, ALL) << MAX_NEIGHBOURS);
}

void life_rule_set(halo_life_rule *rule, const life_arrangements *from)
{
    uint16_t counts[2] = {0};
    bool whole = true;
    for (int state = 0; state < 2; state++) {
        for (int count = 0; count <= MAX_NEIGHBOURS; count++) {
            uint16_t of = from->of[state][count];
            counts[state] = (uint16_t)(counts[state] | (of != 0) << count);
            whole = whole && (of == 0 || of == life_letters_all(count));
        }
    }
    rule->born = counts[0];
    rule->survive = counts[1];
    if (!whole) {
        rule->neighbourhood = HALO_LIFE_MAP;
        life_arrangements_map(from, rule->map);
        find_ends(rule->map, &rule->born, &rule->survive);
    }
}

void life_rule_set_map(halo_life_rule *rule, const uint64_t map[HALO_LIFE_MAP_WORDS])
{
    life_arrangements arrangements;
    if (life_arrangements_of(map, &arrangements)) {
        life_rule_set(rule, &arrangements);
        return;
    }
    rule->neighbourhood = HALO_LIFE_MAP;
    memcpy(rule->map, map, sizeof rule->map);
    find_ends(map, &rule->born, &rule->survive);
}

/* Conductors become heads beside one head or two. */
enum { WIREWORLD_STATES = 4, WIREWORLD_BORN = 1 << 1 | 1 << 2 };

void life_rule_set_wireworld(halo_life_rule *rule)
{
    *rule = (halo_life_rule){
        .born = WIREWORLD_BORN, .states = WIREWORLD_STATES, .neighbourhood = HALO_LIFE_WIREWORLD};
}

bool life_rule_is_valid(const halo_life_rule *rule)
{
    uint16_t born, survive;
    if (rule->states < 2 || rule->states > 256) {
        return false;
    }
    switch (rule->neighbourhood) {
    case HALO_LIFE_MOORE:
    case HALO_LIFE_VON_NEUMANN:
    case HALO_LIFE_HEXAGONAL:
        return (rule->born | rule->survive) >> (halo_life_neighbours(rule) + 1) == 0;
    case HALO_LIFE_MAP:
        find_ends(rule->map, &born, &survive);
        return born == rule->born && survive == rule->survive;
    case HALO_LIFE_WIREWORLD:
        return rule->born == WIREWORLD_BORN && rule->survive == 0 &&
               rule->states == WIREWORLD_STATES;
    default:
        return false;
    }
}

bool life_map_read(const char *digits, uint64_t map[HALO_LIFE_MAP_WORDS])
{
    size_t length = strlen(digits);
    if (length != MAP_DIGITS &&
        (length != PADDED_DIGITS || strcmp(digits + MAP_DIGITS, "==") != 0)) {
        return false;
    }
    memset(map, 0, HALO_LIFE_MAP_WORDS * sizeof *map);
    for (int index = 0; index < HALO_LIFE_MAP_CELLS; index++) {
        const char *digit = strchr(base64, digits[index / DIGIT_BITS]);
        if (digit == NULL) {
            return false;
        }
        uint64_t bit = (uint64_t)(digit - base64) >> (DIGIT_BITS - 1 - index % DIGIT_BITS) & 1;
        map[index / 64] |= bit << index % 64;
    }
    return true;
}

/* ---- printing -------------------------------------------------------------------------------- */

static char *print_letters(char *out, int count, uint16_t of)
{
    const char *letters = life_letters(count);
    unsigned all = life_letters_all(count), named = of;
    int n = (int)strlen(letters);
    if (named == all) {
        return out;
    }
    /* As Golly does: those that are missing, if they are fewer. */
    if (__builtin_popcount(named) > (n + 1) / 2) {
        named = all & ~named;
        *out++ = '-';
    }
    for (int i = 0; i < n; i++) {
        if ((named >> i & 1) != 0) {
            *out++ = letters[i];
        }
    }
    return out;
}

static void print_counts(char *out, const uint16_t of[MAX_NEIGHBOURS + 1])
{
    for (int count = 0; count <= MAX_NEIGHBOURS; count++) {
        if (of[count] != 0) {
            *out++ = (char)('0' + count);
            out = print_letters(out, count, of[count]);
        }
    }
    *out = '\0';
}

static void print_map(const uint64_t *map, char text[HALO_LIFE_RULE_TEXT])
{
    strcpy(text, "MAP");
    char *out = text + strlen(text);
    for (int digit = 0; digit < MAP_DIGITS; digit++) {
        unsigned bits = 0;
        for (int i = digit * DIGIT_BITS; i < (digit + 1) * DIGIT_BITS; i++) {
            bits = bits << 1 | (i < HALO_LIFE_MAP_CELLS ? life_map_at(map, i) : 0);
        }
        *out++ = base64[bits];
    }
    *out = '\0';
}

static life_arrangements whole_counts(const halo_life_rule *rule)
{
    life_arrangements alive = {0};
    for (int count = 0; count <= MAX_NEIGHBOURS; count++) {
        alive.of[0][count] = (rule->born >> count & 1) != 0 ? life_letters_all(count) : 0;
        alive.of[1][count] = (rule->survive >> count & 1) != 0 ? life_letters_all(count) : 0;
    }
    return alive;
}

void halo_life_rule_print(const halo_life_rule *rule, char text[HALO_LIFE_RULE_TEXT])
{
    enum { COUNTS = HALO_LIFE_RULE_TEXT / 2 - 8 }; /* 34 and less: a digit, and half its letters */
    char born[COUNTS], survive[COUNTS];
    static const char *const letters[HALO_LIFE_NEIGHBOURHOODS] = {"", "V", "H", "", ""};
    const char *letter = letters[rule->neighbourhood];
    if (rule->neighbourhood == HALO_LIFE_WIREWORLD) {
        strcpy(text, "WireWorld");
        return;
    }
    life_arrangements alive = whole_counts(rule);
    if (rule->neighbourhood == HALO_LIFE_MAP && !life_arrangements_of(rule->map, &alive)) {
        print_map(rule->map, text);
        return;
    }
    print_counts(born, alive.of[0]);
    print_counts(survive, alive.of[1]);
    if (rule->states > 2) {
        snprintf(text, HALO_LIFE_RULE_TEXT, "%s/%s/%d%s", survive, born, rule->states, letter);
    } else {
        snprintf(text, HALO_LIFE_RULE_TEXT, "B%s/S%s%s", born, survive, letter);
    }
}
