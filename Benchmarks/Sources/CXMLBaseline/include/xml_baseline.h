#ifndef XML_BASELINE_H
#define XML_BASELINE_H

#include <stddef.h>

/// Parses a document with expat and no handlers; 0 when it is well-formed.
int xml_baseline_expat(const unsigned char *bytes, size_t count);

/// Parses a document with libxml2's SAX interface and no handlers; 0 when it is well-formed.
int xml_baseline_libxml2(const unsigned char *bytes, size_t count);

/// Bytes of the heap in use.
size_t xml_baseline_heap(void);

#endif
