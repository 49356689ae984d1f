/*
 * The catalogue files that are compiled into the library, as text.
 *
 * The array is generated at build time from src/catalog (every .yaml file below it) and sorted by
 * name in byte order. A name is the path relative to src/catalog, such as "gpus/nvidia.yaml"; its
 * first folder is the kind of the rows. The text is followed by one NUL that len does not count.
 * Everything is constant and lives as long as the program.
 */
#ifndef GP_CATALOG_EMBEDDED_H
#define GP_CATALOG_EMBEDDED_H

#include <stddef.h>

typedef struct gp_embedded_file gp_embedded_file;

struct gp_embedded_file {
    const char *name;
    const char *text;
    size_t len;
};

extern const gp_embedded_file gp_catalog_files[];
extern const size_t gp_catalog_file_count;
/* Over the texts with their NULs, in hex; empty where it was not worked out at build time. */
extern const char gp_catalog_files_sha256[];

#endif
