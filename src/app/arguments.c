#define _DEFAULT_SOURCE
#include "app/arguments.h"

#include "app/help.h"
#include "app/progress.h"
#include "core/beat/vote.h"
#include "core/world/world.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_VOTE = 4096, KEY_WAIT, KEY_INSTRUCTIONS, KEY_JSON, KEY_PROGRESS };

static const struct argp_option options[] = {
    {0, 0, 0, 0, "How it is computed; the result is always the same:", ARGUMENTS_HOW},
    {"vote", KEY_VOTE, "allreduce|tree|coordinator|broadcast", 0,
     "How ranks decide to stop (default: allreduce)", 0},
    {"wait", KEY_WAIT, "auto|spin|yield|sleep", 0, "How ranks wait for each other (default: auto)",
     0},
    {0, 0, 0, 0, "Reports:", ARGUMENTS_REPORTS},
    {"json", KEY_JSON, "FILE", 0, "The summary with everything measured, machine-readable", 0},
    {"progress", KEY_PROGRESS, "auto|always|never", 0,
     "Show a progress line on stderr (default: auto, when it is a terminal)", 0},
    {"quiet", 'q', 0, 0, "No summary", 0},
    {"verbose", 'v', 0, 0, "A longer summary: beats, messages, votes", 0},
    {"help", 'h', 0, 0, "This text", -1},
    {"usage", 'h', 0, OPTION_ALIAS | OPTION_HIDDEN, 0, -1},
    {0},
};

static const struct argp_option instruction_options[] = {
    {"instructions", KEY_INSTRUCTIONS, "auto|avx512|avx2|plain", 0,
     "Instruction set of the inner loops (default: auto)", ARGUMENTS_HOW},
    {0},
};

/* Names that an option takes, ending with NULL. */
static const char *const votes[] = {
#define VOTE_ENTRY(name, help) #name,
    HALO_VOTE_LIST(VOTE_ENTRY)
#undef VOTE_ENTRY
        NULL};
static const char *const waits[] = {"auto",
#define WAIT_ENTRY(name, help) #name,
                                    HALO_WAIT_LIST(WAIT_ENTRY)
#undef WAIT_ENTRY
                                        NULL};
static const char *const progress_modes[] = {
#define PROGRESS_ENTRY(name, help) #name,
    PROGRESS_MODE_LIST(PROGRESS_ENTRY)
#undef PROGRESS_ENTRY
        NULL};
static const char *const instruction_sets[] = {"auto", "avx512", "avx2", "plain", NULL};

void arguments_name(const arguments_parse *parse, char name[ARGUMENTS_NAME])
{
    bool own = parse->program != NULL;
    snprintf(name, ARGUMENTS_NAME, "%s%s", own ? "" : "halobeat ",
             own ? parse->program : parse->command);
}

error_t arguments_complain(const arguments_parse *parse, const char *format, ...)
{
    if (parse->speaks) {
        char name[ARGUMENTS_NAME];
        va_list arguments;
        arguments_name(parse, name);
        va_start(arguments, format);
        fprintf(stderr, "%s: ", name);
        vfprintf(stderr, format, arguments);
        fprintf(stderr, "\n`%s --help` lists all options\n", name);
        va_end(arguments);
    }
    return EINVAL;
}

int arguments_choose(const arguments_parse *parse, const char *option, const char *value,
                     const char *const *names)
{
    char list[128] = "";
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], value) == 0) {
            return i;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 i == 0                 ? ""
                 : names[i + 1] == NULL ? " or "
                                        : ", ",
                 names[i]);
    }
    arguments_complain(parse, "--%s takes %s, not \"%s\"", option, list, value);
    return -1;
}

error_t arguments_choose_name(const arguments_parse *parse, const char *option, const char *value,
                              const char *const *names, const char **out)
{
    int chosen = arguments_choose(parse, option, value, names);
    if (chosen < 0) {
        return EINVAL;
    }
    *out = names[chosen];
    return 0;
}

error_t arguments_choose_wait(const arguments_parse *parse, const char *value, const char **out)
{
    return arguments_choose_name(parse, "wait", value, waits, out);
}

