/*
 * A web server that does one wrong thing, for tests: prints its port, then answers every connection
 * the same way until it is killed.
 *   misbehave garbage | page | error | huge | endless | cut | short | slow | refuse | redirect |
 *             nothing | once | native
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void say(int peer, const char *text) {
    size_t len = strlen(text);
    while (len > 0) {
        ssize_t sent = write(peer, text, len);
        if (sent <= 0) {
            return;
        }
        text += sent;
        len -= (size_t)sent;
    }
}

static void answer(int peer, const char *status, const char *body) {
    char head[512];
    (void)snprintf(head, sizeof head,
                   "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
                   "Connection: close\r\n\r\n",
                   status, strlen(body));
    say(peer, head);
    say(peer, body);
}

/* A gigabyte of a list that never closes. */
static void flood(int peer, const char *head) {
    static char block[1 << 16];
    memset(block, '0', sizeof block - 1);
    say(peer, head);
    say(peer, "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[");
    for (int i = 0; i < 1 << 14; i++) {
        if (write(peer, block, sizeof block - 1) <= 0) {
            return;
        }
    }
}

static void behave(int peer, const char *how, int count) {
    static const char empty[] =
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}";
    if (strcmp(how, "garbage") == 0) {
        answer(peer, "200 OK", "\x01\x02 not JSON s3cret");
    } else if (strcmp(how, "page") == 0) {
        answer(peer, "200 OK", "<html><body>Please log in</body></html>");
    } else if (strcmp(how, "error") == 0) {
        answer(peer, "422 Unprocessable Entity",
               "{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"query timed "
               "out\\u001b[31m\"}");
    } else if (strcmp(how, "huge") == 0) {
        flood(peer, "HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n");
    } else if (strcmp(how, "endless") == 0) {
        flood(peer, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    } else if (strcmp(how, "cut") == 0) {
        say(peer, "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{\"status\":");
    } else if (strcmp(how, "short") == 0) {
        say(peer, "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"status\":\"success\"}");
    } else if (strcmp(how, "slow") == 0) {
        say(peer, "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n");
        sleep(30);
    } else if (strcmp(how, "refuse") == 0) {
        answer(peer, "401 Unauthorized", "Unauthorized");
    } else if (strcmp(how, "redirect") == 0) {
        say(peer, "HTTP/1.1 302 Found\r\nLocation: http://example.invalid/?sig=s3cret\r\n"
                  "Content-Length: 0\r\nConnection: close\r\n\r\n");
    } else if (strcmp(how, "native") == 0) {
        answer(peer, "200 OK",
               "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{"
               "\"metric\":{},\"histogram\":[1,{}]}]}}");
    } else if (strcmp(how, "once") == 0) {
        if (count >= 3) {
            _exit(0); /* killed in the middle of the walk */
        }
        answer(peer, "200 OK", empty);
    }
}

int main(int argc, char **argv) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    int door = socket(AF_INET, SOCK_STREAM, 0);
    (void)signal(SIGPIPE, SIG_IGN);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (argc != 2 || door < 0 || bind(door, (struct sockaddr *)&address, size) != 0 ||
        listen(door, 8) != 0 || getsockname(door, (struct sockaddr *)&address, &size) != 0) {
        perror("misbehave");
        return 1;
    }
    printf("%d\n", ntohs(address.sin_port));
    (void)fflush(stdout);
    for (int count = 0;; count++) {
        char request[65536];
        int peer = accept(door, NULL, NULL);
        if (peer < 0) {
            return 1;
        }
        if (read(peer, request, sizeof request) > 0) {
            behave(peer, argv[1], count);
        }
        (void)close(peer);
    }
}
