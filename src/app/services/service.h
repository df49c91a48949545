#ifndef HALOBEAT_APP_SERVICES_SERVICE_H
#define HALOBEAT_APP_SERVICES_SERVICE_H

#include "base/option.h"
#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A service is something that many commands have besides their computing: balancing, movies,
 * checkpoints, tasks, many images in a run, the page of the report. Each is a table, in a file of
 * its own, with its options, its state of a run and with functions that the frame calls. The syntax
 * of a command lists the services that it has; the frame goes through that list in its order.
 *
 * Functions are collective and return the same status on all ranks, unless they are called local.
 * Functions that are NULL are not called. */

typedef struct app_run app_run;
struct app_command;
struct app_event;
struct app_files;
struct app_option_file;
struct app_page;
struct app_place;
struct halo_beat_options;
struct halo_world_options;

typedef halo_status app_step(app_run *run);

/* Sets *done if it did the work, so that neither the frame nor a service behind it does it. */
typedef halo_status app_turn(app_run *run, bool *done);

/* The places of services' rows among the tables of a command: empty tables, which stand in its
 * list where services that name them have their rows. Where a place is missing, the command does
 * not take these options. */
extern const halo_option app_place_of_results[]; /* among outputs: movies */
extern const halo_option app_place_of_runs[];    /* many images, tasks, checkpoints */
extern const halo_option app_place_of_ranks[];   /* balancing; in APP_SHARED_TABLES */

typedef struct app_service {
    size_t bytes; /* of its state in each run, which begins as zeroes */
    /* Its options: rows, whose values are members of a structure of its own, which is found by
     * app_service_options. */
    const halo_option *rows;  /* NULL: it has none */
    const halo_option *place; /* one of those above */
    size_t options_bytes;     /* of that structure: APP_OPTIONS(movie_arguments) */
    bool one_image;           /* they are refused with many images */
    bool same_result;         /* results of tasks do not depend on them: a journal may be taken up
                               * with others */
    /* Local, before the run's world is made: sets members of its options. */
    void (*world)(app_run *run, struct halo_world_options *options);
    /* When there is the world, before all that follows: it may refuse the run, or run and report it
     * in place of the frame. */
    app_turn *start;
    /* Before the files of the run are compared and its image is opened: what they depend on. */
    app_step *open;
    /* Local, of any option that names a file: says how the run uses it, if otherwise than its row
     * says, and, for reports, what has become of it (app/paths/paths.h). */
    void (*file)(const app_run *run, const struct app_place *at, struct app_option_file *file);
    /* Local, before files are compared: adds those that no option names. As `file`, it is called in
     * any run whose syntax has the service; without a state if the command does not have it. */
    halo_status (*files)(app_run *run, struct app_files *files);
    /* Local, when all inputs are known: the beat at which the run ends, whatever --beats says; -1:
     * the service sets no end. The least one counts. */
    int64_t (*until)(const app_run *run);
    /* When all inputs and the last beat are known, before anything is created: checks whether it
     * can do its work. */
    app_step *check;
    /* When all is created, before its memory is touched: the last that can refuse the run. */
    app_step *ready;
    /* Local, before run->beat is created: sets members of its options. */
    void (*join)(const app_run *run, struct halo_beat_options *options);
    /* When the command's image has been read: is it the right one? */
    app_step *seen;
    /* Before the first beat: the first state, in place of the command's `fill`. */
    app_turn *fill;
    /* Before the first beat. */
    app_step *begin;
    /* Local, each time that beats are to be run, which a command may do once more to look ahead:
     * how many there will be at most. */
    void (*expect)(const app_run *run, int64_t beats);
    /* The work that it does between beats; NULL: none. A command with events of its own lists it
     * among them. */
    const struct app_event *event;
    /* After the last beat, in any case once `begin` was called; `mine` is what came before, and is
     * returned unless that fails. */
    halo_status (*end)(app_run *run, halo_status mine);
    /* After the outputs: gathers on rank 0 what the report needs. */
    app_step *gather;
    /* Local, on rank 0. Adds to the report, and to the texts that only lines need; false for want
     * of memory. */
    bool (*facts)(const app_run *run, json_t *facts, json_t *texts);
    /* Writes a report of its own, of what the page has. */
    halo_status (*report)(app_run *run, const struct app_page *page);
    /* Local, on rank 0. Prints lines of the summary. */
    void (*print)(const app_run *run);
    /* Local. Says, to follow a message, how a run that a signal stopped goes on; "": not at all. */
    void (*left)(const app_run *run, char text[HALO_MESSAGE_SIZE]);
    /* Local. Frees what its state has; called once in any case, before the world is destroyed. */
    void (*close)(app_run *run);
} app_service;

