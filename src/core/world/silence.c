#include "core/world/silence.h"

double halo_silence_heard(halo_peer *peer, const halo_sign *sign, double now)
{
    double silent = peer->state == HALO_PEER_SILENT ? now - peer->heard : 0;
    if (peer->state != HALO_PEER_LOST) {
        peer->state = HALO_PEER_ALIVE;
    }
    peer->heard = now;
    peer->sign = *sign;
    return silent;
}

bool halo_silence_look(halo_peer *peer, const halo_silence_limits *limits, double now)
{
    double silent = now - peer->heard;
    halo_peer_state before = peer->state;
    if (before != HALO_PEER_UNHEARD && limits->patience > 0 && silent > limits->patience) {
        peer->state = HALO_PEER_LOST;
    } else if (before == HALO_PEER_ALIVE && silent > limits->warn) {
        peer->state = HALO_PEER_SILENT;
    }
    return peer->state != before;
}

void halo_silence_excuse(halo_peer *peers, int count, double seconds)
{
    for (int i = 0; i < count; i++) {
        peers[i].heard += seconds;
    }
}
