#ifndef HALOBEAT_CLI_HANGUP_H
#define HALOBEAT_CLI_HANGUP_H

/* Local. Ignores SIGHUP if it was ignored when the program was started, as under nohup: a library
 * below MPI (UCX) takes the signal before main is called. */
void cli_hangup_restore(void);

#endif
