#!/bin/sh
# Two roles, once, when the database is made: one that owns the tables, and one for the service, which can neither change
# what is append-only nor switch off a trigger.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres --set owner="$OWNER_PASSWORD" --set service="$SERVICE_PASSWORD" <<'SQL'
CREATE ROLE payments_owner LOGIN PASSWORD :'owner';
CREATE ROLE payments_service LOGIN PASSWORD :'service';
-- Behind a pooler; else each process sets the same by itself.
ALTER ROLE payments_service SET statement_timeout = '8s';
ALTER ROLE payments_service SET idle_in_transaction_session_timeout = '8s';
CREATE DATABASE payments OWNER payments_owner;
SQL
