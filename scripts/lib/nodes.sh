# shellcheck shell=bash
# Sourced after alpha.sh, processes.sh and store.sh by scripts/cluster: the nodes, their networks, and the balancer. The
# settings NODES, STORE, PORT_BASE, NETWORK, JAVA_OPTS and ARGUMENTS are those of the cluster in DIR.

# Three Spring Boot applications that start at once on two busy cores take 20 s.
READY_SECONDS=120
# What a node that ended by itself is started again after: no busy loop while something is wrong for long.
RESTART_SECONDS=2
# A store that has just started may be too slow at first.
STARTS=3
# Nodes notice that they are cut off within 6 s; on busy cores later.
SETTLED_SECONDS=30
LOG_LINES_SHOWN=25
BALANCER_SECONDS=30
CURL_TIMED_OUT=28

all_nodes() { seq 1 "$NODES"; }

# One subnet for each port base, of the range for benchmarks (RFC 2544), which no network uses. This machine is 254.
subnet() { printf '198.18.%d' $((PORT_BASE / 256)); }
namespace_of() { printf 'alpha-%d-%d' "$PORT_BASE" "$1"; }
bridge() { printf 'alpha%d' "$PORT_BASE"; }

machine_address() { if [ "$NETWORK" = namespaces ]; then echo "$(subnet).254"; else echo 127.0.0.1; fi; }
# For people on this machine, whatever the nodes' network is.
balancer_address() { echo 127.0.0.1; }
host_of() { if [ "$NETWORK" = namespaces ]; then echo "$(subnet).$1"; else echo 127.0.0.1; fi; }
grpc_port() { echo $((PORT_BASE + 100 * $1 + 71)); }
http_port() { echo $((PORT_BASE + 100 * $1 + 90)); }
remoting_port() { echo $((PORT_BASE + 100 * $1 + 70)); }
grpc_of() { echo "$(host_of "$1"):$(grpc_port "$1")"; }
http_of() { echo "$(host_of "$1"):$(http_port "$1")"; }
remoting_of() { echo "$(host_of "$1"):$(remoting_port "$1")"; }

# joined FUNCTION: of all nodes, separated by commas.
joined() {
  local n all=()
  for n in $(all_nodes); do all+=("$("$1" "$n")"); done
  (IFS=,; echo "${all[*]}")
}

can_have_namespaces() { [ "$(id -u)" = 0 ] && has_program ip && unshare --net true 2>/dev/null; }

# ---- set-up

set_up_cluster() {
  set_up
  local packages=()
  has_program haproxy || packages+=(haproxy)
  has_program curl || packages+=(curl)
  [ "$NETWORK" != namespaces ] || has_program iptables || packages+=(iptables)
  require_packages 'scripts/cluster' "${packages[@]}" || exit 1
  set_up_store
}

# The cluster runs a copy of the jar and the libraries beside it: a build would pull them from under the nodes. A node
# that starts takes the newest copy, DIR/alpha. An AOT cache compares times, so they are kept; it may yet be made.
take_jar() {
  local jar="${JAR:-$ALPHA_BUILT}" copy
  [ -n "$JAR" ] || build_alpha
  ! same_release "$jar" "$DIR/alpha" || return 0
  mkdir -p "$DIR"
  copy="$(mktemp -d "$DIR/alpha.XXXXXX")"
  cp -p "$jar" "$copy/alpha-server.jar"
  cp -rp "$(dirname "$jar")/lib" "$copy"
  ln -s "$(readlink -f "${jar%.jar}").aot" "$copy/alpha-server.aot"
  ln -sfn "$copy" "$DIR/alpha"
}

# The same build made again has other times, and an AOT cache of its own.
same_release() {
  [ ! "$1" -nt "$2/alpha-server.jar" ] && [ ! "$1" -ot "$2/alpha-server.jar" ] \
    && cmp -s "$1" "$2/alpha-server.jar" && diff -rq "$(dirname "$1")/lib" "$2/lib" >/dev/null
}

