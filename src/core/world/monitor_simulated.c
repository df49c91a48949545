/* Simulated hosts do not fail, and have no threads or sockets. */
#include "core/world/monitor.h"

void halo_monitor_begin(const halo_monitor_options *options)
{
    (void)options;
}

void halo_monitor_begin_alone(const halo_monitor_options *options)
{
    (void)options;
}

halo_status halo_monitor_connect(halo_world *world)
{
    (void)world;
    return HALO_OK;
}

void halo_monitor_phase(const char *phase)
{
    (void)phase;
}

void halo_monitor_beat(int64_t beats)
{
    (void)beats;
}

void halo_monitor_stop(void)
{
}

void halo_monitor_announce_end(void)
{
}

void halo_monitor_end(void)
{
}
