/* Collecting the descriptors that a root reaches. */
#include "schema/emit.h"

static bool known(const gp_type_list *list, const gp_struct *type) {
    for (size_t i = 0; i < list->count; i++)
        if (list->types[i] == type)
            return true;
    return false;
}

gp_status gp_types_collect(const gp_struct *const *roots, size_t count, gp_type_list *ret_list) {
    *ret_list = (gp_type_list){.count = count};
    for (size_t i = 0; i < count; i++)
        ret_list->types[i] = roots[i];
    for (size_t at = 0; at < ret_list->count; at++) {
        const gp_struct *type = ret_list->types[at];
        for (size_t i = 0; i < type->field_count; i++) {
            const gp_struct *nested = type->fields[i].nested;
            if (!nested || known(ret_list, nested))
                continue;
            if (ret_list->count == GP_EMIT_TYPES)
                return GP_ERR_LIMIT;
            ret_list->types[ret_list->count++] = nested;
        }
    }
    return GP_OK;
}
