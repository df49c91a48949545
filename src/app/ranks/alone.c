#include "app/frame.h"
#include "app/frame_internal.h"
#include "app/options/shared_options.h"
#include "base/memory.h"
#include "base/printable.h"
#include "core/world/launcher.h"
#include "core/world/simulated_compute.h"

#include <stdlib.h>
#include <string.h>

/* A program without a launcher chooses its ranks, and answers --help, before there are ranks. */

bool app_is_alone(void)
{
    return !halo_launcher_has_ranks() && !HALO_SIMULATED;
}

int app_complain(const char *program, halo_status status)
{
    halo_print_line(program, halo_last_message());
    return app_exit_status(status);
}

int app_answer_alone(const app_syntax *syntax, const char *program, int argc, char **argv,
                     app_arguments *options)
{
    app_options *given = NULL;
    char **words = NULL; /* parsing puts them in another order */
    halo_status status = HALO_ALLOCATE(words, argc + 1, "the arguments");
    if (status != HALO_OK) {
        return app_complain(program, status);
    }
    memcpy((void *)words, (const void *)argv, (size_t)argc * sizeof *words);
    app_verdict verdict = app_options_parse(&given, syntax, program, argc, words, true, options);
    app_options_destroy(&given);
    free(options->image.list);
    options->image.list = NULL;
    free((void *)words);
    return verdict == APP_PARSED      ? -1
           : verdict == APP_HELPED    ? 0
           : verdict == APP_NO_MEMORY ? APP_FAILED
                                      : APP_USAGE;
}