# What an earlier cluster in this directory was told.
clear_traces() {
  local n
  for n in "$DIR"/node-* "$DIR/store" "$DIR/balancer"; do
    rm -f "$n/stays-dead" "$n/cut" "$n/log" "$n/ended" "$n/founds"
  done
  local current
  current="$(readlink "$DIR/alpha")"
  for n in "$DIR"/alpha.*; do
    [ "$n" = "$current" ] || rm -rf "$n"
  done
}

require_free_ports() {
  local n taken='' ports=("$(store_port)" $((PORT_BASE + 71)) $((PORT_BASE + 90)) $((PORT_BASE + 99)))
  for n in $(all_nodes); do
    [ "$NETWORK" = namespaces ] || ports+=("$(grpc_port "$n")" "$(http_port "$n")" "$(remoting_port "$n")")
  done
  for n in "${ports[@]}"; do
    ! listens 127.0.0.1 "$n" || taken="$taken $n"
  done
  [ -z "$taken" ] || fail "In use already:$taken. Stop what listens there, or choose another --port-base."
}

# ---- networks

make_network() {
  [ "$NETWORK" = namespaces ] || return 0
  local n name pids
  for n in $(all_nodes); do
    name="$(namespace_of "$n")"
    pids="$(ip netns pids "$name" 2>/dev/null | tr '\n' ' ' || true)"
    [ -z "$pids" ] || fail "Port base $PORT_BASE is that of another cluster (processes $pids): choose another."
  done
  drop_network
  ip link add "$(bridge)" type bridge
  ip address add "$(machine_address)/24" dev "$(bridge)"
  ip link set "$(bridge)" up
  for n in $(all_nodes); do
    name="$(namespace_of "$n")"
    ip netns add "$name"
    ip link add "al$PORT_BASE-$n" type veth peer name eth0 netns "$name"
    ip link set "al$PORT_BASE-$n" master "$(bridge)" up
    ip -n "$name" address add "$(host_of "$n")/24" dev eth0
    ip -n "$name" link set eth0 up
    ip -n "$name" link set lo up
  done
}

drop_network() {
  local name
  for name in $(ip netns list 2>/dev/null | sed -n "s/^\(alpha-$PORT_BASE-[1-9]\)\( .*\)\?$/\1/p"); do
    ip netns delete "$name" 2>/dev/null || true
  done
  ip link delete "$(bridge)" 2>/dev/null || true
}

firewall() { ip netns exec "$(namespace_of "$1")" "$(program iptables)" -w 5 "${@:2}"; }

# cut_off N DIRECTIONS WHAT…: rules in the node's own network, which is gone with it; this machine's are not touched.
cut_off() {
  local n="$1" directions="$2" what peer
  for what in "${@:3}"; do
    case "$what" in
      peers) for peer in $(all_nodes); do [ "$peer" = "$n" ] || drop_packets "$n" "$directions" "$(host_of "$peer")"; done ;;
      store) drop_packets "$n" "$directions" "$(machine_address)" theirs "$(store_port)" ;;
      clients)
        drop_packets "$n" "$directions" "$(machine_address)" own "$(grpc_port "$n")"
        drop_packets "$n" "$directions" "$(machine_address)" own "$(http_port "$n")"
        ;;
    esac
    printf '%s\n' "$what" >> "$DIR/node-$n/cut"
  done
  sort -u -o "$DIR/node-$n/cut" "$DIR/node-$n/cut"
}

# drop_packets N DIRECTIONS ADDRESS [own|theirs PORT]
drop_packets() {
  local n="$1" in=() out=()
  case "${4:-}" in
    own) in=(-p tcp --dport "$5") out=(-p tcp --sport "$5") ;;
    theirs) in=(-p tcp --sport "$5") out=(-p tcp --dport "$5") ;;
  esac
  [[ "$2" != *in* ]] || firewall "$n" -A INPUT -s "$3" "${in[@]}" -j DROP
  [[ "$2" != *out* ]] || firewall "$n" -A OUTPUT -d "$3" "${out[@]}" -j DROP
}

