#ifndef HALOBEAT_BASE_HANDLER_TEXT_H
#define HALOBEAT_BASE_HANDLER_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Texts made by handlers of signals, which may call these functions; snprintf is not allowed there.
 * Local. */

enum { HALO_HANDLER_TEXT = 640 };

typedef struct {
    char text[HALO_HANDLER_TEXT]; /* empty at first; what does not fit is left out */
    size_t used;
} halo_handler_text;

void halo_handler_append(halo_handler_text *to, const char *text);

/* `number` is not negative. */
void halo_handler_append_number(halo_handler_text *to, int64_t number);

#endif
