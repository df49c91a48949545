#define _DEFAULT_SOURCE
#include "app/ranks/signals.h"
#include "core/world/collect.h"
#include "support/mpi_check.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void catch_again(void)
{
    expect(halo_signals_catch() == HALO_OK && halo_signals_pending() == 0, "%s",
           halo_last_message());
}

/* Check the action for a signal that nobody catches here. */
static void expect_before(int number, void (*handler)(int))
{
    struct sigaction now;
    expect(sigaction(number, NULL, &now) == 0 && now.sa_handler == handler,
           "signal %d is not handled as before", number);
}

static void test_pending(void)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    for (int i = 0; i < 3; i++) {
        catch_again();
        expect(raise(numbers[i]) == 0 && halo_signals_pending() == numbers[i], "%d pending",
               halo_signals_pending());
        expect(raise(SIGTERM) == 0 && halo_signals_pending() == numbers[i], "the first one counts");
        halo_signals_release();
        expect(halo_signals_pending() == numbers[i], "forgotten");
    }
    EXPECT_AGREED();
}

/* Handlers that were there come back, and ignored signals are caught too. */
static void test_release(void)
{
    struct sigaction term;
    sigaction(SIGTERM, NULL, &term);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    catch_again();
    expect_before(SIGHUP, SIG_IGN);
    expect(halo_signals_catch() == HALO_ARGUMENT && strstr(halo_last_message(), "already") != NULL,
           "caught twice");
    expect(raise(SIGINT) == 0 && halo_signals_pending() == SIGINT, "an ignored signal");
    expect(raise(SIGHUP) == 0 && halo_signals_pending() == SIGINT, "a hangup under nohup");
    halo_signals_release();
    halo_signals_release();
    expect_before(SIGHUP, SIG_IGN);
    expect_before(SIGINT, SIG_IGN);
    expect_before(SIGTERM, term.sa_handler);
    expect(raise(SIGINT) == 0, "ignored again");
    signal(SIGINT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    EXPECT_AGREED();
}

/* In a child: interrupted once it goes on, interrupted twice it ends. */
static void interrupt_twice(void)
{
    if (halo_signals_catch() != HALO_OK || raise(SIGINT) != 0 || halo_signals_pending() != SIGINT ||
        raise(SIGTERM) != 0) {
        _exit(10);
    }
    raise(SIGINT);
    _exit(20);
}

static void test_second_interrupt(void)
{
    int result = 0;
    pid_t child = fork();
    if (child == 0) {
        interrupt_twice();
    }
    expect(child > 0 && waitpid(child, &result, 0) == child, "no child");
    expect(WIFSIGNALED(result) && WTERMSIG(result) == SIGINT, "the child ended with %d", result);
    EXPECT_AGREED();
}

/* A signal to one rank is known to all when they ask each other. */
static void test_one_rank(void)
{
    halo_world *world = mpi_check_world();
    catch_again();
    if (halo_world_rank(world) == halo_world_ranks(world) - 1) {
        raise(SIGTERM);
    }
    int64_t pending = halo_signals_pending();
    expect(halo_allreduce_max(world, &pending, 1) == HALO_OK && pending == SIGTERM,
           "nobody has a signal");
    halo_signals_release();
    EXPECT_AGREED();
}

/* A signal that comes while bytes are on their way must not be taken for a failing read. */
static void test_interrupted_calls(void)
{
    int ends[2] = {0, 0};
    char byte = 0;
    catch_again();
    expect(pipe(ends) == 0, "no pipe");
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        const struct timespec pause = {0, 50000000};
        nanosleep(&pause, NULL); /* until the parent reads */
        kill(parent, SIGTERM);
        nanosleep(&pause, NULL);
        _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
    }
    expect(child > 0 && read(ends[0], &byte, 1) == 1 && byte == 'x', "the read was interrupted");
    expect(halo_signals_pending() == SIGTERM, "no signal came");
    expect(waitpid(child, NULL, 0) == child, "no child");
    close(ends[0]);
    close(ends[1]);
    halo_signals_release();
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("signals", {"pending signals", test_pending}, {"releasing", test_release},
               {"a second interrupt", test_second_interrupt},
               {"a signal to one rank", test_one_rank},
               {"interrupted calls", test_interrupted_calls})