# Ends cuts and a pause.
mend() {
  local waker
  [ "$NETWORK" != namespaces ] || firewall "$1" -F
  rm -f "$DIR/node-$1/cut"
  waker="$(recorded "$DIR/node-$1/waker" || true)"
  [ -z "$waker" ] || kill -- "-$waker" 2>/dev/null || true
  signal "$DIR/node-$1" CONT
}

# ---- a node

# Akka lets the node that is first of its own list found a cluster if it reaches none of the others. One that starts again
# while it is cut off must not do that: there would be two clusters, for good. So only the first that is started while
# there is no cluster has itself first.
seeds_of() {
  local n others=()
  for n in $(all_nodes); do [ "$n" = "$1" ] || others+=("$(remoting_of "$n")"); done
  if [ -e "$DIR/node-$1/founds" ]; then others=("$(remoting_of "$1")" "${others[@]}"); else others+=("$(remoting_of "$1")"); fi
  (IFS=,; echo "${others[*]}")
}

# In place of this process.
exec_node() {
  local n="$1" inside=()
  [ "$NETWORK" = loopback ] || inside=(ip netns exec "$(namespace_of "$n")")
  # The store's password, if it has one, is no argument.
  export JAVA_OPTS ALPHA_JAR ALPHA_REPOSITORY_JDBC_PASSWORD="$STORE_PASSWORD"
  ALPHA_JAR="$(readlink -f "$DIR/alpha")/alpha-server.jar"
  cd "$DIR/node-$n" || return
  # shellcheck disable=SC2046 # store_arguments are words
  exec "${inside[@]}" "$ROOT/scripts/alpha" --server.address="$(host_of "$n")" --server.port="$(http_port "$n")" \
    --alpha.grpc.host="$(host_of "$n")" --alpha.grpc.port="$(grpc_port "$n")" \
    --alpha.cluster.host="$(host_of "$n")" --alpha.cluster.port="$(remoting_port "$n")" \
    --alpha.cluster.seed-nodes="$(seeds_of "$n")" $(store_arguments) "${ARGUMENTS[@]}"
}

# By start_node, in the background: runs the node, and again when it ended by itself, until it was asked to end.
supervise() {
  local n="$1" at="$DIR/node-$1" code
  while :; do
    exec_node "$n" >>"$at/log" 2>&1 &
    record "$at/pid" "$!"
    code=0
    wait "$!" || code=$?
    printf '%s\n' "$code" >> "$at/ended"
    printf '== The process ended with code %s.\n' "$code" >> "$at/log"
    [ ! -e "$at/stays-dead" ] && [ "$code" != 0 ] || break
    sleep "$RESTART_SECONDS"
    [ ! -e "$at/stays-dead" ] || break
  done
}

# The supervisor of a node that was just killed or stopped is about to end.
await_supervisor() {
  local deadline=$((SECONDS + STOP_SECONDS))
  while recorded "$DIR/node-$1/supervisor" >/dev/null && [ "$SECONDS" -lt "$deadline" ]; do sleep 0.1; done
}

# Of a node that was stopped, as its supervisor wrote it down.
code_of_last_end() {
  await_supervisor "$1"
  tail -n 1 "$DIR/node-$1/ended" 2>/dev/null || echo unknown
}

# Unless it runs already.
start_node() {
  local at="$DIR/node-$1"
  mkdir -p "$at"
  [ ! -e "$at/stays-dead" ] || await_supervisor "$1"
  rm -f "$at/stays-dead" "$at/ended"
  recorded "$at/supervisor" >/dev/null || detach "$at/supervisor" "$SCRIPT" --directory "$DIR" supervise "$1"
}

readiness() { curl -sS -m 2 -o "${2:-/dev/null}" -w '%{http_code}' "http://$(http_of "$1")/actuator/health/readiness" 2>/dev/null || true; }
is_ready() { [ "$(readiness "$1")" = 200 ]; }

# await_ready N [new]: a new node that cannot start says why; one that rejoins may need more lives for it.
await_ready() {
  local deadline=$((SECONDS + READY_SECONDS)) at="$DIR/node-$1"
  until is_ready "$1"; do
    if [ -n "${2:-}" ] && [ "$(grep -c '^1$' "$at/ended" 2>/dev/null)" = "$STARTS" ]; then
      died "node-$1" "could not start, $STARTS times"
      return 1
    fi
    if [ "$SECONDS" -ge "$deadline" ]; then
      died "node-$1" "was not ready within $READY_SECONDS s"
      return 1
    fi
    sleep 0.3
  done
}

