/* die_emulator: run the die's firmware, exactly the ELF that is flashed, with its serial port on a PTY.
 *
 *   die_emulator [options] die.elf
 *     -l PATH   symlink that shall lead to the PTY (default ./die-pty)
 *     -s SPEED  1 real time (default), 0 as fast as possible, 5 five times real time
 *     -S SEED   of noise, bounces and faults (default 1)
 *     -e FILE   EEPROM, read at start and written at the end
 *     -c FILE   write the executed addresses at the end (slower: one instruction at a time)
 *     -p        start paused; "run" and "exchange" then move virtual time in lock step
 *     -o        reset the chip whenever the PTY is opened, as a real board does
 *     -b BAUD   speed of the PTY until a program sets another (default 250000)
 *     -1 PIN    hold that pin high from the start (a button that is not pressed); may be given several times
 *     -0 PIN    hold it low (a button that is pressed)
 *
 * Commands come on stdin, answers go to stdout. End of input stops it. This is a test tool; see README.md. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chance.h"
#include "chip.h"
#include "control.h"
#include "line.h"

#define SLICE (CHIP_HZ / 2000u)                   /* half a millisecond of virtual time between looks outside */
#define LATEST_SLIP 0.02                          /* seconds: never catch up in a burst, slip instead */

static volatile sig_atomic_t told_to_stop;
static void on_signal(int unused) { (void)unused; told_to_stop = 1; }

static double wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void read_commands(void)
{
    static char buffer[65536];
    static size_t length;
    ssize_t count = read(STDIN_FILENO, buffer + length, sizeof buffer - 1 - length);
    if (count == 0) { pace.stop = true; return; }
    if (count < 0) return;
    length += (size_t)count;
    buffer[length] = 0;
    for (char *end; (end = strchr(buffer, '\n'));) {
        *end = 0;
        control_line(buffer);
        length -= (size_t)(end + 1 - buffer);
        memmove(buffer, end + 1, length + 1);
    }
    if (length == sizeof buffer - 1) length = 0;  /* a line that never ends is dropped */
}

/* Virtual time against the wall: when the clock was last set, and by how much the chip is ahead now. */
#define CLOCK_NOT_SET -1.0
static double origin_wall, pace_speed = CLOCK_NOT_SET;
static uint64_t origin_cycle;

static double ahead(void)
{
    if (pace_speed != pace.speed) {
        pace_speed = pace.speed;
        origin_wall = wall();
        origin_cycle = chip_now();
    }
    return (double)(chip_now() - origin_cycle) / CHIP_HZ / pace.speed - (wall() - origin_wall);
}

static int wait_milliseconds(void)
{
    if (pace.paused) {
        pace_speed = CLOCK_NOT_SET;
        return 50;
    }
    if (pace.speed <= 0.0) return 0;
    double lead = ahead();
    if (lead < -LATEST_SLIP) pace_speed = CLOCK_NOT_SET;
    return lead > 0.0005 ? (lead < 0.005 ? (int)(lead * 1000.0 + 0.5) : 5) : 0;
}

static void step(void)
{
    if (pace.paused || (pace.speed > 0.0 && ahead() > 0.0)) return;
    if (!chip_run_until(chip_now() + SLICE)) {
        fprintf(stderr, "emulator: the chip has crashed\n");
        pace.stop = true;
    }
}

static void usage(void)
{
    fprintf(stderr, "usage: die_emulator [-l link] [-s speed] [-S seed] [-e eeprom] [-c coverage] [-b baud] [-0 pin] [-1 pin] [-p] [-o] "
                    "die.elf\n");
    exit(2);
}

int main(int argc, char **argv)
{
    const char *link = "die-pty", *eeprom = NULL, *coverage = NULL;
    bool reset_on_open = false;
    uint32_t held[24];
    bool held_high[24];
    unsigned held_count = 0, baud = 250000;
    uint64_t seed = 1;
    for (int option; (option = getopt(argc, argv, "l:s:S:e:c:b:0:1:po")) != -1;) switch (option) {
        case 'l': link = optarg; break;
        case 's': pace.speed = atof(optarg); break;
        case 'S': seed = strtoull(optarg, NULL, 10); break;
        case 'e': eeprom = optarg; break;
        case 'c': coverage = optarg; break;
        case 'b': baud = (unsigned)atoi(optarg); break;
        case '0': case '1':
            if (held_count == 24 || !chip_pin(optarg, &held[held_count])) usage();
            held_high[held_count++] = option == '1';
            break;
        case 'p': pace.paused = true; break;
        case 'o': reset_on_open = true; break;
        default: usage();
    }
    if (optind + 1 != argc) usage();
    chance_seed(seed);
    if (!chip_start(argv[optind], eeprom, coverage != NULL)) {
        fprintf(stderr, "emulator: cannot load %s (run make -C firmware first)\n", argv[optind]);
        return 2;
    }
    for (unsigned i = 0; i < held_count; i++) chip_drive(held[i], held_high[i]);
    line_start(link, baud, reset_on_open);
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    signal(SIGPIPE, SIG_IGN);
    fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    printf("{\"ready\":\"%s\"}\n", link);
    fflush(stdout);
    while (!pace.stop && !told_to_stop) {
        struct pollfd inputs[2] = { { STDIN_FILENO, POLLIN, 0 }, { line_watch_open() ? line_fd() : -1, POLLIN, 0 } };
        poll(inputs, 2, wait_milliseconds());
        read_commands();
        line_take_from_host();
        step();
    }
    chip_stop(coverage);
    line_unplug();
    return 0;
}
