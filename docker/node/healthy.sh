#!/usr/bin/env bash
# Asks the node itself: ZooKeeper for its mode, a broker or controller which requests it understands.
set -euo pipefail
case $KAFKALAB_NODE in
  zookeeper-*)
    exec 3<>/dev/tcp/127.0.0.1/2181
    printf srvr >&3
    grep -q '^Mode: ' <&3
    ;;
  *)
    port=9092
    [ "${KAFKALAB_NODE#controller-}" = "$KAFKALAB_NODE" ] || port=9093
    exec 3<>/dev/tcp/127.0.0.1/$port
    # ApiVersions, version 0: length 10, key 18, version 0, correlation id 7, no client id.
    printf '\0\0\0\x0a\0\x12\0\0\0\0\0\x07\xff\xff' >&3
    # Its answer: a length, the same correlation id, error 0.
    [ "$(head -c 10 <&3 | tail -c 6 | od -An -tx1 | tr -d ' \n')" = 000000070000 ]
    ;;
esac
