#include "cli/balance_options.h"

#include "cli/arguments.h"
#include "core/balancing.h"

#include <string.h>

enum { KEY_BALANCE = 5120, KEY_EVERY, KEY_MIGRATE, KEY_LOG, KEY_SLOW, KEY_TRACE };

static const struct argp_option options[] = {
    {0, 0, 0, 0,
     "Boundaries that move while it runs; the result is always the same:", ARGUMENTS_BALANCE},
    {"balance", KEY_BALANCE, "NAME[:OPTIONS]", 0,
     "Who plans where strips end: none (default), chain (best cuts for measured costs, if that is "
     "beyond noise and pays), lb1, lb2, diffusion, or random, for tests. OPTIONS are such as "
     "chain:gain=.05,errors=3",
     0},
    {"balance-every", KEY_EVERY, "BEATS", 0,
     "Plan that often (default: as often as costs less than half a percent)", 0},
    {"migrate", KEY_MIGRATE, "auto|neighbour|direct", 0,
     "How rows go to their new owners (default: auto, the faster of the others)", 0},
    {"balance-log", KEY_LOG, "FILE", 0,
     "One line a decision, with the reason; in columns if FILE ends in .csv, on stderr if it is -",
     0},
    {"slow", KEY_SLOW, "RANK:FACTOR[@BEAT]", 0,
     "Make a rank compute that many times as long, from that beat on; may be given again", 0},
    {"load-trace", KEY_TRACE, "FILE", 0,
     "Make ranks slow as other programs would: lines SECONDS RANK LOAD, LOAD programs beside ours",
     0},
    {0},
};

static const char *const ways[] = {
#define MIGRATE_ENTRY(code, name, help) name,
    HALO_MIGRATE_LIST(MIGRATE_ENTRY)
#undef MIGRATE_ENTRY
        NULL};

static error_t add_slow(const arguments_parse *parse, const char *text)
{
    balance_arguments *into = &parse->common->balance;
    if (into->slow_count == BALANCE_SLOW_MOST) {
        return arguments_complain(parse, "--slow may be given %d times; use --load-trace",
                                  BALANCE_SLOW_MOST);
    }
    into->slow[into->slow_count++] = text;
    return 0;
}

/* What makes no sense without a balancer. */
static error_t check_together(const arguments_parse *parse)
{
    const balance_arguments *given = &parse->common->balance;
    const char *alone = given->every > 0         ? "balance-every"
                        : given->migrate != NULL ? "migrate"
                        : given->log != NULL     ? "balance-log"
                                                 : NULL;
    if (given->balancer == NULL && alone != NULL && !parse->helped) {
        return arguments_complain(parse, "--%s needs a balancer, such as --balance chain", alone);
    }
    return 0;
}

/* A line that is drawn again and again would be torn by the log's. */
static void leave_stderr_to_log(const arguments_parse *parse)
{
    common_arguments *common = parse->common;
    if (common->balance.log != NULL && strcmp(common->balance.log, "-") == 0 &&
        strcmp(common->progress, "auto") == 0) {
        common->progress = "never";
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    const arguments_parse *parse = state->input;
    balance_arguments *into = &parse->common->balance;
    switch (key) {
    case KEY_BALANCE:
        into->balancer = text;
        return 0;
    case KEY_EVERY:
        return arguments_integer(parse, "balance-every", "a number of beats from 1 on", text, 1,
                                 INT64_MAX / 2, &into->every);
    case KEY_MIGRATE:
        return arguments_choose_name(parse, "migrate", text, ways, &into->migrate);
    case KEY_LOG:
        into->log = text;
        return 0;
    case KEY_SLOW:
        return add_slow(parse, text);
    case KEY_TRACE:
        into->trace = text;
        return 0;
    case ARGP_KEY_END:
        leave_stderr_to_log(parse);
        return check_together(parse);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp balance_argp = {.options = options, .parser = parse_option};
