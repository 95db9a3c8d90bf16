# shellcheck shell=bash
# Sourced after java.sh by scripts/cluster and scripts/aot: processes that outlive what started them, each in a directory of
# its own.
#
#   detach PLACE/NAME COMMAND…   starts it in a session of its own: its pid to that file, its output to PLACE/log
#   pid_in PLACE                 of PLACE/pid, if that process is there
#   runs PLACE                   whether it is; paused counts
#   signal PLACE SIGNAL          if it is
#   end PLACE SIGNAL             and waits until it is not; SIGKILL after STOP_SECONDS, and then false
#
# A pid is written with when its process started, so that a later process of that number is never taken for it.

# Alpha drains for 25 s at most.
STOP_SECONDS=30

now() { date +%s%N; }
seconds() { awk -v from="$1" -v to="$2" 'BEGIN { printf "%.1f", (to - from) / 1e9 }'; }

# In clock ticks since the machine's start; nothing if there is no such process, or it is a zombie.
started_at() {
  local stat fields
  { stat="$(< "/proc/$1/stat")"; } 2>/dev/null || return 0
  # The name, in brackets, may have blanks: fields count from behind it.
  read -ra fields <<< "${stat##*) }"
  [ "${fields[0]}" = Z ] || printf '%s\n' "${fields[19]}"
}

is_paused() {
  local stat
  { stat="$(< "/proc/$1/stat")"; } 2>/dev/null || return 1
  stat="${stat##*) }"
  [ "${stat%% *}" = T ]
}

record() { printf '%s %s\n' "$2" "$(started_at "$2")" > "$1"; }

# The pid in a file, if its process is there.
recorded() {
  local pid='' start=''
  [ ! -r "$1" ] || read -r pid start < "$1" || true
  [ -n "$pid" ] && [ -n "$start" ] && [ "$(started_at "$pid")" = "$start" ] && printf '%s\n' "$pid"
}

pid_in() { recorded "$1/pid" || true; }
runs() { [ -n "$(pid_in "$1")" ]; }

signal() {
  local pid
  pid="$(pid_in "$1")"
  [ -z "$pid" ] || send "$2" "$pid"
}

# To its children as well if it leads a group: a server may be the child of what was started.
send() {
  kill -s "$1" -- "-$2" 2>/dev/null || kill -s "$1" "$2" 2>/dev/null || true
}

detach() {
  local file="$1"
  shift
  mkdir -p "$(dirname "$file")"
  setsid "$@" >>"$(dirname "$file")/log" 2>&1 </dev/null 9>&- &
  record "$file" "$!"
}

end() {
  local pid deadline=$((SECONDS + STOP_SECONDS))
  pid="$(pid_in "$1")"
  [ -n "$pid" ] || return 0
  send "$2" "$pid"
  while runs "$1"; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      send KILL "$pid"
      while runs "$1"; do sleep 0.1; done
      return 1
    fi
    sleep 0.1
  done
}

# Whether port $2 of address $1 is open.
listens() { (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null; }
