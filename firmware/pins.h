/* Where everything is soldered: the one place where pins have names.
 *
 * PIN(name) is a port letter and a bit; hardware/pins.csv says the same for people, the wiring drawings are made from
 * it, and a test compares the two. Board numbers are those printed on an Arduino Uno or Nano.
 *
 * A seven-LED face needs only four lines: the centre, two diagonals and the middle row. The two LEDs of a pair are never
 * lit apart, so they share a line, each with its own resistor. Eight lines for two dice leave pins to spare: no
 * charlieplexing, no multiplexing, nothing that flickers when the processor is busy, and a builder can test each LED
 * with a wire. */
#ifndef PINS_H
#define PINS_H

#ifndef DIE_BAUD
#define DIE_BAUD 250000                 /* divides 16 MHz exactly; see PROTOCOL.md, section 1 */
#endif

/* Buttons: to ground, with the pull-up inside the chip. */
#define PIN_BUTTON_A        D, 2        /* board D2: rolls one die, or what is due */
#define PIN_BUTTON_B        D, 3        /* board D3: rolls two dice, or what is due */
#define PIN_BUTTON_C        B, 4        /* board D12: the spare button, reported to the host; optional */

/* First die. */
#define PIN_ONE_CENTRE      D, 4        /* board D4: one LED */
#define PIN_ONE_FALLING     D, 5        /* board D5: top left and bottom right */
#define PIN_ONE_RISING      D, 6        /* board D6: bottom left and top right */
#define PIN_ONE_MIDDLE      D, 7        /* board D7: middle left and middle right */

/* Second die. */
#define PIN_TWO_CENTRE      B, 0        /* board D8 */
#define PIN_TWO_FALLING     B, 1        /* board D9 */
#define PIN_TWO_RISING      B, 2        /* board D10 */
#define PIN_TWO_MIDDLE      B, 3        /* board D11 */

/* State light: one LED a state. */
#define PIN_TURN            C, 1        /* board A1: green, your turn */
#define PIN_THINK           C, 2        /* board A2: yellow, the table is thinking */
#define PIN_SEARCH          C, 3        /* board A3: blue, the host is not heard */
#define PIN_ALIVE           B, 5        /* board D13: the LED on the board, blinks while the firmware runs */

/* Noise: an analogue input on a high-impedance divider with a short loose wire. */
#define PIN_NOISE           C, 0        /* board A0 */

#endif
