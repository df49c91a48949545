#ifndef HALOBEAT_CORE_TRANSPORT_REQUEST_H
#define HALOBEAT_CORE_TRANSPORT_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

/* A message or a collective operation under way. What it holds is the transport's; 0 is none. The
 * functions of core/world/world.h that wait and test set a request that is complete to none, but
 * for those of messages that are prepared once and started many times. */
typedef struct {
    uintptr_t of;
} halo_request;

#ifdef __cplusplus
#define HALO_NO_REQUEST (halo_request{0})
#else
#define HALO_NO_REQUEST ((halo_request){0})
#endif

/* Local. False for HALO_NO_REQUEST. */
static inline bool halo_request_is_set(halo_request request)
{
    return request.of != 0;
}

/* In place of a source: a message may come from any rank. */
enum { HALO_ANY_SOURCE = -1 };

/* The operations that combine the numbers of all ranks. */
typedef enum { HALO_REDUCE_SUM, HALO_REDUCE_MAX, HALO_REDUCE_MIN, HALO_REDUCE_OR } halo_reduction;

#endif
