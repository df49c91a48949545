#ifndef HALOBEAT_APP_RANKS_FAULTS_H
#define HALOBEAT_APP_RANKS_FAULTS_H

#include "core/world/activity.h"

/* A rank that is a thread ends all others when it crashes, or calls exit or pthread_exit: a
 * message then names the rank and its beat. All functions are local. */

/* Before there are ranks; [count] `ranks`. After a crash the process ends by the same signal as
 * without this, and with a dump; after exit() and pthread_exit() with APP_FAILED. Handlers of the
 * program, or of a sanitizer, stay. */
void app_rank_faults_begin(const char *program, const halo_activity *ranks, int count);

/* On each rank, which takes signals that its own faults cause, on a stack of their own: that of the
 * rank may be full. */
void app_rank_faults_take(int rank);

/* On each rank, at the end of its work. */
void app_rank_faults_leave(void);

/* When there are no ranks any more. */
void app_rank_faults_end(void);

#endif
