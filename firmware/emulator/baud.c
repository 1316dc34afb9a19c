/* Apart from line.c because the kernel's termios2 and the C library's <termios.h> cannot be included together. */
#include "baud.h"

#include <asm/termbits.h>
#include <sys/ioctl.h>

unsigned baud_of(int fd)
{
    struct termios2 settings;
    return ioctl(fd, TCGETS2, &settings) ? 0u : settings.c_ospeed;
}

void baud_set(int fd, unsigned baud)
{
    struct termios2 settings;
    if (ioctl(fd, TCGETS2, &settings)) return;
    settings.c_cflag &= ~(tcflag_t)CBAUD;
    settings.c_cflag |= BOTHER;
    settings.c_ispeed = settings.c_ospeed = baud;
    ioctl(fd, TCSETS2, &settings);
}
