#include <libxml/xmlversion.h>
// Debian's libxml2 draws in ICU's headers, which clash with those of Swift's Foundation; no type used here needs them.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
