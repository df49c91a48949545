#ifndef HALOBEAT_TESTS_HOST_FOLDERS_H
#define HALOBEAT_TESTS_HOST_FOLDERS_H

/* Up to four hosts that share no disk, simulated by ranks of one machine: a folder for each host,
 * in the folder of mpi_folder.h. */

/* Collective; for MPI_CHECK_MAIN_HOOKED. host_folders_remove empties them first. */
void host_folders_make(void);
void host_folders_remove(void);

/* Local. The number of hosts in this world: four, or as many as ranks if there are fewer. */
int host_count(void);

/* Local. The path of a host's folder, valid until the next call. */
const char *host_folder(int host);

/* Local. Calls `use`, unless it is NULL, for every file of a host. Returns the number of files. */
int host_files(int host, void (*use)(const char *path));

/* Local; for host_files. */
void host_file_remove(const char *path);

/* Collective. */
void host_folders_empty(void);

/* Collective. Gives the host an empty disk; gives it its own disk back. */
void host_loses_disk(int host);
void host_finds_disk(int host);

#endif
