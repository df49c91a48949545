#include "cli/tasks/options.h"

#include "base/memory.h"

#include <string.h>

/* ---- options of GNU parallel that are not offered -------------------------------------------- */

/* Names, and what to use in their place. */
typedef struct {
    const char *names;   /* "a|b", without dashes */
    const char *letters; /* those of one dash, or NULL */
    const char *instead;
} foreign_option;

static const char pipes[] = "split the input into files, and give their names as inputs";
static const char hosts[] = "start ranks on the hosts, by the launcher: mpiexec -n 8 -hosts a,b "
                            "halobeat tasks ...";
static const char files[] = "read and write files on a file system that all hosts share";
static const char many[] = "give a job several inputs as words of one line, or let xargs put them "
                           "on one: xargs -n 5 echo";
static const char strings[] = "{}, {.}, {/}, {//}, {/.}, {#}, {%} and {1} to {N} are there";
static const char progress[] = "progress is shown where standard error is a terminal";
static const char leave[] = "leave it out";
static const char again[] = "--resume does jobs that failed again, and leaves out the others";

static const foreign_option table[] = {
    {"pipe|pipepart|spreadstdin|cat|fifo|block|blocksize|blocktimeout|bt|recstart|recend|regexp|"
     "regex|removerecsep|rrs|roundrobin|round|shard|bin|groupby|tee",
     NULL, pipes},
    {"sshlogin|sshloginfile|slf|ssh|nonall|onall|controlmaster|filterhosts|filterhost|hostgroups|"
     "hostgroup|hostgrp|hgrp|sshdelay|sql|sqlmaster|sqlworker|sqlandworker",
     "SM", hosts},
    {"transfer|transferfiles|transferfile|tf|trc|return|cleanup|basefile|bf|env|workdir|wd|tmux|"
     "tmuxpane|template|tmpl",
     NULL, files},
    {"maxargs|maxreplaceargs|xargs|maxlines|maxchars|exit", "nNLlXmsx", many},
    {"rpl|plus|replace|er|basenamereplace|bnr|basenameextensionreplace|bner|dirnamereplace|dnr|"
     "extensionreplace|seqreplace|slotreplace|parens",
     "IiU", strings},
    {"bar|progress|eta|shellquote", NULL, progress},
    {"willcite|citation|bibtex|nonotice|bug|gnu|minversion|group", "g", leave},
    {"", "P", "use -j N"},
    {"version", "V", "use halobeat --version"},
    {"", "t", "see the commands with --dry-run first"},
    {"resumefailed|retryfailed", NULL, again},
    {"delimiter", "d", "translate it into line ends: tr ';' '\\n' < FILE | halobeat tasks ..."},
    {"eof", "eE", "end the inputs before it: sed '/^END$/,$d' FILE | halobeat tasks ..."},
    {"csv", NULL, "use --colsep , for fields without quotes"},
    {"filter", NULL, "let the command look at its inputs: test {1} -ge {2} || echo {1} {2}"},
    {"link|xapply", NULL, "write :::+ in place of the second :::, or ::::+ of the second ::::"},
    {"trim", NULL, "the shell drops blanks around what is not quoted: eval \"set -- {}\""},
    {"shuf", NULL, "shuffle the inputs: shuf FILE | halobeat tasks ..."},
    {"skipfirstline", NULL, "leave it out: tail -n +2 FILE | halobeat tasks ..."},
    {"nice", NULL, "write nice -n N before the command"},
    {"quote", NULL, "quote the command's words for the shell yourself"},
    {"interactive", "p", "see the commands with --dry-run first"},
    {"tty|opentty", NULL, "jobs run in groups of their own, away from the terminal"},
    {"files|files0|outputasfiles|compress|compressprogram|usecompressprogram|decompressprogram|"
     "usedecompressprogram|tmpdir|tempdir",
     NULL, "--results DIR keeps what jobs write in files; TMPDIR is where temporary ones are"},
    {"memsuspend|limit|noswap|termseq", NULL, "--memfree and --load keep jobs from being started"},
    {"semaphore|semaphoretimeout|semaphorename|id|fg|bg|wait|st", NULL,
     "sem of GNU parallel does that"},
    {"profile|plain|usecpusinsteadofcores|usesocketsinsteadofthreads|usecoresinsteadofthreads|"
     "numberofcpus|numberofcores|numberofthreads|numberofsockets|processslotvar|tollef|totaljobs|"
     "total|maxlinelengthallowed|showlimits|rsyncopts|argsep|argfilesep|hashbang|shebang|"
     "shebangwrap|dr|latestline|ll|ctag|ctagstring|color|colour|colorfailed|colourfailed|unsafe|"
     "recordenv|session|embed|parset|debug|shellcompletion",
     "DJ", "the options that are offered are those of halobeat tasks --help"},
};

static halo_status refuse(const foreign_option *option, const char *dashes, const char *name,
                          int length)
{
    return halo_fail(HALO_ARGUMENT, "%s%.*s of GNU parallel is not offered; %s", dashes, length,
                     name, option->instead);
}

/* Dashes within a name are left out, since GNU parallel takes its names with and without them.
 * False if it is longer than all of the table. */
