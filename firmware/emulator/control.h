/* Commands to the bench: one line in, one line of JSON out. README.md lists them. */
#ifndef CONTROL_H
#define CONTROL_H
#include <stdbool.h>

struct pace { double speed; bool paused, stop; };   /* speed 1 is real time, 0 as fast as possible */
extern struct pace pace;

void control_line(char *line);
#endif
