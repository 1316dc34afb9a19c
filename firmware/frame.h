/* Frames: '$' body '*' CRC '\n' (PROTOCOL.md, section 2). Portable C, no I/O: bytes in, bodies out, and back. */
#ifndef FRAME_H
#define FRAME_H
#include <stdbool.h>
#include <stdint.h>

#define BODY_MAX 80u
#define FRAME_MAX (BODY_MAX + 7u)

enum receiver_state { HUNT, BODY, CRC, END };

struct receiver {
    char body[BODY_MAX + 1];            /* a delivered body, ended by a NUL */
    uint8_t length, state, digits;
    uint16_t computed, received;
    uint16_t crc_errors, format_errors, long_errors;    /* stop at 65535 */
};

uint16_t frame_crc(uint16_t crc, uint8_t byte);
void frame_receiver_reset(struct receiver *receiver);
bool frame_receive(struct receiver *receiver, uint8_t byte);      /* true: body holds a checked body */
uint8_t frame_write(const char *body, char frame[FRAME_MAX]);     /* length; 0 if the body may not be sent */
void frame_count(uint16_t *counter);                              /* up by one, never round to 0 */
#endif
