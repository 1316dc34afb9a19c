/* Theory of operation. A byte that the chip writes leaves the wire eleven bits later (see below), after the byte before it; only
 * then does it reach the host. A byte of the host starts when the wire is free and is handed to the chip's receiver.
 * Faults are applied on the wire, between the two. If both ends disagree about the speed by more than a UART
 * tolerates, each character is sampled again at the other speed, so that a wrong baud rate looks as it does on a
 * scope: other characters, more or fewer of them, with framing errors. */
#define _GNU_SOURCE
#include "line.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "baud.h"
#include "chance.h"
#include "chip.h"

#define FRAMING_ERROR 0x100u
#define BITS_PER_BYTE 11.0                               /* libsimavr allows a parity bit that is not there; a real line
                                                            needs 10, so times here are up to a tenth too long */
#define TOLERANCE 0.04
#define QUEUE 16384u                                     /* power of two */
#define FRAME_LOG 256u

struct faults line_faults[2];
struct line_counts line_counts;

/* What a direction remembers of the frame that is passing, to double or to cut it. */
struct passing { uint8_t bytes[256]; size_t count; bool cutting; size_t cut_at; };
static struct passing passing[2];

static const char *link_path;
static unsigned first_baud;
static int master = -1, keeper = -1;
static bool resets_on_open, host_has_it;
static uint16_t inbound[QUEUE];
static unsigned inbound_head, inbound_tail;
static bool inbound_moving;
static uint64_t wire_free;                               /* cycle at which the chip's last byte has left */
static unsigned overruns_due;
static struct sent frame_log[FRAME_LOG], frame_now;
static size_t frame_count, frame_length;
static unsigned frames_wanted;
static bool keeping;
static uint8_t kept[65536];
static size_t kept_count;

/* ---- speed ---- */

unsigned line_host_baud(void) { return master < 0 ? 0 : baud_of(master); }

void line_set_baud(unsigned baud)
{
    first_baud = baud;
    if (master >= 0) baud_set(master, baud);
}

static bool speeds_differ(double sender, double receiver) { return fabs(sender / receiver - 1.0) > TOLERANCE; }

/* Level of the line at `time`, in bits of the sender, while `byte` passes: start bit, eight data bits, idle. */
static bool level(uint8_t byte, double time)
{
    if (time < 0.0 || time >= 9.0) return true;
    return time >= 1.0 && (byte >> ((int)time - 1)) & 1;
}

/* Characters that a receiver at another speed makes of one byte. */
static int misread(uint8_t byte, double sender, double receiver, uint16_t *out, int room)
{
    double step = sender / receiver;                     /* one bit of the receiver, in bits of the sender */
    int count = 0;
    for (double time = 0.0; time < 9.0 && count < room;) {
        if (level(byte, time)) { time += 0.05; continue; }
        if (level(byte, time + 0.5 * step)) { time += 0.5 * step; continue; }   /* too short for a start bit */
        uint16_t character = 0;
        for (int bit = 0; bit < 8; bit++)
            if (level(byte, time + (1.5 + bit) * step)) character |= (uint16_t)(1u << bit);
        if (!level(byte, time + 9.5 * step)) { character |= FRAMING_ERROR; line_counts.framing_errors++; }
        out[count++] = character;
        time += 10.0 * step;
    }
    return count;
}

/* ---- faults ---- */

typedef void (*deliver)(uint8_t byte);

static void with_byte_faults(enum way way, uint8_t byte, deliver onward)
{
    const struct faults *faults = &line_faults[way];
    if (chance_hits(faults->noise)) {
        line_counts.faults++;
        for (uint32_t n = 1 + chance_below(8); n; n--) onward((uint8_t)chance_bits());
    }
    if (chance_hits(faults->drop)) { line_counts.faults++; return; }
    if (chance_hits(faults->corrupt)) { line_counts.faults++; byte ^= (uint8_t)(1u << chance_below(8)); }
    onward(byte);
    if (chance_hits(faults->double_bytes)) { line_counts.faults++; onward(byte); }
}

static void with_faults(enum way way, uint8_t byte, deliver onward)
{
    struct passing *frame = &passing[way];
    if (byte == '$') {
        frame->count = 0;
        frame->cutting = chance_hits(line_faults[way].truncate);
        frame->cut_at = 1 + chance_below(20);
        if (frame->cutting) line_counts.faults++;
    }
    if (frame->count < sizeof frame->bytes) frame->bytes[frame->count++] = byte;
    if (!frame->cutting || frame->count <= frame->cut_at) with_byte_faults(way, byte, onward);
    if (byte != '\n') return;
    if (chance_hits(line_faults[way].double_frames)) {
        line_counts.faults++;
        for (size_t i = 0; i < frame->count; i++) with_byte_faults(way, frame->bytes[i], onward);
    }
    frame->count = 0;
    frame->cutting = false;
}

/* ---- die to host ---- */

static void reach_host(uint32_t byte, uint32_t unused)
{
    (void)unused;
    uint8_t value = (uint8_t)byte;
    line_counts.to_host++;
    if (keeping && kept_count < sizeof kept) kept[kept_count++] = value;
    if (master >= 0 && write(master, &value, 1) < 0 && errno == EAGAIN) line_counts.lost_by_host++;
}

static void leave_wire(uint8_t byte)
{
    double host = line_host_baud(), chip = chip_baud();
    uint16_t characters[32] = { byte };
    int count = 1;
    if (host > 0.0 && speeds_differ(chip, host)) count = misread(byte, chip, host, characters, 32);
    for (int i = 0; i < count; i++) chip_at(wire_free, reach_host, (uint8_t)characters[i], 0);
}

