# shellcheck shell=bash
# Sourced by the scripts beside this directory: the JDK, Maven, and where the checkout is, also if a script is called by a
# link to it. Sees to a locale of UTF-8.
#
#   choose_jdk          sets and exports JAVA_HOME to a JDK of JDK_MIN or newer, or ends the script with a sentence
#   maven ARGS          runs Maven on that JDK in the checkout, quietly
#   maven_watched ARGS  the same, with a line on stderr for each module: for what takes minutes

# With it, cd would go elsewhere, and print where to.
unset CDPATH
ROOT="$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")"
JDK_MIN=25

say() { printf '%s\n' "$*" >&2; }

# Java reads arguments, variables and the names of files by the locale, and that of cron and of many containers has ASCII
# only. Where no locale of this machine has UTF-8, what is not ASCII is refused by the programs.
choose_locale() {
  local name
  if ! command -v locale >/dev/null; then
    # As of musl, which has this one and no such program.
    [[ "${LC_ALL:-${LC_CTYPE:-${LANG:-}}}" =~ [Uu][Tt][Ff] ]] || export LC_ALL=C.UTF-8
    return
  fi
  [ "$(locale charmap 2>/dev/null)" != UTF-8 ] || return 0
  for name in C.UTF-8 en_US.UTF-8 $(locale -a 2>/dev/null | grep -i -E 'utf-?8$'); do
    if [ "$(env LC_ALL="$name" locale charmap 2>/dev/null)" = UTF-8 ]; then
      export LC_ALL="$name"
      return
    fi
  done
}
choose_locale

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
  for home in /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME:-}"/.sdkman/candidates/java/*; do
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

maven() { run_maven -q "$@" 2>&1 | sed $'s/\033\\[[0-9;]*m//g'; }

maven_watched() {
  local line module
  run_maven --no-transfer-progress "$@" 2>&1 | while IFS= read -r line; do
    line="${line//$'\033[m'/}"
    line="${line//$'\033[0m'/}"
    case "$line" in
      '[INFO] Building '*' ['*/*']')
        module="${line#'[INFO] Building '}"
        printf '  %-9s %s\n' "${module##* }" "${module%% [0-9]*}" >&2
        ;;
      '' | '[INFO]'* | '[WARNING]'*) ;;
      *) say "$line" ;;
    esac
  done
}

run_maven() {
  if ! command -v mvn >/dev/null; then
    say "Maven was not found on the PATH: install 3.8.7 or newer, for example with 'apt-get install maven'."
    exit 1
  fi
  # Even quiet and colourless, Maven resets colours.
  # A build is short: compile with the fast compiler only, collect with the collector that needs no threads.
  (cd "$ROOT" && MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}" mvn -Dstyle.color=never "$@")
}
