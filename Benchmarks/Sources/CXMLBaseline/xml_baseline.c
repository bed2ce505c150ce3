#include "xml_baseline.h"

#include <expat.h>
#include <libxml/parser.h>
#include <malloc.h>
#include <string.h>

int xml_baseline_expat(const unsigned char *bytes, size_t count) {
  XML_Parser parser = XML_ParserCreate(NULL);
  enum XML_Status status = XML_Parse(parser, (const char *)bytes, (int)count, 1);
  XML_ParserFree(parser);
  return status == XML_STATUS_OK ? 0 : 1;
}

int xml_baseline_libxml2(const unsigned char *bytes, size_t count) {
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  return xmlSAXUserParseMemory(&handler, NULL, (const char *)bytes, (int)count) == 0 ? 0 : 1;
}

size_t xml_baseline_heap(void) { return mallinfo2().uordblks; }
