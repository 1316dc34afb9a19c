/* Theory of operation. A table maps each command to a small function that gets its words and prints the rest of one
 * JSON object; control_line() adds the time and the counters. A command with bad words is answered by an error and
 * changes nothing. */
#include "control.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "chip.h"
#include "line.h"

#define WORDS 6
#define HEX_ROOM 8192

struct pace pace = { .speed = 1.0 };

typedef const char *(*command)(char *const words[WORDS]);   /* NULL, or what is wrong */

static bool number(const char *text, double *value)
{
    char *end;
    if (!text || !*text) return false;
    *value = strtod(text, &end);
    return !*end && *value >= 0.0;
}

static size_t unhex(const char *text, uint8_t *out, size_t room)
{
    size_t count = 0;
    unsigned value;
    for (; text && text[0] && text[1] && count < room && sscanf(text, "%2x", &value) == 1; text += 2)
        out[count++] = (uint8_t)value;
    return count;
}

static void print_hex(const char *name, const uint8_t *bytes, size_t count)
{
    printf("\"%s\":\"", name);
    for (size_t i = 0; i < count; i++) printf("%02x", bytes[i]);
    printf("\",");
}

static const char *drive(char *const words[])
{
    uint32_t pin;
    double high;
    if (!words[1] || !chip_pin(words[1], &pin) || !number(words[2], &high)) return "pin NAME 0|1";
    chip_drive(pin, high > 0.0);
    return NULL;
}

/* Random edges within a time, then the level that was meant: a cheap push button. */
static const char *bounce(char *const words[])
{
    uint32_t pin;
    double high, edges, microseconds;
    if (!words[1] || !chip_pin(words[1], &pin) || !number(words[2], &high) || !number(words[3], &edges)
        || !number(words[4], &microseconds)) return "bounce NAME 0|1 EDGES MICROSECONDS";
    chip_drive(pin, high > 0.0);
    for (int i = 0; i < (int)edges; i++)
        chip_drive_at(chip_now() + chip_cycles(chance_fraction() * microseconds), pin, chance_hits(0.5));
    chip_drive_at(chip_now() + chip_cycles(microseconds), pin, high > 0.0);
    return NULL;
}

/* A button that is pushed down and let go after a time. */
static const char *tap(char *const words[])
{
    uint32_t pin;
    double microseconds;
    if (!words[1] || !chip_pin(words[1], &pin) || !number(words[2], &microseconds)) return "tap NAME MICROSECONDS";
    chip_drive(pin, false);
    chip_drive_at(chip_now() + chip_cycles(microseconds), pin, true);
    return NULL;
}

/* A spike: the other level for a moment. */
static const char *glitch(char *const words[])
{
    uint32_t pin;
    double microseconds;
    if (!words[1] || !chip_pin(words[1], &pin) || !number(words[2], &microseconds)) return "glitch NAME MICROSECONDS";
    bool was = chip_is_high(pin);
    chip_drive(pin, !was);
    chip_drive_at(chip_now() + chip_cycles(microseconds), pin, was);
    return NULL;
}

static const char *adc(char *const words[])
{
    double millivolts, deviation;
    if (!number(words[1], &millivolts) || !number(words[2], &deviation)) return "adc MILLIVOLTS DEVIATION";
    chip_noise(millivolts, deviation);
    return NULL;
}

static double *fault_named(struct faults *faults, const char *name)
{
    if (!strcmp(name, "corrupt")) return &faults->corrupt;
    if (!strcmp(name, "drop")) return &faults->drop;
    if (!strcmp(name, "double_bytes")) return &faults->double_bytes;
    if (!strcmp(name, "noise")) return &faults->noise;
    if (!strcmp(name, "double_frames")) return &faults->double_frames;
    if (!strcmp(name, "truncate")) return &faults->truncate;
    return NULL;
}

static bool way_named(const char *name, enum way *way)
{
    if (name && !strcmp(name, "to_die")) *way = TO_DIE;
    else if (name && !strcmp(name, "to_host")) *way = TO_HOST;
    else return false;
    return true;
}

static const char *fault(char *const words[])
{
    static const char usage[] = "fault to_die|to_host KIND PROBABILITY, or fault clear";
    enum way way;
    double probability;
    if (words[1] && !strcmp(words[1], "clear")) { memset(line_faults, 0, sizeof line_faults); return NULL; }
    if (!way_named(words[1], &way) || !words[2] || !number(words[3], &probability)) return usage;
    double *chosen = fault_named(&line_faults[way], words[2]);
    if (!chosen) return usage;
    *chosen = probability;
    return NULL;
}

static const char *inject(char *const words[])
{
    uint8_t bytes[HEX_ROOM];
    enum way way;
    if (!way_named(words[1], &way) || !words[2]) return "inject to_die|to_host HEX";
    line_send(way, bytes, unhex(words[2], bytes, sizeof bytes), false);
    return NULL;
}

static const char *overrun(char *const words[])
{
    double bytes;
    if (!number(words[1], &bytes)) return "overrun BYTES";
    line_overrun((unsigned)bytes);
    return NULL;
}

static const char *baud(char *const words[])
{
    double value;
    if (!number(words[1], &value)) return "baud BITS_PER_SECOND";
    line_set_baud((unsigned)value);
    return NULL;
}

