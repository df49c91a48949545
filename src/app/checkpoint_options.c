#include "app/checkpoint_options.h"

const app_option app_checkpoint_rows[] = {
    {.type = APP_SECTION, .help = "Interruptions:"},
    {.name = "checkpoint",
     .type = APP_OUTPUT,
     .offset = offsetof(checkpoint_arguments, checkpoint),
     .help = "Save the state there at the end, and when stopped by SIGINT (Ctrl-C) or SIGTERM"},
    {.name = "checkpoint-every",
     .type = APP_INTEGER,
     .offset = offsetof(checkpoint_arguments, every),
     .min = 1,
     .unit = "beats",
     .needs = "checkpoint",
     .help = "Save it every N beats, too"},
    {.name = "restore",
     .type = APP_INPUT,
     .offset = offsetof(checkpoint_arguments, restore),
     .help = "Go on from a checkpoint, on any number of ranks; it has the state and the options "
             "that the result depends on"},
    {.type = APP_END}};

schedule_event checkpoint_event(const checkpoint_arguments *arguments)
{
    return (schedule_event){.every = arguments->checkpoint == NULL ? 0
                                     : arguments->every > 0        ? arguments->every
                                                                   : INT64_MAX,
                            .begin = SCHEDULE_NEVER,
                            .end = true};
}
