#ifndef HALOBEAT_APP_RUN_H
#define HALOBEAT_APP_RUN_H

#include "app/command.h"
#include "app/options/shared_options.h"
#include "app/report/progress.h"
#include "partition/box.h"

/* A run of a command: all that the frame and the command keep while it goes on. */

typedef struct app_image app_image;
typedef struct app_loop app_loop;
typedef struct app_writing app_writing;
typedef struct halo_beat halo_beat;
typedef struct halo_field halo_field;
typedef struct halo_kernel halo_kernel;

struct app_run {
    const app_command *command;
    const char *program;            /* as users call it: "halobeat life" */
    void *context;                  /* what app_main's caller handed over */
    app_options *given;             /* the options that were given, as text */
    void *options;                  /* the command's structure of options */
    const app_arguments *arguments; /* the shared options, which that structure begins with */
    void *job;                      /* the command's own data, job_bytes of them */
    void **states;                  /* of the command's services, in their order */
    const app_run *whole;           /* the run of many images that this one is a part of, or NULL */

    halo_world *world;
    app_image *image;    /* its members are zero before it is opened */
    halo_field *samples; /* of the image, if they are kept apart from run->beat; or NULL */
    halo_domain domain;
    const halo_kernel *kernel; /* the kernel of run->beat */
    halo_beat *beat;

    const int64_t *cuts; /* of the strips that outputs are written by, [ranks + 1]; NULL: those
                          * of run->beat */
    progress progress;
    halo_clock clock; /* reading, pictures, writing; beats have their own */
    double seconds;   /* of the whole run, on this rank */

    int64_t first_beat, last_beat; /* of this run; beats before a checkpoint count */
    app_loop *loop;
    app_writing *writing;

    const struct report *report; /* while it reports */
    json_t *warnings;            /* on rank 0: texts of app_warn, an array; or NULL */
};

/* Local. Warn of something that ends nothing, by printf's rules: a line on stderr, now, and in the
 * reports. Of rank 0 only; others are silent. */
void app_warn(app_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Local. Is this rank 0, which reads, writes and reports for all? */
static inline bool app_is_root(const app_run *run)
{
    return halo_world_rank(run->world) == 0;
}

/* Local. Is this the run of one image of many? The whole run has compared the files, and reports.
 */
static inline bool app_is_one_of_many(const app_run *run)
{
    return run->whole != NULL;
}

/* Local. Was the option of `field` given? */
bool app_was_given(const app_run *run, const void *field);

#endif
