#!/bin/sh
# Serves this folder by two servers on one database of PostgreSQL, behind HAProxy where that is installed. Ends both
# when it ends.
#
#   replicas.sh STORE CRM [PORT]
#   replicas.sh postgres://shop@localhost/shop crm=sqlite:crm.db 8080
set -eu
store=$1 crm=$2 port=${3:-8080}
folder=$(dirname "$0")
server=${MCPLOGIC:-mcplogic}
work=$(mktemp -d)
pids=
finish() {
  trap - EXIT INT TERM
  for pid in $pids; do kill "$pid" 2>/dev/null || :; done
  wait
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 0' INT TERM

# Both servers go on with each other's calls by this secret.
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$work/key"
for i in 1 2; do
  "$server" serve --http "127.0.0.1:$((port + i))" --store "$store" --sql "$crm" --state-key-file "$work/key" "$folder" &
  pids="$pids $!"
done

if command -v haproxy >/dev/null; then
  # Clients of older versions have sessions, which live in one server.
  cat >"$work/haproxy.cfg" <<END
defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h
frontend mcp
  bind 127.0.0.1:$port
  default_backend servers
backend servers
  balance roundrobin
  option httpchk GET /healthz
  stick-table type string len 64 size 100k expire 30m
  stick on req.hdr(Mcp-Session-Id)
  stick store-response res.hdr(Mcp-Session-Id)
  server one 127.0.0.1:$((port + 1)) check
  server two 127.0.0.1:$((port + 2)) check
END
  haproxy -f "$work/haproxy.cfg" &
  pids="$pids $!"
  echo "http://127.0.0.1:$port/mcp"
else
  echo "no haproxy; the servers are http://127.0.0.1:$((port + 1))/mcp and http://127.0.0.1:$((port + 2))/mcp"
fi
wait
