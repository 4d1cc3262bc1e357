-- The data of one gateway: conversations as the messaging platforms hold them, and the
-- assistant's threads, turns, holds and ledger. Every table is keyed by the person (user_id)
-- first, so that a hash split over partitions today can become one over nodes later.
--
-- Row-level security: the gateway works as ${gatewayRole}, which sees only the rows of the
-- person named by the setting ask.user_id, set for each transaction. No person set: no rows.

CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;
CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA public;

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${gatewayRole}') THEN
    CREATE ROLE ${gatewayRole} NOLOGIN NOSUPERUSER NOBYPASSRLS;
  END IF;
  -- A login that migrates may also serve.
  IF NOT pg_has_role(current_user, '${gatewayRole}', 'USAGE') THEN
    GRANT ${gatewayRole} TO CURRENT_USER;
  END IF;
EXCEPTION
  -- Another database of the same server is being migrated at the same time.
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

-- ---------------------------------------------------------------- the person

CREATE TABLE user_preferences (
  user_id     text PRIMARY KEY CHECK (user_id <> '' AND length(user_id) <= 255),
  timezone    text NOT NULL DEFAULT 'UTC',
  language    text NOT NULL DEFAULT 'en',
  preferences jsonb NOT NULL DEFAULT '{}',
  created_at  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN user_preferences.preferences IS 'ai_enabled false switches the assistant off for the account';

-- The overdraft rule is this constraint; no code is trusted with it.
CREATE TABLE budget_accounts (
  user_id             text PRIMARY KEY,
  allowance_micro_usd bigint CHECK (allowance_micro_usd >= 0),
  held_micro_usd      bigint NOT NULL DEFAULT 0 CHECK (held_micro_usd >= 0),
  spent_micro_usd     bigint NOT NULL DEFAULT 0 CHECK (spent_micro_usd >= 0),
  CONSTRAINT no_overdraft CHECK (held_micro_usd + spent_micro_usd <= allowance_micro_usd)
);
COMMENT ON COLUMN budget_accounts.allowance_micro_usd IS 'null: the account has no limit';

-- ---------------------------------------------------------------- conversations

CREATE TABLE contacts (
  user_id             text NOT NULL,
  id                  uuid NOT NULL DEFAULT gen_random_uuid(),
  platform            text NOT NULL,
  platform_contact_id text NOT NULL,
  name                text,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, id),
  UNIQUE (user_id, platform, platform_contact_id)
);

CREATE TABLE chats (
  user_id          text NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  platform         text NOT NULL,
  platform_chat_id text NOT NULL,
  contact_id       uuid,
  name             text,
  is_group         boolean NOT NULL DEFAULT false,
  message_count    bigint NOT NULL DEFAULT 0,
  last_message_at  timestamptz,
  ai_enabled       boolean,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, id),
  UNIQUE (user_id, platform, platform_chat_id)
);
CREATE INDEX chats_recent ON chats (user_id, last_message_at DESC NULLS LAST);
COMMENT ON COLUMN chats.message_count IS 'live text messages, kept by ingestion: what a search plan chooses by';
COMMENT ON COLUMN chats.ai_enabled IS 'null: the default of its kind; false keeps a one-to-one chat out of evidence';

CREATE TABLE messages (
  user_id                      text NOT NULL,
  id                           uuid NOT NULL DEFAULT gen_random_uuid(),
  chat_id                      uuid NOT NULL,
  contact_id                   uuid,
  platform                     text NOT NULL,
  platform_message_id          text NOT NULL,
  content                      text,
  contact_name                 text,
  from_me                      boolean NOT NULL DEFAULT false,
  "timestamp"                  timestamptz NOT NULL,
  type                         text NOT NULL DEFAULT 'text',
  is_group                     boolean NOT NULL DEFAULT false,
  is_deleted                   boolean NOT NULL DEFAULT false,
  reply_to_platform_message_id text,
  thread_root_platform_id      text,
  edited_at                    timestamptz,
  content_hash                 bytea,
  created_at                   timestamptz NOT NULL DEFAULT now(),
  updated_at                   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, id),
  UNIQUE (user_id, platform, chat_id, platform_message_id)
) PARTITION BY HASH (user_id);
CREATE INDEX messages_in_order ON messages (user_id, chat_id, "timestamp", id);
CREATE INDEX messages_by_time ON messages (user_id, "timestamp");
COMMENT ON COLUMN messages.content_hash IS 'SHA-256 of the text that is embedded; null for rows without text';

-- One table holds every embedding profile; a vector is searched only with its own profile and version.
CREATE TABLE conversation_message_embeddings (
  user_id              text NOT NULL,
  message_id           uuid NOT NULL,
  embedding_profile_id text NOT NULL,
  embedding_version    integer NOT NULL,
  embedding_model      text NOT NULL,
  embedding_dimensions integer NOT NULL,
  content_hash         bytea NOT NULL,
  embedding            vector NOT NULL,
  indexed_at           timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, message_id, embedding_profile_id, embedding_version),
  FOREIGN KEY (user_id, message_id) REFERENCES messages (user_id, id) ON DELETE CASCADE,
  CHECK (vector_dims(embedding) = embedding_dimensions),
  -- A zero vector has no direction: its cosine is NaN, which sorts above every real score.
  CHECK (vector_norm(embedding) > 0)
) PARTITION BY HASH (user_id);

