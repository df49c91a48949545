#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "cli/hangup.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

static bool ignored;

#ifndef HALOBEAT_SIMGRID /* whose programs are shared objects, which have no .preinit_array */
static void look(void)
{
    struct sigaction now;
    ignored = sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* Functions of this section are called before those that libraries are initialised by. */
__attribute__((section(".preinit_array"), used)) static void (*const look_first)(void) = look;
#endif

void cli_hangup_restore(void)
{
    if (ignored) {
        signal(SIGHUP, SIG_IGN);
    }
}
