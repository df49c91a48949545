#ifndef HALOBEAT_APP_OPTIONS_SPELLING_H
#define HALOBEAT_APP_OPTIONS_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

enum { APP_SPELLING = 64 };

/* Local. Writes the American spelling of a name, `length` characters long: "color" for "colour".
 * False if it is the same, or too long for `american`. */
bool app_spelling_american(const char *name, size_t length, char american[APP_SPELLING]);

/* Local. The British spelling of a word: "colour" for "color". The word itself if it is no American
 * one. */
const char *app_spelling_british(const char *word);

/* The nearest of several names to a word that is none of them. Start with the word, its length and
 * zeroes. */
typedef struct {
    const char *word;
    size_t length;
    char nearest[APP_SPELLING]; /* "" if none is near */
    int distance;
} app_guess;

/* Local. One name more, or each of a list such as "a|b|c", which may be NULL. */
void app_guess_name(app_guess *guess, const char *name, size_t length);
void app_guess_list(app_guess *guess, const char *list);

/* Local. "; did you mean NAME?" with `before` in front of the name, or "". */
enum { APP_GUESS_TEXT = APP_SPELLING + 32 };
const char *app_guess_text(const app_guess *guess, const char *before, char text[APP_GUESS_TEXT]);

#endif
