#!/usr/bin/env bash
# While the node image is built: makes KRaft's bootstrap.checkpoint with Kafka's own StorageTool, then rehearses the start
# of one node of each kind, whose JVMs write down, when they end, which classes they took (an archive of class data).
set -euo pipefail
home=/opt/kafkalab
export KAFKALAB_REHEARSE=yes KAFKALAB_CLUSTER_ID=rehearsal-rehearsal-00 KAFKALAB_MODE
# Some builds of Java come without an archive of their own classes, and then they can make none of Kafka's.
if ! java -Xshare:on -version >/dev/null 2>&1; then
  echo "This Java has no class-data archive of its own, so Kafka's is left out too: nodes start, but a little slower."
  KAFKALAB_REHEARSE=
fi

# run NODE SETTINGS: in the background; $! is its process. up NODE PROCESS: waits until it answers.
run() {
  KAFKALAB_NODE=$1 KAFKALAB_SETTINGS=$2 bash "$home/node/start.sh" >"/tmp/$1.log" 2>&1 &
}

up() {
  local left=240
  # A broker must be through with its start: one told to end before the controller has let it in waits five minutes.
  until KAFKALAB_NODE=$1 timeout 5 bash "$home/node/healthy.sh" 2>/dev/null &&
    { [ "${1#broker}" = "$1" ] || grep -q 'started (kafka.server.Kafka' "/tmp/$1.log"; }; do
    { kill -0 "$2" 2>/dev/null && ((left--)); } || { cat "/tmp/$1.log" >&2 && exit 1; }
    sleep 0.25
  done
}

end() {
  kill "$1"
  timeout 60 tail --pid="$1" -f /dev/null || { cat /tmp/*.log >&2 && exit 1; }
  wait "$1" || [ $? -eq 143 ]
}

# The default of 128 MiB for the log cleaner is more than a lesson's heap has left.
client=$'log.cleaner.dedupe.buffer.size=4194304\nlisteners=PLAINTEXT://127.0.0.1:9092'
KAFKALAB_MODE=zookeeper
run zookeeper-1 $'dataDir=/data/zookeeper\nclientPort=2181\nadmin.enableServer=false\n4lw.commands.whitelist=srvr'
zookeeper=$!
up zookeeper-1 $zookeeper
run broker-1 $'broker.id=1\nlog.dirs=/data/broker\nzookeeper.connect=127.0.0.1:2181\n'"$client"
broker=$!
up broker-1 $broker
end $broker
end $zookeeper

KAFKALAB_MODE=kraft
settings="process.roles=broker,controller
node.id=1
log.dirs=/data/kraft
controller.listener.names=CONTROLLER
controller.quorum.voters=1@127.0.0.1:9093
$client,CONTROLLER://127.0.0.1:9093
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"
echo "$settings" >/tmp/format.properties
CLASSPATH="$home/jars/kraft/*" java -XX:TieredStopAtLevel=1 "-Dlog4j2.configurationFile=file:$home/node/log4j2.properties" \
  kafka.tools.StorageTool format --cluster-id "$KAFKALAB_CLUSTER_ID" --config /tmp/format.properties >/tmp/format.log 2>&1 ||
  { cat /tmp/format.log >&2 && exit 1; }
mv /data/kraft/bootstrap.checkpoint "$home/"
rm -rf /data/kraft
run broker-1 "$settings"
broker=$!
up broker-1 $broker
end $broker

find "$home" -maxdepth 1 -type f -exec ls -l {} + -exec chmod 644 {} +
rm -rf /data/* /tmp/*
