#define _DEFAULT_SOURCE /* SA_RESTART */
#include "app/ranks/signals.h"

#include "core/world/monitor.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

static const int CAUGHT[] = {SIGTERM, SIGINT, SIGHUP};
enum { CAUGHT_COUNT = sizeof CAUGHT / sizeof CAUGHT[0] };

/* Handlers take no argument of ours, so what they note has to be here. */
static atomic_int pending; /* read by all ranks of the process */
static volatile sig_atomic_t interrupts;
static struct sigaction before[CAUGHT_COUNT];
static bool catching;
static atomic_bool held;

static void note(int number)
{
    int none = 0;
    atomic_compare_exchange_strong(&pending, &none, number);
    halo_monitor_stop();
    if (number == SIGINT && ++interrupts > 1) {
        signal(SIGINT, SIG_DFL);
        raise(SIGINT); /* comes through when this handler returns */
    }
}

static void restore(int count)
{
    for (int i = 0; i < count; i++) {
        sigaction(CAUGHT[i], &before[i], NULL);
    }
    catching = false;
}

halo_status halo_signals_catch(void)
{
    HALO_FAIL_IF(catching, HALO_ARGUMENT,
                 "signals are caught already; call halo_signals_release first");
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    atomic_store(&pending, 0);
    atomic_store(&held, false);
    interrupts = 0;
    for (int i = 0; i < CAUGHT_COUNT; i++) {
        if (sigaction(CAUGHT[i], &action, &before[i]) != 0) {
            int reason = errno;
            restore(i);
            return halo_fail(HALO_ARGUMENT, "cannot catch signal %d: %s", CAUGHT[i],
                             strerror(reason));
        }
        /* nohup: whose terminal may go. */
        if (CAUGHT[i] == SIGHUP && before[i].sa_handler == SIG_IGN) {
            sigaction(SIGHUP, &before[i], NULL);
        }
    }
    catching = true;
    return HALO_OK;
}

static bool is_for_process(const halo_world *world)
{
    return halo_world_rank(world) == 0 || !halo_world_is_process(world);
}

halo_status app_signals_catch(halo_world *world)
{
    return halo_agree(world, is_for_process(world) ? halo_signals_catch() : HALO_OK);
}

void app_signals_release(const halo_world *world)
{
    if (is_for_process(world)) {
        halo_signals_release();
    }
}

int halo_signals_pending(void)
{
    return atomic_load(&held) ? 0 : atomic_load(&pending);
}

void halo_signals_hold(void)
{
    atomic_store(&held, true);
}

int halo_signals_noted(void)
{
    return atomic_load(&pending);
}

bool halo_signals_caught(void)
{
    return catching;
}

void halo_signals_release(void)
{
    if (catching) {
        restore(CAUGHT_COUNT);
    }
}
