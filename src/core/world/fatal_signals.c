#define _GNU_SOURCE /* dladdr */
#include "core/world/fatal_signals.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

static const int fatal[HALO_FATAL_SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

void halo_fatal_signals_note(halo_fatal_signals *before)
{
    memset(before, 0, sizeof *before);
    for (int i = 0; i < HALO_FATAL_SIGNALS; i++) {
        sigaction(fatal[i], NULL, &before->action[i]);
    }
}

/* The address of a handler, or NULL. */
static void *handler_of(const struct sigaction *action)
{
    void *address = NULL;
    bool none = (action->sa_flags & SA_SIGINFO) == 0 &&
                (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN);
    if (!none && (action->sa_flags & SA_SIGINFO) != 0) {
        memcpy(&address, &action->sa_sigaction, sizeof address);
    } else if (!none) {
        memcpy(&address, &action->sa_handler, sizeof address);
    }
    return address;
}

static bool is_of_ucx(const struct sigaction *action)
{
    static const char library[] = "libucs.";
    Dl_info info;
    void *address = handler_of(action);
    if (address == NULL || dladdr(address, &info) == 0 || info.dli_fname == NULL) {
        return false;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    const char *name = slash != NULL ? slash + 1 : info.dli_fname;
    return strncmp(name, library, sizeof library - 1) == 0;
}

void halo_fatal_signals_restore(const halo_fatal_signals *before)
{
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    sigemptyset(&standard.sa_mask);
    for (int i = 0; i < HALO_FATAL_SIGNALS; i++) {
        const struct sigaction *wanted =
            is_of_ucx(&before->action[i]) ? &standard : &before->action[i];
        sigaction(fatal[i], wanted, NULL);
    }
}