static void log_frame(uint8_t byte, uint64_t starts, uint64_t ends)
{
    if (byte == '$') { frame_length = 0; frame_now.start = starts; }
    if (frame_length < sizeof frame_now.text - 1) frame_now.text[frame_length++] = (char)byte;
    if (byte != '\n') return;
    frame_now.text[frame_length ? frame_length - 1 : 0] = 0;
    frame_now.end = ends;
    if (frame_count == FRAME_LOG) memmove(frame_log, frame_log + 1, --frame_count * sizeof *frame_log);     /* the oldest goes */
    frame_log[frame_count++] = frame_now;
    frame_length = 0;
}

static void frame_left(uint32_t unused, uint32_t also_unused)
{
    (void)unused; (void)also_unused;
    if (frames_wanted && --frames_wanted == 0) chip_halt();
}

static void byte_from_chip(uint8_t byte)
{
    uint64_t starts = wire_free > chip_now() ? wire_free : chip_now();
    wire_free = starts + (uint64_t)(BITS_PER_BYTE * CHIP_HZ / chip_baud());
    log_frame(byte, starts, wire_free);
    with_faults(TO_HOST, byte, leave_wire);
    if (byte == '\n') chip_at(wire_free, frame_left, 0, 0);
}

/* ---- host to die ---- */

static void next_inbound(uint32_t unused, uint32_t also_unused)
{
    (void)unused; (void)also_unused;
    inbound_moving = inbound_head != inbound_tail;
    if (!inbound_moving) return;
    uint64_t next = chip_now() + (uint64_t)(BITS_PER_BYTE * CHIP_HZ / chip_baud());
    if (chip_is_full()) { chip_at(next, next_inbound, 0, 0); return; }
    uint16_t character = inbound[inbound_tail++ % QUEUE];
    bool lost = overruns_due > 0;
    if (lost) { overruns_due--; line_counts.overruns++; }
    if (chip_hears()) chip_byte_in((uint8_t)character, character & FRAMING_ERROR, lost);
    line_counts.to_die++;
    chip_at(next, next_inbound, 0, 0);
}

static void enter_wire(uint8_t byte)
{
    double host = line_host_baud(), chip = chip_baud();
    uint16_t characters[32] = { byte };
    int count = 1;
    if (host > 0.0 && speeds_differ(host, chip)) count = misread(byte, host, chip, characters, 32);
    for (int i = 0; i < count && inbound_head - inbound_tail < QUEUE; i++)
        inbound[inbound_head++ % QUEUE] = characters[i];
    if (!inbound_moving) next_inbound(0, 0);
}

void line_overrun(unsigned bytes) { overruns_due += bytes; }

static void reach_host_now(uint8_t byte) { reach_host(byte, 0); }

void line_send(enum way way, const uint8_t *bytes, size_t count, bool faulty)
{
    deliver onward = way == TO_DIE ? enter_wire : reach_host_now;
    for (size_t i = 0; i < count; i++) {
        if (faulty) with_faults(way, bytes[i], onward); else onward(bytes[i]);
    }
}

void line_take_from_host(void)
{
    uint8_t bytes[512];
    ssize_t count;
    while (master >= 0 && inbound_head - inbound_tail < QUEUE / 2 && (count = read(master, bytes, sizeof bytes)) > 0)
        line_send(TO_DIE, bytes, (size_t)count, true);
}

/* ---- PTY ---- */

int line_fd(void) { return master; }

void line_plug(void)
{
    char name[128];
    struct termios raw;
    memset(&raw, 0, sizeof raw);
    cfmakeraw(&raw);
    raw.c_cflag |= CREAD | CLOCAL;
    line_unplug();
    if (openpty(&master, &keeper, name, &raw, NULL)) { perror("emulator: openpty"); exit(3); }
    baud_set(keeper, first_baud);
    fcntl(master, F_SETFL, O_NONBLOCK);
    fcntl(master, F_SETFD, FD_CLOEXEC);
    if (resets_on_open) { close(keeper); keeper = -1; host_has_it = false; }
    if (unlink(link_path) && errno != ENOENT) perror("emulator: unlink");
    if (symlink(name, link_path)) { perror("emulator: symlink"); exit(3); }
}

void line_unplug(void)
{
    if (master < 0) return;
    close(master);
    if (keeper >= 0) close(keeper);
    master = keeper = -1;
    inbound_head = inbound_tail;
    unlink(link_path);
}

bool line_watch_open(void)
{
    if (!resets_on_open) return true;
    if (master < 0) return false;
    struct pollfd state = { .fd = master, .events = 0 };
    poll(&state, 1, 0);
    bool open_now = !(state.revents & POLLHUP);
    if (open_now && !host_has_it) chip_reset(RESET_EXTERNAL);
    host_has_it = open_now;
    return open_now;
}

void line_start(const char *path, unsigned baud, bool reset_on_open)
{
    link_path = path;
    first_baud = baud;
    resets_on_open = reset_on_open;
    chip_on_byte_out(byte_from_chip);
    line_plug();
}

/* ---- what the tests look at ---- */

void line_halt_after(unsigned frames) { frames_wanted = frames; }

size_t line_frames(struct sent *out, size_t room)
{
    size_t count = frame_count < room ? frame_count : room;
    memcpy(out, frame_log, count * sizeof *out);
    frame_count = 0;
    return count;
}

void line_keep_received(bool keep)
{
    keeping = keep;
    kept_count = 0;
}

size_t line_received(uint8_t *out, size_t room)
{
    size_t count = kept_count < room ? kept_count : room;
    memcpy(out, kept, count);
    kept_count = 0;
    return count;
}
