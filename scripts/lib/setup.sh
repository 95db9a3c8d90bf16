# shellcheck shell=bash
# Sourced after java.sh by the scripts that a newcomer starts with.
#
#   set_up          chooses the JDK; sees to it that Maven is there, as root by Debian's package
#   java_of N       the java of release N in the directory where systems put JVMs, or in .servers, or nothing

set_up() {
  if ! command -v mvn >/dev/null; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
      say "Maven was not found on the PATH: install 3.8.7 or newer, for example with 'sudo apt-get install maven', and run this again."
      exit 1
    fi
    say "Installing Maven."
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends maven; } >/dev/null || {
      say "Maven could not be installed with apt-get: install 3.8.7 or newer and run this again."
      exit 1
    }
  fi
  choose_jdk
}

java_of() {
  local home
  for home in /usr/lib/jvm/* "$ROOT"/.servers/java-*/*/java-runtime; do
    [ -x "$home/bin/java" ] && [ -r "$home/release" ] || continue
    if grep -q "^JAVA_VERSION=\"$1[\".]" "$home/release"; then
      printf '%s\n' "$home/bin/java"
      return
    fi
  done
}