-- Messages that wait for a vector. Rows are put here by ingestion, taken by the indexer.
CREATE TABLE embedding_pending (
  user_id     text NOT NULL,
  message_id  uuid NOT NULL,
  enqueued_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, message_id)
) PARTITION BY HASH (user_id);

DO $$
BEGIN
  FOR i IN 0..15 LOOP
    EXECUTE format('CREATE TABLE messages_p%s PARTITION OF messages FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
    EXECUTE format('CREATE TABLE conversation_message_embeddings_p%s PARTITION OF conversation_message_embeddings FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
    EXECUTE format('CREATE TABLE embedding_pending_p%s PARTITION OF embedding_pending FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
  END LOOP;
END
$$;

-- One job a person: who is indexing it, and until when that is believed.
CREATE TABLE embedding_jobs (
  user_id      text PRIMARY KEY,
  lease_node   text,
  lease_until  timestamptz,
  attempts     integer NOT NULL DEFAULT 0,
  not_before   timestamptz NOT NULL DEFAULT now(),
  requested_at timestamptz NOT NULL DEFAULT now(),
  error_code   text
);
CREATE INDEX embedding_jobs_due ON embedding_jobs (not_before);

CREATE TABLE conversation_assistant_index_state (
  user_id         text PRIMARY KEY,
  status          text NOT NULL DEFAULT 'idle' CHECK (status IN ('idle', 'indexing', 'ready', 'failed')),
  indexed_count   bigint NOT NULL DEFAULT 0,
  total_count     bigint NOT NULL DEFAULT 0,
  last_indexed_at timestamptz,
  last_error      text,
  updated_at      timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN conversation_assistant_index_state.last_error IS 'a stable code, never a message';

-- ---------------------------------------------------------------- the assistant

CREATE TABLE conversation_assistant_threads (
  user_id    text NOT NULL,
  id         uuid NOT NULL DEFAULT gen_random_uuid(),
  title      text NOT NULL DEFAULT 'New conversation',
  chat_id    uuid,
  client_key text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, id),
  UNIQUE (user_id, chat_id),
  UNIQUE (user_id, client_key)
);
CREATE INDEX threads_recent ON conversation_assistant_threads (user_id, updated_at DESC, id DESC);
COMMENT ON COLUMN conversation_assistant_threads.chat_id IS 'null: a global thread; set: the one thread of that chat';
COMMENT ON COLUMN conversation_assistant_threads.client_key IS 'the chat id an app made up for this thread';

CREATE TABLE conversation_assistant_turns (
  user_id        text NOT NULL,
  id             uuid NOT NULL DEFAULT gen_random_uuid(),
  seq            bigint GENERATED ALWAYS AS IDENTITY,
  thread_id      uuid NOT NULL,
  role           text NOT NULL CHECK (role IN ('user', 'assistant')),
  content        text NOT NULL DEFAULT '',
  citations      jsonb NOT NULL DEFAULT '[]',
  actions        jsonb NOT NULL DEFAULT '[]',
  scope_chat_ids uuid[] NOT NULL DEFAULT '{}',
  status         text NOT NULL DEFAULT 'completed'
                 CHECK (status IN ('pending', 'streaming', 'completed', 'failed', 'cancelled')),
  request_id     uuid,
  query_plan     jsonb,
  prompt_version text,
  provider       text,
  model          text,
  finish_reason  text,
  input_tokens   bigint,
  output_tokens  bigint,
  error_code     text,
  created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, thread_id) REFERENCES conversation_assistant_threads (user_id, id) ON DELETE CASCADE
);
CREATE INDEX turns_in_order ON conversation_assistant_turns (user_id, thread_id, seq DESC);
CREATE UNIQUE INDEX turns_by_request ON conversation_assistant_turns (user_id, request_id) WHERE role = 'assistant';

-- The life of one request: its idempotency, its lease, and what is kept for a replay.
-- It outlives its thread, so that a deleted conversation can never be answered (and paid) twice.
CREATE TABLE answer_requests (
  user_id           text NOT NULL,
  request_id        uuid NOT NULL,
  kind              text NOT NULL CHECK (kind IN ('turn', 'search')),
  fingerprint       bytea NOT NULL,
  thread_id         uuid,
  user_turn_id      uuid,
  assistant_turn_id uuid NOT NULL,
  scope_chat_ids    uuid[] NOT NULL DEFAULT '{}',
  profile           text NOT NULL,
  status            text NOT NULL CHECK (status IN ('streaming', 'completed', 'failed', 'cancelled')),
  lease_node        text,
  lease_until       timestamptz,
  cancel_requested  boolean NOT NULL DEFAULT false,
  followed_until    timestamptz,
  outcome           jsonb,
  created_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at       timestamptz,
  PRIMARY KEY (user_id, request_id)
);
CREATE INDEX answer_requests_running ON answer_requests (lease_until) WHERE status = 'streaming';
COMMENT ON COLUMN answer_requests.followed_until IS 'somebody reads along on another node than the one that runs it';
COMMENT ON COLUMN answer_requests.outcome IS 'the closing facts of the answer (usage, cost, finish reason, error code): no text';

-- ---------------------------------------------------------------- money, integer micro-USD

CREATE TABLE budget_holds (
  user_id            text NOT NULL,
  request_id         uuid NOT NULL,
  amount_micro_usd   bigint NOT NULL CHECK (amount_micro_usd >= 0),
  settled_micro_usd  bigint CHECK (settled_micro_usd >= 0),
  state              text NOT NULL CHECK (state IN ('pending', 'posted', 'voided', 'expired')),
  price_book_version text NOT NULL,
  created_at         timestamptz NOT NULL DEFAULT now(),
  closed_at          timestamptz,
  PRIMARY KEY (user_id, request_id)
);

-- Append-only double entry: each row moves an amount from one account to another.
CREATE TABLE ledger_entries (
  user_id            text NOT NULL,
  id                 bigint GENERATED ALWAYS AS IDENTITY,
  request_id         uuid NOT NULL,
  kind               text NOT NULL CHECK (kind IN ('reservation', 'settlement', 'release')),
  debit_account      text NOT NULL,
  credit_account     text NOT NULL CHECK (credit_account <> debit_account),
  amount_micro_usd   bigint NOT NULL CHECK (amount_micro_usd > 0),
  state              text NOT NULL CHECK (state IN ('pending', 'posted', 'voided', 'expired')),
  price_book_version text NOT NULL,
  created_at         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, id),
  -- A retry can add nothing: each kind of entry exists once for a request.
  UNIQUE (user_id, request_id, kind)
);

CREATE TABLE ai_usage_events (
  user_id                 text NOT NULL,
  request_id              uuid NOT NULL,
  feature                 text NOT NULL,
  profile                 text NOT NULL,
  provider                text NOT NULL,
  model                   text NOT NULL,
  billing_source          text NOT NULL DEFAULT 'managed_allowance',
  input_tokens            bigint NOT NULL,
  cache_read_tokens       bigint NOT NULL,
  cache_write_tokens      bigint NOT NULL,
  output_tokens           bigint NOT NULL,
  reasoning_tokens        bigint NOT NULL,
  estimated               boolean NOT NULL,
  provider_cost_micro_usd bigint NOT NULL,
  billable_cost_micro_usd bigint NOT NULL,
  failed_attempts         integer NOT NULL DEFAULT 0,
  failed_cost_micro_usd   bigint NOT NULL DEFAULT 0,
  price_book_version      text NOT NULL,
  latency_ms              bigint NOT NULL,
  status                  text NOT NULL CHECK (status IN ('reserved', 'settled', 'released', 'failed')),
  error_code              text,
  created_at              timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, request_id)
);

