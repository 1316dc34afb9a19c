/* The die on an ATmega328P at 16 MHz (Arduino Uno or Nano). The only file that knows the controller.
 *
 * Theory of operation. Three interrupts do what must not wait: the timer counts milliseconds and debounces, the UART moves
 * bytes between its registers and two rings, and a change of a button's pin notes the time of the edge for the entropy
 * pool. The main loop does the rest: it hands bytes, buttons and noise samples to the die, ticks it every 4 ms, and sleeps
 * until the next interrupt. A long job (a hash, some 2 ms) is not begun when a button is about to settle, so a press
 * never waits for one. The watchdog resets a main loop that has not come round for 250 ms.
 *
 * Brown-out: below about 4 V a 16 MHz AVR may execute rubbish and write its EEPROM. The fuses of Uno and Nano stop it at
 * 2.7 V; 4.3 V is better (hardware/FLASHING.md). Whatever happens to one EEPROM record, the one before it survives.
 *
 * Stack: RAM above the variables is painted before main() starts; the paint that is left is what was never used. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stdbool.h>
#include <stdint.h>
#include <util/atomic.h>

#include "board.h"
#include "debounce.h"
#include "die.h"
#include "pins.h"

#define APPLY(macro, ...) macro(__VA_ARGS__)
#define PORT_(letter, bit) PORT##letter
#define INPUT_(letter, bit) PIN##letter
#define DIRECTION_(letter, bit) DDR##letter
#define MASK_(letter, bit) (uint8_t)(1u << (bit))
#define BIT_(letter, bit) (bit)
#define MASK(...) APPLY(MASK_, __VA_ARGS__)
#define IS_LOW(...) (!(APPLY(INPUT_, __VA_ARGS__) & MASK(__VA_ARGS__)))
#define PULL_UP(...) (APPLY(PORT_, __VA_ARGS__) |= MASK(__VA_ARGS__))
#define MAKE_OUTPUT(...) (APPLY(DIRECTION_, __VA_ARGS__) |= MASK(__VA_ARGS__))
#define SET(on, ...) do { \
        if (on) APPLY(PORT_, __VA_ARGS__) |= MASK(__VA_ARGS__); \
        else APPLY(PORT_, __VA_ARGS__) &= (uint8_t)~MASK(__VA_ARGS__); \
    } while (0)

#define BAUD_DIVIDER ((F_CPU + 4UL * DIE_BAUD) / (8UL * DIE_BAUD) - 1UL)    /* rounded, double speed */
#define RING 128u                                   /* power of two, at most 128; a whole frame fits */
#define RING_MASK (RING - 1u)
#define TICK_MS 4u
#define SLOW_SAMPLE_MS 8u                           /* once the source is trusted, fewer samples keep watch */
#define HEAR_AT_ONCE 16u                            /* bytes, before buttons and time get their turn again */
#define PAINT 0xC5u

static volatile uint32_t milliseconds;
static struct debounce debounce;
static volatile uint8_t changed_buttons;
static volatile uint16_t edge_time;
static volatile uint8_t rx_ring[RING], rx_head, rx_tail, tx_ring[RING], tx_head, tx_tail;
static volatile uint16_t overruns, framing_errors;

/* ---- before main() ---- */

extern uint8_t _end, __stack;
static uint8_t bootloader_says __attribute__((section(".noinit")));

/* Optiboot clears MCUSR and hands its value over in r2. */
__attribute__((naked, used, section(".init0"))) static void keep_reset_cause(void)
{
    __asm__ volatile("sts %0, r2" : : "i"(&bootloader_says));
}

__attribute__((naked, used, section(".init3"))) static void paint_stack(void)
{
    __asm__ volatile(
        "ldi r30, lo8(_end)\n\tldi r31, hi8(_end)\n\tldi r24, %0\n\tldi r25, hi8(__stack)\n"
        "1:\tst Z+, r24\n\tcpi r30, lo8(__stack)\n\tcpc r31, r25\n\tbrlo 1b\n\tbreq 1b\n" : : "M"(PAINT));
}

