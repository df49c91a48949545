#ifndef HALOBEAT_APP_FRAME_H
#define HALOBEAT_APP_FRAME_H

#include "app/balance.h"
#include "app/facts.h"
#include "app/image.h"
#include "app/journal.h"
#include "app/kept.h"
#include "app/movie.h"
#include "app/paths.h"
#include "app/report.h"
#include "app/schedule.h"
#include "app/shared_options.h"
#include "app/stencil/picture.h"
#include "core/beat/beat.h"
#include "core/file/checkpoint.h"
#include "core/file/checkpoint_store.h"
#include "core/tasks/tasks.h"
#include "io/array/array_write.h"
#include "io/array/picture.h"
#include "io/npy/npy.h"
#include "io/png/png_write.h"
#include "io/table/table.h"

/* The frame of all commands. A command is a table: what it takes, what it computes, what it writes
 * and what it reports. The frame runs it: app_main parses the arguments, makes the world, checks
 * paths, opens checkpoint and image, runs the beats with movie, checkpoints and progress, writes
 * the outputs, reports, and returns the exit status. It calls the functions of the table, each
 * with the one structure of the run. Functions that are NULL are not called.
 *
 * All functions are collective and return the same status on all ranks, unless they are called
 * local. What a local function returns, but for `updates`, `stops`, `own` and `facts`, must be the
 * same on all ranks, since all ranks act on it. */

typedef struct app_run app_run;

/* Local. For the syntax of a command that may go on without end (app_beats.endless): a movie of
 * such a run needs --every. */
app_check app_check_endless;

/* ---- beats ----------------------------------------------------------------------------------- */

/* Something that happens between beats. */
typedef struct {
    schedule_event (*when)(const app_run *run); /* local, before the beats: at which of them */
    halo_status (*visit)(app_run *run);         /* do it */
    bool (*due)(const app_run *run); /* local: also now, whatever the schedule says; or NULL */
} app_event;

enum { APP_EVENTS = 8 }; /* at most, of a command; more are a failure */

/* The frame's own events, for commands that have more than these: pictures of the movie, and
 * checkpoints. `when` is local, `visit` collective. */
schedule_event app_movie_when(const app_run *run);
halo_status app_movie_visit(app_run *run);
schedule_event app_checkpoint_when(const app_run *run);
halo_status app_checkpoint_visit(app_run *run);

/* How ranks spent their time in the beats is reported as the share of computing, of waiting, and of
 * exchanging (votes included) or, of kernels whose cells have no neighbours, of voting. */
typedef enum { APP_NO_SHARES, APP_EXCHANGING, APP_VOTING } app_shares;

typedef struct {
    const char *phase;   /* of the progress line: "computing" */
    const char *counted; /* what a signal interrupted: "at beat" */
    const char *update;  /* what a beat updates, for speed: "pixel"; NULL: the command reports its
                          * speed itself */
    bool endless;        /* --until steady without --beats has no last beat */
    app_shares shares;
    int64_t (*updates)(const app_run *run); /* local: of a beat; NULL: one for each cell */
    /* Run up to `beats` more beats; fewer once it is settled or a rank asks to stop (app_watch).
     * NULL: run->beat does. */
    halo_status (*advance)(app_run *run, int64_t beats);
    int64_t (*count)(const app_run *run);      /* local: beats done; NULL: of run->beat */
    bool (*settled)(const app_run *run);       /* local: is it steady? NULL: of run->beat */
    bool (*stops)(const app_run *run);         /* local: does this rank ask to stop, signals apart?
                                                * run->stop_asked becomes true on all ranks if one
                                                * does, but that alone ends nothing */
    const char *(*ending)(const app_run *run); /* local: once settled, in words; NULL or returning
                                                * NULL: "nothing changes any more" */
    const app_event *events;                   /* ended by one without `visit`; NULL: the frame's */
} app_beats;

/* Why the beats ended. */
typedef enum { APP_NOT_YET, APP_DONE, APP_STEADY, APP_SIGNAL, APP_OTHERWISE } app_ending;

/* ---- checkpoints ----------------------------------------------------------------------------- */

