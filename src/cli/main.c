#include "app/frame.h"
#include "app/ranks/ranks.h"
#include "base/cores.h"
#include "base/printable.h"
#include "base/spelling.h"
#include "base/standard.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "core/transport/launcher.h"
#include "core/transport/processes.h"
#include "core/world/job.h"
#include "core/world/simulated_compute.h"
#include "io/image/image_reader.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const app_command *const commands[] = {
#define COMMAND_ENTRY(name) &name##_command,
    COMMAND_LIST(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to)
{
    fprintf(to, "Usage: halobeat COMMAND [OPTION...]\n"
                "Heartbeat computing on images and grids, on all cores of one machine, or on many\n"
                "machines with MPI.\n\n"
                "Commands:\n");
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(to, "  %-10s %s\n", commands[i]->syntax->name, commands[i]->syntax->summary);
    }
    fprintf(
        to,
        "\n`halobeat help COMMAND` lists its options; `halobeat --version` prints the version.\n"
        "On several machines: mpiexec -n 64 halobeat ...\n");
}

/* The command list of docs/manual/halobeat.1.in, and a section for each command. */
static void print_manual(void)
{
    puts(".SH COMMANDS");
    for (int i = 0; i < COMMANDS; i++) {
        printf(".TP\n.B %s\n%s\n", commands[i]->syntax->name, commands[i]->syntax->summary);
    }
    for (int i = 0; i < COMMANDS; i++) {
        app_options_manual(commands[i]->syntax);
    }
}

/* Cases of docs/manual/completion.bash.in. */
static void print_completion(void)
{
    for (int i = 0; i < COMMANDS; i++) {
        app_options_completion(commands[i]->syntax);
    }
    printf("        \"\") echo \"words");
    for (int i = 0; i < COMMANDS; i++) {
        printf(" %s", commands[i]->syntax->name);
    }
    printf(" --help --version\" ;;\n");
}

