/* Theory of operation. A body is judged in the order of PROTOCOL.md, section 3: its head, its type, its fields. One
 * small function a type reads the fields; whatever is left over then is one field too many. Nothing is acted on here. */
#include "command.h"

#include "text.h"

#include <stdbool.h>

#define VERSION 1

static bool read_head(const char **at, uint8_t *ss)
{
    uint8_t letters = 0;
    if (!text_read_hex(at, ss, 1) || !text_next_field(at)) return false;
    const char *end = *at;
    while (*end >= 'A' && *end <= 'Z' && letters <= 8) {
        end++;
        letters++;
    }
    return letters >= 1 && letters <= 8 && (*end == ',' || *end == 0);
}

static bool read_number(const char **at, uint32_t least, uint32_t most, uint32_t *value)
{
    return text_next_field(at) && text_read_number(at, most, value) && *value >= least;
}

static bool read_hello(const char **at, struct command *command)
{
    if (!read_number(at, 0, UINT8_MAX, &command->number)) return false;
    if (command->number != VERSION) while (**at) (*at)++;       /* so that versions can meet: the rest is theirs */
    return true;
}

static bool read_nothing(const char **at, struct command *command)
{
    (void)at;
    (void)command;
    return true;
}

static bool read_ack(const char **at, struct command *command)
{
    return read_number(at, 0, UINT16_MAX, &command->number);
}

static bool read_due(const char **at, struct command *command)
{
    return read_number(at, 0, 2, &command->number);
}

static bool read_led(const char **at, struct command *command)
{
    static const char *const states[] = { "OFF", "TURN", "THINK", "SEARCH" };
    if (!text_next_field(at)) return false;
    for (command->number = LIGHT_OFF; command->number <= LIGHT_SEARCH; command->number++)
        if (text_read_word(at, states[command->number])) return true;
    return false;
}

static bool read_roll(const char **at, struct command *command)
{
    uint32_t sides;
    if (!read_number(at, 1, 5, &command->number) || !read_number(at, 2, 100, &sides)) return false;
    command->sides = (uint8_t)sides;
    return true;
}

static bool read_nonce(const char **at, struct command *command)
{
    return read_number(at, 0, UINT32_MAX, &command->number) && text_next_field(at)
        && text_read_hex(at, command->nonce, sizeof command->nonce);
}

static const struct {
    const char *word;
    bool (*read_fields)(const char **at, struct command *command);
} types[] = {
    [SAID_HELLO] = { "HELLO", read_hello }, [SAID_HB] = { "HB", read_nothing }, [SAID_ACK] = { "ACK", read_ack },
    [SAID_DUE] = { "DUE", read_due }, [SAID_LED] = { "LED", read_led }, [SAID_ROLL] = { "ROLL", read_roll },
    [SAID_COMMIT] = { "COMMIT", read_nothing }, [SAID_NONCE] = { "NONCE", read_nonce },
    [SAID_STAT] = { "STAT", read_nothing },
};

void command_read(const char *body, struct command *command)
{
    const char *at = body;
    command->verdict = COMMAND_DROP;
    if (!read_head(&at, &command->ss)) return;
    command->verdict = COMMAND_UNKNOWN;
    for (uint8_t type = 0; type < sizeof types / sizeof types[0]; type++) {
        if (!text_read_word(&at, types[type].word)) continue;
        command->type = type;
        command->verdict = types[type].read_fields(&at, command) && *at == 0 ? COMMAND_OK : COMMAND_ARG;
        return;
    }
}
