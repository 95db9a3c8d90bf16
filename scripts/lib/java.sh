# shellcheck shell=bash
# Sourced by the scripts beside this directory: the JDK, Maven, and where the checkout is.
#
#   choose_jdk    sets and exports JAVA_HOME to a JDK of JDK_MIN or newer, or ends the script with a sentence
#   maven ARGS    runs Maven on that JDK in the checkout, quietly

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
JDK_MIN=25

say() { printf '%s\n' "$*" >&2; }

# The feature release of the JDK in $1, or nothing. Its file "release" says so without starting a JVM.
jdk_release() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

jdk_suits() {
  local release
  release="$(jdk_release "$1")"
  [ -n "$release" ] && [ "$release" -ge "$JDK_MIN" ]
}

# JAVA_HOME if it suits, else the oldest that suits of the directories where systems put JDKs, else java on the PATH.
choose_jdk() {
  [ -n "${JAVA_HOME:-}" ] && jdk_suits "$JAVA_HOME" && export JAVA_HOME && return
  local home release best='' best_release=''
  for home in /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/.sdkman/candidates/java/*; do
    jdk_suits "$home" || continue
    release="$(jdk_release "$home")"
    [ -z "$best" ] || [ "$release" -lt "$best_release" ] || continue
    best="$home" best_release="$release"
  done
  if [ -z "$best" ] && command -v java >/dev/null; then
    home="$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")"
    ! jdk_suits "$home" || best="$home"
  fi
  if [ -z "$best" ]; then
    say "No JDK $JDK_MIN or newer was found (looked at JAVA_HOME, /usr/lib/jvm and the PATH): install one, such as Temurin $JDK_MIN, or set JAVA_HOME to one."
    exit 1
  fi
  export JAVA_HOME="$best"
}

maven() {
  if ! command -v mvn >/dev/null; then
    say "Maven was not found on the PATH: install 3.8.7 or newer, for example with 'apt-get install maven'."
    exit 1
  fi
  # Even quiet and colourless, Maven resets colours.
  # A build is short: compile with the fast compiler only, collect with the collector that needs no threads.
  (cd "$ROOT" && MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}" mvn -q -Dstyle.color=never "$@" 2>&1 | sed $'s/\033\\[[0-9;]*m//g')
}
