#ifndef HALOBEAT_IO_IMAGE_XML_TAGS_H
#define HALOBEAT_IO_IMAGE_XML_TAGS_H

#include <stdbool.h>
#include <stddef.h>

/* The tags of an XML text, one after the other, for the descriptions of OME-TIFF; not installed.
 * Comments, declarations and text between tags are passed over. The text may be damaged or hostile:
 * then the tags end early. Everything is local. */

typedef struct {
    const char *at;   /* the text behind the tag */
    const char *name; /* of the tag, without a prefix (ome:) and not ended: [name_length] */
    size_t name_length;
    const char *attributes, *end; /* between the name and the end of the tag */
    bool closes;                  /* </NAME> */
} halo_xml_tag;

/* Begins at the start of a text. */
halo_xml_tag halo_xml_begin(const char *text);

/* Goes to the next tag; false after the last one. */
bool halo_xml_next(halo_xml_tag *tag);

/* True if this is the tag's name. */
bool halo_xml_is(const halo_xml_tag *tag, const char *name);

/* Copies the value of an attribute to `value` [size], cut there, with the five entities of XML
 * and characters by number (&#181;) replaced. False, with "", if the tag does not have it. */
bool halo_xml_attribute(const halo_xml_tag *tag, const char *name, char *value, size_t size);

#endif