/* The rows of a checkpoint, and who has which of them. */
typedef struct {
    int64_t rows;
    size_t row_bytes;
    const int64_t *cuts;        /* [ranks + 1]: which rows each rank has */
    halo_rows_fill *fill;       /* copies rows of this rank out */
    halo_checkpoint_take *take; /* copies rows of this rank in */
    void *context;              /* of both */
} app_layout;

/* What is saved beside the options whose rows say so (APP_SAVED). */
typedef struct {
    /* Local. Its name in the file; NULL: that of the command. */
    const char *(*name)(const app_run *run);
    const char *image;   /* the key of the image's size and digest; NULL: it is of no image */
    const char *options; /* the key of an object with the options; NULL: they are beside the rest */
    const app_kept *kept; /* entries beside options; ended by one without a name; or NULL */

    /* Local. Take the entries that `keep` left, from `saved`; do they and the numbers of rows and
     * bytes fit each other? Each entry and each option has been held against its row. Options have
     * their saved values only afterwards. NULL: they fit. */
    bool (*check)(app_run *run, const halo_checkpoint *info, const json_t *saved);

    /* Local. Add entries beside the options to `saved`; false for want of memory. */
    bool (*keep)(app_run *run, json_t *saved);

    /* What the rows are, one of three. Records of this size, the same on all ranks: `count`, local,
     * is the number to save; if it is 0, there is nothing to save yet, and no file is made. */
    size_t record_bytes;
    int64_t (*count)(const app_run *run);

    /* Lines (app/stencil/lines.h) of this number of fields of run->beat, from the first on. Local.
     */
    int (*fields)(const app_run *run);

    /* Rows that this function describes, before they are written or (`reads`) read; then `release`,
     * local, is called in any case. */
    halo_status (*layout)(app_run *run, app_layout *rows, bool reads);
    void (*release)(app_run *run);

    /* Called before the rows are written, to compute the state that they hold. `records` [count]
     * are to be filled in; NULL for other rows. */
    halo_status (*store)(app_run *run, void *records);
    /* Once they are read. `records` [count] are of every rank. */
    halo_status (*recall)(app_run *run, const void *records, int64_t count);
} app_state;

/* ---- outputs --------------------------------------------------------------------------------- */

typedef enum {
    APP_AT_END,       /* after the last beat */
    APP_BEFORE_BEATS, /* before the first */
    APP_BY_COMMAND    /* when the command calls app_output_write */
} app_when;

/* How rows get into a file with this ending. */
typedef struct {
    const char *ending;   /* ".npy", ".png"; NULL ends a list */
    int kind;             /* halo_npy_type or halo_png_kind */
    halo_rows_fill *fill; /* `context` is the run */
} app_writer;

typedef struct {
    size_t option;     /* offset of the file's name in the command's options */
    const char *phase; /* of the progress line: "writing" */
    app_when when;
    const app_writer *writers; /* of rows as wide as run->domain, by strips; or NULL, and */
    halo_status (*write)(app_run *run, const char *path);
    /* Local: instead of both, in a PNG of the image: paint on these rows of it. */
    halo_status (*paint)(app_run *run, const halo_canvas *canvas);
    halo_status (*prepare)(app_run *run); /* before; its time is not that of encoding */
    void (*finish)(app_run *run);         /* local, in any case after `prepare` */
    bool joins;   /* a table, by app_write_table: many images may share one */
    bool colours; /* run->background is in colours, if the image has any: it is read once more */
} app_output;

/* ---- reports --------------------------------------------------------------------------------- */

/* A part of the time, as the summary calls it. */
typedef struct {
    const char *name; /* NULL ends a list */
    halo_phase phase; /* HALO_PHASES: the fact NAME_seconds instead, unless that is null */
} app_phase;

/* ---- memory ---------------------------------------------------------------------------------- */

/* Bytes that this rank takes after `create` beyond the blocks it holds by then (base/memory.h), at
 * most at a time in each phase, as far as they grow with the data; negative for those that it gives
 * back before. The frame fills in what it takes itself for the image and for outputs that it
 * writes. */
