#ifndef HALOBEAT_PARTITION_BALANCE_SHARE_LINK_INTERNAL_H
#define HALOBEAT_PARTITION_BALANCE_SHARE_LINK_INTERNAL_H

/* Measurements of a link, for the line seconds = delays + bytes * per_byte. */
typedef struct {
    double weight, bytes, seconds, squares, products; /* weighted sums; older measurements have
                                                       * less weight */
} share_link;

/* Adds a measurement: a message of `bytes` bytes took `seconds`. */
void share_link_add(share_link *link, double bytes, double seconds);

/* The line through the measurements. Neither delay nor time per byte is below 0; if all messages
 * had one size, the time per byte is 0. */
void share_link_line(const share_link *link, double *delays, double *per_byte);

#endif