error_t arguments_choose_progress(const arguments_parse *parse, const char *value, const char **out)
{
    return arguments_choose_name(parse, "progress", value, progress_modes, out);
}

error_t arguments_integer(const arguments_parse *parse, const char *option, const char *what,
                          const char *text, int64_t least, int64_t most, int64_t *out)
{
    const char *end = text;
    if (!halo_scan_integer(&end, least, most, out) || *end != '\0') {
        return arguments_complain(parse, "--%s takes %s, not \"%s\"", option, what, text);
    }
    return 0;
}

bool arguments_ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static error_t choose_instructions(const arguments_parse *parse, const char *text)
{
    const char *chosen;
    if (arguments_choose_name(parse, "instructions", text, instruction_sets, &chosen) != 0) {
        return EINVAL;
    }
    parse->common->instructions = strcmp(chosen, "auto") == 0 ? NULL : chosen;
    return 0;
}

static void give_help(arguments_parse *parse, struct argp_state *state)
{
    if (parse->speaks) {
        help_print(state);
    }
    parse->helped = true;
    state->next = state->argc; /* nothing after --help matters */
}

static error_t parse_common(int key, char *text, struct argp_state *state)
{
    arguments_parse *parse = state->input;
    common_arguments *into = parse->common;
    switch (key) {
    case 'h':
        give_help(parse, state);
        return 0;
    case 'q':
        into->quiet = true;
        return 0;
    case 'v':
        into->verbose = true;
        return 0;
    case KEY_JSON:
        into->json = text;
        return 0;
    case KEY_VOTE:
        return arguments_choose_name(parse, "vote", text, votes, &into->vote);
    case KEY_WAIT:
        return arguments_choose_wait(parse, text, &into->wait);
    case KEY_PROGRESS:
        return arguments_choose_progress(parse, text, &into->progress);
    case ARGP_KEY_END:
        if (into->quiet && into->verbose && !parse->helped) {
            return arguments_complain(parse, "--quiet and --verbose contradict each other");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_instructions(int key, char *text, struct argp_state *state)
{
    return key == KEY_INSTRUCTIONS ? choose_instructions(state->input, text) : ARGP_ERR_UNKNOWN;
}

enum { CHILDREN = 4 }; /* parsers of arguments_run */

/* Stands before the command's parser and the common ones, and hands them their input. */
static error_t parse_none(int key, char *text, struct argp_state *state)
{
    (void)text;
    if (key == ARGP_KEY_INIT) {
        const arguments_parse *parse = state->input;
        for (int i = 0; i < (parse->own_instructions ? CHILDREN - 1 : CHILDREN); i++) {
            state->child_inputs[i] = state->input;
        }
    }
    return ARGP_ERR_UNKNOWN;
}

arguments_verdict arguments_run(int argc, char **argv, const struct argp *own,
                                arguments_parse *parse)
{
    *parse->common = (common_arguments){.vote = "allreduce", .wait = "auto", .progress = "auto"};
    const struct argp common = {.options = options, .parser = parse_common};
    /* Options are sorted by their groups; the balancers' table comes before the command's examples.
     */
    const struct argp instructions = {.options = instruction_options, .parser = parse_instructions};
    const struct argp_child children[CHILDREN + 1] = {
        {.argp = &balance_argp},
        {.argp = own},
        {.argp = &common},
        {.argp = parse->own_instructions ? NULL : &instructions}};
    const struct argp all = {.parser = parse_none, .children = children};
    char name[ARGUMENTS_NAME];
    arguments_name(parse, name);
    argv[0] = name; /* what getopt and the help call the program */
    unsigned flags = ARGP_NO_EXIT | ARGP_NO_HELP | (parse->speaks ? 0 : ARGP_NO_ERRS);
    error_t error = argp_parse(&all, argc, argv, flags, NULL, parse);
    return error != 0 ? ARGUMENTS_BAD : parse->helped ? ARGUMENTS_HELPED : ARGUMENTS_GOOD;
}