static uint8_t reset_cause(void)
{
    uint8_t cause = MCUSR & 0x0Fu;
    MCUSR = 0;
    return cause ? cause : bootloader_says & 0x0Fu;
}

/* ---- interrupts ---- */

static inline uint8_t raw_buttons(void)
{
    uint8_t down = 0;
    if (IS_LOW(PIN_BUTTON_A)) down |= BUTTON_A;
    if (IS_LOW(PIN_BUTTON_B)) down |= BUTTON_B;
    if (IS_LOW(PIN_BUTTON_C)) down |= BUTTON_C;
    return down;
}

ISR(TIMER0_COMPA_vect)
{
    milliseconds++;
    changed_buttons |= debounce_sample(&debounce, raw_buttons());
    PCICR = _BV(PCIE2);
}

/* The first edge within a millisecond; then silent until the next tick, so that a humming wire cannot eat the processor. */
ISR(PCINT2_vect)
{
    edge_time = TCNT1;
    PCICR = 0;
}

static inline void count(volatile uint16_t *counter)
{
    if (*counter != UINT16_MAX) (*counter)++;
}

ISR(USART_RX_vect)
{
    uint8_t status = UCSR0A, byte = UDR0, next = (rx_head + 1u) & RING_MASK;
    if (status & _BV(FE0)) count(&framing_errors);
    if (status & _BV(DOR0)) count(&overruns);
    if (next == rx_tail) {
        count(&overruns);
    } else {
        rx_ring[rx_head] = byte;
        rx_head = next;
    }
}

ISR(USART_UDRE_vect)
{
    UDR0 = tx_ring[tx_tail];
    tx_tail = (tx_tail + 1u) & RING_MASK;
    if (tx_tail == tx_head) UCSR0B &= (uint8_t)~_BV(UDRIE0);    /* with the last byte, not after it */
}

/* ---- what the die asks for (board.h) ---- */

uint32_t board_now(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = milliseconds; }
    return now;
}

bool board_send(const char *bytes, uint8_t count)
{
    uint8_t head = tx_head, room = (tx_tail - head - 1u) & RING_MASK;
    if (count > room) return false;
    while (count--) {
        tx_ring[head] = (uint8_t)*bytes++;
        head = (head + 1u) & RING_MASK;
    }
    tx_head = head;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { if (tx_head != tx_tail) UCSR0B |= _BV(UDRIE0); }
    return true;
}

void board_lights(uint16_t lights)
{
    uint8_t one = (uint8_t)(lights >> LIGHTS_ONE), two = (uint8_t)(lights >> LIGHTS_TWO);
    SET(one & 1u, PIN_ONE_CENTRE);
    SET(one & 2u, PIN_ONE_FALLING);
    SET(one & 4u, PIN_ONE_RISING);
    SET(one & 8u, PIN_ONE_MIDDLE);
    SET(two & 1u, PIN_TWO_CENTRE);
    SET(two & 2u, PIN_TWO_FALLING);
    SET(two & 4u, PIN_TWO_RISING);
    SET(two & 8u, PIN_TWO_MIDDLE);
    SET(lights & LIGHT_BIT_TURN, PIN_TURN);
    SET(lights & LIGHT_BIT_THINK, PIN_THINK);
    SET(lights & LIGHT_BIT_SEARCH, PIN_SEARCH);
    SET(lights & LIGHT_BIT_ALIVE, PIN_ALIVE);
}

void board_remember(uint16_t address, uint8_t byte)
{
    eeprom_update_byte((uint8_t *)address, byte);
}

uint8_t board_remembered(uint16_t address)
{
    return eeprom_read_byte((const uint8_t *)address);
}

static uint16_t read_counter(const volatile uint16_t *counter)
{
    uint16_t value;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { value = *counter; }
    return value;
}

uint16_t board_overruns(void) { return read_counter(&overruns); }
uint16_t board_framing_errors(void) { return read_counter(&framing_errors); }

uint16_t board_stack_free(void)
{
    const uint8_t *at = &_end;
    while (at <= &__stack && *at == PAINT) at++;
    return (uint16_t)(at - &_end);
}

/* ---- main loop ---- */

