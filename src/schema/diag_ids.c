/* What each input diagnostic means. The order is that of the ids. */
#include "schema/diag_ids.h"

const gp_diag_doc gp_diag_docs[] = {
    {GP_ID_SYNTAX, "syntax error",
     "The text is not well-formed YAML. The rest of its document is not read; the second place is "
     "where the open construct began."},
    {GP_ID_DUPLICATE_KEY, "duplicate key",
     "A map has the same key twice. Remove one; the second place is the first definition."},
    {GP_ID_UNKNOWN_KEY, "unknown key",
     "The key means nothing here. Check its spelling and the level it stands at; free text goes "
     "under metadata.annotations."},
    {GP_ID_WRONG_TYPE, "wrong type",
     "A map, a list or a scalar stands where another of the three is due, or the text is not a "
     "number or date where one is due."},
    {GP_ID_LIMIT, "limit passed",
     "The text passes a limit on size, depth, nodes, aliases, scalar length or documents. The "
     "limits keep hostile input from exhausting the machine."},
    {GP_ID_NOT_TEXT, "not text", "The file is not UTF-8 text."},
    {GP_ID_EMPTY, "empty", "There is no document in the file, or no value where one is due."},
    {GP_ID_UNSUPPORTED_YAML, "unsupported YAML feature",
     "Merge keys, tags, directives and maps as keys are refused: what a spec says must be visible "
     "where it stands."},
    {GP_ID_MISSING_KEY, "missing key", "A required key is absent."},
    {GP_ID_MISSING_UNIT, "missing unit",
     "A quantity needs its unit, such as 80 GiB, 400 Gb/s or 45d. Only counts stand bare."},
    {GP_ID_WRONG_UNIT, "wrong or unknown unit",
     "The unit is not known, or belongs to another dimension. b is bits and B is bytes; k M B T "
     "multiply counts only."},
    {GP_ID_OUT_OF_RANGE, "out of range", "The value is outside what can make sense for this key."},
    {GP_ID_NOT_A_CHOICE, "not a valid choice", "The key takes one of a few words."},
    {GP_ID_UNKNOWN_REFERENCE, "not in the catalogue",
     "No catalogue row has this id or alias. `gpuplan catalog list` prints them; a user catalogue "
     "adds rows, and GPUs, systems and models can be written out in the spec."},
    {GP_ID_UNKNOWN_LOCAL, "unknown name", "The name is not defined in this spec."},
    {GP_ID_AMBIGUOUS, "ambiguous name",
     "Several catalogue rows go by this name; write one of their ids."},
    {GP_ID_UNKNOWN_KIND, "unknown document",
     "apiVersion or kind is not one that this version reads."},
    {GP_ID_DUPLICATE_NAME, "duplicate name",
     "Two items of a list have the same name; the second place is the first of them."},
    {GP_ID_INCONSISTENT, "inconsistent values",
     "Each value could be right alone, but not together."},
    {GP_ID_NOT_A_BOOLEAN, "not a boolean",
     "Only true and false are booleans; yes, no, on and off are words."},
    {GP_ID_BAD_PATH, "bad --set path", "The path names no key or no list item of the spec."},
    {GP_ID_CATALOG, "bad catalogue row",
     "A catalogue row lacks its source, date or evidence, or refers to what does not exist."},
    {GP_ID_NOT_BELIEVED, "measurement not believed",
     "A calibration leaves the row out: faster than the hardware, of another unit, or of a "
     "configuration that cannot be estimated. The message says which."},
    {GP_ID_UNKNOWN_LOG, "unknown form of a log",
     "The line fits no form that is read; the message says which versions are known."},
};

const size_t gp_diag_doc_count = sizeof gp_diag_docs / sizeof gp_diag_docs[0];
