-- The newest migration that is applied, for readiness. The history itself stays the owner's.
CREATE FUNCTION schema_version() RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
  SELECT coalesce(max(version::integer), 0)
    FROM flyway_schema_history
   WHERE success AND version IS NOT NULL;
$$;

REVOKE ALL ON FUNCTION schema_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION schema_version() TO ${gatewayRole};
