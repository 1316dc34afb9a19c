#!/usr/bin/env bash
# Makes the companion a service of a Raspberry Pi (Raspberry Pi OS Bookworm or newer) or of any Debian 12 or newer.
#
#   sudo hardware/install.sh              install, or update to what lies in this folder; may be run again at any time
#   sudo hardware/install.sh --update     fetch the newest version with git first, then the same
#   sudo hardware/install.sh --rollback   back to the version before; again: forward
#   sudo hardware/install.sh --uninstall  take it away; games and settings stay (with --purge they go too)
#   hardware/install.sh --dry-run         say what would be done, and do nothing
#
# Further: --port 8080 (instead of 80), --name games (the box is then games.local).
#
# Each version has a folder of its own under /opt/tabletop-companion/releases; "current" points at the one in use and "previous" at
# the one before. A version that does not start is taken back by itself.
set -euo pipefail

SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
HOME_FOLDER=/opt/tabletop-companion
STATE=/var/lib/tabletop-companion
SETTINGS=/etc/tabletop-companion.toml
UNIT=tabletop-companion.service
UNIT_FILE=/etc/systemd/system/$UNIT
JOURNALD_FILE=/etc/systemd/journald.conf.d/tabletop-companion.conf
AVAHI_FILE=/etc/avahi/services/tabletop-companion.service
ACCOUNT=companion
NEEDED="python3 python3-venv avahi-daemon flite espeak-ng alsa-utils libgl1 libglib2.0-0"
ON_A_PI="python3-picamera2 python3-lgpio"  # camera and pins; apt knows them on Raspberry Pi OS
GROUPS_WANTED="video dialout gpio audio"   # camera, dice, buttons, sound

task=install dry=no purge=no port=80 name=""

say()  { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

# Do a command, or in a dry run only say it.
run() {
  if [ "$dry" = yes ]; then say "  would run: $*"; else "$@"; fi
}

# Put standard input into a file, if it does not hold that already.
put() {
  local file=$1 text
  text=$(cat)
  if [ -f "$file" ] && [ "$(cat "$file")" = "$text" ]; then return; fi
  if [ "$dry" = yes ]; then say "  would write: $file"; return; fi
  mkdir -p "$(dirname "$file")"
  printf '%s\n' "$text" > "$file.new"
  mv "$file.new" "$file"
}

systemd_runs() { [ -d /run/systemd/system ]; }

read_words() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --dry-run) dry=yes ;;
      --update) task=update ;;
      --rollback) task=rollback ;;
      --uninstall) task=uninstall ;;
      --purge) purge=yes ;;
      --port) port=${2:-}; shift ;;
      --name) name=${2:-}; shift ;;
      -h|--help) sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; exit 0 ;;
      *) fail "I do not know '$1'; --help tells what there is" ;;
    esac
    shift || fail "the last word lacks its value"
  done
  [[ "$port" =~ ^[1-9][0-9]{0,4}$ ]] && [ "$port" -le 65535 ] || fail "--port: a number from 1 to 65535, not '$port'"
  [ -z "$name" ] || [[ "$name" =~ ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$ ]] || fail "--name: small letters, digits and '-', not '$name'"
  [ "$purge" = no ] || [ "$task" = uninstall ] || fail "--purge goes with --uninstall"
}

check_machine() {
  local id="" id_like="" version=0
  if [ -r /etc/os-release ]; then
    # shellcheck disable=SC1091
    id=$(. /etc/os-release; echo "${ID:-}") id_like=$(. /etc/os-release; echo "${ID_LIKE:-}")
    # shellcheck disable=SC1091
    version=$(. /etc/os-release; echo "${VERSION_ID:-0}")
  fi
  case " $id $id_like " in *" debian "*|*" raspbian "*) ;; *) fail "this is not Debian or Raspberry Pi OS; see hardware/PI.md" ;; esac
  [ "$id" != debian ] && [ "$id" != raspbian ] || [ "${version%%.*}" -ge 12 ] || fail "Raspberry Pi OS Bookworm (Debian 12) or newer is needed"
  [ "$(id -u)" = 0 ] || [ "$dry" = yes ] || fail "run it with sudo (or with --dry-run to see what it would do)"
}

