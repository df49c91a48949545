#ifndef HALOBEAT_LIFE_RULE_NAMES_H
#define HALOBEAT_LIFE_RULE_NAMES_H

#include <stdbool.h>

/* Names of rules of Life and its relatives. Texts are in capitals, without blanks. All functions
 * are local and pure. Internal to the Life kernel. */

/* In place of the text of a rule that no letters can say. */
extern const char LIFE_RULE_WIREWORLD[];

/* The text of the rule that people know by this name, or LIFE_RULE_WIREWORLD, or NULL. */
const char *life_rule_named(const char *text);

/* Return the kind of a rule that other programs have and this one has not: "Larger than Life"; or
 * NULL. */
const char *life_rule_unsupported(const char *text);

/* Can it only be meant as a name? A name begins with two letters, a rule with a letter and counts.
 */
bool life_rule_looks_named(const char *text);

/* The same in every locale, unlike toupper and isalnum. */
static inline char life_capital(char letter)
{
    return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
}

static inline bool life_is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static inline bool life_is_letter(char letter)
{
    return life_capital(letter) >= 'A' && life_capital(letter) <= 'Z';
}

#endif
