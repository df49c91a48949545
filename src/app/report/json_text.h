#ifndef HALOBEAT_APP_REPORT_JSON_TEXT_H
#define HALOBEAT_APP_REPORT_JSON_TEXT_H

#include <jansson.h>

/* JSON as text whose real numbers read back as the same doubles: a number of a report can be handed
 * to an option again and means the same. All local. */

enum { APP_REAL_TEXT = 32 };

/* A finite number with the fewest digits that read back as it, 15 to 17. */
void app_real_text(double number, char text[APP_REAL_TEXT]);

/* As json_dumps, with its flags (JSON_ENCODE_ANY is among them), but real numbers have the fewest
 * digits that read back as the same double: jansson has one number of digits for all, and with the
 * 17 that are always enough 0.1 becomes 0.10000000000000001. The caller frees the text; NULL for
 * want of memory. */
char *app_json_text(const json_t *json, size_t flags);

#endif
