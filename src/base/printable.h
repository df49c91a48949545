#ifndef HALOBEAT_BASE_PRINTABLE_H
#define HALOBEAT_BASE_PRINTABLE_H

/* Local. Every control character of `text` (ASCII's, and those of Unicode in UTF-8, U+0080 to
 * U+009F) becomes '?', so that names and contents of files cannot steer a terminal. */
void halo_make_printable(char *text);

#endif
