#!/usr/bin/env bash
# Installs the Debian packages that the companion uses beside Python's own, where apt is there and one may.
#   hardware/packages.sh venv    for anything at all: Python with its virtual environments
#   hardware/packages.sh run     for playing: voices and sound, what OpenCV needs
#   hardware/packages.sh test    for `make test`: the die's compiler and emulator, a browser, voices
# Where it may not install, it says what is missing; what needs it is then skipped, and the run is not a full pass.
set -u
case "${1:-run}" in
  run)  wanted="flite espeak-ng alsa-utils libgl1 libglib2.0-0" ;;
  test) wanted="gcc make pkg-config gcc-avr binutils-avr avr-libc libsimavr-dev libelf-dev flite espeak-ng chromium fonts-dejavu-core libgl1 libglib2.0-0 systemd debootstrap" ;;
  venv) wanted="python3-venv" ;;
  *)    echo "packages.sh: say venv, run or test" >&2; exit 2 ;;
esac
[ "${1:-run}" = test ] && ! command -v npm >/dev/null && wanted="$wanted npm"
command -v dpkg-query >/dev/null || { echo "No Debian here: install by your own means: $wanted"; exit 0; }
missing=""
for package in $wanted; do
  # Newer Debians call some libraries NAMEt64.
  dpkg-query -W -f='${db:Status-Status}\n' "$package" "${package}t64" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ]; then as_root=""; elif sudo -n true 2>/dev/null; then as_root="sudo"; else as_root="no"; fi
if [ "$as_root" != no ]; then
  echo "Installing:$missing"
  $as_root apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null && exit 0
fi
case "${1:-run}" in
  run)  echo "Not installed:$missing. The companion runs without: what cannot be spoken is shown." ;;
  test) echo "NOT A FULL PASS: missing packages:$missing. The tests that need them are skipped." ;;
  venv) echo "Python's virtual environments are missing. Somebody who may has to install:$missing" >&2; exit 1 ;;
esac
exit 0
