/* Text as XML writes it. */
#ifndef ADIT_TEXT_XML_H
#define ADIT_TEXT_XML_H

#include "base/base.h"

/* Appends text with &, <, >, ", ' as references: good for content and attributes of XML, and of
 * HTML. What XML cannot say at all (control characters, ill-formed UTF-8) becomes U+FFFD. */
void adit_xml(struct adit_buf *out, struct adit_str text);
/*  name="value", with a space in front. */
void adit_xml_attribute(struct adit_buf *out, const char *name, struct adit_str value);
/* <name>text</name> */
void adit_xml_element(struct adit_buf *out, const char *name, struct adit_str text);
/* <name rel="rel" href="href"/> */
void adit_xml_link(struct adit_buf *out, const char *name, const char *rel, struct adit_str href);

#endif
