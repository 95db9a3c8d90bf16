# shellcheck shell=bash
# Sourced after processes.sh and servers.sh by scripts/cluster and scripts/aot: a store of their own in DIR/store-STORE,
# for tries and tests, not for what must be kept.
#
#   has_store             whether its programs are there
#   set_up_store          sees to it that its programs are there
#   start_store, stop_store, store_port, store_address, store_arguments

ELASTICSEARCH_OF_CLUSTER="${ELASTICSEARCH%% *}"
# Elasticsearch takes longest.
STORE_SECONDS=120
# It protects nothing: whoever may use this machine's networks may use the nodes as well.
STORE_PASSWORD=alpha

store_port() { echo $((PORT_BASE + 60)); }
store_address() { echo "$(machine_address):$(store_port)"; }

has_store() {
  case "$STORE" in
    redis) has_program redis-server ;;
    mariadb) has_program mariadbd && has_program mariadb-install-db ;;
    postgresql) has_postgresql ;;
    mysql) [ -e "$SERVERS/mysql/complete" ] ;;
    elasticsearch) [ -e "$SERVERS/elasticsearch-$ELASTICSEARCH_OF_CLUSTER/complete" ] && has_program curl ;;
  esac
}

set_up_store() {
  local packages=()
  ! has_store || return 0
  case "$STORE" in
    redis) packages=(redis-server) ;;
    mariadb) packages=(mariadb-server) ;;
    postgresql) packages=(postgresql) ;;
    mysql) set_up_mysql || exit 1 ;;
    elasticsearch)
      set_up_artifact elasticsearch "org.elasticsearch.distribution.integ-test-zip:elasticsearch:$ELASTICSEARCH_OF_CLUSTER:zip" \
        "$ELASTICSEARCH_OF_CLUSTER" || exit 1
      ;;
  esac
  require_packages "--store $STORE" "${packages[@]}" || exit 1
}

# What a node is told, as words.
store_arguments() {
  case "$STORE" in
    redis) echo "--alpha.repository.type=redis --alpha.repository.redis.uri=redis://$(store_address)" ;;
    mariadb) echo "--alpha.repository.type=mysql --alpha.repository.jdbc.url=jdbc:mariadb://$(store_address)/alpha" ;;
    mysql) echo "--alpha.repository.type=mysql --alpha.repository.jdbc.url=jdbc:mysql://$(store_address)/alpha?allowPublicKeyRetrieval=true" ;;
    postgresql) echo "--alpha.repository.type=postgresql --alpha.repository.jdbc.url=jdbc:postgresql://$(store_address)/alpha" ;;
    elasticsearch) echo "--alpha.repository.type=elasticsearch --alpha.repository.elasticsearch.uris=http://$(store_address)" ;;
  esac
}

start_store() {
  runs "$DIR/store" && return
  local data="$DIR/store-$STORE" deadline=$((SECONDS + STORE_SECONDS))
  mkdir -p "$DIR/store" "$data"
  "start_$STORE" "$data" || { died store 'could not be made'; return 1; }
  until "${STORE}_is_ready"; do
    if ! runs "$DIR/store" || [ "$SECONDS" -ge "$deadline" ]; then
      died store 'could not start'
      return 1
    fi
    sleep 0.2
  done
}

stop_store() {
  signal "$DIR/store" CONT
  # To PostgreSQL SIGTERM says to wait for its clients.
  end "$DIR/store" "$([ "$STORE" = postgresql ] && echo INT || echo TERM)" || true
}

# run_store COMMAND…: as a process that stays.
run_store() { detach "$DIR/store/pid" "$@"; }

# What servers that refuse root begin with: nobody, who may pass directories that are root's alone.
ORDINARY_USER=()
[ "$(id -u)" != 0 ] || ORDINARY_USER=(setpriv --reuid=nobody --regid=65534 --clear-groups --inh-caps=+dac_override
  --ambient-caps=+dac_override --)

# own DIRECTORY: is that user's.
own() { [ "$(id -u)" != 0 ] || chown -R nobody "$1"; }

start_redis() {
  # Each append is on the disk before alpha answers: what the other stores do, too.
  run_store "$(program redis-server)" --port "$(store_port)" --bind "$(machine_address)" --protected-mode no --dir "$1" \
    --save '' --appendonly yes --appendfsync always
}

redis_is_ready() {
  local answer=''
  { exec 3<>"/dev/tcp/$(machine_address)/$(store_port)"; } 2>/dev/null || return 1
  printf 'PING\r\n' >&3
  read -r -t 2 answer <&3 || true
  exec 3>&-
  [[ "$answer" == +PONG* ]]
}

mysql_options() {
  cat > "$1/set-up.sql" <<SQL
CREATE DATABASE IF NOT EXISTS alpha;
CREATE USER IF NOT EXISTS 'alpha'@'%' IDENTIFIED BY '$STORE_PASSWORD';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX ON alpha.* TO 'alpha'@'%';
SQL
  # The socket relative to the data directory: the whole path may be longer than a socket's may be.
  OPTIONS=(--datadir="$1/data" --port="$(store_port)" --bind-address="$(machine_address)" --socket=server.sock
    --pid-file=server.pid --init-file="$1/set-up.sql" --skip-name-resolve)
}