typedef struct {
    int64_t reading, computing, writing;
    const char *remedy; /* besides more hosts: "a smaller image" */
} app_needs;

/* ---- the command ----------------------------------------------------------------------------- */

typedef struct {
    const app_syntax *syntax; /* its options begin with app_arguments */
    const char *name;         /* in JSON; NULL: that of the syntax */

    /* What app_main does instead of all that follows, for a command that has to look at its
     * arguments before they can be parsed. Returns the exit status. */
    int (*call)(int argc, char **argv);

    size_t job_bytes; /* of its own data; they are zeroed */
    const char *wait; /* how ranks wait, whatever --wait says; or NULL */
    const char
        *auto_wait; /* what --wait auto means, where it is not what it usually means; or NULL */

    /* The image that it computes on. `image_use`, local, says how it is to be read; it may be NULL.
     * `read` fills in its samples, with app_read_image; NULL: they become field `image_field` of
     * run->beat. */
    bool image;
    int image_field;
    void (*image_use)(const app_run *run, app_image_options *use);
    halo_status (*read)(app_run *run);

    /* In this order; all that can be refused is refused before `create`, or by it, since what
     * comes then may replace files and take long. */
    halo_status (*load)(app_run *run);   /* before files and checkpoint: what they depend on */
    halo_status (*open)(app_run *run);   /* other inputs; checks. Checkpoint and image are open */
    halo_status (*create)(app_run *run); /* run->beat, or what it has instead; sets memory aside,
                                          * but does not touch it */
    void (*needs)(const app_run *run,
                  app_needs *needs);    /* local; what comes on top: the run is
                                         * refused if a host has less. NULL: nobody asks */
    halo_status (*fill)(app_run *run);  /* the first state; not called if one is restored */
    halo_status (*begin)(app_run *run); /* in both cases, before the first beat */
    const app_beats *beats;             /* NULL: */
    halo_status (*run)(app_run *run);   /* ... all of it */
    halo_status (*end)(app_run *run);   /* after the last beat, before the outputs */

    const app_state *state;     /* NULL: it has no checkpoints */
    const app_drawing *drawing; /* of movies; NULL: it has none */
    const app_output *outputs;  /* ended by one without `phase`; or NULL */

    /* Once the checkpoint is open: add files that no option names as they are. */
    halo_status (*files)(app_run *run, app_files *files);

    /* Columns of the table of many images, of each what is worth a column: cells of JSON's keys.
     * NULL: it takes one image at a time. */
    const app_column *batch;

    const app_line *lines; /* of the summary, behind that of the image: what came out; how, with
                            * --verbose */
    const char *speed;     /* the text of a line: how fast it was. NULL: only the seconds in all */
    const app_listing *listings;            /* tables of numbers behind the lines, or NULL */
    bool lists_ranks;                       /* one of them has a row for each rank: the frame's own
                                             * table is left out */
    const app_phase *phases;                /* of the line of seconds; NULL: read, distribute,
                                             * compute, exchange, vote, write */
    report_line (*own)(const app_run *run); /* local: what this rank did; NULL: of run->beat */
    /* Local, on rank 0; NULL: the command reports by itself. What is reported: a new object, or
     * NULL for want of memory. What only lines need goes to `texts`. */
    json_t *(*facts)(app_run *run, json_t *texts);
    halo_status (*show)(app_run *run);    /* between JSON and text */
    halo_status (*verdict)(app_run *run); /* after the summary: has it failed? */
    /* Local. In any case, after a job was made, even if the arguments were refused: of the job and
     * the options, some or all may still be zero. */
    void (*destroy)(app_run *run);
} app_command;

struct app_run {
    const app_command *command;
    const char *program; /* as users call it: "halobeat life" */
    void *context;       /* of app_main's caller */
    app_options *given;
    void *options;                  /* the command's, which begins with */
    const app_arguments *arguments; /* these */
    void *job;

