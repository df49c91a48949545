#ifndef HALOBEAT_APP_SPELLING_H
#define HALOBEAT_APP_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

enum { APP_SPELLING = 64 };

/* Local. Writes the American spelling of a name, `length` characters long: "color" for "colour".
 * False if it is the same, or too long for `american`. */
bool app_spelling_american(const char *name, size_t length, char american[APP_SPELLING]);

/* Local. The British spelling of a word: "colour" for "color". The word itself if it is no American
 * one. */
const char *app_spelling_british(const char *word);

#endif
