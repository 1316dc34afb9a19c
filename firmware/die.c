/* Theory of operation.
 *
 * The board calls in: bytes of the host, settled buttons, noise samples, and every few milliseconds the tick. Nothing here
 * waits. What must be quick (a press, an acknowledgement) is answered in the call; what takes long (hashes, stirring) is
 * a job that die_work() does when the board has time, always before it is needed.
 *
 * A press becomes a roll in one step: faces from the prepared stream, into the queue, onto the wire; only then lights.
 * A roll is made only if it can be queued, unless there is no host to queue it for. Section numbers are PROTOCOL.md's. */
#include "die.h"

#include <stddef.h>
#include <string.h>

#include "board.h"
#include "command.h"
#include "entropy.h"
#include "events.h"
#include "fair.h"
#include "frame.h"
#include "lifetime.h"
#include "lights.h"
#include "report.h"

#define HEARTBEAT_MS 1000u
#define HOST_GONE_MS 10000u
#define STUCK_MS 10000u
#define ID_WITHIN_MS 1000u
#define NO_COMMAND 0x100u

static struct receiver receiver;
static struct events events;
static struct entropy entropy;
static struct fair fair;
static struct lights lights;

static struct {
    uint8_t id[4], id_bytes_to_keep;
    bool has_id, is_announced;
    bool tells_id;                      /* it had its id when it announced itself; that does not change in a boot */
    uint16_t boot;
    uint8_t reset_cause;
    uint8_t heard;                      /* protocol version of the host, 0: none in this boot */
    bool host_gone;
    uint32_t heard_at, heartbeat_at;
    uint16_t last_command;              /* SS of the last command carried out, or NO_COMMAND */
    uint8_t due;                        /* dice due: 0 leaves it to the players */
    uint16_t alone;
    bool failure_told;
    uint8_t down, stuck;                /* buttons, as bits */
    uint32_t down_since[BUTTONS];
} die;

/* ---- sending ---- */

static bool send(const char *body)
{
    char frame[FRAME_MAX];
    return board_send(frame, frame_write(body, frame));
}

static void send_event_if_due(void)
{
    char body[BODY_MAX + 1];
    uint32_t now = board_now();
    const struct event *event = events_to_send(&events, now);
    if (event == NULL) return;
    report_event(body, die.boot, event);
    if (send(body)) events_sent(&events, now);
}

static void send_hello(void)
{
    char body[BODY_MAX + 1];
    struct hello hello = { .id = { 0 }, .boot = die.boot, .uptime = board_now(), .heard = die.heard,
                           .next_ss = events_oldest_ss(&events) };
    if (die.tells_id) memcpy(hello.id, die.id, sizeof hello.id);
    report_hello(body, &hello);
    send(body);
}

static void send_heartbeat(uint32_t now)
{
    char body[BODY_MAX + 1];
    die.heartbeat_at = now;
    report_heartbeat(body, die.boot, now);
    send(body);
}

/* ---- events (section 6) ---- */

static char button_letter(uint8_t index)
{
    return (char)('A' + index);
}

static void post(const struct event *event)
{
    if (die.heard) events_add(&events, event, board_now());     /* a full queue drops it */
}

static void post_fault(enum fault_code code, uint8_t button)
{
    struct event event = { .type = EVENT_FAULT, .at = board_now(), .what = (uint8_t)code,
                           .button = button_letter(button), .health = (uint8_t)entropy_health(&entropy) };
    post(&event);
}

static bool is_healthy(void)
{
    return entropy_health(&entropy) == HEALTH_OK;
}

static bool has_source_failed(void)
{
    enum health health = entropy_health(&entropy);
    return health == HEALTH_RCT || health == HEALTH_APT;
}

static void tell_standing_faults(void)
{
    for (uint8_t i = 0; i < BUTTONS; i++) if (die.stuck & (1u << i)) post_fault(FAULT_STUCK, i);
    if (has_source_failed()) post_fault(FAULT_ENTROPY, 0);
}

/* ---- rolls (section 7) ---- */

static void draw_secret(void)
{
    uint8_t secret[16];
    entropy_draw(&entropy, secret, sizeof secret);
    fair_set_secret(&fair, secret);
}

static bool has_room_for_roll(void)
{
    return events_room(&events) >= (fair.has_nonce ? 2u : 1u);
}

static void post_roll(char cause, uint8_t count, uint8_t sides, const uint8_t *faces)
{
    struct event roll = { .type = EVENT_ROLL, .at = board_now(), .number = fair.number, .button = cause, .what = sides,
                          .count = count, .nonce_used = fair.has_nonce };
    memcpy(roll.bytes, faces, count);
    post(&roll);
    if (!fair.has_nonce) return;
    struct event reveal = { .type = EVENT_REVEAL, .number = fair.number };
    memcpy(reveal.bytes, fair.secret, sizeof reveal.bytes);
    post(&reveal);
}

