/* Theory of operation. The receiver is the state table of PROTOCOL.md, section 2, one byte at a time, and keeps nothing
 * but the frame that it is in. '$' starts afresh from anywhere, so after any rubbish the next whole frame is read.
 * The CRC is computed a byte at a time with shifts: no table, and short on an 8-bit machine. */
#include "frame.h"

#include "text.h"

#define CRC_START 0xFFFFu

uint16_t frame_crc(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)((crc >> 8) | (crc << 8));
    crc = (uint16_t)(crc ^ byte);
    crc = (uint16_t)(crc ^ ((crc & 0xFFu) >> 4));
    crc = (uint16_t)(crc ^ (crc << 12));
    return (uint16_t)(crc ^ ((crc & 0xFFu) << 5));
}

void frame_count(uint16_t *counter)
{
    if (*counter != UINT16_MAX) (*counter)++;
}

void frame_receiver_reset(struct receiver *receiver)
{
    *receiver = (struct receiver){ .state = HUNT };
}

static void reject(struct receiver *receiver, uint16_t *counter)
{
    frame_count(counter);
    receiver->state = HUNT;
}

static void start(struct receiver *receiver)
{
    if (receiver->state != HUNT) frame_count(&receiver->format_errors);
    receiver->state = BODY;
    receiver->length = 0;
    receiver->computed = CRC_START;
}

static void take_body(struct receiver *receiver, uint8_t byte)
{
    if (byte == '*') {
        receiver->state = CRC;
        receiver->digits = 0;
        receiver->received = 0;
    } else if (byte < 0x20 || byte > 0x7E) {
        reject(receiver, &receiver->format_errors);
    } else if (receiver->length == BODY_MAX) {
        reject(receiver, &receiver->long_errors);
    } else {
        receiver->body[receiver->length++] = (char)byte;
        receiver->computed = frame_crc(receiver->computed, byte);
    }
}

static void take_digit(struct receiver *receiver, uint8_t byte)
{
    uint8_t digit;
    if (!text_read_nibble(byte, &digit)) {
        reject(receiver, &receiver->format_errors);
        return;
    }
    receiver->received = (uint16_t)((receiver->received << 4) | digit);
    if (++receiver->digits == 4) receiver->state = END;
}

static bool take_end(struct receiver *receiver, uint8_t byte)
{
    receiver->state = HUNT;
    if (byte != '\n') {
        frame_count(&receiver->format_errors);
        return false;
    }
    if (receiver->received != receiver->computed) {
        frame_count(&receiver->crc_errors);
        return false;
    }
    receiver->body[receiver->length] = 0;
    return true;
}

bool frame_receive(struct receiver *receiver, uint8_t byte)
{
    if (byte == '$') start(receiver);
    else if (receiver->state == BODY) take_body(receiver, byte);
    else if (receiver->state == CRC) take_digit(receiver, byte);
    else if (receiver->state == END) return take_end(receiver, byte);
    return false;
}

uint8_t frame_write(const char *body, char frame[FRAME_MAX])
{
    uint16_t crc = CRC_START;
    uint8_t length = 0;
    frame[length++] = '$';
    for (; *body; body++) {
        uint8_t byte = (uint8_t)*body;
        if (byte < 0x20 || byte > 0x7E || byte == '$' || byte == '*' || length > BODY_MAX) return 0;
        frame[length++] = *body;
        crc = frame_crc(crc, byte);
    }
    frame[length++] = '*';
    char *end = text_hex_byte(frame + length, (uint8_t)(crc >> 8));
    end = text_hex_byte(end, (uint8_t)crc);
    *end++ = '\n';
    return (uint8_t)(end - frame);
}
