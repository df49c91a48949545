#include "cli/synthetic/options.h"

enum { KEY_SIZE = 256, KEY_BEATS, KEY_PROFILE, KEY_WORK, KEY_HALO_DEPTH };

/* Enough for a second or two on one rank. */
enum { DEFAULT_SIZE = 1000, DEFAULT_BEATS = 300, MOST_HALO_DEPTH = 1000000 };

#define PROFILE_LINE(name, keys, help) "\n  " #name ": " help
#define PROFILE_LINES                  HALO_SYNTHETIC_PROFILE_LIST(PROFILE_LINE)
static const char documentation[] =
    "Compute rows whose cost follows a profile, and check the result: for trying balancers and "
    "machines."
    "\vProfiles, as NAME or NAME:KEY=VALUE,... with keys ratio (default 3), at (.5), width (.1), "
    "speed (1), seed (1):" PROFILE_LINES "\n\n"
    "Examples:\n"
    "  mpiexec -n 4 halobeat synthetic --profile linear:ratio=3\n"
    "  mpiexec -n 4 halobeat synthetic --profile hot:ratio=8,speed=2 --beats 1000\n\n"
    "Exit status: 0 done and checked, 1 failed, 2 unusable arguments.";
#undef PROFILE_LINES
#undef PROFILE_LINE

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is computed:", 1},
    {"size", KEY_SIZE, "ROWSxCOLUMNS", 0, "Cells of the grid (default: 1000x1000)", 0},
    {"beats", KEY_BEATS, "N", 0, "How many times all of them are updated (default: 300)", 0},
    {"profile", KEY_PROFILE, "NAME[:KEY=VALUE,...]", 0,
     "What rows cost, as below (default: constant)", 0},
    {"work", KEY_WORK, "STEPS", 0,
     "Work of a row that costs 1, a step some 3 nanoseconds (default: 1000)", 0},
    {"decomposition", CUTTING_DECOMPOSITION, "strips|blocks|AxB|auto", 0,
     "How the grid is cut between ranks: into strips of rows (the default), into as many blocks "
     "with short edges, into A rows of B blocks, or as a model predicts to be fastest. Blocks "
     "share "
     "the work of the rows that they cut",
     ARGUMENTS_HOW},
    {"halo-depth", KEY_HALO_DEPTH, "K", 0,
     "Beats between two exchanges with other ranks (default: 1)", ARGUMENTS_HOW},
    {0},
};

static error_t parse_size(const arguments_parse *parse, const char *text)
{
    synthetic_arguments *into = parse->into;
    const char *end = text;
    bool good = halo_scan_integer(&end, 1, INT32_MAX, &into->synthetic.rows) && *end++ == 'x' &&
                halo_scan_integer(&end, 1, INT32_MAX, &into->synthetic.columns);
    return good && *end == '\0'
               ? 0
               : arguments_complain(
                     parse, "--size takes ROWSxCOLUMNS in cells, such as 1000x1000, not \"%s\"",
                     text);
}

static error_t parse_profile(const arguments_parse *parse, const char *text)
{
    synthetic_arguments *into = parse->into;
    into->synthetic.profile = text;
    halo_synthetic_options alone = {.rows = 1, .columns = 1, .profile = text, .work = 1};
    return halo_synthetic_describe(&alone, NULL) == HALO_OK
               ? 0
               : arguments_complain(parse, "--profile \"%s\": %s", text, halo_last_message());
}

/* Work and ratio that each are good may still be too much together. */
static error_t check_together(const arguments_parse *parse)
{
    const synthetic_arguments *into = parse->into;
    return halo_synthetic_describe(&into->synthetic, NULL) == HALO_OK
               ? 0
               : arguments_complain(parse, "--profile and --work: %s", halo_last_message());
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    const arguments_parse *parse = state->input;
    synthetic_arguments *into = parse->into;
    switch (key) {
    case KEY_SIZE:
        return parse_size(parse, text);
    case KEY_BEATS:
        return arguments_integer(parse, "beats", "a number of beats from 1 on", text, 1, INT64_MAX,
                                 &into->beats);
    case KEY_PROFILE:
        return parse_profile(parse, text);
    case KEY_WORK:
        return arguments_integer(parse, "work", "a number of steps from 1 to 1000000000", text, 1,
                                 HALO_SYNTHETIC_MOST_STEPS, &into->synthetic.work);
    case KEY_HALO_DEPTH:
        return arguments_integer(parse, "halo-depth", "a number of beats from 1 on", text, 1,
                                 MOST_HALO_DEPTH, &into->cutting.halo_depth);
    case ARGP_KEY_ARG:
        return arguments_complain(parse, "\"%s\" is one argument too many; all are options", text);
    case ARGP_KEY_END:
        return parse->helped ? 0 : check_together(parse);
    default:
        return cutting_parse(parse, key, text, &into->cutting);
    }
}

arguments_verdict synthetic_arguments_parse(int argc, char **argv, bool speaks,
                                            synthetic_arguments *arguments)
{
    *arguments = (synthetic_arguments){.synthetic = {.rows = DEFAULT_SIZE, .columns = DEFAULT_SIZE},
                                       .beats = DEFAULT_BEATS,
                                       .cutting = {.halo_depth = 1}};
    const struct argp argp = {.options = options, .parser = parse_option, .doc = documentation};
    arguments_parse parse = {.command = "synthetic",
                             .beat = "one update of all cells",
                             .speaks = speaks,
                             .common = &arguments->common,
                             .into = arguments};
    return arguments_run(argc, argv, &argp, &parse);
}
