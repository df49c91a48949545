#ifndef HALOBEAT_APP_SERVICES_SLOWDOWN_H
#define HALOBEAT_APP_SERVICES_SLOWDOWN_H

#include "app/services/service.h"

/* Ranks that are slowed down on purpose (--slow, --load-trace), to test balancing: the service
 * app_slowdown_service. */

enum { SLOWDOWN_MAX = 64 }; /* maximum number of --slow options */

typedef struct {
    const char *texts[SLOWDOWN_MAX];
    int count;
} slowdown_texts;

/* Its options. */
typedef struct {
    slowdown_texts slow;
    const char *trace; /* or NULL */
} slowdown_arguments;

/* Local. Does a slowdown begin or change after the first beat? */
bool app_slowdown_comes_later(const slowdown_arguments *arguments);

#endif