/* A service that a command has, and what the command tells it of itself: an app_state to
 * checkpoints, an app_drawing to movies, columns of a table to batches; NULL: nothing. */
typedef struct app_service_use {
    const app_service *service;
    const void *with;
    const halo_option *rows; /* of this command, in place of the service's; NULL: these */
} app_service_use;

/* Options that nobody gave: those of a service that a command does not have. */
enum { APP_MAX_SERVICE_OPTIONS = 1024 };
typedef union {
    max_align_t align;
    char bytes[APP_MAX_SERVICE_OPTIONS];
} app_nothing_given;
extern const app_nothing_given app_no_options;

/* The size of a service's structure of options, which app_no_options must be large enough for. */
#define APP_OPTIONS(structure) \
    (sizeof(structure) + 0 * sizeof(char[sizeof(structure) <= APP_MAX_SERVICE_OPTIONS ? 1 : -1]))

/* The services that every command has: the beginning of its list. */
#define APP_SHARED_SERVICES \
    {.service = &app_memory_service}, {.service = &app_balance_service}, APP_SHARED_BUT_BALANCE
#define APP_SHARED_BUT_BALANCE          \
    {.service = &app_slowdown_service}, \
    {                                   \
        .service = &app_page_service    \
    }
extern const app_service app_memory_service;   /* app/services/memory.h */
extern const app_service app_balance_service;  /* app/services/balance.h */
extern const app_service app_slowdown_service; /* app/services/slowdown.h */
extern const app_service app_page_service;     /* app/page/page.h */

/* Local. Makes the states of the command's services, before any of their functions is called.
 * HALO_MEMORY. */
halo_status app_services_create(app_run *run);

/* Local. Closes the services, the last first, and frees their states. */
void app_services_destroy(app_run *run);

/* Local. The list of a command's services; NULL: it has none. */
const app_service_use *app_service_uses(const struct app_command *command);

/* Local. The state of a service in this run; NULL if the command does not have the service. */
void *app_service_state(const app_run *run, const app_service *service);

/* Local. The options of a service in this run, a structure of its own; zeroes if the command does
 * not have the service. */
const void *app_service_options(const app_run *run, const app_service *service);

/* Local. The data `with` that a command has for the service; NULL without such, and for a service
 * that it does not have. */
const void *app_service_with(const struct app_command *command, const app_service *service);

/* Collective. Calls one function of each service, up to the first that fails:
 * app_services_call(run, APP_STEP(check)). */
#define APP_STEP(member) offsetof(app_service, member)
halo_status app_services_call(app_run *run, size_t step);

/* Collective. Calls such a function of each service, up to the first that does the work or fails:
 * app_services_turn(run, APP_STEP(start), &done). */
halo_status app_services_turn(app_run *run, size_t turn, bool *done);

/* Local. Call that function of each service. */
void app_services_world(app_run *run, struct halo_world_options *options);
void app_services_file(const app_run *run, const struct app_place *at,
                       struct app_option_file *file);
halo_status app_services_files(app_run *run, struct app_files *files);
int64_t app_services_until(const app_run *run);
void app_services_join(const app_run *run, struct halo_beat_options *options);
void app_services_expect(const app_run *run, int64_t beats);
void app_services_left(const app_run *run, char text[HALO_MESSAGE_SIZE]);

/* Collective. All services end, even if one fails; the first failure is returned. */
halo_status app_services_end(app_run *run, halo_status mine);

/* Collective. Writes the services' own reports. */
halo_status app_services_report(app_run *run, const struct app_page *page);

/* Local, on rank 0. Call that function of each service. */
bool app_services_facts(const app_run *run, json_t *facts, json_t *texts);
void app_services_print(const app_run *run);

#endif
