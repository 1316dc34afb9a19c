/* The serial line between the chip and a PTY: bytes take the time that they take on a wire, and each direction has
 * its own faults. */
#ifndef LINE_H
#define LINE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum way { TO_DIE, TO_HOST };

/* Probabilities: of a flipped bit, a lost, doubled or foreign byte, for each byte; of a doubled or cut frame, for
 * each frame. */
struct faults { double corrupt, drop, double_bytes, noise, double_frames, truncate; };
extern struct faults line_faults[2];

/* A frame as the die sent it, before any fault: first and last moment on the wire. */
struct sent { uint64_t start, end; char text[128]; };

void line_start(const char *link_path, unsigned baud, bool reset_on_open);
void line_plug(void);
void line_unplug(void);
int line_fd(void);                                       /* to poll; -1 when unplugged */
void line_take_from_host(void);                          /* move what the host wrote onto the wire */
void line_send(enum way way, const uint8_t *bytes, size_t count, bool with_faults);
void line_overrun(unsigned bytes);                       /* the receiver loses that many of the next bytes */
bool line_watch_open(void);                              /* false: nobody has the PTY open. Opening it may reset */

void line_halt_after(unsigned frames);                   /* stop the run when the die has sent that many */
size_t line_frames(struct sent *out, size_t room);       /* and forget them */
size_t line_received(uint8_t *out, size_t room);         /* bytes that arrived while nobody had the PTY open */
void line_keep_received(bool keep);

struct line_counts { unsigned long to_host, to_die, faults, framing_errors, overruns, lost_by_host; };
extern struct line_counts line_counts;
unsigned line_host_baud(void);
void line_set_baud(unsigned baud);                       /* what a program on the PTY could set, too */
#endif
