# shellcheck shell=bash
# Sourced after setup.sh and servers.sh by scripts/test: the long tests, part by part. What became of a part on these
# sources is in target/long.
#
#   all_parts              the names, in the order in which they are run
#   is_part PART
#   missing_parts          those that have not passed
#   run_parts PART…        with `run` and `failures` of scripts/test
#   list_parts
#   summary PART…          what became of them; false if one has not passed
#
# A part is a line of long-parts, which says what its columns are.

PARTS="$ROOT/scripts/lib/long-parts"
PARTS_DONE="$ROOT/target/long"

all_parts() { awk -F '|' '!/^#/ && NF > 1 { gsub(/ /, "", $1); print $1 }' "$PARTS"; }
is_part() { all_parts | grep -qxF -- "$1"; }

# column PART N
column() {
  awk -F '|' -v part="$1" -v n="$2" '!/^#/ { name = $1; gsub(/ /, "", name); if (name == part) { gsub(/^ +| +$/, "", $n); print $n } }' "$PARTS"
}

# The commit and what differs from it; one word in any case, as where there is no git.
sources() {
  (
    cd "$ROOT"
    git rev-parse HEAD && git diff HEAD && git ls-files --others --exclude-standard -z | xargs -0r cat
  ) 2>/dev/null | sha1sum | cut -d ' ' -f 1 || true
}

# done_of PART: what became of it on these sources, as "passed|failed MINUTES TESTS".
done_of() {
  local of='' result='' minutes='' tests=''
  [ ! -r "$PARTS_DONE/$1" ] || read -r of result minutes tests < "$PARTS_DONE/$1" || true
  [ "$of" != "$SOURCES" ] || printf '%s %s %s\n' "$result" "$minutes" "$tests"
}

missing_parts() {
  local part
  for part in $(all_parts); do
    [[ "$(done_of "$part")" == passed* ]] || printf '%s\n' "$part"
  done
}

list_parts() {
  local part row='%-22s %7s  %-7s %s\n'
  # shellcheck disable=SC2059 # one format for all rows
  printf "$row" part minutes so\ far what
  for part in $(all_parts); do
    # shellcheck disable=SC2059
    printf "$row" "$part" "$(column "$part" 2)" "$(done_of "$part" | cut -d ' ' -f 1)" "$(column "$part" 5)"
  done
}

run_parts() {
  local part servers='' java21
  for part in "$@"; do
    [[ "$(column "$part" 3)" != *elasticsearch ]] || servers=--long
    [ "$part" != java-21 ] || set_up_java_21
  done
  java21="$(java_of 21)"
  # shellcheck disable=SC2086 # empty is no argument
  set_up_servers $servers
  mkdir -p "$PARTS_DONE"
  for part in "$@"; do run_part "$part"; done
}

# One that has failed is no reason not to run the next.
run_part() {
  local part="$1" module tests options began=$SECONDS result=passed count
  module="$(column "$part" 3)"
  read -r tests options <<< "$(column "$part" 4)"
  say "== Part $part, of $module; everything is in $PARTS_DONE/$part.log."
  LOG="$PARTS_DONE/$part.log"
  : > "$LOG"
  rm -f "$PARTS_DONE/$part"
  touch "$started"
  # shellcheck disable=SC2086 # options are words
  run verify -Plong --threads 2 -pl "$module" -am "-Dtest=$tests" -Dsurefire.failIfNoSpecifiedTests=false $options \
    ${java17:+-Djava17="$java17"} ${java21:+-Djava21="$java21"} || result=failed
  count="$(tests_of "$module")"
  if [ "$count" = 0 ]; then
    say "No test ran, so nothing was shown."
    result=failed
  fi
  if [ "$part" = java-21 ] && [ -z "$java21" ]; then
    say "Nothing ran on Java 21, since there is none in /usr/lib/jvm: install one, or pip3, by which this part gets one."
    result=failed
  fi
  [ "$result" = passed ] || failures
  printf '%s %s %s %s\n' "$SOURCES" "$result" "$(awk -v seconds=$((SECONDS - began)) 'BEGIN { printf "%.1f", seconds / 60 }')" "$count" \
    > "$PARTS_DONE/$part"
}

# How many tests of a module have run since. The text reports leave out those in nested classes.
tests_of() {
  find "$ROOT/$1/target/surefire-reports" -name 'TEST-*.xml' -newer "$started" -exec cat {} + 2>/dev/null \
    | awk '/<testcase / { run++ } /<skipped/ { run-- } END { print run + 0 }'
}

summary() {
  local part result minutes tests passed=0 row='%-22s %-8s %8s %6s\n'
  # shellcheck disable=SC2059 # one format for all rows
  printf "$row" part result minutes tests
  for part in "$@"; do
    read -r result minutes tests <<< "$(done_of "$part")" || true
    [ "$result" != passed ] || passed=$((passed + 1))
    # shellcheck disable=SC2059
    printf "$row" "$part" "${result:-not run}" "$minutes" "$tests"
  done
  if [ "$passed" = $# ]; then
    say "All $# parts passed."
  else
    say "$passed of $# parts passed: 'scripts/test --long' goes on with those that have not."
    return 1
  fi
}
