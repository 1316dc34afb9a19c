/* What the host says to the die, read from a body (PROTOCOL.md, sections 3 and 3.2). */
#ifndef COMMAND_H
#define COMMAND_H
#include <stdint.h>

enum command_type {
    SAID_HELLO, SAID_HB, SAID_ACK, SAID_DUE, SAID_LED, SAID_ROLL, SAID_COMMIT, SAID_NONCE, SAID_STAT,
};

enum command_verdict { COMMAND_OK, COMMAND_DROP, COMMAND_UNKNOWN, COMMAND_ARG };

enum light_state { LIGHT_OFF, LIGHT_TURN, LIGHT_THINK, LIGHT_SEARCH };

struct command {
    uint8_t verdict, type, ss;          /* type counts unless the verdict is DROP or UNKNOWN, ss unless it is DROP */
    uint32_t number;                    /* HELLO: version. ACK: boot. DUE, ROLL: count. LED: light. NONCE: number */
    uint8_t sides;                      /* ROLL */
    uint8_t nonce[16];                  /* NONCE */
};

void command_read(const char *body, struct command *command);
#endif
