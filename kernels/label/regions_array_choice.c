#include "base/spelling.h"
#include "kernels/label/regions_array_internal.h"

#include <stdio.h>
#include <string.h>

/* The properties that a table of regions of an array has, and those it cannot have. */

enum { OF_COMMANDS = LABEL_ONLY_VALUE | LABEL_ONLY_RANGE | LABEL_BY_COLOURS };

static unsigned find_missed(const label_facts *facts, bool has_intensity)
{
    bool square = !(facts->size[1] < facts->size[2]) && !(facts->size[1] > facts->size[2]);
    return OF_COMMANDS | (facts->axes != 2 ? LABEL_ONLY_FLAT : 0U) |
           (facts->axes != HALO_AXES ? LABEL_ONLY_SOLID : 0U) | (facts->axes == 1 ? BY_AREA : 0U) |
           (square ? 0U : LABEL_ONLY_SQUARE) |
           (label_sizes_are_even(facts->size, facts->axes) ? 0U : LABEL_ONLY_EVEN) |
           (has_intensity ? 0U : BY_INTENSITY);
}

/* Refuses a property that this array does not have. */
static halo_status refuse(const label_facts *facts, unsigned missed_by_all, label_property property)
{
    const char *name = label_property_rows[property].name;
    unsigned missed = label_property_rows[property].needs & missed_by_all;
    const double *size = facts->size;
    HALO_FAIL_IF((missed & OF_COMMANDS) != 0, HALO_ARGUMENT,
                 "%s is not a property of arrays of labels; ask for intensity_mean, intensity_min "
                 "or intensity_max, of one channel at a time",
                 name);
    HALO_FAIL_IF((missed & BY_INTENSITY) != 0, HALO_ARGUMENT,
                 "%s is of intensities, and there are none; pass an array of them, or leave it out",
                 name);
    HALO_FAIL_IF((missed & LABEL_ONLY_SOLID) != 0, HALO_ARGUMENT,
                 "%s is for three axes, and the labels have %d; leave it out", name, facts->axes);
    HALO_FAIL_IF(facts->axes == 1, HALO_ARGUMENT,
                 "%s is for two or three axes, and the labels have one; leave it out", name);
    HALO_FAIL_IF((missed & LABEL_ONLY_FLAT) != 0, HALO_ARGUMENT,
                 "%s is for two axes, and the labels have three; ask for axis_major_length, "
                 "axis_minor_length or solidity, or all",
                 name);
    HALO_FAIL_IF((missed & LABEL_ONLY_EVEN) != 0, HALO_ARGUMENT,
                 "%s is for elements of equal spacing along all axes; leave it out", name);
    return halo_fail(HALO_ARGUMENT,
                     "%s is estimated from elements of equal spacing along both axes, and that is "
                     "%g and %g; leave it out",
                     name, size[1], size[2]);
}

/* Refuses a word that is no property: with the nearest one, or all of them. */
static halo_status refuse_word(const char *word, size_t length)
{
    char names[HALO_MESSAGE_SIZE] = "; use some of standard, all", guessed[HALO_GUESS_TEXT];
    size_t used = strlen(names);
    halo_guess guess = {.word = word, .length = length};
    halo_guess_list(&guess, "standard|all");
    for (label_property property = 0; property < LABEL_PROPERTIES; property++) {
        const label_property_row *row = &label_property_rows[property];
        if ((row->needs & OF_COMMANDS) == 0 && used < sizeof names) {
            halo_guess_name(&guess, row->name, strlen(row->name));
            used += (size_t)snprintf(names + used, sizeof names - used, ", %s", row->name);
        }
    }
    const char *meant = halo_guess_text(&guess, "", guessed);
    return halo_fail(HALO_ARGUMENT, "there is no property \"%.*s\"%s",
                     (int)(length < HALO_SPELLING ? length : HALO_SPELLING), word,
                     *meant != '\0' ? meant : names);
}

/* Refuses a text for its first word that is no property, or because one is there twice. */
static halo_status refuse_words(const char *text)
{
    for (size_t length;; text += length + 1) {
        char word[HALO_SPELLING];
        label_property_choice one;
        length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
                 text);
        if (length >= sizeof word || label_parse_properties(word, &one) != HALO_OK) {
            return refuse_word(text, length);
        }
        if (text[length] == '\0') {
            return halo_fail(HALO_ARGUMENT, "a property is named twice; name each one once");
        }
    }
}

halo_status regions_array_choose(const char *text, const label_facts *facts, bool has_intensity,
                                 label_property_choice *choice, unsigned *missed)
{
    text = text != NULL ? text : "standard";
    if (label_parse_properties(text, choice) != HALO_OK) {
        return refuse_words(text);
    }
    *missed = find_missed(facts, has_intensity);
    label_property refused = label_property_refused(choice, *missed);
    return refused < LABEL_PROPERTIES ? refuse(facts, *missed, refused) : HALO_OK;
}
