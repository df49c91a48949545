#define _GNU_SOURCE /* dladdr1, memmem */
#include "core/transport/processes.h"

#include "base/loading.h"
#include "base/program_path.h"
#include "base/version.h"
#include "core/transport/launcher.h"
#include "core/transport/transport.h"
#include "core/world/fatal_signals.h"
#include "core/world/world_internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the library that is linked -------------------------------------------------------------- */

/* A program that is not linked with halobeat_mpi has no such table. */
#pragma weak halo_mpi_processes

bool halo_processes_are_linked(void)
{
    const halo_processes *linked = &halo_mpi_processes;
    return linked != NULL;
}

/* ---- the library that can be loaded ---------------------------------------------------------- */

/* Files of libraries for MPI: of the only MPI, or of two that are installed side by side. */
#define FILE_OF(mpi) "libhalobeat_" mpi ".so." HALOBEAT_INTERFACE
static const char *const library_files[] = {FILE_OF("mpi"), FILE_OF("mpich"), FILE_OF("openmpi")};

enum {
    PATH_BYTES = 4096,
    NAME_BYTES = 64,
    LIBRARIES = sizeof library_files / sizeof *library_files
};

typedef struct {
    char path[PATH_BYTES];
    char name[NAME_BYTES]; /* halo_processes.name */
} mpi_library;

/* Those that are installed, and the one of them that is loaded: it stays so. */
static struct {
    mpi_library found[LIBRARIES];
    int count;
    char names[HALO_TRANSPORTS_TEXT]; /* with commas */
    const mpi_library *_Atomic chosen;
    const halo_processes *_Atomic loaded;
} libraries;
static pthread_once_t libraries_once = PTHREAD_ONCE_INIT;

/* Held while a library is chosen for good and loaded, so that threads that ask first at the same
 * time get the same one. Nothing that runs while a library is loaded takes it: what only asks for
 * names and kinds reads the two pointers above. */
static pthread_mutex_t libraries_lock = PTHREAD_MUTEX_INITIALIZER;

/* Reads a library's name from its file: to load it would load MPI. Blocks overlap by half, so that
 * one has all of the name. They are read, not mapped: where memory is missing, the library is not.
 */
