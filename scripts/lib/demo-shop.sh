# shellcheck shell=bash
# Sourced by scripts/demo: the shop, with MariaDB by Debian's package and a broker of Kafka by Maven's jars. They listen on
# this machine only, and protect nothing.
# shellcheck disable=SC2034 # scripts/demo reads the arrays

SERVICES=(shop stock payment shipping)
SERVERS_BESIDE=(mariadb kafka)
LEFT=(alpha mariadb kafka mails)
MARIADB=$((PORT_BASE + 60)) KAFKA=$((PORT_BASE + 61)) KAFKA_CONTROLLER=$((PORT_BASE + 62))
SHOP=$((PORT_BASE + 81)) STOCK=$((PORT_BASE + 82)) PAYMENT=$((PORT_BASE + 83)) SHIPPING=$((PORT_BASE + 84))
PORTS=("$MARIADB" "$KAFKA" "$KAFKA_CONTROLLER" "$SHOP" "$STOCK" "$PAYMENT" "$SHIPPING")
# Names the broker's data; anything of that form.
KAFKA_CLUSTER=c2hvcC1vZi1zYWdhcy0tLQ

set_up_sample() {
  { has_program mariadbd && has_program mariadb-install-db; } || require_packages 'scripts/demo shop needs' mariadb-server || exit 1
}

start_sample() {
  start_mariadb
  start_kafka
  await mariadb "$MARIADB" mariadb_is_ready
  await kafka "$KAFKA"
  local service
  for service in "${SERVICES[@]}"; do start_service "$service"; done
  await alpha "$HTTP"
  await stock "$STOCK"
  await payment "$PAYMENT"
  await shipping "$SHIPPING"
  await shop "$SHOP"
}

start_service() {
  local database="--spring.datasource.url=jdbc:mariadb://localhost:$MARIADB/$1"
  local broker="--spring.kafka.bootstrap-servers=localhost:$KAFKA"
  case "$1" in
    shop) service shop ShopApplication "$SHOP" "--spring.r2dbc.url=r2dbc:mariadb://localhost:$MARIADB/$1" "$broker" --shop.stock="http://localhost:$STOCK" --shop.payment="http://localhost:$PAYMENT" --shop.shipping="http://localhost:$SHIPPING" ;;
    stock) service stock StockApplication "$STOCK" "$database" ;;
    payment) service payment PaymentApplication "$PAYMENT" "$database" ;;
    shipping) service shipping ShippingApplication "$SHIPPING" "$database" "$broker" ;;
  esac
}

# A database for each service.
start_mariadb() {
  local at="$DATA/mariadb" user name
  user="--user=$(id -un)"
  mkdir -p "$at"
  [ -d "$at/data" ] || "$(program mariadb-install-db)" --no-defaults "$user" --auth-root-authentication-method=normal \
    --skip-test-db --datadir="$at/data" >>"$LOGS/mariadb.log" 2>&1 || died mariadb 'could not be made'
  for name in "${SERVICES[@]}"; do
    cat <<SQL
CREATE DATABASE IF NOT EXISTS $name;
CREATE USER IF NOT EXISTS '$name'@'%' IDENTIFIED BY '$name';
GRANT ALL ON $name.* TO '$name'@'%';
SQL
  done > "$at/set-up.sql"
  # The socket relative to the data directory: the whole path may be longer than a socket's may be.
  TMPDIR="$at" start mariadb "$(program mariadbd)" --no-defaults "$user" --datadir="$at/data" --port="$MARIADB" \
    --bind-address=127.0.0.1 --socket=server.sock --pid-file=server.pid --init-file="$at/set-up.sql" \
    --skip-name-resolve --innodb-buffer-pool-size=64M
}

# It listens before it has made the databases, and only then sends its greeting, whose fifth byte is the protocol: 10.
mariadb_is_ready() {
  local start=''
  { exec 3<>"/dev/tcp/127.0.0.1/$MARIADB"; } 2>/dev/null || return 1
  start="$(timeout 2 head -c 5 <&3 2>/dev/null | od -An -tu1 | tr -s ' ')" || true
  exec 3>&-
  [[ "$start" == *' 10' ]]
}

# broker CLASS ARGS: the words of a command on the broker's jars.
broker() {
  BROKER=("$JAVA_HOME/bin/java" -Xmx256m "${JVM[@]}" -Dlogback.configurationFile=broker/logback.xml
    -cp "$SAMPLE/target/shop.jar:$SAMPLE/target/lib/*:$SAMPLE/target/broker/*" "$@")
}

start_kafka() {
  local at="$DATA/kafka"
  mkdir -p "$at"
  cat > "$at/server.properties" <<PROPERTIES
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$KAFKA_CONTROLLER
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
listeners=PLAINTEXT://127.0.0.1:$KAFKA,CONTROLLER://127.0.0.1:$KAFKA_CONTROLLER
advertised.listeners=PLAINTEXT://127.0.0.1:$KAFKA
log.dirs=$at/data
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
PROPERTIES
  broker kafka.tools.StorageTool format --ignore-formatted --cluster-id "$KAFKA_CLUSTER" --config "$at/server.properties"
  "${BROKER[@]}" >>"$LOGS/kafka.log" 2>&1 || died kafka 'could not be made'
  broker kafka.Kafka "$at/server.properties"
  start kafka "${BROKER[@]}"
}

# The demo kills the service; here it is started again.
run_sample() {
  demo "http://localhost:$SHOP" "http://localhost:$STOCK" "http://localhost:$PAYMENT" "http://localhost:$SHIPPING" \
    "$DATA/mails" ${victim:+"${pid_of[$victim]}" "$victim"} &
  local demo=$! code=0
  pid_of[demo]=$demo
  if [ -n "$victim" ]; then
    # Bash itself says on stderr that it was killed.
    { while kill -0 "${pid_of[$victim]}" && kill -0 "$demo"; do sleep 0.1; done; } 2>/dev/null
    ! kill -0 "$demo" 2>/dev/null || { say "$victim was killed; it is started again."; start_service "$victim"; }
  fi
  wait "$demo" || code=$?
  unset 'pid_of[demo]'
  return "$code"
}

tell_next() {
  cat <<NEXT

Order more by           curl -H 'Content-Type: application/json' -d '{"id":"my-order-1","customer":"ivy","article":"lamp","pieces":1,"card":"5105105105105100","address":"Mill Lane 5, York"}' http://localhost:$SHOP/orders
and ask what became     curl http://localhost:$SHOP/orders/my-order-1
Cards that begin with 4000 are refused, addresses without a comma are not found, and there are 2 pianos. With a "greeting"
it is a gift, if one of 10 boxes is left and the card has room, 80 letters; without, the rest comes all the same.
Look at all sagas at    http://localhost:$HTTP/
and at what they left   http://localhost:$SHOP/orders http://localhost:$STOCK/articles
                        http://localhost:$STOCK/reservations http://localhost:$PAYMENT/payments http://localhost:$PAYMENT/till
                        http://localhost:$SHIPPING/parcels http://localhost:$SHIPPING/cards $DATA/mails
Stop with Ctrl-C.
NEXT
}
