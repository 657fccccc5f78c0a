/* The floor that the process runner is measured against: one `cat` round trip with posix_spawn, epoll and a pidfd.
 *
 * Usage: posix_spawn ROUNDS PAYLOAD_BYTES PROGRAM FOLDER
 * Writes one line for each round: microseconds from the first pipe to the reaped child.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void check(int failed, const char *what)
{
    if (failed) {
        perror(what);
        exit(1);
    }
}

static double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static void watch(int loop, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    check(epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
}

/* A descriptor leaves the loop before it is closed: a child before its exec may still hold a copy. */
static void forget(int loop, int fd)
{
    check(epoll_ctl(loop, EPOLL_CTL_DEL, fd, NULL), "epoll_ctl");
    close(fd);
}

static void round_trip(int loop, const char *payload, size_t size, char *program, const char *folder)
{
    int in[2], out[2], err[2];
    check(pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC), "pipe2");
    check(write(in[1], payload, size) != (ssize_t)size, "write");
    close(in[1]);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t pid;
    char *argv[] = {program, NULL};
    errno = posix_spawn(&pid, program, &actions, &attributes, argv, environ);
    check(errno, "posix_spawn");
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(in[0]);
    close(out[1]);
    close(err[1]);

    int child = syscall(SYS_pidfd_open, pid, 0);
    check(child < 0, "pidfd_open");
    watch(loop, out[0]);
    watch(loop, err[0]);
    watch(loop, child);
    static char buffer[1 << 16];
    size_t received = 0;
    for (int open = 3; open > 0;) {
        struct epoll_event events[3];
        int count = epoll_wait(loop, events, 3, -1);
        check(count < 0, "epoll_wait");
        for (int index = 0; index < count; index++) {
            int fd = events[index].data.fd;
            ssize_t got = fd == child ? 0 : read(fd, buffer, sizeof buffer);
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
