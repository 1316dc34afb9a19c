/* Theory of operation. libsimavr executes the ELF; everything that the bench does to the chip is an event in one
 * sorted list, driven by a single cycle timer. libsimavr forgets its timers at every reset, the bench must not:
 * the bench is registered as an I/O module of its own, whose reset hook sets the timer again.
 * Sleep costs nothing: a sleeping core jumps to its next timer, so an idle die runs far faster than real time. */
#include "chip.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#include "chance.h"

#define UCSR0A 0xC0
#define UCSR0B 0xC1
#define UBRR0L 0xC4
#define UBRR0H 0xC5
#define UDR0 0xC6
#define RXEN0_BIT 0x10
#define U2X0_BIT 0x02
#define DOR0_BIT 0x08
#define MCUSR 0x54
#define EEPROM_BYTES 1024u
#define EVENTS 4096

struct due { uint64_t cycle; chip_event event; uint32_t what, value; };

static avr_t *avr;
static struct due events[EVENTS];                 /* latest first: the next one is the last */
static int event_count;
static bool halted;
static const char *eeprom_file;
static uint8_t *executed;
static double noise_mean = 2500.0, noise_deviation = 30.0;
static void (*byte_listener)(uint8_t);
static bool overrun_pending, udr_written;
static unsigned unread;                           /* bytes that libsimavr's receiver holds */
static uint8_t driven[3], driven_high[3];          /* pins that the bench holds, and how; bits of B, C, D */

static avr_cycle_count_t fire(avr_t *unused, avr_cycle_count_t when, void *none);

static void arm(void)
{
    avr_cycle_timer_cancel(avr, fire, NULL);
    if (!event_count) return;
    uint64_t next = events[event_count - 1].cycle;
    avr_cycle_timer_register(avr, next > avr->cycle ? next - avr->cycle : 1, fire, NULL);
}

static avr_cycle_count_t fire(avr_t *unused, avr_cycle_count_t when, void *none)
{
    (void)unused; (void)when; (void)none;
    while (event_count && events[event_count - 1].cycle <= avr->cycle) {
        struct due now = events[--event_count];
        now.event(now.what, now.value);
    }
    arm();
    return 0;
}

void chip_at(uint64_t cycle, chip_event event, uint32_t what, uint32_t value)
{
    if (event_count == EVENTS) { fprintf(stderr, "emulator: too many events at once\n"); exit(3); }
    int place = event_count++;
    while (place > 0 && events[place - 1].cycle <= cycle) { events[place] = events[place - 1]; place--; }
    events[place] = (struct due){ cycle, event, what, value };
    arm();
}

static void halt_event(uint32_t what, uint32_t value)
{
    (void)what; (void)value;
}

uint64_t chip_now(void) { return avr->cycle; }
uint64_t chip_cycles(double microseconds) { return (uint64_t)(microseconds * (CHIP_HZ / 1e6)); }
void chip_halt(void) { halted = true; }

bool chip_run_until(uint64_t cycle)
{
    chip_at(cycle, halt_event, 0, 0);             /* so that a sleeping core does not jump past the goal */
    halted = false;
    while (avr->cycle < cycle && !halted) {
        if (executed && avr->pc <= avr->flashend) executed[avr->pc >> 1] = 1;
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) return false;
    }
    return true;
}

/* ---- pins ---- */

static avr_irq_t *pin_irq(uint32_t pin)
{
    return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ((uint32_t)"BCD"[pin >> 3]), (int)(pin & 7));
}

bool chip_pin(const char *name, uint32_t *pin)
{
    const char *port = name[0] ? strchr("BCD", toupper((unsigned char)name[0])) : NULL;
    if (!port || name[1] < '0' || name[1] > '7' || name[2]) return false;
    *pin = (uint32_t)(port - "BCD") * 8u + (uint32_t)(name[1] - '0');
    return true;
}

/* libsimavr lets its own pull-ups win at every write to the port, unless it is told of the pull from outside, too. */
static void hold(uint32_t pin)
{
    for (uint8_t n = 0; n < 2; n++) avr_extint_set_strict_lvl_trig(avr, n, 0);      /* it would poll every cycle */
    uint32_t port = pin >> 3;
    avr_ioport_external_t outside = { .mask = driven[port], .value = driven_high[port] };
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL((uint32_t)"BCD"[port]), &outside);
    avr_raise_irq(pin_irq(pin), driven_high[port] >> (pin & 7) & 1);
}