# What node N says of all members of its cluster; fails if it does not.
members_of() { curl -sS -f -m 5 "http://$(http_of "$1")/api/v1/nodes" 2>/dev/null; }

# occurrences TEXT PART
occurrences() { { grep -o -F -- "$2" <<<"$1" || true; } | wc -l; }

# Whether node N sees all nodes up and in reach, and all answer it.
sees_all() {
  local members
  members="$(members_of "$1")" || return 1
  [ "$(occurrences "$members" '"status":"UP"')" = "$NODES" ] \
    && [[ "$members" != *'"reachable":false'* && "$members" != *'"report":null'* ]]
}

# Whether there is a cluster to join: a node in one that hears most of its members, itself included. One that hears fewer
# has not noticed yet that it is alone, as after a pause: it ends, or goes on without the others, within seconds. Whether
# they are ready says nothing here: without the store none is.
has_cluster() {
  local n members code none=0 deadline=$((SECONDS + SETTLED_SECONDS))
  while [ "$SECONDS" -lt "$deadline" ]; do
    none=$((none + 1))
    for n in $(all_nodes); do
      code=0
      members="$(members_of "$n")" || code=$?
      # One that listens, and is too busy to answer, may know of a cluster.
      [ "$code" != "$CURL_TIMED_OUT" ] || none=0
      [ "$code" = 0 ] || continue
      none=0
      [ $((2 * $(occurrences "$members" '"report":null'))) -ge "$(occurrences "$members" '"status":')" ] || return 0
    done
    [ "$none" -lt 2 ] || return 1
    sleep 1
  done
}

# Until all nodes have seen all, twice: one that was given up while it was away is ready at first, and then ends.
await_whole() {
  local n seen=0 deadline=$((SECONDS + READY_SECONDS))
  while :; do
    seen=$((seen + 1))
    for n in $(all_nodes); do sees_all "$n" || seen=0; done
    [ "$seen" -lt 2 ] || return 0
    if [ "$SECONDS" -ge "$deadline" ]; then
      say "The nodes were not one cluster within $READY_SECONDS s: 'scripts/cluster status' shows which is missing."
      return 1
    fi
    sleep 1
  done
}

died() {
  say "$1 $2. The end of $DIR/$1/log:"
  tail -n "$LOG_LINES_SHOWN" "$DIR/$1/log" >&2 || true
}

# ---- the balancer

start_balancer() {
  runs "$DIR/balancer" && return
  local n deadline=$((SECONDS + BALANCER_SECONDS))
  mkdir -p "$DIR/balancer"
  (
    for n in $(all_nodes); do
      export "ALPHA_${n}_GRPC=$(grpc_of "$n")" "ALPHA_${n}_HTTP=$(http_of "$n")"
    done
    export BALANCER_ADDRESS BALANCER_GRPC_PORT=$((PORT_BASE + 71)) BALANCER_HTTP_PORT=$((PORT_BASE + 90))
    BALANCER_ADDRESS="$(balancer_address)"
    export BALANCER_STATUS="$BALANCER_ADDRESS:$((PORT_BASE + 99))"
    detach "$DIR/balancer/pid" "$(program haproxy)" -db -f "$ROOT/docker/haproxy.cfg"
  )
  until listens "$(balancer_address)" $((PORT_BASE + 99)); do
    if ! runs "$DIR/balancer" || [ "$SECONDS" -ge "$deadline" ]; then
      died balancer 'could not start'
      return 1
    fi
    sleep 0.1
  done
}

# ---- all of it

anything_runs() {
  local n
  for n in $(all_nodes); do
    ! recorded "$DIR/node-$n/supervisor" >/dev/null || return 0
    ! runs "$DIR/node-$n" || return 0
  done
  runs "$DIR/store" || runs "$DIR/balancer"
}

