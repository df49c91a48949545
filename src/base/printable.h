#ifndef HALOBEAT_BASE_PRINTABLE_H
#define HALOBEAT_BASE_PRINTABLE_H

/* Local. Every control character of `text` (ASCII's, and those of Unicode in UTF-8, U+0080 to
 * U+009F) becomes '?', so that names and contents of files cannot steer a terminal. */
void halo_make_printable(char *text);

/* Local. One line on stderr, "PROGRAM: TEXT", printable, by one write(2): stdio may be locked by a
 * thread that stands still, and lines of several ranks must not mix. Long texts are cut. */
void halo_print_line(const char *program, const char *text);

#endif