void chip_drive(uint32_t pin, bool high)
{
    uint8_t bit = (uint8_t)(1u << (pin & 7));
    driven[pin >> 3] |= bit;
    driven_high[pin >> 3] = (uint8_t)(high ? driven_high[pin >> 3] | bit : driven_high[pin >> 3] & ~bit);
    hold(pin);
}

static void drive_event(uint32_t pin, uint32_t high) { chip_drive(pin, high != 0); }
void chip_drive_at(uint64_t cycle, uint32_t pin, bool high) { chip_at(cycle, drive_event, pin, high); }

static avr_ioport_state_t port_state(uint32_t pin)
{
    avr_ioport_state_t state;
    avr_ioctl(avr, AVR_IOCTL_IOPORT_GETSTATE((uint32_t)"BCD"[pin >> 3]), &state);
    return state;
}

bool chip_is_output(uint32_t pin) { return (port_state(pin).ddr >> (pin & 7)) & 1; }

bool chip_is_high(uint32_t pin)
{
    avr_ioport_state_t state = port_state(pin);
    return ((chip_is_output(pin) ? state.port : state.pin) >> (pin & 7)) & 1;
}

/* ---- noise input ---- */

void chip_noise(double millivolts, double deviation)
{
    noise_mean = millivolts;
    noise_deviation = deviation;
}

static void sample(struct avr_irq_t *irq, uint32_t value, void *none)
{
    (void)irq; (void)value; (void)none;
    double volts = noise_mean + (noise_deviation > 0.0 ? noise_deviation * chance_gauss() : 0.0);
    if (volts < 0.0) volts = 0.0;
    if (volts > 5000.0) volts = 5000.0;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0), (uint32_t)(volts + 0.5));
}

/* ---- serial port ---- */

void chip_on_byte_out(void (*listener)(uint8_t byte)) { byte_listener = listener; }

static void byte_out(struct avr_irq_t *irq, uint32_t value, void *none)
{
    (void)irq; (void)none;
    udr_written = true;
    if (byte_listener) byte_listener((uint8_t)value);
}

/* libsimavr counts the time of the next byte from the moment at which the last was read, not at which it came. In a long
 * burst its queue of 64 bytes fills up although the firmware keeps pace; the line then waits, as no real line would.
 * An access to UDR0 is a read unless it also sent a byte. */
static void on_udr_access(struct avr_irq_t *irq, uint32_t value, void *none)
{
    (void)irq; (void)value; (void)none;
    if (udr_written) udr_written = false;
    else if (unread) unread--;
}

bool chip_is_full(void) { return unread > 30; }
bool chip_hears(void) { return avr->data[UCSR0B] & RXEN0_BIT; }

double chip_baud(void)
{
    unsigned divider = avr->data[UBRR0L] | (avr->data[UBRR0H] & 15u) << 8;
    return (double)CHIP_HZ / (avr->data[UCSR0A] & U2X0_BIT ? 8.0 : 16.0) / (divider + 1u);
}

static void clear_overrun(uint32_t unused, uint32_t also_unused)
{
    (void)unused; (void)also_unused;
    avr->data[UCSR0A] &= (uint8_t)~DOR0_BIT;
}

/* libsimavr has a deep receive FIFO and never overruns; the real part has two bytes. An overrun is played by
 * losing the byte and setting the flag that the hardware would set with the next one that arrives. */
void chip_byte_in(uint8_t byte, bool framing_error, bool overrun)
{
    if (overrun) { overrun_pending = true; return; }
    unread++;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT),
                  byte | (framing_error ? (uint32_t)UART_INPUT_FE : 0u));
    if (!overrun_pending) return;
    overrun_pending = false;
    avr->data[UCSR0A] |= DOR0_BIT;
    chip_at(avr->cycle + (uint64_t)(16.0 * CHIP_HZ / chip_baud()), clear_overrun, 0, 0);    /* read by then */
}

/* ---- resets, start and stop ---- */

/* A reset clears the pins, and a level that has not changed is not told again: so it is taken away and given back. */
static void hold_all(uint32_t unused, uint32_t also_unused)
{
    (void)unused; (void)also_unused;
    for (uint32_t pin = 0; pin < 24; pin++) {
        if (!(driven[pin >> 3] >> (pin & 7) & 1)) continue;
        avr_raise_irq(pin_irq(pin), !(driven_high[pin >> 3] >> (pin & 7) & 1));
        hold(pin);
    }
}

