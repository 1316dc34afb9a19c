/* Theory of operation. One function a message, in the order of the table in PROTOCOL.md. All of them append field by field;
 * the longest, STAT's answer and a roll of five dice with a hundred sides, stay below the 80 bytes of a body, which a test
 * holds with every number at its largest. */
#include "report.h"

#include "text.h"

static const char *const health_words[] = { "OK", "START", "RCT", "APT" };

static char *begin(char *body, uint8_t ss, const char *type)
{
    char *at = text_hex_byte(body, ss);
    *at++ = ',';
    return text_word(at, type);
}

static char *number(char *at, uint32_t value)
{
    *at++ = ',';
    return text_number(at, value);
}

static char *letter(char *at, char value)
{
    *at++ = ',';
    *at++ = value;
    return at;
}

static char *word(char *at, const char *value)
{
    *at++ = ',';
    return text_word(at, value);
}

static char *hex(char *at, const uint8_t *bytes, uint8_t count)
{
    *at++ = ',';
    return text_hex(at, bytes, count);
}

void report_hello(char *body, const struct hello *hello)
{
    char *at = begin(body, 0, "HELLO");
    at = number(at, PROTOCOL_VERSION);
    at = word(at, FIRMWARE_RELEASE);
    at = hex(at, hello->id, 4);
    at = number(at, hello->boot);
    at = number(at, hello->uptime);
    at = hex(at, &hello->next_ss, 1);
    at = number(at, hello->heard);
    *at = 0;
}

void report_heartbeat(char *body, uint16_t boot, uint32_t uptime)
{
    char *at = begin(body, 0, "HB");
    at = number(at, boot);
    at = number(at, uptime);
    *at = 0;
}

static char *roll(char *at, const struct event *event)
{
    at = number(at, event->number);
    at = number(at, event->at);
    at = letter(at, event->button);
    at = number(at, event->what);
    at = number(at, event->nonce_used);
    for (uint8_t i = 0; i < event->count; i++) at = number(at, event->bytes[i]);
    return at;
}

static char *reveal(char *at, const struct event *event)
{
    at = number(at, event->number);
    return hex(at, event->bytes, 16);
}

static char *button(char *at, const struct event *event)
{
    at = number(at, event->at);
    at = letter(at, event->button);
    return letter(at, event->what ? 'D' : 'U');
}

static char *fault(char *at, const struct event *event)
{
    static const char *const codes[] = { "STUCK", "FREED", "ENTROPY" };
    at = number(at, event->at);
    at = word(at, codes[event->what]);
    return event->what == FAULT_ENTROPY ? word(at, health_words[event->health]) : letter(at, event->button);
}

void report_event(char *body, uint16_t boot, const struct event *event)
{
    static const struct {
        const char *word;
        char *(*fields)(char *at, const struct event *event);
    } types[] = {
        [EVENT_ROLL] = { "ROLL", roll }, [EVENT_REVEAL] = { "REVEAL", reveal },
        [EVENT_BUTTON] = { "BTN", button }, [EVENT_FAULT] = { "FAULT", fault },
    };
    char *at = begin(body, event->ss, types[event->type].word);
    at = number(at, boot);
    at = types[event->type].fields(at, event);
    *at = 0;
}

void report_ok(char *body, uint8_t ss)
{
    *begin(body, ss, "OK") = 0;
}

void report_refusal(char *body, uint8_t ss, enum refusal reason)
{
    static const char *const reasons[] = { "ARG", "UNKNOWN", "HELLO", "LATE", "BUSY", "ENTROPY" };
    *word(begin(body, ss, "ERR"), reasons[reason]) = 0;
}

void report_commitment(char *body, uint8_t ss, uint32_t roll_number, const uint8_t commitment[16])
{
    char *at = begin(body, ss, "OK");
    at = number(at, roll_number);
    at = hex(at, commitment, 16);
    *at = 0;
}

void report_status(char *body, uint8_t ss, const struct status *status)
{
    char *at = begin(body, ss, "OK");
    at = number(at, status->uptime);
    at = number(at, status->crc_errors);
    at = number(at, status->format_errors);
    at = number(at, status->overruns);
    at = number(at, status->framing_errors);
    at = number(at, status->alone);
    at = number(at, status->queued);
    at = word(at, health_words[status->health]);
    at = number(at, status->stack_free);
    at = hex(at, &status->reset_cause, 1);
    *at = 0;
}