    halo_world *world;
    app_balance *balance;
    app_image image;
    halo_field *picture; /* its samples, if the command keeps them elsewhere than in run->beat */
    app_background background;       /* while outputs are written */
    const app_output *output;        /* that is being written */
    halo_array_about array;          /* what its format may say of an array, from its prepare on */
    halo_checkpoint_reader *reader;  /* NULL: nothing is restored */
    halo_checkpoint_store *store;    /* of --checkpoint and --checkpoint-store, or NULL */
    halo_checkpoint_store *restored; /* what is restored from, maybe the same */
    json_t *saved;                   /* what the checkpoint says */
    halo_domain domain;
    const halo_kernel *kernel; /* of */
    halo_beat *beat;
    halo_tasks *tasks;             /* of a command that hands out tasks (app/tasks.h), */
    app_journal *journal;          /* with --journal, */
    int64_t tasks_before;          /* and how many tasks it had at the beginning; */
    int64_t tasks_ended;           /* rank 0: how many have ended by now, these included, */
    int64_t tasks_count;           /* of so many; */
    app_journal *replay;           /* with --replay */
    struct app_batch *batch;       /* of a run of many images, and of each of them; or NULL */
    bool one_of_many;              /* an image of these: reports nothing itself */
    halo_buffer *rows;             /* of it: tables that all share, each behind its size */
    stencil_picture_options shown; /* of run->beat, in pictures: the range as soon as it is found */
    double shown_range[2];         /* of the last picture; */
    int64_t shown_nothings;        /* cells of it that are no numbers; -1: there was no picture */
    const int64_t *cuts; /* of the strips that outputs are written by, [ranks + 1]; NULL: those of
                          * run->beat */
    app_movie movie;
    progress progress;
    halo_clock clock; /* reading, pictures, writing; beats have their own */
    double seconds;   /* all of it, on this rank */

    int64_t first_beat, last_beat; /* of the run; those before a checkpoint count */
    int64_t begun_beat;            /* of a run that is resumed: its first of all; or first_beat */
    bool resumed;                  /* by --resume, from a checkpoint */
    char *movie_part;              /* the name of a movie that is the rest of another, or NULL */
    int64_t changed;               /* by the last beat; -1: there was none */
    app_ending ending;
    const char *ended;     /* in words, of APP_OTHERWISE */
    bool stop_asked;       /* does a rank ask to stop? */
    double beats_seconds;  /* in the beats, on this rank */
    bool saved_state;      /* has a checkpoint been written? */
    int64_t saved_beat;    /* the last one's */
    bool saving_fails;     /* the last that was due could not be */
    bool lost;             /* has something that was asked for not been written? */
    uint64_t lost_outputs; /* which of the command's, a bit each */
    schedule_event schedule[APP_EVENTS];
    int64_t visited[APP_EVENTS]; /* the beat at which each last happened, or -1 */

    const report *report; /* while it reports */
    json_t *warnings;     /* on rank 0: texts of app_warn, an array; or NULL */
};

/* Local. Warn of something that ends nothing, by printf's rules: a line on stderr, now, and in the
 * reports. Of rank 0 only; others are silent. */
