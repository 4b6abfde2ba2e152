#!/usr/bin/env bash
# Runs one node as process 1. What it is told, all by environment:
#   KAFKALAB_NODE        its name, which is its role and id: broker-101, controller-1, zookeeper-1
#   KAFKALAB_MODE        zookeeper (Kafka 3.9) or kraft (Kafka 4): which jars
#   KAFKALAB_SETTINGS    the whole properties file, as text; its data folder lies on the volume /data
#   KAFKALAB_CLUSTER_ID  KRaft: the cluster it belongs to; empty storage is formatted for it
#   KAFKALAB_JVM         heap and flags of the JVM, instead of those for a lesson
set -euo pipefail
home=/opt/kafkalab

say() { printf 'kafkalab: %s\n' "$@" >&2; }
for name in NODE MODE SETTINGS; do
  variable=KAFKALAB_$name
  if [ -z "${!variable:-}" ]; then
    say "$variable is not set: this image runs one node of a cluster, and is told which by its environment." \
      "Start a cluster with  kafkalab up --backend docker  or with  docker compose -f docker/compose.yaml up."
    exit 2
  fi
done

if [ "$KAFKALAB_MODE" = kraft ] && [ -z "${KAFKALAB_CLUSTER_ID:-}" ]; then
  say "KAFKALAB_CLUSTER_ID is not set: storage in KRaft mode belongs to a cluster." && exit 2
fi

role=${KAFKALAB_NODE%-*} id=${KAFKALAB_NODE##*-}
flags="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=48m -XX:-UsePerfData"
case $role in
  zookeeper) main=org.apache.zookeeper.server.quorum.QuorumPeerMain heap="-Xms32m -Xmx96m" ;;
  broker | controller) main=kafka.Kafka heap="-Xms64m -Xmx192m" ;;
  *) say "KAFKALAB_NODE=$KAFKALAB_NODE is neither a broker, a controller nor a zookeeper." && exit 2 ;;
esac

settings=/tmp/node.properties
printf '%s\n' "$KAFKALAB_SETTINGS" >"$settings"
data=$(sed -nE 's/^(log\.dirs|dataDir)=//p' "$settings")
mkdir -p "$data"

if [ "$role" = zookeeper ]; then
  echo "$id" >"$data/myid"
elif [ "$KAFKALAB_MODE" = kraft ]; then
  if [ ! -e "$data/meta.properties" ]; then
    # What `kafka-storage format` would make; its first records are the same for a whole release and come with the image.
    while directory=$(head -c 16 /dev/urandom | base64 | tr '+/' '-_' | tr -d '='); [ "${directory#-}" != "$directory" ]; do :; done
    cp "$home/bootstrap.checkpoint" "$data/bootstrap.checkpoint"
    printf '%s\n' version=1 "cluster.id=$KAFKALAB_CLUSTER_ID" "node.id=$id" "directory.id=$directory" >"$data/meta.properties.new"
    mv "$data/meta.properties.new" "$data/meta.properties"
  elif ! grep -qxF "cluster.id=$KAFKALAB_CLUSTER_ID" "$data/meta.properties"; then
    say "The data in $data belongs to another cluster: $(grep '^cluster.id=' "$data/meta.properties")," \
      "and this one is cluster.id=$KAFKALAB_CLUSTER_ID. Remove its volume, or give the node its own."
    exit 3
  fi
fi

export CLASSPATH
CLASSPATH=$(LC_ALL=C && printf '%s:' "$home/jars/$KAFKALAB_MODE"/*.jar)
share=()
archive=$home/$KAFKALAB_MODE-${role/controller/broker}.jsa
if [ -n "${KAFKALAB_REHEARSE:-}" ]; then
  share=("-XX:ArchiveClassesAtExit=$archive")
elif [ -e "$archive" ]; then
  share=("-XX:SharedArchiveFile=$archive" -Xshare:auto)
fi

# shellcheck disable=SC2086  # several flags in one variable
exec java ${KAFKALAB_JVM:-$heap $flags} \
  -XX:+ExitOnOutOfMemoryError -Djava.net.preferIPv4Stack=true -Djava.awt.headless=true \
  "-Djava.security.properties=$home/node/java.security" \
  "${share[@]}" -Xlog:cds=off -Xlog:cds+dynamic=off \
  "-Dlog4j.configuration=file:$home/node/log4j.properties" "-Dlog4j2.configurationFile=file:$home/node/log4j2.properties" \
  "-Dkafkalab.node=$KAFKALAB_NODE" "$main" "$settings"