static bool roll(char cause, uint8_t count, uint8_t sides)
{
    uint8_t faces[FACES_MAX];
    if (!fair.has_secret) draw_secret();
    if (!fair_roll(&fair, count, sides, faces)) {
        fair_forget(&fair);
        return false;
    }
    if (die.heard && has_room_for_roll()) post_roll(cause, count, sides, faces);
    else frame_count(&die.alone);
    lights_roll(&lights, faces, count, board_now());
    fair_next(&fair);
    return true;
}

/* ---- buttons ---- */

static void press_to_roll(uint8_t index)
{
    bool has_host = die.heard && !die.host_gone;
    if (!is_healthy()) {
        post_fault(FAULT_ENTROPY, 0);
        lights_refuse(&lights, board_now());
    } else if (has_host && !has_room_for_roll()) {
        lights_refuse(&lights, board_now());
    } else {
        roll(button_letter(index), die.due ? die.due : (uint8_t)(index + 1u), 6);
    }
}

static void button_changed(uint8_t index, bool down)
{
    uint8_t bit = (uint8_t)(1u << index);
    if (down) {
        die.down_since[index] = board_now();
        if (bit != BUTTON_C) press_to_roll(index);
    } else if (die.stuck & bit) {
        die.stuck &= (uint8_t)~bit;
        post_fault(FAULT_FREED, index);
    }
    if (bit == BUTTON_C) {
        struct event event = { .type = EVENT_BUTTON, .at = board_now(), .button = button_letter(index), .what = down };
        post(&event);
    }
}

void die_buttons(uint8_t changed, uint8_t down, uint16_t edge)
{
    die.down = down;
    for (uint8_t i = 0; i < BUTTONS; i++)
        if (changed & (1u << i)) button_changed(i, down & (1u << i));
    send_event_if_due();
    entropy_absorb(&entropy, (uint8_t)edge);
    entropy_absorb(&entropy, (uint8_t)(edge >> 8));
}

static void watch_stuck_buttons(uint32_t now)
{
    for (uint8_t i = 0; i < BUTTONS; i++) {
        uint8_t bit = (uint8_t)(1u << i);
        if (!(die.down & bit) || die.stuck & bit || now - die.down_since[i] < STUCK_MS) continue;
        die.stuck |= bit;
        post_fault(FAULT_STUCK, i);
    }
}

/* ---- commands (sections 4 and 5) ---- */

static void refuse(uint8_t ss, enum refusal reason)
{
    char body[BODY_MAX + 1];
    report_refusal(body, ss, reason);
    send(body);
}

static void agree(uint8_t ss)
{
    char body[BODY_MAX + 1];
    die.last_command = ss;
    report_ok(body, ss);
    send(body);
}

static void hear_hello(uint32_t version)
{
    bool first = false;
    if (version == PROTOCOL_VERSION) {
        first = !die.heard;
        die.heard = PROTOCOL_VERSION;
        die.last_command = NO_COMMAND;
        events_send_again(&events, board_now());
    }
    send_hello();
    if (first) tell_standing_faults();
}

static void obey_roll(const struct command *command)
{
    if (command->ss == die.last_command) agree(command->ss);            /* a repeat: answered, not rolled again */
    else if (!is_healthy()) refuse(command->ss, REFUSED_ENTROPY);
    else if (!has_room_for_roll() || !roll('H', (uint8_t)command->number, command->sides))
        refuse(command->ss, REFUSED_BUSY);
    else agree(command->ss);
}

static void obey_commit(uint8_t ss)
{
    char body[BODY_MAX + 1];
    uint8_t commitment[16];
    if (!is_healthy()) {
        refuse(ss, REFUSED_ENTROPY);
        return;
    }
    if (!fair.has_secret) draw_secret();
    fair_commitment(&fair, commitment);
    die.last_command = ss;
    report_commitment(body, ss, fair.number, commitment);
    send(body);
}

static void obey_nonce(const struct command *command)
{
    if (command->number != fair.number) {
        refuse(command->ss, REFUSED_LATE);
        return;
    }
    fair_set_nonce(&fair, command->nonce);
    agree(command->ss);
}

static void obey_status(uint8_t ss)
{
    char body[BODY_MAX + 1];
    uint16_t rest = (uint16_t)(UINT16_MAX - receiver.format_errors);
    struct status status = {
        .uptime = board_now(), .crc_errors = receiver.crc_errors, .overruns = board_overruns(),
        .format_errors = receiver.long_errors > rest ? UINT16_MAX
                                                     : (uint16_t)(receiver.format_errors + receiver.long_errors),
        .framing_errors = board_framing_errors(), .alone = die.alone, .queued = events.count,
        .health = (uint8_t)entropy_health(&entropy), .stack_free = board_stack_free(), .reset_cause = die.reset_cause,
    };
    die.last_command = ss;
    report_status(body, ss, &status);
    send(body);
}