is_installed() {  # newer Debians call some libraries NAMEt64
  { dpkg-query -W -f='${db:Status-Status}\n' "$1" "${1}t64" 2>/dev/null || true; } | grep -qx installed
}

install_packages() {
  say "Packages"
  local package missing="" optional=""
  for package in $NEEDED; do is_installed "$package" || missing="$missing $package"; done
  for package in $ON_A_PI; do is_installed "$package" || optional="$optional $package"; done
  [ -n "$missing$optional" ] || return 0
  run apt-get update -qq
  for package in $optional; do
    if [ -n "$(apt-cache policy "$package" 2>/dev/null)" ]; then missing="$missing $package"
    else say "  not to be had here, so left out: $package"; fi
  done
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086
  run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
}

make_account() {
  say "Account $ACCOUNT"
  getent passwd "$ACCOUNT" >/dev/null || run useradd --system --user-group --home-dir "$STATE" --no-create-home --shell /usr/sbin/nologin "$ACCOUNT"
  local group
  for group in $GROUPS_WANTED; do
    getent group "$group" >/dev/null || continue
    id -nG "$ACCOUNT" 2>/dev/null | grep -qw "$group" || run usermod --append --groups "$group" "$ACCOUNT"
  done
}

release_name() {
  local version hash
  version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$SOURCE/pyproject.toml" | head -n1)
  hash=$(cd "$SOURCE" && find companion web vision pyproject.toml -type f ! -path '*__pycache__*' -print0 | LC_ALL=C sort -z |
         xargs -0 sha256sum | sha256sum | cut -c1-12)
  echo "$version-$hash"
}

build_release() {
  local folder=$HOME_FOLDER/releases/$1 site
  say "Version $1"
  if [ -e "$folder/complete" ]; then say "  is here already"; return; fi
  run rm -rf "$folder"
  run mkdir -p "$folder/source"
  # A copy, so that building leaves nothing behind in the checkout.
  run cp -r "$SOURCE/companion" "$SOURCE/web" "$SOURCE/vision" "$SOURCE/pyproject.toml" "$SOURCE/README.md" "$folder/source/"
  run /usr/bin/python3 -m venv --system-site-packages "$folder/venv"
  run "$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$folder/source"
  # Bookworm's camera library wants a simplejpeg that fits the newer numpy which OpenCV brings along.
  if [ "$dry" = no ] && "$folder/venv/bin/python" -c 'import importlib.util as u, sys; sys.exit(u.find_spec("picamera2") is None)'; then
    "$folder/venv/bin/python" -c 'import simplejpeg' 2>/dev/null ||
      "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps simplejpeg
  fi
  run "$folder/venv/bin/companion" games --json > /dev/null || fail "the new version does not start; nothing was changed"
  run rm -rf "$folder/source"
  run touch "$folder/complete"
}

put_files() {
  say "Settings and service"
  [ -e "$SETTINGS" ] || printf '# Settings of the companion; `companion config` prints all there are.\n[web]\nport = %s\n' "$port" | put "$SETTINGS"
  put "$UNIT_FILE" < "$SOURCE/hardware/pi/$UNIT"
  put "$JOURNALD_FILE" < "$SOURCE/hardware/pi/journald.conf"
  sed "s/@PORT@/$port/" "$SOURCE/hardware/pi/avahi.service" | put "$AVAHI_FILE"
  [ -z "$name" ] || rename_box "$name"
}

rename_box() {
  local before
  before=$(cat /etc/hostname 2>/dev/null || echo raspberrypi)
  [ "$before" != "$1" ] || return 0
  say "The box is called $1 from now on (before: $before)"
  [ -e "$HOME_FOLDER/hostname-before" ] || put "$HOME_FOLDER/hostname-before" <<< "$before"
  put /etc/hostname <<< "$1"
  if grep -q '^127\.0\.1\.1' /etc/hosts 2>/dev/null; then
    run sed -i "s/^127\.0\.1\.1.*/127.0.1.1\t$1/" /etc/hosts
  else
    run sh -c "printf '127.0.1.1\t%s\n' '$1' >> /etc/hosts"
  fi
  run hostname "$1" || true  # a container may forbid it; the next start of the box does it
}

