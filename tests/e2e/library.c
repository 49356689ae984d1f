/* A stranger's program: includes an installed header, links the installed library, calls it. */
#include <stdio.h>

#include <gpuplan/status.h>

int main(void) {
    puts(gp_status_name(GP_OK));
    return 0;
}
