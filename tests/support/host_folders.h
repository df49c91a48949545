#ifndef HALOBEAT_TESTS_HOST_FOLDERS_H
#define HALOBEAT_TESTS_HOST_FOLDERS_H

/* Up to four hosts that share no disk, as ranks of one machine see them: a folder for each host, in
 * the folder of mpi_folder.h. */

/* Collective; made for MPI_CHECK_MAIN_HOOKED. Empties them before it removes them. */
void host_folders_make(void);
void host_folders_remove(void);

/* Local. How many there are in this world: as many as ranks, if these are fewer than four. */
int host_count(void);

/* Local. The path of a host's folder, valid until the next call. */
const char *host_folder(int host);

/* Local. Call `use`, unless it is NULL, for every file of a host; returns how many there are. */
int host_files(int host, void (*use)(const char *path));

/* Local; for host_files. */
void host_file_remove(const char *path);

/* Collective. */
void host_folders_empty(void);

/* Collective. The host comes with an empty disk; it has its own again. */
void host_loses_disk(int host);
void host_finds_disk(int host);

#endif