point_at() {
  local before
  before=$(readlink "$HOME_FOLDER/current" 2>/dev/null || true)
  [ "$before" != "releases/$1" ] || return 0
  [ -z "$before" ] || run ln -sfn "$before" "$HOME_FOLDER/previous"
  run ln -sfn "releases/$1" "$HOME_FOLDER/current"
}

start_service() {
  if ! systemd_runs; then
    [ "$dry" = yes ] || systemctl enable --quiet "$UNIT" 2>/dev/null || true
    say "systemd does not run here, so nothing was started. By hand: runuser -u $ACCOUNT -- $HOME_FOLDER/current/venv/bin/companion run"
    return 0
  fi
  run systemctl daemon-reload
  run systemctl enable --quiet "$UNIT"
  run systemctl restart systemd-journald avahi-daemon
  run systemctl restart "$UNIT"  # waits until the companion says that it is ready
}

forget_old_releases() {
  [ -d "$HOME_FOLDER/releases" ] || return 0
  local folder keep
  keep=" $(readlink "$HOME_FOLDER/current" 2>/dev/null || true) $(readlink "$HOME_FOLDER/previous" 2>/dev/null || true) "
  for folder in "$HOME_FOLDER"/releases/*; do
    case "$keep" in *" releases/${folder##*/} "*) ;; *) run rm -rf "$folder" ;; esac
  done
}

install_it() {
  local release
  install_packages
  make_account
  release=$(release_name)
  build_release "$release"
  put_files
  point_at "$release"
  if ! start_service; then
    say "The new version does not start."
    [ ! -e "$HOME_FOLDER/previous" ] || roll_back
    fail "see: journalctl -u $UNIT"
  fi
  [ "$dry" = yes ] || forget_old_releases
  say "Done. Phones find the table at http://$(cat /etc/hostname 2>/dev/null || hostname).local$([ "$port" = 80 ] || echo ":$port")"
  say "The host's code:  sudo journalctl -u $UNIT | grep code"
}

roll_back() {
  local current previous
  current=$(readlink "$HOME_FOLDER/current" 2>/dev/null || true)
  previous=$(readlink "$HOME_FOLDER/previous" 2>/dev/null || true)
  [ -n "$previous" ] && [ -e "$HOME_FOLDER/$previous/complete" ] || fail "there is no version before this one"
  say "Back to ${previous#releases/}"
  run ln -sfn "$previous" "$HOME_FOLDER/current"
  run ln -sfn "$current" "$HOME_FOLDER/previous"
  start_service
}

uninstall() {
  say "Taking the companion away"
  if systemd_runs; then
    run systemctl disable --now --quiet "$UNIT" || true
  elif [ "$dry" = no ]; then
    systemctl disable --quiet "$UNIT" 2>/dev/null || true
  fi
  if [ -e "$HOME_FOLDER/hostname-before" ]; then rename_box "$(cat "$HOME_FOLDER/hostname-before")"; fi
  run rm -rf "$UNIT_FILE" "$JOURNALD_FILE" "$AVAHI_FILE" "$HOME_FOLDER"
  if systemd_runs; then run systemctl daemon-reload; run systemctl restart systemd-journald; fi
  if [ "$purge" = yes ]; then
    run rm -rf "$SETTINGS" "$STATE"
    if getent passwd "$ACCOUNT" >/dev/null; then run userdel "$ACCOUNT"; fi
  else
    say "Kept: $SETTINGS and the games in $STATE (--purge takes them too). Packages stay as they are."
  fi
}

read_words "$@"
check_machine
case "$task" in
  install) install_it ;;
  update) run git -C "$SOURCE" pull --ff-only; install_it ;;
  rollback) roll_back ;;
  uninstall) uninstall ;;
esac