static const char *unplug(char *const words[]) { (void)words; line_unplug(); return NULL; }
static const char *plug(char *const words[]) { (void)words; line_plug(); return NULL; }

static const char *reset(char *const words[])
{
    static const char *const causes[] = { "power", "external", "brownout", "watchdog" };
    for (int cause = 0; words[1] && cause < 4; cause++)
        if (!strcmp(words[1], causes[cause])) { chip_reset((enum chip_reset)cause); return NULL; }
    return "reset power|external|brownout|watchdog";
}

static const char *hang(char *const words[]) { (void)words; chip_hang(); return NULL; }

static const char *set_speed(char *const words[])
{
    if (!number(words[1], &pace.speed)) return "speed FACTOR (0 is as fast as possible)";
    return NULL;
}

static const char *pause_run(char *const words[]) { (void)words; pace.paused = true; return NULL; }
static const char *resume(char *const words[]) { (void)words; pace.paused = false; return NULL; }
static const char *quit(char *const words[]) { (void)words; pace.stop = true; return NULL; }

static const char *run_for(double milliseconds)
{
    line_take_from_host();
    bool alive = chip_run_until(chip_now() + chip_cycles(milliseconds * 1000.0));
    line_take_from_host();
    return alive ? NULL : "the chip has crashed";
}

static const char *run(char *const words[])
{
    double milliseconds;
    if (!number(words[1], &milliseconds)) return "run MILLISECONDS";
    return run_for(milliseconds);
}

/* Send bytes and run until the die has answered so many frames, or the time is over: virtual time in lock step. */
static const char *exchange(char *const words[])
{
    uint8_t bytes[HEX_ROOM];
    double milliseconds, frames;
    if (!number(words[1], &milliseconds) || !number(words[2], &frames)) return "exchange MILLISECONDS FRAMES [HEX]";
    line_keep_received(true);
    line_halt_after((unsigned)frames);
    line_send(TO_DIE, bytes, unhex(words[3], bytes, sizeof bytes), true);
    const char *wrong = run_for(milliseconds);
    line_halt_after(0);
    size_t count = line_received(bytes, sizeof bytes);
    line_keep_received(false);
    print_hex("bytes", bytes, count);
    return wrong;
}

static const char *frames(char *const words[])
{
    static struct sent sent[256];
    (void)words;
    size_t count = line_frames(sent, 256);
    printf("\"frames\":[");
    for (size_t i = 0; i < count; i++) {
        printf("%s[%llu,%llu,\"", i ? "," : "", (unsigned long long)sent[i].start, (unsigned long long)sent[i].end);
        for (const char *c = sent[i].text; *c; c++) printf(*c == '"' || *c == '\\' || *c < ' ' ? "?" : "%c", *c);
        printf("\"]");
    }
    printf("],");
    return NULL;
}

static const char *pins(char *const words[])
{
    (void)words;
    printf("\"pins\":{");
    for (uint32_t pin = 0; pin < 24; pin++)
        printf("%s\"%c%u\":{\"high\":%s,\"output\":%s}", pin ? "," : "", "BCD"[pin >> 3], pin & 7u,
               chip_is_high(pin) ? "true" : "false", chip_is_output(pin) ? "true" : "false");
    printf("},");
    return NULL;
}

static const char *eeprom(char *const words[])
{
    uint8_t bytes[1024];
    (void)words;
    chip_eeprom(bytes);
    print_hex("eeprom", bytes, sizeof bytes);
    return NULL;
}

static const char *now(char *const words[]) { (void)words; return NULL; }

static const struct { const char *name; command run; } commands[] = {
    { "pin", drive }, { "tap", tap }, { "bounce", bounce }, { "glitch", glitch }, { "adc", adc },
    { "fault", fault }, { "inject", inject }, { "overrun", overrun }, { "baud", baud }, { "unplug", unplug }, { "plug", plug },
    { "reset", reset }, { "hang", hang }, { "speed", set_speed }, { "pause", pause_run }, { "resume", resume },
    { "run", run }, { "exchange", exchange }, { "frames", frames }, { "pins", pins }, { "eeprom", eeprom },
    { "now", now }, { "quit", quit },
};

void control_line(char *line)
{
    char *words[WORDS] = { 0 }, *rest = line;
    for (int i = 0; i < WORDS && (words[i] = strtok_r(rest, " ", &rest)); i++) {}
    const char *wrong = "no such command";
    printf("{");
    for (size_t i = 0; words[0] && i < sizeof commands / sizeof commands[0]; i++)
        if (!strcmp(words[0], commands[i].name)) wrong = commands[i].run(words);
    if (wrong) printf("\"error\":\"%s\",", wrong);
    printf("\"cycle\":%llu,\"baud\":%.1f,\"host_baud\":%u,\"to_host\":%lu,\"to_die\":%lu,\"faults\":%lu,"
           "\"framing_errors\":%lu,\"overruns\":%lu,\"lost_by_host\":%lu}\n",
           (unsigned long long)chip_now(), chip_baud(), line_host_baud(), line_counts.to_host, line_counts.to_die,
           line_counts.faults, line_counts.framing_errors, line_counts.overruns, line_counts.lost_by_host);
    fflush(stdout);
}