# start_all [N]: what does not run of it; of the nodes all, or that one. With FRESH it is new, and must start at once.
start_all() {
  local n nodes="${1:-$(all_nodes)}"
  start_store || return 1
  if [ -n "${FRESH:-}" ] || ! has_cluster; then
    n="${nodes%%[!0-9]*}"
    mkdir -p "$DIR/node-$n"
    : > "$DIR/node-$n/founds"
    # One that looks for a cluster is told by its next start only.
    ! runs "$DIR/node-$n" || end "$DIR/node-$n" KILL
  fi
  for n in $nodes; do start_node "$n"; done
  start_balancer || return 1
  for n in $nodes; do await_ready "$n" "${FRESH:-}" || return 1; done
  rm -f "$DIR"/node-*/founds
}

stop_all() {
  local n waiting=()
  for n in $(all_nodes); do
    [ -d "$DIR/node-$n" ] || continue
    : > "$DIR/node-$n/stays-dead"
    [ "$NETWORK" != namespaces ] || ! ip netns list | grep -q "^$(namespace_of "$n")\b" || mend "$n"
    signal "$DIR/node-$n" CONT
    end "$DIR/node-$n" TERM &
    waiting+=("$!")
  done
  for n in "${waiting[@]}"; do wait "$n" || true; done
  for n in $(all_nodes); do
    # Between two lives of a node, it would start another.
    n="$(recorded "$DIR/node-$n/supervisor" || true)"
    [ -z "$n" ] || kill "$n" 2>/dev/null || true
  done
  signal "$DIR/balancer" CONT
  end "$DIR/balancer" TERM || true
  stop_store
  [ "$NETWORK" != namespaces ] || drop_network
}

# ---- status

figure() { awk -v name="$1" '$1 == name || index($1, name "{") == 1 { sum += $2; found = 1 } END { print found ? sum + 0 : "-" }'; }

status() {
  local n at pid process ready member sagas streams metrics answer cut row='%-10s %-11s %-18s %-6s %-12s %8s %8s  %s\n'
  answer="$(mktemp)"
  # shellcheck disable=SC2059 # one format for all rows
  printf "$row" node process cut ready member sagas streams pid
  for n in $(all_nodes); do
    at="$DIR/node-$n" pid="$(pid_in "$DIR/node-$n")" process=runs ready=no member=- sagas=- streams=- cut=-
    [ ! -s "$at/cut" ] || cut="$(paste -sd, "$at/cut")"
    if [ -z "$pid" ]; then
      process=dead
      recorded "$at/supervisor" >/dev/null && process=restarts
    elif is_paused "$pid"; then
      process=paused
    else
      [ "$(readiness "$n" "$answer")" != 200 ] || ready=yes
      member="$(sed -n 's/.*"member":"\([^"]*\)".*/\1/p' "$answer")"
      metrics="$(curl -sS -m 2 "http://$(http_of "$n")/actuator/prometheus" 2>/dev/null || true)"
      sagas="$(figure alpha_saga_actors <<< "$metrics")" streams="$(figure alpha_stream_connections <<< "$metrics")"
    fi
    : > "$answer"
    # shellcheck disable=SC2059
    printf "$row" "$n" "$process" "$cut" "$ready" "${member:--}" "$sagas" "$streams" "${pid:--}"
  done
  rm -f "$answer"
  status_of_store
  status_of_balancer
}

status_of() {
  local pid
  pid="$(pid_in "$DIR/$1")"
  if [ -z "$pid" ]; then echo dead; elif is_paused "$pid"; then echo "paused (pid $pid)"; else echo "runs (pid $pid)"; fi
}

status_of_store() { echo "store      $STORE $(status_of store), $(store_address)"; }

# Streams of each node, as the balancer counts them, and whom it sends nobody to.
status_of_balancer() {
  local servers
  servers="$(curl -sS -m 2 "http://$(balancer_address):$((PORT_BASE + 99))/;csv" 2>/dev/null \
    | awk -F, '$1 == "grpc" && $2 ~ /^alpha-/ { printf ", %s %s with %d streams", $2, tolower($18), $5 }')" || true
  echo "balancer   $(status_of balancer)$servers"
}
