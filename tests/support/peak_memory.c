/* peak_memory FILE PROGRAM ARGUMENT...: runs the program, and adds the most memory that it had at a
 * time, in KiB, as a line to FILE. The exit status is the program's. */
#define _DEFAULT_SOURCE /* wait4 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_RUN = 126, KILLED = 128 };

int main(int argc, char **argv)
{
    struct rusage used;
    int status;
    if (argc < 3) {
        fprintf(stderr, "peak_memory FILE PROGRAM ARGUMENT...\n");
        return NOT_RUN;
    }
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(NOT_RUN);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        perror("peak_memory");
        return NOT_RUN;
    }
    FILE *file = fopen(argv[1], "a"); /* lines of several ranks follow each other */
    if (file == NULL || fprintf(file, "%ld\n", used.ru_maxrss) < 0 || fclose(file) != 0) {
        perror(argv[1]);
        return NOT_RUN;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : KILLED + WTERMSIG(status);
}
