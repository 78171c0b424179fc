#!/bin/sh
# Runs once, when the volume is empty: the hosts own a database, and have no other right.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\set password `cat "${SECRETS:-/run/secrets}/store-password"`
CREATE ROLE hosts LOGIN PASSWORD :'password';
CREATE DATABASE gavel OWNER hosts;
SQL
