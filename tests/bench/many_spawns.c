/* The floor that an event with many hooks is measured against: `sh -c` for each, so many at a time, with posix_spawn,
 * epoll and a pidfd each; every one gets the payload and its output is read to the end.
 *
 * Usage: many_spawns COUNT PAYLOAD_BYTES FOLDER
 * For each line of stdin, which says how many at a time, it makes one round and writes one line:
 * microseconds from the first pipe to the last reaped child.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
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

struct run {
    pid_t pid;
    int fds[3]; /* stdout, stderr, the child */
    int open;
};

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

static void begin(struct run *run, int loop, int number, const char *payload, size_t size, const char *folder)
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
    char line[32];
    snprintf(line, sizeof line, "true # %d", number);
    char *argv[] = {"sh", "-c", line, NULL};
    errno = posix_spawn(&run->pid, "/bin/sh", &actions, &attributes, argv, environ);
    check(errno, "posix_spawn");
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(in[0]);
    close(out[1]);
    close(err[1]);

    run->fds[0] = out[0];
    run->fds[1] = err[0];
    run->fds[2] = syscall(SYS_pidfd_open, run->pid, 0);
    check(run->fds[2] < 0, "pidfd_open");
    run->open = 3;
    for (int index = 0; index < 3; index++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = (unsigned long)number << 2 | index};
        check(epoll_ctl(loop, EPOLL_CTL_ADD, run->fds[index], &event), "epoll_ctl");
    }
}

static void all(int loop, int count, int at_once, const char *payload, size_t size, const char *folder)
{
    struct run *runs = calloc(count, sizeof *runs);
    int begun = 0, live = 0, ended = 0;
    static char buffer[1 << 16];
    while (ended < count) {
        while (begun < count && live < at_once) {
            begin(&runs[begun], loop, begun, payload, size, folder);
            begun++;
            live++;
        }
        struct epoll_event events[64];
        int told = epoll_wait(loop, events, 64, -1);
        check(told < 0, "epoll_wait");
        for (int each = 0; each < told; each++) {
            struct run *run = &runs[events[each].data.u64 >> 2];
            int index = events[each].data.u64 & 3;
            ssize_t got = index == 2 ? 0 : read(run->fds[index], buffer, sizeof buffer);
            check(got < 0, "read");
            if (got == 0) {
                check(epoll_ctl(loop, EPOLL_CTL_DEL, run->fds[index], NULL), "epoll_ctl");
                close(run->fds[index]);
                if (--run->open == 0) {
                    check(waitpid(run->pid, NULL, 0) != run->pid, "waitpid");
                    live--;
                    ended++;
                }
            }
        }
    }
    free(runs);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s COUNT PAYLOAD_BYTES FOLDER\n", argv[0]);
        return 2;
    }
    size_t size = strtoul(argv[2], NULL, 10);
    char *payload = malloc(size);
    memset(payload, 'x', size);
    int loop = epoll_create1(EPOLL_CLOEXEC);
    check(loop < 0, "epoll_create1");
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        int at_once = atoi(line);
        check(at_once < 1, "at once");
        double start = microseconds();
        all(loop, atoi(argv[1]), at_once, payload, size, argv[3]);
        printf("%.1f\n", microseconds() - start);
        fflush(stdout);
    }
    free(payload);
    return 0;
}
