#include "app/balance_options.h"

#include "app/arguments.h"
#include "core/balance/balancing.h"
#include "core/world/drag.h"

#include <stdio.h>
#include <string.h>

enum { KEY_BALANCE = 5120, KEY_EVERY, KEY_MIGRATE, KEY_LOG, KEY_SLOW, KEY_TRACE };

static const struct argp_option options[] = {
    {0, 0, 0, 0,
     "Boundaries that move while it runs; the result is always the same:", ARGUMENTS_BALANCE},
    {"balance", KEY_BALANCE, "NAME[:KEY=VALUE,...]", 0,
     "Who plans where strips end, of the balancers below, such as chain or "
     "chain:gain=.05,errors=3. "
     "Default: nobody, and nothing is measured; none measures, plans and tells as the others do, "
     "but moves nothing",
     0},
    {"balance-every", KEY_EVERY, "BEATS", 0,
     "Beats between plans, at least (default: as few as cost less than half a percent)", 0},
    {"migrate", KEY_MIGRATE, "auto|neighbour|direct", 0,
     "How rows go to their new owners, as below (default: auto)", 0},
    {"balance-log", KEY_LOG, "FILE", 0,
     "One line a decision, with the reason; on stderr if FILE is -, in columns if it ends in .csv: "
     "with the cuts after and each rank's computing seconds a beat before",
     0},
    {"slow", KEY_SLOW, "RANK:FACTOR[@BEAT]", 0,
     "Make a rank compute that many times as long, from that beat on (default: 0); may be given "
     "again",
     0},
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

/* Complaints name all balancers there are. */
static error_t complain_of_name(const arguments_parse *parse, const char *name, int length)
{
    char names[256] = "";
    for (int i = 0; halo_balancer_at(i) != NULL; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 halo_balancer_at(i)->name);
    }
    return arguments_complain(parse, "there is no balancer \"%.*s\"; there are %s", length, name,
                              names);
}

/* Made once for trial, a balancer tells what is wrong with its options while there is nobody else
 * to ask. */
static error_t choose_balancer(const arguments_parse *parse, const char *text)
{
    enum { NAME_SIZE = 32, SHOWN = 40 };
    char name[NAME_SIZE];
    const char *colon = strchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, text);
    const halo_balancer *balancer = halo_balancer_find(name);
    if (balancer == NULL) {
        return complain_of_name(parse, text, length < SHOWN ? (int)length : SHOWN);
    }
    void *state = NULL;
    halo_status status = balancer->create(&state, colon != NULL ? colon + 1 : NULL);
    balancer->destroy(&state);
    parse->common->balance.balancer = text;
    return status == HALO_ARGUMENT ? arguments_complain(parse, "--balance: %s", halo_last_message())
                                   : 0;
}

static error_t add_slow(const arguments_parse *parse, const char *text)
{
    balance_arguments *into = &parse->common->balance;
    if (into->slow_count == BALANCE_SLOW_MOST) {
        return arguments_complain(parse, "--slow may be given %d times; use --load-trace",
                                  BALANCE_SLOW_MOST);
    }
    halo_drag *drag = NULL; /* for trial, as above */
    halo_status status = halo_drag_create(&drag);
    status = status == HALO_OK ? halo_drag_add(drag, text) : status;
    halo_drag_destroy(&drag);
    into->slow[into->slow_count++] = text;
    return status == HALO_ARGUMENT ? arguments_complain(parse, "--slow: %s", halo_last_message())
                                   : 0;
}

bool balance_slows_later(const balance_arguments *arguments)
{
    for (int i = 0; i < arguments->slow_count; i++) {
        const char *beat = strchr(arguments->slow[i], '@');
        if (beat != NULL && strspn(beat + 1, "0") < strlen(beat + 1)) {
            return true;
        }
    }
    return false;
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
        return choose_balancer(parse, text);
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

const struct argp balance_argp = {
    .options = options, .parser = parse_option, .help_filter = balance_help};