/* All rows of all tables. */
static void print_options(void)
{
    json_t *rows = json_array();
    for (int i = 0; i < COMMANDS; i++) {
        app_options_list(commands[i]->syntax, rows);
    }
    json_dumpf(rows, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(rows);
}

static void print_version(void)
{
    char transports[HALO_TRANSPORTS_TEXT], formats[HALO_IMAGE_LIST], missing[HALO_IMAGE_LIST];
    halo_image_formats(formats);
    halo_image_missing(missing);
    halo_transports_describe(transports, sizeof transports);
    int cores = halo_cores_usable();
    printf("halobeat %s\nmay use %d core%s here\nranks are connected by %s\nreads images as %s\n",
           HALOBEAT_VERSION, cores, cores == 1 ? "" : "s", transports, formats);
    if (missing[0] != '\0') {
        printf("built without %s\n", missing);
    }
}

static void print_own_help(void)
{
    print_help(stdout);
}

/* Words that may stand in the place of a command. */
static const struct {
    const char *name;
    void (*print)(void);
} texts[] = {{"--help", print_own_help},  {"-h", print_own_help},
             {"help", print_own_help},    {"--version", print_version},
             {"--manual", print_manual},  {"--completion", print_completion},
             {"--options", print_options}};

static const app_syntax *command_syntax(int i)
{
    return i < COMMANDS ? commands[i]->syntax : NULL;
}

static const app_command *find_command(const char *name)
{
    for (int i = 0; name != NULL && i < COMMANDS; i++) {
        if (strcmp(name, commands[i]->syntax->name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

/* True if a text is asked for; with `speaks` it is printed. */
static bool print_text(int argc, char **argv, const app_command *command, const char *program,
                       bool speaks)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (command != NULL) {
        bool requested = argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0);
        requested = requested && (argc == 3 || command->syntax->explain == NULL);
        if (requested && speaks) {
            app_options_help(command->syntax, program);
        }
        return requested;
    }
    for (size_t i = 0; name != NULL && i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(name, texts[i].name) == 0) {
            if (speaks) {
                texts[i].print();
            }
            return true;
        }
    }
    return false;
}

/* Has all of it been printed? */
static int end_of_text(void)
{
    return fflush(stdout) == 0 && ferror(stdout) == 0 ? 0 : APP_FAILED;
}

/* Reads the arguments of a command whose syntax says what it takes. */
static int read_arguments(int argc, char **argv, const app_command *command, const char *program,
                          int64_t *requested)
{
    app_arguments *options;
    int answered = app_answer_alone(command->syntax, program, argc, argv, &options);
    if (answered < 0) {
        *requested = app_ranks_requested(options);
    }
    free(options);
    return answered;
}

/* Reads the arguments of a process that no launcher has started, before it has ranks. Returns the
 * exit status if they are refused or ask for a text, such as --help; -1 if the command shall run.
 * Sets *threads to whether its ranks are threads, and *asked to how many are asked for, or
 * 0. */
static int answer_alone(int argc, char **argv, const app_command *command, const char *program,
                        bool *threads, int64_t *requested)
{
    if (!app_is_alone() || command == NULL) {
        return -1;
    }
    *threads = command->answer != NULL || app_ranks_are_threads(command->syntax);
    return command->answer != NULL ? command->answer(argc - 1, argv + 1, requested)
           : command->call == NULL || *threads
               ? read_arguments(argc - 1, argv + 1, command, program, requested)
               : -1;
}

/* Is it `halobeat --arguments FILE`? */
static bool is_with_file(int argc, char *const *argv)
{
    return argc == 3 && strcmp(argv[1], "--arguments") == 0;
}

static void complain_of_command(const char *name)
{
    char near[HALO_GUESS_TEXT];
    halo_guess guess = {.word = name, .length = strlen(name)};
    for (int i = 0; i < COMMANDS; i++) {
        halo_guess_name(&guess, commands[i]->syntax->name, strlen(commands[i]->syntax->name));
    }
    halo_guess_list(&guess, "--help|--version|help");
    halo_guess_list(&guess, getenv("HALOBEAT_RUN_WORDS")); /* those of ./run */
    halo_guess_text(&guess, "", near);
    for (int i = 0; i < COMMANDS; i++) {
        const app_syntax *syntax = commands[i]->syntax;
        if (halo_list_has(syntax->words, name, guess.length)) {
            snprintf(near, sizeof near, "; did you mean %s %s?", syntax->name, name);
        }
    }
    halo_fail(HALO_ARGUMENT, "there is no command \"%s\"%s`halobeat --help` lists them", name,
              near[0] != '\0' ? strcat(near, " ") : "; ");
}

/* There is no such command. */
static const char *complain(int argc, char *const *argv)
{
    cli_arguments file = {.count = 0};
    halo_status status = HALO_OK;
    if (is_with_file(argc, argv)) { /* else its words would be here: it is read again to say why */
        status = cli_arguments_read(&file, argv[0], argv[2]);
    }
    if (status == HALO_OK) {
        complain_of_command(argv[1]);
    }
    cli_arguments_free(&file);
    return halo_last_message();
}

static int call_command(halo_world *all, int argc, char **argv, const app_command *command,
                        const char *program)
{
    int rank = halo_world_rank(all);
    if (print_text(argc, argv, command, program, rank == 0)) {
        return end_of_text();
    }
    if (command != NULL) {
        return app_main(all, command, program, NULL, argc - 1, argv + 1);
    }
    if (rank == 0 && argc <= 1) {
        print_help(stderr);
    } else if (rank == 0) {
        halo_print_line("halobeat", complain(argc, argv));
    }
    return APP_USAGE;
}

/* Arguments of ranks that are threads. */
typedef struct {
    const app_command *command;
    const char *program;
} rank_program;

static int call_on_thread(halo_world *all, int argc, char **argv, const void *context)
{
    const rank_program *called = context;
    return call_command(all, argc, argv, called->command, called->program);
}

/* `halobeat help COMMAND ...` is `halobeat COMMAND ... --help`, or `halobeat COMMAND --help ...` of
 * a command that explains words. */
static void turn_help(int argc, char **argv)
{
    static char requested[] = "--help";
    if (argc > 2 && strcmp(argv[1], "help") == 0) {
        const app_command *command = find_command(argv[2]);
        bool explains =
            command != NULL && command->syntax != NULL && command->syntax->explain != NULL;
        int moved = explains ? 1 : argc - 2;
        memmove(argv + 1, argv + 2, (size_t)moved * sizeof *argv);
        argv[1 + moved] = requested;
    }
}

/* A launcher takes a word : for its own, and what is behind it for another program, with which
 * ranks would start together: it never starts MPI, and they would wait for it for ever. */
static bool is_cut(int argc, char *const *argv, const app_command *command)
{
    return command == &tasks_command && halo_launcher_is_own() &&
           strcmp(argv[argc - 1], "--header") == 0 &&
           halo_fail(HALO_ARGUMENT,
                     "mpiexec takes : for its own, and what is behind it for another "
                     "program; write --header=: in place of --header :") != HALO_OK;
}

/* `ready`: what reading the arguments came to on this rank. */
static int run_program(int argc, char **argv, halo_status ready)
{
    turn_help(argc, argv);
    const app_command *command = find_command(argc > 1 ? argv[1] : NULL);
    char program[64];
    snprintf(program, sizeof program, "halobeat%s%s", command != NULL ? " " : "",
             command != NULL ? command->syntax->name : "");
    /* Ranks of one job compare their arguments first: one that only prints a text would leave
     * the others waiting. */
    bool together = halo_launcher_is_own() && halo_launcher_copies().count > 1;
    if (!together && print_text(argc, argv, command, program, halo_launcher_rank() <= 0)) {
        return end_of_text();
    }
    if (is_cut(argc, argv, command)) {
        return app_refuse_apart(program);
    }
    bool threads = false;
    int64_t requested = 0;
    int answered = answer_alone(argc, argv, command, program, &threads, &requested);
    if (answered >= 0) {
        return answered;
    }
    if (threads) {
        const rank_program called = {.command = command, .program = program};
        return app_run_threads(requested, program, call_on_thread, &called, argc, argv);
    }
    int status = app_begin(&argc, &argv, program, ready);
    return halo_job_end(status != 0 ? status
                                    : call_command(halo_job_world(), argc, argv, command, program));
}

/* A file that cannot be used is spoken of by all ranks together. */
static int run_with_file(int argc, char **argv)
{
    cli_arguments file;
    halo_status known = cli_arguments_read(&file, argv[0], argv[2]);
    halo_standard_set_arguments(argv[2]);
    int status = known == HALO_OK ? run_program(file.count, file.words, HALO_OK)
                                  : run_program(argc, argv, known == HALO_MEMORY ? known : HALO_OK);
    cli_arguments_free(&file);
    return status;
}

int main(int argc, char **argv)
{
    halo_standard_hold();
    halo_launcher_take_single();
    app_options_set_others(command_syntax);
    return is_with_file(argc, argv) ? run_with_file(argc, argv) : run_program(argc, argv, HALO_OK);
}
