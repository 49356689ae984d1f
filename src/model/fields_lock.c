/* Descriptor tables of the entries of a Lock document. */
#include "catalog/fields.h"
#include "model/fields.h"
#include "model/lock.h"

static const gp_field source_fields[] = {
    GP_STRING(gp_lock_source, "url", url, .flags = GP_FIELD_REQUIRED,
              .help = "Where the file was fetched."),
    GP_STRING(gp_lock_source, "etag", etag, .help = "What the server called this version of it."),
    GP_STRING(gp_lock_source, "sha256", sha256, .flags = GP_FIELD_REQUIRED,
              .help = "SHA-256 of its bytes, hexadecimal."),
    GP_COUNT(gp_lock_source, "bytes", bytes, GP_RANGE(0, 1e12), .help = "How many they were."),
};

static const gp_struct source_type = GP_TYPE(gp_lock_source, source_fields, .name = "lockSource",
                                             .help = "A file that was fetched.");

static const gp_field entry_fields[] = {
    GP_STRING(gp_lock_entry, "name", name, .flags = GP_FIELD_REQUIRED | GP_FIELD_ID,
              .help = "Name that specs use: hf:ORG/NAME of a model, or the name of a price list."),
    GP_STRING(gp_lock_entry, "date", date, .flags = GP_FIELD_REQUIRED,
              .help = "Day on which it was fetched."),
    GP_STRING(gp_lock_entry, "revision", revision, .help = "Commit that the files are of."),
    GP_STRUCT_LIST(gp_lock_entry, "sources", sources, gp_lock_source, source_type,
                   .help = "The files it was made from."),
    GP_STRING(gp_lock_entry, "digest", digest, .flags = GP_FIELD_REQUIRED,
              .help = "SHA-256 of the model or the prices in their one form."),
    GP_STRUCT(gp_lock_entry, "model", model, gp_model, gp_model_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "The model, as a row of a catalogue."),
    GP_STRUCT(gp_lock_entry, "prices", prices, gp_prices, gp_prices_table,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "The price list."),
};

const gp_struct gp_lock_entry_type = GP_TYPE(gp_lock_entry, entry_fields, .name = "lockEntry",
                                             .help = "One thing that was fetched.");
