#ifndef HALOBEAT_BASE_SPELLING_H
#define HALOBEAT_BASE_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

enum { HALO_SPELLING = 64 };

/* Local. Writes the American spelling of a name, `length` characters long: "color" for "colour".
 * False if it is the same, or too long for `american`. */
bool halo_spelling_american(const char *name, size_t length, char american[HALO_SPELLING]);

/* Local. The British spelling of a word: "colour" for "color". The word itself if it is no American
 * one. */
const char *halo_spelling_british(const char *word);

/* The nearest of several names to a word that is none of them. Start with the word, its length and
 * zeroes. */
typedef struct {
    const char *word;
    size_t length;
    char nearest[HALO_SPELLING]; /* "" if none is near */
    int distance;
} halo_guess;

/* Local. One name more, or each of a list such as "a|b|c", which may be NULL. */
void halo_guess_name(halo_guess *guess, const char *name, size_t length);
void halo_guess_list(halo_guess *guess, const char *list);

/* Local. "; did you mean NAME?" with `before` in front of the name, or "". */
enum { HALO_GUESS_TEXT = HALO_SPELLING + 32 };
const char *halo_guess_text(const halo_guess *guess, const char *before,
                            char text[HALO_GUESS_TEXT]);

#endif