static void set_up_pins(void)
{
    PULL_UP(PIN_BUTTON_A);
    PULL_UP(PIN_BUTTON_B);
    PULL_UP(PIN_BUTTON_C);
    MAKE_OUTPUT(PIN_ONE_CENTRE);
    MAKE_OUTPUT(PIN_ONE_FALLING);
    MAKE_OUTPUT(PIN_ONE_RISING);
    MAKE_OUTPUT(PIN_ONE_MIDDLE);
    MAKE_OUTPUT(PIN_TWO_CENTRE);
    MAKE_OUTPUT(PIN_TWO_FALLING);
    MAKE_OUTPUT(PIN_TWO_RISING);
    MAKE_OUTPUT(PIN_TWO_MIDDLE);
    MAKE_OUTPUT(PIN_TURN);
    MAKE_OUTPUT(PIN_THINK);
    MAKE_OUTPUT(PIN_SEARCH);
    MAKE_OUTPUT(PIN_ALIVE);
    PCMSK2 = MASK(PIN_BUTTON_A) | MASK(PIN_BUTTON_B);
}

static void set_up_clocks_and_line(void)
{
    TCCR0A = _BV(WGM01);                            /* 1 kHz: 16 MHz / 64 / 250 */
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);
    TCCR1B = _BV(CS10);                             /* 16 MHz, free: for the edges */
    ADMUX = _BV(REFS0) | APPLY(BIT_, PIN_NOISE);    /* against 5 V; 125 kHz */
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
    UCSR0A = _BV(U2X0);
    UBRR0 = BAUD_DIVIDER;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);             /* 8 bits, no parity, 1 stop bit */
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

static void hear_host(void)
{
    for (uint8_t left = HEAR_AT_ONCE; left && rx_tail != rx_head; left--) {
        uint8_t byte = rx_ring[rx_tail];
        rx_tail = (rx_tail + 1u) & RING_MASK;
        die_hear(byte);
    }
}

static void look_at_buttons(void)
{
    uint8_t changed, down;
    uint16_t edge;
    if (!changed_buttons) return;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        changed = changed_buttons;
        down = debounce.settled;
        edge = edge_time;
        changed_buttons = 0;
    }
    die_buttons(changed, down, edge);
}

static void take_sample(void)
{
    if (ADCSRA & _BV(ADSC)) return;
    uint8_t raw = ADCL;
    (void)ADCH;                                     /* reading the high byte lets the next result in */
    ADCSRA |= _BV(ADSC);
    die_sample(raw);
}

static uint8_t ticked, sampled;                     /* low bytes of the millisecond count */

static uint8_t time_low(void)
{
    return (uint8_t)milliseconds;                   /* one byte: read at once, no need to stop interrupts */
}

static bool is_tick_due(uint8_t now) { return (uint8_t)(now - ticked) >= TICK_MS; }
static bool is_sample_due(uint8_t now) { return (uint8_t)(now - sampled) >= (die_wants_samples() ? 1u : SLOW_SAMPLE_MS); }

static void mark_time(void)
{
    uint8_t now = time_low();
    if (is_sample_due(now)) {
        sampled = now;
        take_sample();
    }
    if (is_tick_due(now)) {
        ticked = now;
        die_tick();
    }
}

static bool is_nothing_to_do(void)
{
    uint8_t now = time_low();
    return rx_tail == rx_head && !changed_buttons && !is_tick_due(now) && !is_sample_due(now);
}

/* Interrupts are stopped while looking, so nothing can come between the look and the sleep; they are let in again with
 * the instruction after sei(), which is the sleep itself. */
static void sleep_while_idle(void)
{
    cli();
    while (is_nothing_to_do()) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
        cli();
    }
    sei();
}

int main(void)
{
    uint8_t cause = reset_cause();
    wdt_enable(WDTO_250MS);
    set_up_pins();
    set_up_clocks_and_line();
    debounce.settled = raw_buttons();               /* a button that is held while switching on is no press */
    sei();
    die_start(cause, debounce.settled);
    for (;;) {
        wdt_reset();
        hear_host();
        look_at_buttons();
        mark_time();
        if (debounce_is_about_to_settle(&debounce) || !die_work()) sleep_while_idle();
    }
}
