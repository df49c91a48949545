#ifndef HALOBEAT_APP_SERVICES_SLOWDOWN_H
#define HALOBEAT_APP_SERVICES_SLOWDOWN_H

#include "app/services/service.h"
#include "core/world/slowdown.h"
#include "core/world/world.h"

/* Ranks that are slowed down on purpose (--slow, --load-trace), to test balancing. The slowdown
 * belongs to the run's world, which must be destroyed before it. */

enum { SLOWDOWN_MAX = 64 }; /* maximum number of --slow options */

typedef struct {
    const char *texts[SLOWDOWN_MAX];
    int count;
} slowdown_texts;

/* The options of the service app_slowdown_service. */
typedef struct {
    slowdown_texts slow;
    const char *trace; /* or NULL */
} slowdown_arguments;

/* Local. Does a slowdown begin or change after the first beat? */
bool app_slowdown_comes_later(const slowdown_arguments *arguments);

/* Local, before the world exists. *out is NULL if no rank is slowed down. The same on all ranks,
 * unless only some can read a file. The caller destroys it in any case. HALO_ARGUMENT, HALO_FILE,
 * HALO_FORMAT, HALO_MEMORY. */
halo_status app_slowdown_create(halo_slowdown **out, const slowdown_arguments *arguments);

/* Collective over the world with this slowdown: the failure of app_slowdown_create on any rank,
 * `created`, or HALO_ARGUMENT if a rank is named that does not exist. */
halo_status app_slowdown_check(const halo_slowdown *slowdown, halo_world *world,
                               halo_status created);

#endif