static bool strip(const char *name, size_t length, char out[], size_t room)
{
    size_t size = 0;
    for (size_t i = 0; i < length; i++) {
        if (name[i] != '-' && name[i] != '_') {
            out[size++] = name[i];
        }
        if (size == room) {
            return false;
        }
    }
    out[size] = '\0';
    return true;
}

static halo_status refuse_long(const char *name, size_t length)
{
    enum { NAME = 40 };
    char bare[NAME];
    bool known = strip(name, length, bare, NAME) && bare[0] != '\0';
    for (size_t i = 0; known && i < sizeof table / sizeof *table; i++) {
        if (halo_list_has(table[i].names, bare, strlen(bare))) {
            return refuse(&table[i], "--", name, (int)length);
        }
    }
    return HALO_OK;
}

static halo_status refuse_letter(char letter)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].letters != NULL && strchr(table[i].letters, letter) != NULL) {
            return refuse(&table[i], "-", &letter, 1);
        }
    }
    return HALO_OK;
}

/* ---- where the options end ------------------------------------------------------------------- */

static bool takes_value(const halo_option *row)
{
    return row->type != HALO_OPTION_FLAG;
}

static bool is_option(const halo_option *row)
{
    return row->type != HALO_OPTION_SECTION && row->name != NULL &&
           (row->flags & APP_ARGUMENT) == 0;
}

/* As getopt_long does: the whole name, another of its names, or the beginning of one. */
static const halo_option *find_long(const app_syntax *syntax, const char *name, size_t length)
{
    const halo_option *begun = NULL;
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if (!is_option(row)) {
            continue;
        }
        bool begins = strncmp(row->name, name, length) == 0;
        if ((begins && row->name[length] == '\0') ||
            (row->aliases != NULL && halo_list_has(row->aliases, name, length))) {
            return row;
        }
        begun = begins ? row : begun;
    }
    return begun;
}

static const halo_option *find_letter(const app_syntax *syntax, char letter)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if (is_option(row) && row->letter == letter) {
            return row;
        }
    }
    return NULL;
}

/* An option of two dashes; *words becomes 2 if its value is the next word. */
static halo_status measure_long(const app_syntax *syntax, const char *name, int *words)
{
    size_t length = strcspn(name, "=");
    const halo_option *row = find_long(syntax, name, length);
    if (row == NULL || strlen(row->name) != length) {
        HALO_TRY(row == NULL || row->aliases == NULL || !halo_list_has(row->aliases, name, length)
                     ? refuse_long(name, length)
                     : HALO_OK);
    }
    *words = 1 + (row != NULL && takes_value(row) && name[length] == '\0');
    return HALO_OK;
}

/* Letters behind one dash: the first that takes a value takes the rest, or the next word. */
static halo_status measure_letters(const app_syntax *syntax, const char *letters, int *words)
{
    *words = 1;
    for (; *letters != '\0'; letters++) {
        const halo_option *row = find_letter(syntax, *letters);
        HALO_TRY(row == NULL ? refuse_letter(*letters) : HALO_OK);
        if (row != NULL && takes_value(row)) {
            *words += letters[1] == '\0';
            return HALO_OK;
        }
    }
    return HALO_OK;
}

/* ---- sources --------------------------------------------------------------------------------- */

static bool begins_source(const char *word, tasks_source *out)
{
    size_t colons = strspn(word, ":"), length = strlen(word);
    bool linked = colons + 1 == length && word[colons] == '+';
    *out = (tasks_source){.is_file = colons == 4, .linked = linked};
    return (colons == 3 || colons == 4) && (linked || colons == length);
}

static halo_status take_sources(tasks_words *out, int argc, char **argv, int from)
{
    HALO_TRY(HALO_ALLOCATE(out->sources, argc - from + 1, "sources of inputs"));
    for (int i = from; i < argc; i++) {
        tasks_source source;
        if (begins_source(argv[i], &source)) {
            source.words = argv + i + 1;
            out->sources[out->source_count++] = source;
        } else {
            out->sources[out->source_count - 1].count++;
        }
    }
    return HALO_OK;
}

halo_status tasks_words_parse(tasks_words *out, const app_syntax *syntax, int argc, char **argv)
{
    tasks_source source;
    int i = 1;
    *out = (tasks_words){0};
    while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0' && strcmp(argv[i], "--") != 0) {
        int words;
        HALO_TRY(argv[i][1] == '-' ? measure_long(syntax, argv[i] + 2, &words)
                                   : measure_letters(syntax, argv[i] + 1, &words));
        i += words;
    }
    out->options = i < argc ? i : argc;
    i += i < argc && strcmp(argv[i], "--") == 0;
    out->command = argv + (i < argc ? i : argc);
    for (; i < argc && !begins_source(argv[i], &source); i++) {
        out->command_count++;
    }
    /* An input alone is a command: it is not quoted. */
    bool alone = out->command_count == 1 && strcmp(out->command[0], "{}") == 0;
    out->command_count = alone ? 0 : out->command_count;
    return i < argc ? take_sources(out, argc, argv, i) : HALO_OK;
}
