/* The floor that an event with many hooks is measured against: `sh -c` for each, so many at a time, with posix_spawn,
 * epoll and a pidfd each; every one gets the payload and its output is read to the end.
 *
 * Usage: many_spawns COUNT PAYLOAD_BYTES FOLDER
 * For each line of stdin, which says how many at a time, it makes one round and writes one line:
 * microseconds from the first pipe to the last reaped child.
 */
#include "spawned.h"

struct run {
    pid_t pid;
    int fds[3]; /* stdout, stderr, the child */
    int open;
};

static void begin(struct run *run, int loop, int number, const char *payload, size_t size, const char *folder)
{
    char line[32];
    snprintf(line, sizeof line, "true # %d", number);
    char *argv[] = {"sh", "-c", line, NULL};
    run->pid = start("/bin/sh", argv, payload, size, folder, run->fds);
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
                forget(loop, run->fds[index]);
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
