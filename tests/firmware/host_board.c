/* The portable half of the firmware on the build machine: a board made of arrays, and a few loops that would be too slow in
 * Python. Compiled by portable.py with the sanitizers on. With FUZZ_MAIN it is a program that plays a script from stdin. */
#include <stdio.h>
#include <string.h>

#include "board.h"
#include "chacha.h"
#include "command.h"
#include "debounce.h"
#include "die.h"
#include "frame.h"

uint8_t host_eeprom[1024];
uint32_t host_now;
uint16_t host_lights;
char host_sent[65536];
size_t host_sent_count;
size_t host_line_room = sizeof host_sent;           /* how much the line takes before it is full */

uint32_t board_now(void) { return host_now; }
void board_lights(uint16_t lights) { host_lights = lights; }
uint8_t board_remembered(uint16_t address) { return host_eeprom[address]; }
void board_remember(uint16_t address, uint8_t byte) { host_eeprom[address] = byte; }
uint16_t board_overruns(void) { return 0; }
uint16_t board_framing_errors(void) { return 0; }
uint16_t board_stack_free(void) { return 999; }

bool board_send(const char *bytes, uint8_t count)
{
    if (host_sent_count + count > host_line_room) return false;
    memcpy(host_sent + host_sent_count, bytes, count);
    host_sent_count += count;
    return true;
}

/* Every delivered body, each followed by a newline, which no body can contain. */
size_t host_receive(struct receiver *receiver, const uint8_t *data, size_t count, char *out)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        if (!frame_receive(receiver, data[i])) continue;
        memcpy(out + length, receiver->body, receiver->length);
        length += receiver->length;
        out[length++] = '\n';
    }
    return length;
}

uint8_t host_debounce(struct debounce *debounce, uint8_t raw) { return debounce_sample(debounce, raw); }

#ifdef FUZZ_MAIN
/* Each byte below 0xF0 is heard from the host as it is; the others move buttons, noise, time and the line. */
int main(void)
{
    memset(host_eeprom, 0xFF, sizeof host_eeprom);
    die_start(1, 0);
    uint8_t down = 0;
    for (int byte; (byte = getchar()) != EOF;) {
        int argument = byte >= 0xF0 ? getchar() : 0;
        switch (byte) {
        case 0xF0: down ^= (uint8_t)(argument & 7); die_buttons((uint8_t)(argument & 7), down, (uint16_t)(argument * 257)); break;
        case 0xF1: for (int i = 0; i < argument * 4; i++) die_sample((uint8_t)(i * 37 + argument * i)); break;
        case 0xF2: for (int i = 0; i < argument * 4; i++) die_sample((uint8_t)argument); break;
        case 0xF3: host_now += (uint32_t)argument * 50u; die_tick(); break;
        case 0xF4: while (die_work()) {} break;
        case 0xF5: host_line_room = argument & 1 ? sizeof host_sent : host_sent_count; break;
        case 0xF6: host_now += 0x10000000u; die_tick(); break;
        case 0xF7: die_start((uint8_t)argument, down); break;
        default: die_hear((uint8_t)byte); break;
        }
        if (host_sent_count > sizeof host_sent / 2) {
            fwrite(host_sent, 1, host_sent_count, stdout);
            host_sent_count = 0;
        }
    }
    fwrite(host_sent, 1, host_sent_count, stdout);
    return 0;
}
#endif