void app_warn(app_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Local, after ranks have agreed on `status`, of a file that is written beside the computing. That
 * it could not be written (HALO_FILE) does not end the run, which goes on, writes what can be
 * written, and exits with 1: it is reported with `then`, what happens now, and HALO_OK is returned.
 * NULL: it has been reported before. Other failures are returned. */
halo_status app_survive(app_run *run, halo_status status, const char *then);

/* The same of a file that is written again later: what is missing of it now is not lost. */
halo_status app_survive_for_now(app_run *run, halo_status status, const char *then);

/* Collective over all processes, with MPI running. All between argv and the exit status, which is
 * the same on all ranks: 0 done, also after help; 1 failed or stopped by a signal; 2 unusable
 * arguments. A failed call of MPI, or silence of a rank, ends the process with 75. `program` is
 * what users call it; `context` is handed to the command. */
int app_main(const app_command *command, const char *program, void *context, int argc, char **argv);

/* Collective over all processes, before there is a world. What did each rank's preparations come
 * to? The message of the lowest rank that failed is printed once, and its exit status returned on
 * all ranks; 0 if all are well. */
int app_agree_early(const char *program, halo_status mine);

/* Collective over all processes. Starts MPI and the monitor of silent ranks, for which --patience
 * is looked up in the arguments. If that fails, it prints one message and ends the job. */
void app_begin(int *argc, char ***argv, const char *program);

/* Exit statuses besides 0. */
enum { APP_FAILED = 1, APP_USAGE = 2 };

/* Movies of a field of run->beat, as run->shown says. */
extern const app_drawing app_field_drawing;

/* Collective. As stencil_picture_find_range, but one range for all pictures of the run: that of
 * run->shown, once there is one. Reports tell it. */
halo_status app_find_range(app_run *run, stencil_picture *picture);

/* ---- for commands ---------------------------------------------------------------------------- */

/* Local. Beats done, those before a checkpoint included; was the option of `field` given? */
int64_t app_beats_done(const app_run *run);
bool app_was_given(const app_run *run, const void *field);

/* Collective. Make run->beat, as the arguments say; `kernel` must outlive it. HALO_MEMORY, and as
 * halo_beat_create. app_create_strips cuts run->domain into strips of equal height, which are at
 * least as high as halos are deep: if the domain has too few rows, some ranks own nothing. Of
 * `options`, only kernel_options, async, beats_per_exchange and change_threshold are read.
 * app_create_blocks cuts it as --decomposition says, with the depth of --halo-depth. */
halo_status app_create_strips(app_run *run, const halo_kernel *kernel,
                              const halo_beat_options *options);
halo_status app_create_blocks(app_run *run, const halo_kernel *kernel,
                              const halo_beat_options *options);

/* Collective. Read the image into `into`, this rank's strip of it by `cuts`; is it that of the
 * checkpoint? */
halo_status app_read_image(app_run *run, const int64_t *cuts, const halo_view *into,
                           halo_rows_sink *watch, void *context);

/* Local. For halo_beat_options.watch, with the run as context: shows progress and remembers what
 * changed. True if this rank asks to stop. */
bool app_watch(void *context, int64_t beats, int64_t changed);

/* Local, the same on all ranks. The beats end here, because of what `text` says. */
void app_end_beats(app_run *run, const char *text);

/* Collective. Beats from run->first_beat to run->last_beat with these events in between. */
halo_status app_run_beats(app_run *run, const app_event *events);

/* Bytes of messages under way when blocks become strips, at most. */
enum { APP_ON_THE_WAY = 12 << 20 };

/* Local. What writing rows of the domain's size as a picture takes on this rank, as far as that can
 * be known before they are compressed. */
int64_t app_png_later(const app_run *run, halo_png_kind kind);
int64_t app_npy_later(const app_run *run, int64_t row_bytes); /* as an array */

/* Local. What reading the image takes on this rank beside its rows. */
int64_t app_image_later(const app_image *image);

/* Local. Why the beats ended, in words. */
const char *app_ending_text(const app_run *run);

/* Collective. Save the state now, in the file `path`. */
halo_status app_checkpoint_write(app_run *run, const char *path);

/* Local. For halo_rows.progress, with the run as context: shows progress. */
void app_show_rows(void *context, int64_t done, int64_t total);

/* Collective. Write an output to the file `path`. */
halo_status app_output_write(app_run *run, const app_output *output, const char *path);

/* Collective. Write a table, or add it to one of many images. As halo_table_write. */
halo_status app_write_table(app_run *run, const char *path, const halo_table *table);

/* Collective. Write rows of the domain's size to a file, by strips: of two axes as a PNG; of two or
 * three in the format of arrays that the name's ending asks for (io/array/array_write.h). Where the
 * name has a place for a number, planes of three axes become files of their own (app/planes.h). */
halo_status app_write_png(app_run *run, const char *path, halo_png_kind kind, halo_rows_fill *fill);
halo_status app_write_array(app_run *run, const char *path, halo_npy_type type,
                            halo_rows_fill *fill);

/* Collective. The same as a PNG in the colours of labels: samples are 0 for none, and 1 to
 * HALO_LABEL_PALETTE_COLOURS - 1. */
halo_status app_write_colours(app_run *run, const char *path, halo_rows_fill *fill);

#endif
