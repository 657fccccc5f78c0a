/* The floor that the process runner is measured against: one `cat` round trip with posix_spawn, epoll and a pidfd.
 *
 * Usage: posix_spawn ROUNDS PAYLOAD_BYTES PROGRAM FOLDER
 * Writes one line for each round: microseconds from the first pipe to the reaped child.
 */
#include "spawned.h"

static void watch(int loop, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    check(epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
}

static void round_trip(int loop, const char *payload, size_t size, char *program, const char *folder)
{
    int fds[3];
    char *argv[] = {program, NULL};
    pid_t pid = start(program, argv, payload, size, folder, fds);
    watch(loop, fds[0]);
    watch(loop, fds[1]);
    watch(loop, fds[2]);
    static char buffer[1 << 16];
    size_t received = 0;
    for (int open = 3; open > 0;) {
        struct epoll_event events[3];
        int count = epoll_wait(loop, events, 3, -1);
        check(count < 0, "epoll_wait");
        for (int index = 0; index < count; index++) {
            int fd = events[index].data.fd;
            ssize_t got = fd == fds[2] ? 0 : read(fd, buffer, sizeof buffer);
            check(got < 0, "read");
            received += got;
            if (got == 0) {
                forget(loop, fd);
                open--;
            }
        }
    }
    check(waitpid(pid, NULL, 0) != pid, "waitpid");
    if (received != size) {
        fprintf(stderr, "%zu bytes came back, not %zu\n", received, size);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: %s ROUNDS PAYLOAD_BYTES PROGRAM FOLDER\n", argv[0]);
        return 2;
    }
    int rounds = atoi(argv[1]);
    size_t size = strtoul(argv[2], NULL, 10);
    char *payload = malloc(size);
    memset(payload, 'x', size);
    int loop = epoll_create1(EPOLL_CLOEXEC);
    check(loop < 0, "epoll_create1");
    for (int index = 0; index < rounds; index++) {
        double start = microseconds();
        round_trip(loop, payload, size, argv[3], argv[4]);
        printf("%.1f\n", microseconds() - start);
    }
    free(payload);
    return 0;
}