static void obey(const struct command *command)
{
    switch (command->type) {
    case SAID_HELLO: hear_hello(command->number); return;
    case SAID_HB: return;
    case SAID_ACK:
        if (command->number == die.boot) events_acknowledge(&events, command->ss, board_now());
        return;
    default: break;
    }
    if (!die.heard) {
        refuse(command->ss, REFUSED_HELLO);
        return;
    }
    switch (command->type) {
    case SAID_DUE:
        die.due = (uint8_t)command->number;
        agree(command->ss);
        return;
    case SAID_LED:
        lights.state = (uint8_t)command->number;
        agree(command->ss);
        return;
    case SAID_ROLL: obey_roll(command); return;
    case SAID_COMMIT: obey_commit(command->ss); return;
    case SAID_NONCE: obey_nonce(command); return;
    default: obey_status(command->ss); return;
    }
}

void die_hear(uint8_t byte)
{
    struct command command;
    if (!die.is_announced || !frame_receive(&receiver, byte)) return;
    command_read(receiver.body, &command);
    if (command.verdict == COMMAND_DROP) {
        frame_count(&receiver.format_errors);
        return;
    }
    die.heard_at = board_now();
    die.host_gone = false;
    if (command.verdict == COMMAND_OK) obey(&command);
    else if (command.verdict == COMMAND_UNKNOWN) refuse(command.ss, REFUSED_UNKNOWN);
    else if (command.type > SAID_ACK) refuse(command.ss, REFUSED_ARG);
    send_event_if_due();
}

/* ---- time ---- */

static void watch_host(uint32_t now)
{
    if (!die.heard || die.host_gone || now - die.heard_at < HOST_GONE_MS) return;
    die.host_gone = true;
    die.due = 0;
}

static void watch_health(void)
{
    bool failed = has_source_failed();
    if (failed && !die.failure_told) post_fault(FAULT_ENTROPY, 0);
    die.failure_told = failed;
}

/* A host knows a die by its id. On the very first start there is none until the pool has filled; the die says and hears
 * nothing for that second, so that it does not change its name under the host's hands. */
static void announce_when_ready(void)
{
    if (die.is_announced || (!die.has_id && board_now() < ID_WITHIN_MS)) return;
    die.is_announced = true;
    die.tells_id = die.has_id;
    send_hello();
}

/* One byte a tick: EEPROM is slow, and nothing here may wait. The CRC comes last. */
static void keep_id(void)
{
    if (!die.id_bytes_to_keep) return;
    lifetime_keep_id_byte(board_remember, die.id, (uint8_t)(LIFETIME_ID_BYTES - die.id_bytes_to_keep));
    die.id_bytes_to_keep--;
}

void die_tick(void)
{
    uint32_t now = board_now();
    announce_when_ready();
    watch_host(now);
    watch_health();
    watch_stuck_buttons(now);
    send_event_if_due();
    if (die.is_announced && now - die.heartbeat_at >= HEARTBEAT_MS) send_heartbeat(now);
    keep_id();
    board_lights(lights_at(&lights, die.host_gone ? LIGHT_SEARCH : lights.state, now));
}

/* ---- noise and long jobs ---- */

void die_sample(uint8_t raw)
{
    entropy_sample(&entropy, raw);
}

bool die_wants_samples(void)
{
    return !is_healthy();
}

static void draw_id(void)
{
    entropy_draw(&entropy, die.id, sizeof die.id);
    die.has_id = true;
    die.id_bytes_to_keep = LIFETIME_ID_BYTES;
}

bool die_work(void)
{
    if (is_healthy() && !fair.has_secret) draw_secret();
    else if (fair.has_secret && !fair.has_stream) fair_prepare(&fair);
    else if (entropy_must_stir(&entropy)) entropy_stir(&entropy);
    else if (is_healthy() && !die.has_id) draw_id();
    else return false;
    return true;
}

void die_start(uint8_t reset_cause, uint8_t buttons_down)
{
    memset(&die, 0, sizeof die);
    memset(&lights, 0, sizeof lights);
    frame_receiver_reset(&receiver);
    events_reset(&events);
    entropy_reset(&entropy);
    fair_reset(&fair);
    die.reset_cause = reset_cause;
    die.down = buttons_down;
    die.last_command = NO_COMMAND;
    die.boot = lifetime_next_boot(board_remembered, board_remember);
    die.has_id = lifetime_id(board_remembered, die.id);
    announce_when_ready();
}
