-- People's own accounts at providers, and which of their models serves which task.
--
-- A secret is stored as the gateway sealed it; the database never sees a key. A sealed secret opens only
-- in its own row: it is bound to the person, the connection, the provider, the address and the key id.

CREATE TABLE ai_connections (
  user_id                text NOT NULL CHECK (user_id <> '' AND length(user_id) <= 255),
  id                     uuid NOT NULL,
  provider_type          text NOT NULL CHECK (provider_type IN ('openai', 'anthropic', 'gemini')),
  execution_mode         text NOT NULL DEFAULT 'cloud_byok' CHECK (execution_mode = 'cloud_byok'),
  display_name           text NOT NULL CHECK (display_name <> '' AND length(display_name) <= 80),
  base_url               text CHECK (length(base_url) <= 300),
  secret                 bytea,
  secret_version         integer NOT NULL DEFAULT 1,
  key_id                 text,
  credential_fingerprint text CHECK (length(credential_fingerprint) <= 4),
  status                 text NOT NULL DEFAULT 'pending'
                         CHECK (status IN ('pending', 'active', 'invalid', 'rate_limited', 'revoked', 'unreachable')),
  capability_snapshot    jsonb NOT NULL DEFAULT '{}',
  last_checked_at        timestamptz,
  last_error_code        text,
  created_at             timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at             timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, id),
  CHECK ((secret IS NULL) = (key_id IS NULL)),
  CONSTRAINT revoked_has_no_secret CHECK (status <> 'revoked' OR secret IS NULL)
);
CREATE INDEX connections_by_key ON ai_connections (key_id, user_id, id) WHERE secret IS NOT NULL;
COMMENT ON COLUMN ai_connections.base_url IS 'null: the provider''s own address';
COMMENT ON COLUMN ai_connections.secret IS 'sealed by the gateway; null: none any more';
COMMENT ON COLUMN ai_connections.secret_version IS 'raised by a new secret, not by a new seal: what a test of an older one found is dropped';
COMMENT ON COLUMN ai_connections.credential_fingerprint IS 'the last four characters of a secret that has at least twelve';
COMMENT ON COLUMN ai_connections.last_error_code IS 'a stable code, never a message';

CREATE TABLE ai_model_profiles (
  user_id        text NOT NULL,
  task_role      text NOT NULL CHECK (task_role ~ '^[a-z][a-z0-9_]{0,39}$'),
  connection_id  uuid NOT NULL,
  model_id       text NOT NULL CHECK (model_id <> '' AND length(model_id) <= 120),
  context_tokens integer NOT NULL CHECK (context_tokens > 0),
  output_tokens  integer NOT NULL CHECK (output_tokens > 0),
  enabled        boolean NOT NULL DEFAULT true,
  created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, task_role),
  FOREIGN KEY (user_id, connection_id) REFERENCES ai_connections (user_id, id) ON DELETE CASCADE
);
CREATE INDEX profiles_by_connection ON ai_model_profiles (user_id, connection_id);
COMMENT ON COLUMN ai_model_profiles.enabled IS 'false once its connection is revoked: the task is refused, never quietly given to another provider';

-- Where a saved key is sent can not be changed any more, nor whose it is.
DO $$
DECLARE
  name   text;
  rights text;
BEGIN
  FOR name, rights IN VALUES
    ('ai_connections',
     'SELECT, INSERT, DELETE, UPDATE (secret, secret_version, key_id, credential_fingerprint, status,'
     ' capability_snapshot, last_checked_at, last_error_code, updated_at)'),
    ('ai_model_profiles', 'SELECT, INSERT, UPDATE, DELETE') LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY person ON %I USING (user_id = nullif(current_setting(''ask.user_id'', true), '''')) '
      'WITH CHECK (user_id = nullif(current_setting(''ask.user_id'', true), ''''))', name);
    EXECUTE format('GRANT %s ON %I TO ${gatewayRole}', rights, name);
  END LOOP;
END
$$;

-- The model a person set for a task, or their connection by its id: what one call needs, in one round trip.
CREATE FUNCTION own_model(p_user text, p_role text, p_connection uuid)
RETURNS TABLE (id uuid, provider_type text, base_url text, secret bytea, secret_version integer, key_id text,
               status text, model_id text, context_tokens integer, output_tokens integer, enabled boolean)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  RETURN QUERY
    SELECT c.id, c.provider_type, c.base_url, c.secret, c.secret_version, c.key_id, c.status,
           p.model_id, p.context_tokens, p.output_tokens, p.enabled
      FROM ai_connections c
      LEFT JOIN ai_model_profiles p ON p.user_id = p_user AND p.task_role = p_role AND p.connection_id = c.id
     WHERE c.user_id = p_user AND (c.id = p_connection OR (p_role IS NOT NULL AND p.task_role = p_role));
END
$$;

-- Connections of anybody whose secret is sealed with another key than this one: ids only, a page at a time.
CREATE FUNCTION connections_to_reseal(p_key_id text, p_after_user text, p_after_id uuid, p_limit integer)
RETURNS TABLE (user_id text, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT c.user_id, c.id FROM ai_connections c
   WHERE c.secret IS NOT NULL AND c.key_id <> p_key_id
     AND (p_after_user IS NULL OR (c.user_id, c.id) > (p_after_user, p_after_id))
   ORDER BY c.user_id, c.id LIMIT p_limit
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('own_model', 'connections_to_reseal') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
  END LOOP;
END
$$;
