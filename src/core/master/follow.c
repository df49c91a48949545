#include "core/master/master_worker_internal.h"
#include "core/world/collect.h"
#include "core/world/simulated_compute.h"

static halo_status receive(halo_master_worker *w, const halo_master_worker_beat *beat,
                           master_worker_head *announced)
{
    halo_request requests[2] = {{0}};
    HALO_TRY(
        halo_post(w->world, false, announced, (int)sizeof *announced, 0, HEAD_TAG, &requests[0]));
    if (beat->constant_bytes > 0) {
        HALO_TRY(halo_post(w->world, false, beat->constant, (int)beat->constant_bytes, 0,
                           CONSTANT_TAG, &requests[1]));
    }
    HALO_TRY(halo_wait(w->world, 2, requests));
    HALO_TRY(halo_post(w->world, false, w->message, (int)announced->bytes, 0, MESSAGE_TAG,
                       &requests[0]));
    return halo_wait(w->world, 1, requests);
}

static halo_status post_findings(halo_master_worker *w, const master_worker_head *announced,
                                 double *seconds, halo_request requests[RECEIVES])
{
    if (!w->options.unmeasured) {
        HALO_TRY(halo_post(w->world, true, seconds, (int)sizeof *seconds, 0, SECONDS_TAG,
                           &requests[RECEIVE_SECONDS]));
    }
    return halo_post(w->world, true, w->back, (int)announced->back_bytes, 0, BACK_TAG,
                     &requests[RECEIVE_BACK]);
}

/* Nobody waits for it; but a transport may keep a message back until it is called again. */
static halo_status acknowledge(halo_master_worker *w, char *received, halo_request *request)
{
    enum { TESTS = 4 };
    bool sent = false;
    HALO_TRY(halo_post(w->world, true, received, 1, 0, RECEIVED_TAG, request));
    for (int i = 0; i < TESTS && !sent && !HALO_SIMULATED; i++) {
        HALO_TRY(halo_test(w->world, request, &sent));
    }
    return HALO_OK;
}

/* The acknowledgement travels while it works. */
halo_status master_worker_follow(halo_master_worker *w, const halo_master_worker_beat *beat,
                                 halo_clock *clock)
{
    bool measured = !w->options.unmeasured;
    master_worker_head announced = {0, 0};
    char received = 1;
    halo_request requests[RECEIVES] = {{0}};
    halo_stretch stretch = halo_clock_begin(w->world);
    halo_status status = receive(w, beat, &announced);
    if (status == HALO_OK && measured) {
        status = acknowledge(w, &received, &requests[RECEIVE_RECEIVED]);
    }
    halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, w->world);
    HALO_TRY(status);
    double seconds =
        master_worker_do(w, beat, w->message, announced.bytes, w->back, announced.back_bytes);
    clock->seconds[HALO_PHASE_COMPUTE] += seconds;
    stretch = halo_clock_begin(w->world);
    status = post_findings(w, &announced, &seconds, requests);
    status = halo_status_first(status, halo_wait(w->world, RECEIVES, requests));
    halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, w->world);
    w->messages += measured ? 3 : 1;
    w->bytes += (int64_t)announced.back_bytes + (measured ? 1 + (int64_t)sizeof seconds : 0);
    return status;
}
