#ifndef HALOBEAT_APP_STENCIL_STENCIL_H
#define HALOBEAT_APP_STENCIL_STENCIL_H

#include "app/image/image.h"
#include "app/run.h"
#include "app/schedule.h"
#include "app/stencil/lines.h"
#include "app/stencil/log.h"
#include "app/stencil/params.h"
#include "app/stencil/picture.h"
#include "core/beat/kernel_check.h"

/* Any kernel as a command: `halobeat run`, and programs made by halo_main. */

/* Find the kernel that the first argument names, on this rank; or a status and a message. */
typedef halo_status stencil_find(void *context, const char *name, const halo_kernel **kernel);

/* Who is called. */
typedef struct {
    const char *name;          /* as its user calls it, on one line with its arguments */
    const halo_kernel *kernel; /* NULL: the first argument names it, and `find` finds it */
    stencil_find *find;
    void *context;   /* of `find` */
    bool has_copies; /* each rank that is a thread has its own static variables */
    /* Why what `find` has found cannot have ranks that are threads, though its table does not say
     * so: words behind its name, or NULL. NULL: there is never a reason. */
    const char *const *unsafe;
    const app_syntax *syntax; /* NULL: that of a program of the kernel */
} stencil_program;

/* Collective. Is the shared object that the kernel comes from, if it does, the same
 * build on all ranks? HALO_ARGUMENT, naming two that differ, HALO_TRANSPORT. */
halo_status stencil_same_kernel(halo_world *world, const halo_kernel *kernel);

typedef struct {
    int axes;             /* 0: none were asked for */
    int64_t n[HALO_AXES]; /* cells, along the slowest axis first */
} stencil_size;

typedef struct {
    bool given;
    double lo, hi;
} stencil_range;

/* Options of a stencil's command. Strings belong to argv, or to the checkpoint that they come
 * from. */
typedef struct {
    app_arguments all;
    const char *kernel; /* a built-in's name or a shared object's; NULL in programs of one */
    stencil_size size;
    const char *periodic, *input, *output, *log; /* or NULL */
    int64_t field;                               /* the one that output and movie show */
    int packing;                                 /* of the output: a halo_array_packing */
    int64_t plane;       /* the one that pictures show; -1: the middle one */
    stencil_range range; /* numbers of the first and the last colour of pictures */
    int colours;         /* a halo_colour_map */
    bool check;          /* the kernel, in place of a run */
} stencil_options; /* behind which the options of the kernel stand, if it is known when parsing */

typedef struct {
    const halo_kernel *kernel;
    char name[256]; /* in checkpoints: "run heat"; those of other commands have their names */
    char *text;     /* options of the kernel that were given one by one, or NULL */
    const char *requested; /* `text`; NULL: no option was given */
    const char
        *options; /* what counts: `requested`, or what a checkpoint has; NULL: the defaults */
    stencil_params params; /* as the kernel's `create` takes them; NULL if it has none */
    app_image input;    /* the file whose samples become cells of the first field; without --input,
                         * it has no path */
    size_t state_bytes; /* of `state`, the kernel's own state as a checkpoint has it */
    unsigned char state[HALO_KERNEL_SAVED];
    stencil_lines lines;     /* while an array is read or an output written */
    stencil_picture picture; /* of the output or the movie */
    double *numbers;         /* of a line of the picture, while it is written */
    int64_t first_line;      /* the line of the grid that is the picture's first */
    stencil_log log;
    int64_t beats_written; /* 1 + the beat of the last file of a numbered output */
    halo_kernel_check_report checked;
} stencil_job;

/* Collective over all processes, with MPI running. All between argv and the exit status. */
int stencil_main(halo_world *all, const stencil_program *program, int argc, char **argv);

/* Local, before there are ranks and without a launcher. Checks arguments, and answers those that
 * need no run, as app_command's `answer`. */
int stencil_answer(const stencil_program *program, int argc, char **argv, int64_t *ranks);

/* Local. Why ranks that run this kernel cannot be threads of one process: words behind its name;
 * NULL: they can. */
const char *stencil_unsafe(const stencil_program *program, const halo_kernel *kernel);

/* Tables and checks of `halobeat run`, whose first argument names the kernel. */
enum { STENCIL_TABLES = 17 }; /* at most, the kernel's and the NULL behind the last included */
extern const halo_option *const stencil_tables[];
extern const app_service_use stencil_services[];
app_check stencil_check;

/* Texts of the help; the caller frees both. */
typedef struct {
    char *about, *notes;
} stencil_documentation;

/* Local. Sets *out to the syntax of a program of one kernel. `text`, all zero before, becomes its
 * documentation, and must outlive the syntax. HALO_MEMORY. */
halo_status stencil_program_syntax(app_syntax *out, const stencil_program *program,
                                   stencil_documentation *text);

/* Local. Are the kernel's name and help such as can be shown? HALO_ARGUMENT with the remedy. */
halo_status stencil_check_texts(const halo_kernel *kernel);

enum { STENCIL_SIZE_TEXT = 96 };

/* Local. A size as users give it, columns first, with `between` between the numbers. */
void stencil_size_print(const int64_t *n, int axes, const char *between,
                        char text[STENCIL_SIZE_TEXT]);

/* Local. Which axes of a domain are periodic, by what was asked for. HALO_ARGUMENT for an axis that
 * it does not have. */
halo_status stencil_set_periodic(const char *text, halo_domain *domain);

/* Local. Is the output a picture? Is it a file for each of several beats? */
bool stencil_output_is_picture(const stencil_options *options);
bool stencil_output_is_numbered(const stencil_options *options);

/* Between beats, as an app_event: the output of the beat that is done, if it is numbered. */
schedule_event stencil_output_when(const app_run *run);
halo_status stencil_output_visit(app_run *run);

/* Local, once the domain is known. Can the output hold its cells? HALO_ARGUMENT with the remedy. */
halo_status stencil_output_check(const app_run *run);

/* Local. Take the table of the kernel that suits job->options. HALO_ARGUMENT, HALO_MEMORY. */
halo_status stencil_suit_kernel(stencil_job *job);

/* The source of the grid: a checkpoint that is open; a file, which rank 0 reads for all if not
 * all see it; or the kernel. Collective: size and periodic axes; then, once there is run->beat, the
 * first cells. HALO_ARGUMENT, HALO_FILE, HALO_FORMAT, HALO_MEMORY, HALO_TRANSPORT. */
halo_status stencil_source_open(app_run *run);
halo_status stencil_source_fill(app_run *run);

/* Collective. The file of --input: what it is. Sets the domain. Then its samples, into the first
 * field. HALO_ARGUMENT, HALO_FILE, HALO_FORMAT, HALO_MEMORY, HALO_TRANSPORT. */
halo_status stencil_input_open(app_run *run, const char *path);
halo_status stencil_input_read(app_run *run);

/* Collective, as app_command's `load`. Find the kernel and check it; it is the same on all ranks.
 * HALO_ARGUMENT, HALO_FILE, HALO_FORMAT, HALO_MEMORY, HALO_TRANSPORT. */
halo_status stencil_load(app_run *run);

#endif