static bool read_name(const char *path, char *name, size_t size)
{
    enum { BLOCK = 16384 };
    static const char mark[] = HALO_PROCESSES_MARK;
    char block[BLOCK];
    bool found = false;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = descriptor >= 0 ? 1 : 0;
    for (off_t from = 0; !found && got > 0; from += BLOCK / 2) {
        got = pread(descriptor, block, sizeof block, from);
        const char *at = got > 0 ? memmem(block, (size_t)got, mark, sizeof mark - 1) : NULL;
        found = at != NULL && memchr(at, '\0', (size_t)(block + got - at)) != NULL;
        if (found) {
            snprintf(name, size, "%s", at + sizeof mark - 1);
        }
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return found;
}

static halo_mpi_kind kind_of(const char *name)
{
    static const char open_mpi[] = "Open MPI";
    return name == NULL                                        ? HALO_NO_MPI
           : strncmp(name, open_mpi, sizeof open_mpi - 1) == 0 ? HALO_OPEN_MPI
                                                               : HALO_MPICH;
}

/* A program may call MPI, and not be linked with halobeat_mpi. */
typedef int mpi_initialized(int *);

static mpi_initialized *find_initialized(void)
{
    mpi_initialized *function = NULL;
    void *symbol = dlsym(RTLD_DEFAULT, "MPI_Initialized");
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static halo_mpi_kind kind_of_program(void)
{
    return find_initialized() == NULL                           ? HALO_NO_MPI
           : dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != NULL ? HALO_OPEN_MPI
                                                                : HALO_MPICH;
}

static void find_libraries(void)
{
    for (int i = 0; i < LIBRARIES; i++) {
        mpi_library *next = &libraries.found[libraries.count];
        if (halo_library_find(library_files[i], next->path, sizeof next->path) &&
            read_name(next->path, next->name, sizeof next->name)) {
            size_t used = strlen(libraries.names);
            snprintf(libraries.names + used, sizeof libraries.names - used, "%s%s",
                     used > 0 ? ", " : "", next->name);
            libraries.count++;
        }
    }
}

/* The one that is loaded, or else the one for an MPI, or else any; NULL: there is none. */
static const mpi_library *choose_for(halo_mpi_kind wanted)
{
    pthread_once(&libraries_once, find_libraries);
    const mpi_library *chosen = libraries.chosen;
    for (int i = 0; i < libraries.count && chosen == NULL; i++) {
        if (kind_of(libraries.found[i].name) == wanted) {
            return &libraries.found[i];
        }
    }
    return chosen == NULL && libraries.count > 0 ? &libraries.found[0] : chosen;
}

/* Takes, of several, the one for the MPI of the program, or else of the launcher. Programs may load
 * MPI after the first question, so that the answer stands only when the library is loaded. */
static const mpi_library *choose(void)
{
    halo_mpi_kind program = kind_of_program();
    return choose_for(program != HALO_NO_MPI ? program : halo_launcher_mpi());
}

/* Return the name of the MPI library that this was built with, or NULL. */
static const char *library_name(void)
{
    if (halo_processes_are_linked()) {
        return halo_mpi_processes.name;
    }
    const mpi_library *library = choose();
    return library != NULL ? library->name : NULL;
}

halo_mpi_kind halo_processes_kind(void)
{
    return kind_of(library_name());
}

void halo_transports_describe(char *text, size_t size)
{
    const char *name = library_name();
    const char *all = halo_processes_are_linked() ? name : libraries.names;
    snprintf(text, size, name != NULL ? "threads, MPI (%s)" : "threads", all);
}

const char *halo_processes_remedy(char text[HALO_PROCESSES_REMEDY], int64_t ranks)
{
    char number[32] = "N";
    if (ranks > 0) {
        snprintf(number, sizeof number, "%" PRId64, ranks);
    }
    snprintf(text, HALO_PROCESSES_REMEDY, "%sstart processes with mpiexec -n %s",
             halo_processes_kind() != HALO_NO_MPI
                 ? ""
                 : "install libhalobeat_mpi (" HALO_PROCESSES_SOURCE ") and ",
             number);
    return text;
}

/* ---- MPI of the program ---------------------------------------------------------------------- */

bool halo_processes_are_started(void)
{
    const halo_processes *known =
        halo_processes_are_linked() ? &halo_mpi_processes : libraries.loaded;
    if (known != NULL) {
        return known->is_started();
    }
    mpi_initialized *initialized = find_initialized();
    int started = 0;
    return initialized != NULL && initialized(&started) == 0 && started != 0;
}

/* Calls of the library would get into the MPI of the program. */
static halo_status check_other(const mpi_library *library)
{
    halo_mpi_kind there = kind_of_program();
    if (there == HALO_NO_MPI || there == kind_of(library->name)) {
        return HALO_OK;
    }
    return halo_fail(HALO_ARGUMENT,
                     "this program is linked with another MPI than %s, with which %s is built; "
                     "build both with the same",
                     library->name, library->path);
}

/* ---- loading --------------------------------------------------------------------------------- */

/* The library finds the functions of this one among those that all objects of the process see. */
static void show_functions(void)
{
    Dl_info about;
    void *here, *object = NULL;
    halo_status (*function)(const halo_processes **) = halo_processes_get;
    memcpy(&here, &function, sizeof here);
    if (dladdr1(here, &about, &object, RTLD_DL_LINKMAP) != 0 && object != NULL) {
        const char *name = ((const struct link_map *)object)->l_name;
        if (*name != '\0' && dlopen(name, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) == NULL) {
            (void)dlerror();
        }
    }
}

/* A library below MPI takes signals when it is loaded: those of faults, and SIGHUP, which nohup has
 * the program ignore. Of MPI's own libraries, some load others that look for the first among those
 * that all see. */
static void *open_library(const char *path)
{
    halo_fatal_signals faults;
    struct sigaction hangup;
    bool known = sigaction(SIGHUP, NULL, &hangup) == 0;
    halo_fatal_signals_note(&faults);
    errno = 0;
    void *object = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    int error = errno;
    halo_fatal_signals_restore(&faults);
    if (known) {
        sigaction(SIGHUP, &hangup, NULL);
    }
    errno = error;
    return object;
}

static halo_status load(const mpi_library *library)
{
    HALO_TRY(check_other(library));
    show_functions();
    void *object = open_library(library->path);
    const halo_processes *table = object != NULL ? dlsym(object, "halo_mpi_processes") : NULL;
    if (table == NULL) {
        bool full = errno == ENOMEM;
        const char *why = dlerror();
        if (full || halo_loading_shortage(why) == ENOMEM) {
            return halo_fail(HALO_MEMORY,
                             "out of memory: loading MPI: %s; raise the limits on memory (ulimit "
                             "-v, the control group)",
                             why);
        }
        return halo_fail(HALO_ARGUMENT,
                         "a launcher has started this program, and the library for that cannot be "
                         "loaded: %s; install what is missing, or start the program by itself, and "
                         "it computes on all cores of one machine (HALOBEAT_SINGLE=1 lets each "
                         "copy run by itself)",
                         why);
    }
    if (strcmp(table->version, HALOBEAT_VERSION) != 0 ||
        table->world_bytes != sizeof(struct halo_world) ||
        table->transport_bytes != sizeof(halo_transport)) {
        return halo_fail(HALO_ARGUMENT,
                         "%s is of another build, of Halobeat %s, than this program, of Halobeat "
                         "%s; install both from one build",
                         library->path, table->version, HALOBEAT_VERSION);
    }
    libraries.chosen = library;
    libraries.loaded = table;
    return HALO_OK;
}

halo_status halo_processes_get(const halo_processes **out)
{
    *out = NULL;
    if (halo_processes_are_linked()) {
        *out = &halo_mpi_processes;
        return HALO_OK;
    }
    const mpi_library *library = choose();
    if (library == NULL) {
        char path[PATH_BYTES];
        HALO_TRY(halo_library_path(library_files[0], path, sizeof path));
        return halo_fail(HALO_ARGUMENT, "%s is not Halobeat's library for MPI", path);
    }
    pthread_mutex_lock(&libraries_lock);
    halo_status status = libraries.loaded == NULL ? load(library) : HALO_OK;
    *out = libraries.loaded;
    pthread_mutex_unlock(&libraries_lock);
    return status;
}

/* ---- communicators of the program ------------------------------------------------------------ */

/* Handles of MPICH and its relatives are ints, those of Open MPI pointers: they tell which library
 * is wanted, also where the program's MPI is seen by none but its own module. What is of another
 * MPI is refused before the library is loaded, which would load its own. */
static halo_status get_for(const halo_processes **out, bool open_mpi)
{
    bool linked = halo_processes_are_linked();
    const halo_processes *table = linked ? &halo_mpi_processes : libraries.loaded;
    const mpi_library *library = linked ? NULL : choose_for(open_mpi ? HALO_OPEN_MPI : HALO_MPICH);
    const char *name = linked ? table->name : library != NULL ? library->name : NULL;
    halo_mpi_kind kind = kind_of(name);
    HALO_FAIL_IF(kind == HALO_NO_MPI, HALO_ARGUMENT,
                 "a communicator needs libhalobeat_mpi (" HALO_PROCESSES_SOURCE "), built with the "
                 "MPI of the program; install it, or name its folder by HALOBEAT_LIBDIR");
    HALO_FAIL_IF(open_mpi != (kind == HALO_OPEN_MPI), HALO_ARGUMENT,
                 "the communicator is of %s, and libhalobeat_mpi was built with %s; use one that "
                 "was built with the MPI of the program (mpi4py, for instance), which "
                 "HALOBEAT_LIBDIR names the folder of",
                 open_mpi ? "Open MPI" : "MPICH or a relative of it", name);
    if (table == NULL) {
        HALO_TRY(load(library));
        table = libraries.loaded;
    }
    *out = table;
    return HALO_OK;
}

halo_status halo_processes_adopt(halo_world **out, const void *comm, size_t comm_bytes)
{
    const halo_processes *table = NULL;
    *out = NULL;
    pthread_mutex_lock(&libraries_lock);
    halo_status status = get_for(&table, comm_bytes == sizeof(void *));
    pthread_mutex_unlock(&libraries_lock);
    return status == HALO_OK ? table->adopt(comm, comm_bytes, out) : status;
}
