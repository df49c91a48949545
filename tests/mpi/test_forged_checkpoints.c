/* Checkpoints in which somebody has changed a value and made the checksums right again: every value
 * of the header of every command's checkpoint, and numbers in its rows. The list of values is the
 * file itself; what each may be is said by the tables of the command.
 *
 *     mpiexec -n 3 test_forged_checkpoints [--every N]
 *
 * A run that goes on from one ends with status 0, 1 or 2, the same on all ranks, in time, and
 * without asking for more memory than there is. What its row does not take is refused with a
 * message that names it. --every N: only every N-th forgery. */

#define _GNU_SOURCE /* mkdtemp, sigaction */
#include "core/world/collect.h"
#include "core/world/job.h"
#include "support/forged_file.h"
#include "support/forged_runs.h"

#include <inttypes.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_DEPTH = 6, TEXT = 256, LONG_TEXT = 6000 };

static const char saved[] = "saved.halo", forged[] = "forged.halo";

/* A place in the header: keys of objects, and NULL where `index` counts in a list. */
typedef struct {
    int depth;
    const char *key[PATH_DEPTH];
    size_t index[PATH_DEPTH];
} place;

static halo_world *world; /* whose ranks sleep while they wait */
static int rank, ranks, every = 1;
static long runs, refusals, faults, counter;
static char now_running[2 * TEXT];

static void fault(const char *what)
{
    if (rank == 0 && faults++ < 40) {
        printf("FAILED %s: %s: %.300s\n", now_running, what, halo_last_message());
    }
}

static void hang(int signal)
{
    (void)signal;
    static const char words[] = "FAILED by a run that hangs: ";
    ssize_t written = write(STDOUT_FILENO, words, sizeof words - 1);
    written += write(STDOUT_FILENO, now_running, strlen(now_running));
    written += write(STDOUT_FILENO, "\n", 1);
    _exit(written > 0 ? 3 : 4);
}

static void wait_for_all(void)
{
    int64_t none = 0;
    halo_allreduce_max(world, &none, 1);
}

static int run(const forged_kind *of, const char *const *first, const char *const *then)
{
    runs++;
    return forged_run(world, of, first, then);
}

/* ---- values of the header -------------------------------------------------------------------- */

static json_t *node_of(json_t *root, const place *at, int depth)
{
    for (int d = 0; d < depth; d++) {
        root = at->key[d] != NULL ? json_object_get(root, at->key[d])
                                  : json_array_get(root, at->index[d]);
    }
    return root;
}

static void replace(json_t *root, const place *at, json_t *value)
{
    int last = at->depth - 1;
    json_t *parent = node_of(root, at, last);
    if (at->key[last] != NULL && value != NULL) {
        json_object_set_new(parent, at->key[last], value);
    } else if (at->key[last] != NULL) {
        json_object_del(parent, at->key[last]);
    } else if (value != NULL) {
        json_array_set_new(parent, at->index[last], value);
    } else {
        json_array_remove(parent, at->index[last]);
    }
}

/* The row that an entry must agree with, in `row`; its name, or NULL. */
static const char *find_row(const forged_kind *of, const place *at, app_kept *row)
{
    const app_state *state =
        of->state != NULL ? of->state : app_service_with(of->command, &app_checkpoint_service);
    const char *name = NULL;
    for (int d = at->depth - 1; d > 0 && name == NULL; d--) {
        name = at->key[d];
    }
    bool inside = at->depth > 1 && strcmp(at->key[0], "options") == 0;
    bool parameter = inside && at->depth > 2 && state->options != NULL && at->key[1] != NULL &&
                     strcmp(at->key[1], state->options) == 0;
    if (!inside || name == NULL || (!parameter && name != at->key[1])) {
        return NULL;
    }
    for (const app_kept *kept = state->kept; kept != NULL && kept->row.name != NULL; kept++) {
        if (!parameter && strcmp(kept->row.name, name) == 0) {
            *row = *kept;
            return name;
        }
    }
    app_place in = {0};
    for (const halo_option *option; (option = app_next_row(of->command->syntax, &in)) != NULL;) {
        if ((option->flags & APP_SAVED) != 0 && strcmp(app_option_key(option), name) == 0 &&
            parameter == (state->options != NULL)) {
            *row = (app_kept){.row = *option};
            return name;
        }
    }
    return NULL;
}

/* Must what was written be refused, by a message with this name in it? */
static const char *refused_name(const forged_kind *of, const place *at, const char *header,
                                size_t bytes)
{
    app_kept row;
    const char *name = find_row(of, at, &row);
    json_t *root = json_loadb(header, bytes, JSON_REJECT_DUPLICATES, NULL);
    if (name == NULL || root == NULL) { /* text that is no JSON has no value */
        json_decref(root);
        return NULL;
    }
    int depth = at->key[at->depth - 1] != NULL ? at->depth : at->depth - 1;
    bool taken = app_kept_takes(&row, node_of(root, at, depth));
    json_decref(root);
    return taken ? NULL : name;
}

