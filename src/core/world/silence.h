#ifndef HALOBEAT_CORE_WORLD_SILENCE_H
#define HALOBEAT_CORE_WORLD_SILENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Which ranks have not been heard from for too long. Pure: the caller passes the time, in seconds
 * of one monotonic clock. */

enum { HALO_SILENCE_PHASE = 32 };

/* Status of a rank, sent several times per second. */
typedef struct {
    int64_t beat;
    char phase[HALO_SILENCE_PHASE]; /* its phase, terminated by 0 */
} halo_sign;

typedef enum {
    HALO_PEER_UNHEARD, /* never heard from: messages may not get through at all, so this is not
                        * reported */
    HALO_PEER_ALIVE,
    HALO_PEER_SILENT, /* for more than `warn` seconds; was reported */
    HALO_PEER_LOST    /* for more than `patience` seconds */
} halo_peer_state;

typedef struct {
    halo_peer_state state;
    double heard; /* time of its last sign */
    halo_sign sign;
} halo_peer;

typedef struct {
    double warn, patience; /* seconds; patience 0: no limit */
} halo_silence_limits;

/* Local. A sign of the peer has arrived at `now`. Returns the seconds of silence if the peer had
 * been reported as silent, otherwise 0. */
double halo_silence_heard(halo_peer *peer, const halo_sign *sign, double now);

/* Local. Updates the state of the peer. Returns true if it has changed. */
bool halo_silence_look(halo_peer *peer, const halo_silence_limits *limits, double now);

/* Local. This process itself was stopped for `seconds` and could not receive: extends the time of
 * all peers, [count], by that. */
void halo_silence_excuse(halo_peer *peers, int count, double seconds);

#endif
