#include "app/checkpoint_options.h"

error_t saving_parse(const arguments_parse *parse, int key, const char *text,
                     saving_arguments *into)
{
    switch (key) {
    case SAVING_CHECKPOINT:
        into->checkpoint = text;
        return 0;
    case SAVING_RESTORE:
        into->restore = text;
        return 0;
    case SAVING_EVERY:
        return arguments_integer(parse, "checkpoint-every", "a number of beats from 1 on", text, 1,
                                 INT64_MAX / 4, &into->every);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

error_t saving_check(const arguments_parse *parse, const saving_arguments *arguments)
{
    if (arguments->every != 0 && arguments->checkpoint == NULL) {
        return arguments_complain(parse, "--checkpoint-every needs --checkpoint FILE");
    }
    return 0;
}

schedule_event saving_event(const saving_arguments *arguments)
{
    return (schedule_event){.every = arguments->checkpoint == NULL ? 0
                                     : arguments->every > 0        ? arguments->every
                                                                   : INT64_MAX,
                            .begin = SCHEDULE_NEVER,
                            .end = true};
}
