#ifndef HALOBEAT_CORE_WORLD_SILENCE_H
#define HALOBEAT_CORE_WORLD_SILENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Which ranks have not been heard from for too long. Pure: the caller says what time it is, in
 * seconds of one steady clock. */

enum { HALO_SILENCE_PHASE = 32 };

/* What a rank says about itself, several times in a second. */
typedef struct {
    int64_t beat;
    char phase[HALO_SILENCE_PHASE]; /* what it does, ends in 0 */
} halo_sign;

typedef enum {
    HALO_PEER_UNHEARD, /* never heard: messages may not get through at all, which says nothing */
    HALO_PEER_ALIVE,
    HALO_PEER_SILENT, /* longer than `warn` seconds; was reported */
    HALO_PEER_LOST    /* longer than `patience` seconds */
} halo_peer_state;

typedef struct {
    halo_peer_state state;
    double heard; /* when, last */
    halo_sign sign;
} halo_peer;

typedef struct {
    double warn, patience; /* seconds; a patience of 0 has no end */
} halo_silence_limits;

/* Local. The peer gave a sign at `now`. Returns how many seconds it had been silent if it had been
 * reported as silent, otherwise 0. */
double halo_silence_heard(halo_peer *peer, const halo_sign *sign, double now);

/* Local. What has become of the peer: true if its state has changed. */
bool halo_silence_look(halo_peer *peer, const halo_silence_limits *limits, double now);

/* Local. This process itself stood still for `seconds`, and could hear nobody: all peers,
 * [count], are given that time more. */
void halo_silence_excuse(halo_peer *peers, int count, double seconds);

#endif