start_mariadb() {
  local user
  user="--user=$(id -un)"
  [ -d "$1/data" ] || "$(program mariadb-install-db)" --no-defaults "$user" --auth-root-authentication-method=normal \
    --skip-test-db --datadir="$1/data" >>"$DIR/store/log" 2>&1 || return 1
  mysql_options "$1"
  run_store "$(program mariadbd)" --no-defaults "$user" "${OPTIONS[@]}"
}

start_mysql() {
  local loader command
  loader="$(compgen -G "$SERVERS/mysql/usr/lib/*-linux-gnu/ld-linux-*.so.*" | head -1)"
  command=("$loader" --library-path "$(dirname "$loader")" "$SERVERS/mysql/usr/sbin/mysqld" --no-defaults
    --basedir="$SERVERS/mysql/usr" --secure-file-priv=NULL --mysqlx=OFF --user="$(id -un)")
  [ -d "$1/data" ] || "${command[@]}" --initialize-insecure --datadir="$1/data" >>"$DIR/store/log" 2>&1 || return 1
  mysql_options "$1"
  # A killed server's pid is there until somebody reaps it. It is this script that knows whether another one runs.
  rm -f "$1/data/server.sock.lock"
  run_store "${command[@]}" "${OPTIONS[@]}"
}

# It listens before it has made the database, and only then sends its greeting, whose fifth byte is the protocol: 10.
mysql_is_ready() {
  local start=''
  { exec 3<>"/dev/tcp/$(machine_address)/$(store_port)"; } 2>/dev/null || return 1
  start="$(timeout 2 head -c 5 <&3 2>/dev/null | od -An -tu1 | tr -s ' ')" || true
  exec 3>&-
  [[ "$start" == *' 10' ]]
}

mariadb_is_ready() { mysql_is_ready; }

postgresql_programs() {
  local newest
  newest="$(compgen -G '/usr/lib/postgresql/*/bin/initdb' | sort -V | tail -1)"
  dirname "${newest:-$(readlink -f "$(program initdb)")}"
}

start_postgresql() {
  local bin
  bin="$(postgresql_programs)"
  if [ ! -d "$1/data" ]; then
    printf '%s\n' "$STORE_PASSWORD" > "$1/password"
    printf "CREATE ROLE alpha LOGIN PASSWORD '%s';\nCREATE DATABASE alpha OWNER alpha;\n" "$STORE_PASSWORD" > "$1/set-up.sql"
    own "$1"
    # All or nothing: a data directory that is there is whole.
    (
      cd "$1"
      "${ORDINARY_USER[@]}" "$bin/initdb" --pgdata="$1/data.new" --username=postgres --pwfile="$1/password" \
        --auth=scram-sha-256 --encoding=UTF8 --locale=C
      "${ORDINARY_USER[@]}" "$bin/postgres" --single -D "$1/data.new" postgres < "$1/set-up.sql"
      printf 'host all all all scram-sha-256\n' >> "$1/data.new/pg_hba.conf"
      mv "$1/data.new" "$1/data"
    ) >>"$DIR/store/log" 2>&1 || return 1
  fi
  own "$1"
  # As above.
  rm -f "$1/data/postmaster.pid"
  run_store "${ORDINARY_USER[@]}" "$bin/postgres" -D "$1/data" -p "$(store_port)" -h "$(machine_address)" -k ''
}

postgresql_is_ready() { "$(postgresql_programs)/pg_isready" -q -h "$(machine_address)" -p "$(store_port)"; }

start_elasticsearch() {
  local home="$SERVERS/elasticsearch-$ELASTICSEARCH_OF_CLUSTER" config="$1/config"
  mkdir -p "$config/jvm.options.d" "$1/tmp"
  cp "$home/config/log4j2.properties" "$config"
  printf '%s\n' -Xms512m -Xmx512m -XX:+UseSerialGC "-Djava.io.tmpdir=$1/tmp" > "$config/jvm.options"
  cat > "$config/elasticsearch.yml" <<YML
http.port: $(store_port)
http.host: $(machine_address)
transport.host: 127.0.0.1
transport.port: $((PORT_BASE + 61))
discovery.type: single-node
xpack.security.enabled: false
path.data: $1/data
path.logs: $1/logs
YML
  own "$1"
  export ES_JAVA_HOME="$JAVA_HOME" ES_PATH_CONF="$config" ES_TMPDIR="$1/tmp"
  run_store "${ORDINARY_USER[@]}" "$home/bin/elasticsearch"
}

elasticsearch_is_ready() {
  curl -sS -f -m 2 -o /dev/null "http://$(store_address)/_cluster/health?wait_for_status=yellow&timeout=1s" 2>/dev/null
}
