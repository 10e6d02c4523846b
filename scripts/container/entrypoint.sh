#!/bin/sh
# Runs the service that the container's command names, with the rest of the command as its flags.
set -eu
service=${1:-}
case "$service" in
  coordinator | datanode | standalone) shift ;;
  *)
    echo "weir: '$service' is no service: coordinator, datanode and standalone are" >&2
    exit 64
    ;;
esac
# exec, so that the service itself is the container's first process and hears its signals.
exec node "$(dirname "$0")/../../packages/$service/dist/main.js" "$@"