COMMENT ON COLUMN ai_usage_events.provider_cost_micro_usd IS 'of the tokens of this row';
COMMENT ON COLUMN ai_usage_events.failed_cost_micro_usd IS 'of models that were tried before and gave no text: the operator''s, never billed';

-- ---------------------------------------------------------------- who may see what

GRANT USAGE ON SCHEMA ${schema} TO ${gatewayRole};
-- The role gets what its statements need and no more: money is only ever added to or moved, and what
-- an account may spend is not the gateway's to write. An unset person is NULL or '', and neither is a
-- person.
DO $$
DECLARE
  name   text;
  rights text;
BEGIN
  FOR name, rights IN VALUES
    ('user_preferences', 'SELECT, INSERT, UPDATE, DELETE'),
    ('contacts', 'SELECT, INSERT, UPDATE'),
    ('chats', 'SELECT, INSERT, UPDATE'),
    ('messages', 'SELECT, INSERT, UPDATE'),
    ('conversation_message_embeddings', 'SELECT, INSERT, UPDATE, DELETE'),
    ('embedding_pending', 'SELECT, INSERT, UPDATE, DELETE'),
    ('embedding_jobs', 'SELECT, INSERT, UPDATE, DELETE'),
    ('conversation_assistant_index_state', 'SELECT, INSERT, UPDATE'),
    ('conversation_assistant_threads', 'SELECT, INSERT, UPDATE, DELETE'),
    ('conversation_assistant_turns', 'SELECT, INSERT, UPDATE'),
    ('answer_requests', 'SELECT, INSERT, UPDATE'),
    ('budget_accounts', 'SELECT, INSERT (user_id), UPDATE (held_micro_usd, spent_micro_usd)'),
    ('budget_holds', 'SELECT, INSERT, UPDATE (state, settled_micro_usd, closed_at)'),
    ('ledger_entries', 'SELECT, INSERT'),
    ('ai_usage_events', 'SELECT, INSERT') LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY person ON %I USING (user_id = nullif(current_setting(''ask.user_id'', true), '''')) '
      'WITH CHECK (user_id = nullif(current_setting(''ask.user_id'', true), ''''))', name);
    EXECUTE format('GRANT %s ON %I TO ${gatewayRole}', rights, name);
  END LOOP;
END
$$;
