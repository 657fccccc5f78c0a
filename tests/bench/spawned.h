/* What the floors of the benchmarks share: a child started by posix_spawn with its payload, outputs and pidfd. */
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

/* A descriptor leaves the loop before it is closed: a child before its exec may still hold a copy. */
static void forget(int loop, int fd)
{
    check(epoll_ctl(loop, EPOLL_CTL_DEL, fd, NULL), "epoll_ctl");
    close(fd);
}

/* Starts a program in a folder, the payload in its stdin. `fds` become its stdout, its stderr and the child itself. */
static pid_t start(char *program, char **argv, const char *payload, size_t size, const char *folder, int fds[3])
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
    errno = posix_spawn(&pid, program, &actions, &attributes, argv, environ);
    check(errno, "posix_spawn");
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(in[0]);
    close(out[1]);
    close(err[1]);

    fds[0] = out[0];
    fds[1] = err[0];
    fds[2] = syscall(SYS_pidfd_open, pid, 0);
    check(fds[2] < 0, "pidfd_open");
    return pid;
}
