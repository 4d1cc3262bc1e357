#!/bin/sh
# Run once, by PostgreSQL's own image in an empty volume: the login of the gateway, its database, and pgvector,
# which only a superuser may add. The schema comes with the gateway's first start.
set -e
psql -v ON_ERROR_STOP=1 -v password="$DATABASE_PASSWORD" -U "$POSTGRES_USER" -d postgres <<'SQL'
CREATE ROLE ask LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE ask OWNER ask;
\c ask
CREATE EXTENSION vector;
SQL
