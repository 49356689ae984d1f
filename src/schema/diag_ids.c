/* What each input diagnostic means. The order is that of the ids. */
#include "schema/diag_ids.h"

const gp_diag_doc gp_diag_docs[] = {
    {GP_ID_SYNTAX, "syntax error",
     "The text is not well-formed YAML. The rest of its document is not read; the second location "
     "is where the open construct began."},
    {GP_ID_DUPLICATE_KEY, "duplicate key",
     "A map has the same key twice. Remove one; the second location is the first definition."},
    {GP_ID_UNKNOWN_KEY, "unknown key",
     "The key is not known here. Check its spelling and its level; free text goes under "
     "metadata.annotations."},
    {GP_ID_WRONG_TYPE, "wrong type",
     "A map, a list or a scalar was found where another of the three is expected, or a text where "
     "a number or date is expected."},
    {GP_ID_LIMIT, "limit exceeded",
     "The text exceeds a limit on size, depth, nodes, aliases, scalar length or documents. The "
     "limits keep hostile input from exhausting the machine."},
    {GP_ID_NOT_TEXT, "not text", "The file is not UTF-8 text."},
    {GP_ID_EMPTY, "empty", "There is no document in the file, or no value where one is expected."},
    {GP_ID_UNSUPPORTED_YAML, "unsupported YAML feature",
     "Merge keys, tags, directives and maps as keys are not supported: what a spec states must be "
     "visible in place."},
    {GP_ID_MISSING_KEY, "missing key", "A required key is absent."},
    {GP_ID_MISSING_UNIT, "missing unit",
     "A quantity needs its unit, such as 80 GiB, 400 Gb/s or 45d. Only counts have none."},
    {GP_ID_WRONG_UNIT, "wrong or unknown unit",
     "The unit is unknown, or belongs to another kind of quantity. b is bits and B is bytes; k M B "
     "T multiply counts only."},
    {GP_ID_OUT_OF_RANGE, "out of range", "The value makes no sense for this key."},
    {GP_ID_NOT_A_CHOICE, "not a valid choice", "The key takes one of a fixed set of words."},
    {GP_ID_UNKNOWN_REFERENCE, "not in the catalogue",
     "No catalogue row has this id or alias. `gpuplan catalog list` shows the ids; a user "
     "catalogue adds rows, and GPUs, systems and models can be written out in the spec."},
    {GP_ID_UNKNOWN_LOCAL, "unknown name", "The name is not defined in this spec."},
    {GP_ID_AMBIGUOUS, "ambiguous name",
     "Several catalogue rows have this name; write one of their ids."},
    {GP_ID_UNKNOWN_KIND, "unknown document", "This version does not read this apiVersion or kind."},
    {GP_ID_DUPLICATE_NAME, "duplicate name",
     "Two items of a list have the same name; the second location is the first of them."},
    {GP_ID_INCONSISTENT, "inconsistent values",
     "Each value is valid on its own, but they contradict each other."},
    {GP_ID_NOT_A_BOOLEAN, "not a boolean",
     "Only true and false are booleans; yes, no, on and off are words."},
    {GP_ID_BAD_PATH, "bad --set path", "The path names no key or no list item of the spec."},
    {GP_ID_CATALOG, "bad catalogue row",
     "A catalogue row lacks its source, date or evidence, or refers to what does not exist."},
    {GP_ID_NOT_BELIEVED, "implausible measurement",
     "The calibration leaves the row out: it is faster than the hardware, in another unit, or of a "
     "configuration that cannot be estimated. The message says which."},
    {GP_ID_UNKNOWN_LOG, "unknown log format",
     "The line matches no known format; the message lists the known versions."},
};

const size_t gp_diag_doc_count = sizeof gp_diag_docs / sizeof gp_diag_docs[0];
