#include "cli/tasks/words.h"

#include <string.h>

/* Options of GNU parallel that are not offered, and what to use in their place. */
typedef struct {
    const char *names; /* "a|b", without dashes */
    char letter;       /* or 0 */
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
    {"pipe|pipe-part|pipepart|spreadstdin|cat|fifo|block|block-size|recstart|recend|regexp|"
     "round-robin|roundrobin|shard|bin|group-by|groupby|tee",
     0, pipes},
    {"sshlogin|sshloginfile|slf|ssh|nonall|onall|controlmaster|filter-hosts|hostgroup|hgrp|"
     "sshdelay|sql|sqlmaster|sqlworker|sqlandworker",
     'S', hosts},
    {"transfer|transferfile|trc|return|cleanup|basefile|bf|env|workdir|wd|tmux|tmuxpane", 0, files},
    {"max-args|max-replace-args|xargs|max-lines|max-chars", 'n', many},
    {"", 'N', many},
    {"", 'L', many},
    {"", 'X', many},
    {"", 'm', many},
    {"", 's', many},
    {"rpl|plus|replace|er|basenamereplace|bnr|basenameextensionreplace|bner|dirnamereplace|dnr|"
     "extensionreplace|seqreplace|slotreplace",
     'I', strings},
    {"", 'U', strings},
    {"bar|progress|eta|shellquote", 0, progress},
    {"will-cite|citation|no-notice|bug|gnu|minversion|group", 'g', leave},
    {"", 'P', "use -j N"},
    {"", 't', "see the commands with --dry-run first"},
    {"resume-failed|retry-failed", 0, again},
    {"delimiter", 'd', "translate it into line ends: tr ';' '\\n' < FILE | halobeat tasks ..."},
    {"csv", 0, "use --colsep , for fields without quotes"},
    {"link|xapply", 0, "write :::+ in place of the second :::, or ::::+ of the second ::::"},
    {"trim", 0, "the shell drops blanks around what is not quoted: eval \"set -- {}\""},
    {"shuf", 0, "shuffle the inputs: shuf FILE | halobeat tasks ..."},
    {"nice", 0, "write nice -n N before the command"},
    {"quote", 'q', "quote the command's words for the shell yourself"},
    {"interactive", 'p', "see the commands with --dry-run first"},
    {"tty|open-tty", 0, "jobs run in groups of their own, away from the terminal"},
    {"files|files0|compress|compress-program|decompress-program|tmpdir", 0,
     "--results DIR keeps what jobs write in files; TMPDIR is where temporary ones are"},
    {"memsuspend|limit|noswap|termseq", 0, "--memfree and --load keep jobs from being started"},
    {"semaphore|semaphoretimeout|semaphorename|id|fg|bg|wait|st", 0,
     "sem of GNU parallel does that"},
    {"profile|plain|use-cpus-instead-of-cores|use-sockets-instead-of-threads|"
     "use-cores-instead-of-threads|number-of-cpus|number-of-cores|number-of-threads|"
     "number-of-sockets|process-slot-var|tollef|total-jobs|total|max-line-length-allowed|"
     "show-limits|rsync-opts|arg-sep|arg-file-sep|eof|hashbang|shebang|shebang-wrap|skip-first-"
     "line|"
     "dr|latest-line|ll|ctag|ctagstring|color|colour|color-failed|colour-failed|unsafe|"
     "record-env|session|embed|parset",
     0, "the options that are offered are those of halobeat tasks --help"},
};

static halo_status refuse(const foreign_option *option, const char *dashes, const char *name,
                          int length)
{
    return halo_fail(HALO_ARGUMENT, "%s%.*s of GNU parallel is not offered; %s", dashes, length,
                     name, option->instead);
}

halo_status tasks_refuse_long(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (app_list_has(table[i].names, name, length)) {
            return refuse(&table[i], "--", name, (int)length);
        }
    }
    return HALO_OK;
}

halo_status tasks_refuse_letter(char letter)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].letter == letter) {
            return refuse(&table[i], "-", &letter, 1);
        }
    }
    return HALO_OK;
}