static void check(int status, bool refused, const char *name)
{
    const char *message = halo_last_message();
    refusals += status != 0;
    if (status < 0 || status > 2) {
        fault(status < 0 ? "ranks end with different statuses" : "exit status");
    } else if (status != 0 && strstr(message, "out of memory") != NULL) {
        fault("it asks for memory");
    } else if (refused && status == 0) {
        fault("it is not refused");
    } else if (refused && name != NULL && strstr(message, name) == NULL) {
        fault("the message does not name it");
    }
}

/* A run that goes on from the forged file; and one by --resume, of what that looks at. */
static void go_on(const forged_kind *of, const place *at, bool refused, const char *name)
{
    const char *restore[FORGED_ARGUMENTS] = {"--restore", forged};
    const char *resume[FORGED_ARGUMENTS] = {"--resume", "--checkpoint", forged};
    wait_for_all();
    check(run(of, of->again, restore), refused, name);
    if (at != NULL && at->depth > 1 && at->key[1] != NULL && strcmp(at->key[1], "begun") == 0) {
        check(run(of, of->make, resume), false, NULL);
    }
}

static void forge_value(const forged_kind *of, const forged_checkpoint *c, const place *at,
                        const char *raw, bool removed)
{
    size_t bytes;
    if (counter++ % every != 0) {
        return;
    }
    json_t *members = forged_must(json_deep_copy(c->members));
    replace(members, at, removed ? NULL : json_string(FORGED_MARK));
    char *header = forged_header(c, members, raw, &bytes);
    if (bytes > c->header) { /* the rest begins later */
        json_decref(members);
        members = forged_must(json_deep_copy(c->members));
        forged_add(members, "table_at", bytes - c->header);
        forged_add(members, "file_bytes", bytes - c->header);
        replace(members, at, json_string(FORGED_MARK));
        free(header);
        header = forged_header(c, members, raw, &bytes);
    }
    if (rank == 0) {
        forged_write(forged, header, bytes, c->bytes + c->header, c->size - c->header);
    }
    const char *name = refused_name(of, at, header, bytes);
    go_on(of, at, name != NULL, name);
    free(header);
    json_decref(members);
}

static void forge_place(const forged_kind *of, const forged_checkpoint *c, const place *at)
{
    static const char *const values[] = {"0",
                                         "-1",
                                         "1",
                                         "2147483648",
                                         "4294967297",
                                         "-2147483649",
                                         "1099511627777",
                                         "2305843009213693952",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "9223372036854775808",
                                         "1e308",
                                         "-1e308",
                                         "1e999",
                                         "NaN",
                                         "Infinity",
                                         "0.5",
                                         "-0.0",
                                         "1e-320",
                                         "\"\"",
                                         "\"x\"",
                                         "\"0\\u0000\"",
                                         "\"\\u00e9\"",
                                         "null",
                                         "true",
                                         "false",
                                         "{}",
                                         "[]",
                                         "[[[1]]]",
                                         "[1, 1, 1, 1]"};
    const json_t *before = node_of(c->members, at, at->depth);
    char where[TEXT] = "", more[TEXT], lengthy[LONG_TEXT + 3];
    for (int d = 0; d < at->depth; d++) {
        size_t used = strlen(where);
        snprintf(where + used, sizeof where - used, d > 0 ? ".%.60s" : "%.60s",
                 at->key[d] != NULL ? at->key[d] : "item");
    }
#define FORGE(raw, removed)                                                                 \
    (snprintf(now_running, sizeof now_running, "%s, %s = %.40s, %d ranks", of->name, where, \
              removed ? "nothing" : raw, ranks),                                            \
     forge_value(of, c, at, raw, removed))
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
        FORGE(values[v], false);
    }
    FORGE("", true);
    memset(lengthy, 'A', sizeof lengthy);
    lengthy[0] = lengthy[LONG_TEXT + 1] = '"';
    lengthy[LONG_TEXT + 2] = '\0';
    FORGE(lengthy, false);
    if (json_is_integer(before)) {
        snprintf(more, sizeof more, "%" PRId64, (int64_t)json_integer_value(before) + 1);
        FORGE(more, false);
        snprintf(more, sizeof more, "%" PRId64 ".0", (int64_t)json_integer_value(before));
        FORGE(more, false);
    }
    char *same = json_dumps(before, JSON_ENCODE_ANY);
    if (same != NULL && strlen(same) < TEXT / 2 && at->key[at->depth - 1] != NULL) {
        snprintf(more, sizeof more, "%s, \"%.60s\": 1", same, at->key[at->depth - 1]);
        FORGE(more, false);
    }
    free(same);
}

/* All values of the header, lists and objects among them. */
static void forge_header(const forged_kind *of, const forged_checkpoint *c, json_t *node, place *at)
{
    const char *key;
    json_t *value;
    size_t index;
    if (at->depth > 0) {
        forge_place(of, c, at);
    }
    if (at->depth == PATH_DEPTH) {
        return;
    }
    at->depth++;
    json_object_foreach(node, key, value)
    {
        at->key[at->depth - 1] = key;
        forge_header(of, c, value, at);
    }
    json_array_foreach(node, index, value)
    {
        at->key[at->depth - 1] = NULL;
        at->index[at->depth - 1] = index;
        forge_header(of, c, value, at);
    }
    at->depth--;
}

