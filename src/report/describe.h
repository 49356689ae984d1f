/* Rows of report descriptors; each macro checks at compile time that the member has the type that
 * its kind reads. */
#ifndef GP_REPORT_DESCRIBE_H
#define GP_REPORT_DESCRIBE_H

#include <gpuplan/report.h>

#include "schema/field.h"

#define GP_R_STRING(T, name, member, text)                                                         \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_STRING, .offset = GP_OFFSET(T, member, const char *),       \
        .help = text                                                                               \
    }
#define GP_R_WORD(T, name, member, list, text)                                                     \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_STRING, .offset = GP_OFFSET(T, member, const char *),       \
        .words = list, .help = text                                                                \
    }
#define GP_R_BOOL(T, name, member, text)                                                           \
    { .key = name, .kind = GP_REPORT_BOOL, .offset = GP_OFFSET(T, member, bool), .help = text }
#define GP_R_COUNT(T, name, member, text)                                                          \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_COUNT, .offset = GP_OFFSET(T, member, int64_t),             \
        .dim = GP_DIM_COUNT, .help = text                                                          \
    }
#define GP_R_REAL(T, name, member, unit, text)                                                     \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_REAL, .offset = GP_OFFSET(T, member, double), .dim = unit,  \
        .help = text                                                                               \
    }
#define GP_R_EXACT(T, name, member, unit, text)                                                    \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_EXACT, .offset = GP_OFFSET(T, member, double), .dim = unit, \
        .help = text                                                                               \
    }
#define GP_R_BAND(T, name, member, unit, text)                                                     \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_BAND, .offset = GP_OFFSET(T, member, gp_report_band),       \
        .dim = unit, .help = text                                                                  \
    }
#define GP_R_STRUCT(T, name, member, C, table, text)                                               \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_STRUCT, .offset = GP_OFFSET(T, member, C),                  \
        .nested = &(table), .help = text                                                           \
    }
#define GP_R_OPTIONAL(T, name, member, C, table, text)                                             \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_OPTIONAL, .offset = GP_OFFSET(T, member, const C *),        \
        .nested = &(table), .help = text                                                           \
    }
#define GP_R_LIST(T, name, member, C, table, text)                                                 \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_LIST, .offset = GP_LIST_OFFSET(T, member, C),               \
        .nested = &(table), .help = text                                                           \
    }
#define GP_R_MAP(T, name, member, C, table, text)                                                  \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_MAP, .offset = GP_LIST_OFFSET(T, member, C),                \
        .nested = &(table), .help = text                                                           \
    }
#define GP_R_STRINGS(T, name, member, text)                                                        \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_LIST, .offset = GP_LIST_OFFSET(T, member, const char *),    \
        .help = text                                                                               \
    }

#define GP_R_COUNTS(T, name, member, text)                                                         \
    {                                                                                              \
        .key = name, .kind = GP_REPORT_LIST, .offset = GP_LIST_OFFSET(T, member, int64_t),         \
        .dim = GP_DIM_COUNT, .help = text                                                          \
    }

#define GP_R_TYPE(T, rows, ...)                                                                    \
    {                                                                                              \
        .size = sizeof(T), .fields = (rows), .field_count = sizeof(rows) / sizeof((rows)[0]),      \
        __VA_ARGS__                                                                                \
    }

extern const gp_report_struct gp_report_tool_type;
extern const gp_report_struct gp_report_inputs_type;
extern const gp_report_struct gp_report_recommendation_type;
extern const gp_report_struct gp_report_pool_type;
extern const gp_report_struct gp_report_part_type;
extern const gp_report_struct gp_report_rl_type;
extern const gp_report_struct gp_report_service_type;
extern const gp_report_struct gp_report_site_type;
extern const gp_report_struct gp_report_place_type;
extern const gp_report_struct gp_report_schedule_type;
extern const gp_report_struct gp_report_cost_type;
extern const gp_report_struct gp_report_growth_type;
extern const gp_report_struct gp_report_finding_type;
extern const gp_report_struct gp_report_assumption_type;
extern const gp_report_struct gp_report_data_type;
extern const gp_report_struct gp_report_provenance_type;
extern const gp_report_struct gp_report_source_type;

/* Of a list without a nested struct: numbers, not texts. */
bool gp_report_holds_counts(const gp_report_field *field);
/* Bytes from one list item to the next. */
size_t gp_report_item_size(const gp_report_field *field);
/* Makes every member absent: reals, counts, strings, lists, nested structs alike. */
void gp_report_clear(const gp_report_struct *type, void *object);

#endif
