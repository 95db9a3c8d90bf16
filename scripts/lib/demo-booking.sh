# shellcheck shell=bash
# Sourced by scripts/demo: the booking sample.
# shellcheck disable=SC2034 # scripts/demo reads the arrays

SERVICES=(booking car hotel)
SERVERS_BESIDE=()
BOOKING=$((PORT_BASE + 81)) CAR=$((PORT_BASE + 82)) HOTEL=$((PORT_BASE + 83))
LEFT=(alpha {booking,car,hotel}.db{,-wal,-shm})
PORTS=("$BOOKING" "$CAR" "$HOTEL")

set_up_sample() { :; }

start_sample() {
  service booking BookingApplication "$BOOKING" --booking.car="http://localhost:$CAR" \
    --booking.hotel="http://localhost:$HOTEL" --booking.alpha="http://localhost:$HTTP"
  service car CarApplication "$CAR"
  service hotel HotelApplication "$HOTEL"
  await alpha "$HTTP"
  await car "$CAR"
  await hotel "$HOTEL"
  await booking "$BOOKING"
}

run_sample() { demo "http://localhost:$BOOKING" "http://localhost:$CAR" "http://localhost:$HOTEL"; }

tell_next() {
  cat <<NEXT

Book more trips at      http://localhost:$BOOKING
or by                   curl -H 'Content-Type: application/json' -d '{"name":"eve","cars":2,"rooms":1}' http://localhost:$BOOKING/trips
Look at all sagas at    http://localhost:$HTTP/
Stop with Ctrl-C.
NEXT
}
