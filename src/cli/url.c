/*
 * Addresses: which may be fetched, and how one is shown. What lies before an @ is a secret and is
 * never shown; neither is what follows a question mark, since signed addresses carry theirs there.
 */
#include "cli/http.h"

#include <string.h>

/* "https", "http", or NULL. */
static const char *scheme_of(const char *url) {
    static const char *const schemes[] = {"https", "http"};
    for (size_t i = 0; i < GP_COUNT_OF(schemes); i++) {
        size_t len = strlen(schemes[i]);
        if (strncmp(url, schemes[i], len) == 0 && strncmp(url + len, "://", 3) == 0)
            return schemes[i];
    }
    return NULL;
}

/* Host and port of an address: behind user and password, before the path. */
static const char *host_of(const char *url, size_t *ret_len) {
    const char *start = strstr(url, "://") + 3;
    size_t len = strcspn(start, "/?#\\");
    for (size_t i = 0; i < len; i++) {
        if (start[i] == '@') {
            start += i + 1;
            len -= i + 1;
            i = (size_t)-1;
        }
    }
    *ret_len = len;
    return start;
}

bool gp_url_is_web(const char *url) {
    size_t len = 0;
    if (scheme_of(url) == NULL)
        return false;
    for (const char *c = url; *c != '\0'; c++)
        if (*c <= ' ' || *c > '~')
            return false;
    (void)host_of(url, &len);
    return len > 0;
}

bool gp_url_is_loopback(const char *url) {
    static const char *const names[] = {"localhost", "[::1]"};
    size_t len = 0;
    const char *host = host_of(url, &len);
    size_t name = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/?#");
    if (name > len)
        return false;
    for (size_t i = 0; i < GP_COUNT_OF(names); i++)
        if (strlen(names[i]) == name && memcmp(host, names[i], name) == 0)
            return true;
    return strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == name;
}

bool gp_url_is_secure(const char *url) {
    return strcmp(scheme_of(url), "https") == 0;
}

bool gp_url_same_origin(const char *a, const char *b) {
    size_t len_a = 0;
    size_t len_b = 0;
    const char *host_a = host_of(a, &len_a);
    const char *host_b = host_of(b, &len_b);
    return gp_url_is_secure(a) == gp_url_is_secure(b) && len_a == len_b &&
           memcmp(host_a, host_b, len_a) == 0;
}

const char *gp_url_kept(gp_arena *arena, const char *url) {
    size_t len = 0;
    const char *host = host_of(url, &len);
    return gp_arena_printf(arena, "%s://%.*s", scheme_of(url), (int)strcspn(host, "#"), host);
}

const char *gp_url_shown(gp_arena *arena, const char *url) {
    size_t len = 0;
    if (!gp_url_is_web(url))
        return "that address";
    const char *host = host_of(url, &len);
    const char *text =
        gp_arena_printf(arena, "%s://%.*s", scheme_of(url), (int)strcspn(host, "?#"), host);
    return text;
}
