/* What the die needs from the board that it runs on. A port to another controller is a new main.c that provides these and
 * calls die.h; everything else stays. */
#ifndef BOARD_H
#define BOARD_H
#include <stdbool.h>
#include <stdint.h>

/* Lights, one bit each: the four lines of either face, then the state lights. */
#define LIGHTS_ONE 0                    /* first die: bits 0 to 3 */
#define LIGHTS_TWO 4                    /* second die: bits 4 to 7 */
#define LIGHT_BIT_TURN 0x0100u
#define LIGHT_BIT_THINK 0x0200u
#define LIGHT_BIT_SEARCH 0x0400u
#define LIGHT_BIT_ALIVE 0x0800u

uint32_t board_now(void);                               /* milliseconds since boot */
bool board_send(const char *bytes, uint8_t count);      /* all of them or none, without waiting */
void board_lights(uint16_t lights);
void board_remember(uint16_t address, uint8_t byte);    /* into EEPROM; waits only for the byte before it */
uint8_t board_remembered(uint16_t address);             /* waits until what was written is safe */
uint16_t board_overruns(void);                          /* received bytes that were lost */
uint16_t board_framing_errors(void);
uint16_t board_stack_free(void);                        /* the fewest bytes that were ever free */
#endif
