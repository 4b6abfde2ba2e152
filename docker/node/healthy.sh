#!/usr/bin/env bash
# Asks the node itself: ZooKeeper for its mode, a broker whether it is one of the brokers it tells clients of (one that
# has not been let in yet, or is fenced off, is not), a controller which requests it understands.
set -euo pipefail

# asked PORT REQUEST: what follows the length in the answer, in hex.
asked() {
  local length
  exec 3<>"/dev/tcp/127.0.0.1/$1"
  printf "$2" >&3
  length=$((0x$(head -c 4 <&3 | od -An -tx1 | tr -d ' \n')))
  head -c "$length" <&3 | od -An -v -tx1 | tr -d ' \n'
}

# A request's header: its length, its key, its version, correlation id 7, no client id.
case $KAFKALAB_NODE in
  zookeeper-*)
    exec 3<>/dev/tcp/127.0.0.1/2181
    printf srvr >&3
    grep -q '^Mode: ' <&3
    ;;
  controller-*)
    # ApiVersions; the answer is the correlation id, error 0, …
    [[ $(asked 9093 '\0\0\0\x0a\0\x12\0\0\0\0\0\x07\xff\xff') == 000000070000* ]]
    ;;
  *)
    # Metadata, of no topic; the answer is the correlation id, the number of brokers, and each of them, its id first.
    [[ $(asked 9092 '\0\0\0\x0e\0\x03\0\x01\0\0\0\x07\xff\xff\0\0\0\0') == 00000007*$(printf %08x "${KAFKALAB_NODE##*-}")* ]]
    ;;
esac
