# shellcheck shell=bash
# Sourced after java.sh by the scripts that build or start alpha.
#
#   ALPHA_BUILT       where the build puts alpha's jar
#   ALPHA_JVM         the JVM's options of a node
#   build_alpha       that jar, unless it is there, with its AOT cache, alphactl and the benchmark
#   cache_of JAR      where its AOT cache is, if there is one
#   is_fresh JAR      whether that is there, and newer than the jar and its lib

ALPHA_BUILT="$ROOT/alpha-server/app/target/alpha-server.jar"

ALPHA_JVM=(
  # Akka and netty use Unsafe and native code by design: no warnings on every start.
  --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED
  # The JVM would begin with a 64th of the machine's memory, used or not. So an idle alpha stays at 300 MB resident on
  # every machine, and grows to a quarter of its memory when there is work. The JVM's choice of collector is left alone: G1
  # where there are two cores; the serial one would save 50 MB more and stop a busy alpha for longer.
  -Xms128m
  # G1 marks where 45 % of the heap are in use. Left to adapt that, it came to 0 % of so small a heap, which does not grow at
  # a moderate load: it marked again after every second collection, and took twice the processor time. Of half the heap,
  # 45 % are less than the 35 MB that a node always holds.
  -XX:-G1UseAdaptiveIHOP
  # A sixth less allocated per event: what alpha holds of a saga is many small objects.
  -XX:+UseCompactObjectHeaders
  # While a node is cold, compiling takes more of its processors than sagas do. Methods that run four times as often as
  # the JVM would have it are compiled well before others: it starts sooner, and is no slower once warm.
  -XX:Tier4InvocationThreshold=20000 -XX:Tier4MinInvocationThreshold=2400 -XX:Tier4CompileThreshold=60000
  # Nothing acknowledged is lost by ending, and a JVM without memory does nothing well any more. Ends with 3.
  -XX:+ExitOnOutOfMemoryError
)

build_alpha() {
  [ ! -f "$ALPHA_BUILT" ] || return 0
  say "Building alpha, once."
  # The benchmark makes the load by which the cache is trained, and alphactl comes with it.
  maven_watched -pl alpha-benchmark -am package -Dmaven.test.skip=true
}

# build_beside_alpha MODULE: what alpha's own build has left out, without touching alpha's jars, which may be running.
build_beside_alpha() {
  maven_watched -pl "$1" -am package -Dmaven.test.skip=true -Daot.skip -Dalpha.built
}

cache_of() { printf '%s\n' "${1%.jar}.aot"; }
is_fresh() {
  local cache
  cache="$(cache_of "$1")"
  [ -f "$cache" ] && [ -z "$(find -L "$1" "$(dirname "$1")/lib" -type f -newer "$cache" -print -quit)" ]
}
