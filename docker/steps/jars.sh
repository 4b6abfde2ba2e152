#!/usr/bin/env bash
# jars.sh LOCKS JARS SET…: every locked jar of the sets as JARS/SET/FILE, checked by its sha256, or an error by name.
# As kafkalab/cluster/jars.py does it: Ivy fetches what is missing, knows the registry by itself, and resolves nothing.
set -euo pipefail
locks=$1 jars=$2
shift 2
source /build/trust.sh

# "sha256  file" of every jar of a set, as sha256sum reads it; and "group artifact version".
sums() { sed -nE "s|^[^#:]+:([^:]+):([^ ]+) [0-9]+ sha256:([0-9a-f]{64})$|\3  $jars/$1/\1-\2.jar|p" "$locks/$1.lock"; }
names() { sed -nE 's|^([^#:]+):([^:]+):([^ ]+) .*$|\1 \2 \3|p' "$locks/$1.lock"; }

install_ivy() {
  mkdir -p /tmp/ivy && cd /tmp/ivy
  # The package unpacked, not installed: that would bring a second Java.
  fetch_with_apt download ivy
  dpkg-deb -x ivy_*.deb .
  java_trust
  cat >settings.xml <<'XML'
<ivysettings>
  <property name="ivy.checksums" value=""/>
  <settings defaultResolver="central"/>
  <resolvers><ibiblio name="central" m2compatible="true" usepoms="false"/></resolvers>
</ivysettings>
XML
}

# Java does not read the proxy variables that every other tool reads.
proxy() {
  local address=${HTTPS_PROXY:-${https_proxy:-}}
  [ -n "$address" ] || return 0
  address=${address#*://} address=${address##*@} address=${address%%/*}
  printf '%s\n' "-Dhttps.proxyHost=${address%%:*}" "-Dhttps.proxyPort=${address##*:}"
}

# A set at a time: two of them hold two versions of one library, and Ivy would keep the newer.
fetch() {
  local set=$1 group artifact version found
  echo "Fetching the jars of $set"
  [ -d /tmp/ivy ] || install_ivy
  cd /tmp/ivy
  {
    echo "<ivy-module version='2.0'><info organisation='kafkalab' module='jars'/>"
    echo "<configurations><conf name='default'/></configurations><dependencies>"
    names "$set" | while read -r group artifact version; do
      [ -e "$jars/$set/$artifact-$version.jar" ] ||
        echo "<dependency org='$group' name='$artifact' rev='$version' transitive='false' conf='default->default'>" \
          "<artifact name='$artifact' type='jar' ext='jar'/></dependency>"
    done
    echo "</dependencies></ivy-module>"
  } >"$set.xml"
  mapfile -t through < <(proxy)
  java "${through[@]}" -Djavax.net.ssl.trustStore=/tmp/trusted.jks -Divy.default.ivy.user.dir=/tmp/ivy \
    -jar usr/share/java/ivy.jar -settings settings.xml -ivy "$set.xml" -cache "/tmp/ivy/$set" >log 2>&1 ||
    sed -E 's|https?://[^ ]+|(address)|g' log | tail -n 30 >&2
  find "$set" -name '*.jar' -exec cp -t "$jars/$set" {} +
}

for set in "$@"; do
  mkdir -p "$jars/$set"
  while read -r _ file; do [ -e "$file" ] || { fetch "$set" && break; }; done < <(sums "$set")
  # Every jar of the lock, and no other, may be on the class path.
  sums "$set" | sha256sum --check --quiet --strict >&2 || { echo "The jars of $set are not those of its lock." >&2 && exit 1; }
  strangers=$(comm -13 <(sums "$set" | sed 's|.*/||' | sort) <(ls "$jars/$set" | sort))
  [ -z "$strangers" ] || { echo "Not in the lock of $set: $strangers" >&2 && exit 1; }
  # Whole seconds: a layer keeps no fractions, and a class archive is only used with jars of the very same time.
  touch -d 2000-01-01T00:00:00Z "$jars/$set"/*.jar
done
rm -rf "$jars/jars.sh" /tmp/ivy /tmp/trusted.* /tmp/split