static void bench_reset(avr_io_t *io)
{
    (void)io;
    unread = 0;
    avr->run_cycle_limit = executed ? 1 : CHIP_HZ / 1000;       /* instructions at a time; a reset sets it to 1 */
    arm();
    chip_at(avr->cycle + 1, hold_all, 0, 0);                    /* after every other module has been reset */
}

static avr_io_t bench = { .kind = "bench", .reset = bench_reset };

void chip_reset(enum chip_reset cause)
{
    static const uint8_t flag[] = { [RESET_POWER] = 1, [RESET_EXTERNAL] = 2, [RESET_BROWNOUT] = 4, [RESET_WATCHDOG] = 8 };
    avr_reset(avr);
    avr->state = cpu_Running;
    avr->data[MCUSR] = flag[cause];
}

/* Every avr-libc program ends with "cli; rjmp ." after main(): that is the loop. */
void chip_hang(void)
{
    for (uint32_t at = 0; at < avr->flashend; at += 2)
        if (avr->flash[at] == 0xFF && avr->flash[at + 1] == 0xCF) {
            avr->sreg[S_I] = 0;
            avr->interrupt_state = 0;
            avr->state = cpu_Running;
            avr->pc = at;
            return;
        }
}

static void complain(avr_t *unused, const int level, const char *format, va_list arguments)
{
    (void)unused;
    if (level <= LOG_ERROR) vfprintf(stderr, format, arguments);
}

static void no_sleep(avr_t *unused, avr_cycle_count_t cycles) { (void)unused; (void)cycles; }

static void eeprom_load(void)
{
    uint8_t bytes[EEPROM_BYTES];
    memset(bytes, 0xFF, sizeof bytes);
    FILE *file = eeprom_file ? fopen(eeprom_file, "rb") : NULL;
    if (file) {
        if (fread(bytes, 1, sizeof bytes, file) != sizeof bytes) fprintf(stderr, "emulator: short EEPROM file\n");
        fclose(file);
    }
    avr_eeprom_desc_t all = { .ee = bytes, .offset = 0, .size = sizeof bytes };
    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
}

void chip_eeprom(uint8_t out[EEPROM_BYTES])
{
    avr_eeprom_desc_t all = { .ee = out, .offset = 0, .size = EEPROM_BYTES };
    avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
}

bool chip_start(const char *elf, const char *eeprom_path, bool record_coverage)
{
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    avr_global_logger_set(complain);
    if (elf_read_firmware(elf, &firmware)) return false;
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr || avr_init(avr)) return false;
    avr_load_firmware(avr, &firmware);
    avr->frequency = CHIP_HZ;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->sleep = no_sleep;
    avr->log = LOG_ERROR;
    executed = record_coverage ? calloc(avr->flashend / 2 + 1, 1) : NULL;
    eeprom_file = eeprom_path;
    eeprom_load();

    uint32_t flags = 0;                           /* no echo on stdout, no usleep when the firmware polls */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), byte_out, NULL);
    avr_irq_register_notify(avr_iomem_getirq(avr, UDR0, "udr", AVR_IOMEM_IRQ_ALL), on_udr_access, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), sample, NULL);
    avr_register_io(avr, &bench);
    chip_reset(RESET_POWER);
    return true;
}

static void eeprom_save(void)
{
    uint8_t bytes[EEPROM_BYTES];
    chip_eeprom(bytes);
    FILE *file = fopen(eeprom_file, "wb");
    if (!file || fwrite(bytes, 1, sizeof bytes, file) != sizeof bytes) fprintf(stderr, "emulator: EEPROM not saved\n");
    if (file) fclose(file);
}

static void coverage_save(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) { fprintf(stderr, "emulator: cannot write %s\n", path); return; }
    for (uint32_t word = 0; word <= avr->flashend / 2; word++) if (executed[word]) fprintf(file, "%x\n", word * 2);
    fclose(file);
}

void chip_stop(const char *coverage_path)
{
    if (eeprom_file) eeprom_save();
    if (executed && coverage_path) coverage_save(coverage_path);
    free(executed);
    avr_terminate(avr);
}
