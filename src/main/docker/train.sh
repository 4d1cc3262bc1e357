#!/usr/bin/env bash
# Starts the gateway once, asks it this and that and stops it, so that Java leaves behind what it has read and
# linked for the next start (docs/decisions/0030-jvm-and-image.md). Run while the image is built.
set -euo pipefail
cd "$(dirname "$0")"

# STATUS METHOD PATH [BODY]: whether that is the status.
ask() {
  local expected=$1 body=${4:-} status
  exec 3<>/dev/tcp/127.0.0.1/8080 || return 1
  printf '%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' \
    "$2" "$3" "${#body}" "$body" >&3
  read -r _ status _ <&3
  cat <&3 >/dev/null
  exec 3>&-
  echo "$2 $3: $status"
  [ "$status" = "$expected" ]
}

# Not half of this machine: a heap of 32 GB or more is without compressed pointers, and so its cache would be.
java @jvm.options -Xmx512m -Xlog:aot=error -XX:AOTCacheOutput=ask-gateway.aot \
  -jar ask-gateway.jar --config training.yaml &
gateway=$!
trap 'kill -9 "$gateway" 2>/dev/null || true' EXIT
# Ten minutes, as an emulated machine takes its time. A process that has died ends it at once.
for _ in $(seq 2400); do
  ask 200 GET /health/ready 2>/dev/null && break
  kill -0 "$gateway"
  sleep 0.25
done

ask 200 GET /v1/models
ask 200 POST /v1/embeddings '{"model":"vectors","input":["a fox","a dog"]}'
ask 502 POST /v1/chat/completions '{"model":"words","stream":true,"messages":[{"role":"user","content":"Hi"}]}'
ask 200 GET /metrics

kill "$gateway"
wait "$gateway"

# Where the image runs, Java goes on without a cache that it refuses. Here that fails the build.
java @jvm.options -Xmx512m -Xlog:disable -Xlog:all=warning:stderr -XX:AOTMode=on -XX:AOTCache=ask-gateway.aot \
  -jar ask-gateway.jar help >/dev/null
