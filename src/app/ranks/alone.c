#include "app/frame.h"
#include "app/frame_internal.h"
#include "app/options/shared_options.h"
#include "base/memory.h"
#include "base/printable.h"
#include "core/transport/launcher.h"
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

static app_verdict parse(const app_syntax *syntax, const char *program, int argc, char **words,
                         app_arguments *into)
{
    app_options *given = NULL;
    app_verdict verdict = app_options_parse(&given, syntax, program, argc, words, true, into);
    app_options_destroy(&given);
    free(into->image.list);
    into->image.list = NULL;
    return verdict;
}

int app_answer_alone(const app_syntax *syntax, const char *program, int argc, char **argv,
                     app_arguments **options)
{
    char **words = NULL; /* parsing puts them in another order */
    *options = calloc(1, app_options_bytes(syntax));
    halo_status status = *options != NULL ? HALO_ALLOCATE(words, argc + 1, "the arguments")
                                          : halo_fail(HALO_MEMORY, "out of memory: its options");
    if (status != HALO_OK) {
        return app_complain(program, status);
    }
    memcpy((void *)words, (const void *)argv, (size_t)argc * sizeof *words);
    app_verdict verdict = parse(syntax, program, argc, words, *options);
    free((void *)words);
    return verdict == APP_PARSED      ? -1
           : verdict == APP_HELPED    ? 0
           : verdict == APP_NO_MEMORY ? APP_FAILED
                                      : APP_USAGE;
}