/* ---- numbers in the rows --------------------------------------------------------------------- */

static void forge_rows(const forged_kind *of, const forged_checkpoint *c)
{
    enum { PLACES = 48, WORD = 4 };
    static const struct {
        int bytes;
        int64_t value;
    } words[] = {{4, 0},
                 {4, -1},
                 {4, INT32_MAX},
                 {4, INT32_MIN},
                 {8, 0},
                 {8, -1},
                 {8, 1},
                 {8, INT64_MAX},
                 {8, INT64_MIN},
                 {8, INT64_C(1) << 40},
                 {1, 3},
                 {8, 0x7ff8000000000000},
                 {8, 0x7ff0000000000000},
                 {8, 0x7fe0000000000000}};
    int64_t row_bytes = forged_number(c, "row_bytes"), all = forged_number(c, "rows") * row_bytes;
    int64_t step = all / WORD / PLACES * WORD;
    step = row_bytes <= PLACES * WORD || step < WORD ? WORD : step;
    for (int64_t at = 0, n = 0; at < all && n < 2 * PLACES; at += step, n++) {
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
            if (at + words[w].bytes > all || counter++ % every != 0) {
                continue;
            }
            unsigned char *bytes = forged_must(malloc(c->size));
            memcpy(bytes, c->bytes, c->size);
            memcpy(bytes + c->header + at, &words[w].value, (size_t)words[w].bytes);
            forged_sign_rows(c, bytes);
            snprintf(now_running, sizeof now_running,
                     "%s, %d bytes of the rows at %" PRId64 " = %" PRId64 ", %d ranks", of->name,
                     words[w].bytes, at, words[w].value, ranks);
            if (rank == 0) {
                forged_write(forged, (const char *)bytes, c->header, bytes + c->header,
                             c->size - c->header);
            }
            free(bytes);
            go_on(of, NULL, false, NULL);
        }
    }
}

/* ---------------------------------------------------------------------------------------------- */

static void forge_kind(const forged_kind *of)
{
    const char *keep[FORGED_ARGUMENTS] = {"--checkpoint", saved},
               *restore[FORGED_ARGUMENTS] = {"--restore", saved};
    forged_checkpoint c;
    place root = {0};
    long before = runs;
    snprintf(now_running, sizeof now_running, "%s, whole, %d ranks", of->name, ranks);
    int made = run(of, of->make, keep);
    int again = made == 0 ? run(of, of->again, restore) : made;
    if (made != 0 || again != 0) {
        fault("it does not work as it is");
        return;
    }
    wait_for_all();
    forged_read(&c, saved);
    forge_header(of, &c, c.members, &root);
    long in_header = runs - before;
    forge_rows(of, &c);
    if (rank == 0) {
        printf("%-10s %ld runs of forged headers, %ld of forged rows\n", of->name, in_header,
               runs - before - in_header);
        fflush(stdout);
    }
    json_decref(c.members);
    free(c.bytes);
}

/* Sanitizers reserve addresses for their own use. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static void limit_memory(void)
{
#ifndef SANITIZED
    const struct rlimit most = {(rlim_t)4 << 30, (rlim_t)4 << 30};
    setrlimit(RLIMIT_DATA, &most);
#endif
}

static void enter_folder(void)
{
    char folder[] = "/tmp/test_forged_XXXXXX";
    if (rank == 0) {
        forged_must(mkdtemp(folder));
    }
    MPI_Bcast(folder, sizeof folder, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (chdir(folder) != 0) {
        forged_must(NULL);
    }
}

static int leave_folder(void)
{
    char folder[TEXT], command[2 * TEXT];
    wait_for_all();
    forged_must(getcwd(folder, sizeof folder));
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") == 0 && rank == 0 ? system(command) : 0;
}

int main(int argc, char **argv)
{
    const struct sigaction action = {.sa_handler = hang};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const halo_monitor_options options = {.program = "test_forged_checkpoints"};
    if (halo_job_begin(&argc, &argv, &options) != HALO_OK) {
        forged_must(NULL);
    }
    world = halo_job_world();
    every = argc > 2 ? atoi(argv[2]) : 1;
    const char *only = argc > 3 ? argv[3] : NULL;
    sigaction(SIGALRM, &action, NULL);
    limit_memory();
    enter_folder();
    /* Messages are looked at by halo_last_message; sanitizers write to the file descriptor. */
    stderr = forged_must(fopen("/dev/null", "w"));
    if (!forged_make_pictures(world)) {
        fault("no pictures");
    }
    for (int k = 0; k < FORGED_KINDS; k++) {
        if (only == NULL || strcmp(only, forged_kinds[k].name) == 0) {
            forge_kind(&forged_kinds[k]);
        }
    }
    int left = leave_folder();
    if (rank == 0) {
        printf("%ld runs on %d ranks, %ld refused, %ld failed\n", runs, ranks, refusals, faults);
    }
    MPI_Bcast(&faults, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    halo_job_end(0);
    MPI_Finalize();
    return faults == 0 && refusals > 0 && left == 0 ? 0 : 1;
}
