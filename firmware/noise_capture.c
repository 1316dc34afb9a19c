/* Not the die: a program that only sends raw samples of the noise input, to see what a real board delivers.
 *
 * Theory of operation. The same pin, reference, clock and rate as in main.c: one conversion a millisecond, low byte only,
 * as two hex digits; a newline after 32. noise_report.py beside this file reads them and judges them by the die's own
 * health tests. Build with `make noise`, flash with `make flash-noise PORT=…`, and flash the die again afterwards. */
#include <avr/io.h>
#include <stdint.h>

#include "pins.h"

#define APPLY(macro, ...) macro(__VA_ARGS__)
#define BIT_(letter, bit) (bit)
#define BAUD_DIVIDER ((F_CPU + 4UL * DIE_BAUD) / (8UL * DIE_BAUD) - 1UL)
#define LINE 32u

static void send(uint8_t byte)
{
    while (!(UCSR0A & _BV(UDRE0))) {}
    UDR0 = byte;
}

static void send_digit(uint8_t nibble)
{
    send((uint8_t)(nibble < 10 ? '0' + nibble : 'A' + nibble - 10));
}

int main(void)
{
    TCCR0A = _BV(WGM01);                            /* 1 kHz */
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = 249;
    ADMUX = _BV(REFS0) | APPLY(BIT_, PIN_NOISE);
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
    UCSR0A = _BV(U2X0);
    UBRR0 = BAUD_DIVIDER;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(TXEN0);
    for (uint8_t column = 0;;) {
        while (!(TIFR0 & _BV(OCF0A))) {}
        TIFR0 = _BV(OCF0A);
        ADCSRA |= _BV(ADSC);
        while (ADCSRA & _BV(ADSC)) {}
        uint8_t raw = ADCL;
        (void)ADCH;
        send_digit(raw >> 4);
        send_digit(raw & 15u);
        if (++column < LINE) continue;
        column = 0;
        send('\n');
    }
}
