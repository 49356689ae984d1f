/* The diagnostics of the input family, GP1xxx: one row per id, for messages, help and docs. */
#ifndef GP_SCHEMA_DIAG_IDS_H
#define GP_SCHEMA_DIAG_IDS_H

#include "schema/schema.h"

#define GP_ID_SYNTAX            "GP1001"
#define GP_ID_DUPLICATE_KEY     "GP1002"
#define GP_ID_UNKNOWN_KEY       "GP1003"
#define GP_ID_WRONG_TYPE        "GP1004"
#define GP_ID_LIMIT             "GP1005"
#define GP_ID_NOT_TEXT          "GP1006"
#define GP_ID_EMPTY             "GP1007"
#define GP_ID_UNSUPPORTED_YAML  "GP1008"
#define GP_ID_MISSING_KEY       "GP1009"
#define GP_ID_MISSING_UNIT      "GP1010"
#define GP_ID_WRONG_UNIT        "GP1011"
#define GP_ID_OUT_OF_RANGE      "GP1012"
#define GP_ID_NOT_A_CHOICE      "GP1013"
#define GP_ID_UNKNOWN_REFERENCE "GP1014"
#define GP_ID_UNKNOWN_LOCAL     "GP1015"
#define GP_ID_AMBIGUOUS         "GP1016"
#define GP_ID_UNKNOWN_KIND      "GP1017"
#define GP_ID_DUPLICATE_NAME    "GP1018"
#define GP_ID_INCONSISTENT      "GP1019"
#define GP_ID_NOT_A_BOOLEAN     "GP1020"
#define GP_ID_BAD_PATH          "GP1021"
#define GP_ID_CATALOG           "GP1022"
#define GP_ID_NOT_BELIEVED      "GP1023"
#define GP_ID_UNKNOWN_LOG       "GP1024"

#endif
