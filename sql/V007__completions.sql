-- Completions and embeddings: requests that are held, settled, swept and told apart by their id like
-- turns, and kept in no thread. Both functions are those of V002 but for the new targets, and for whose
-- account a usage row says was used.

ALTER TABLE answer_requests DROP CONSTRAINT answer_requests_kind_check;
ALTER TABLE answer_requests ADD CONSTRAINT answer_requests_kind_check
  CHECK (kind IN ('turn', 'search', 'completion', 'embedding'));

-- Begins a turn, or finds the one that the same request id began. p_target names where the answer
-- goes: new, client (p_client_key), thread (p_thread), chat (p_chat), or nowhere: search, completion
-- and embedding, of which the last two are told nothing but that they began.
CREATE OR REPLACE FUNCTION begin_turn(
  p_user text, p_request uuid, p_fingerprint bytea, p_target text,
  p_thread uuid, p_client_key text, p_chat uuid,
  p_scope_chats uuid[], p_question text, p_profile text,
  p_node text, p_lease_ms bigint, p_hold bigint, p_price_book text, p_recent integer)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  known     answer_requests;
  thread    conversation_assistant_threads;
  prefs     user_preferences;
  scope     uuid[] := coalesce(p_scope_chats, '{}');
  assistant uuid := gen_random_uuid();
  asked     uuid;
  fresh     boolean := false;
  recent    jsonb := '[]';
  chat_name text;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);

  -- Claims the request id. A twin that is still in its own transaction is waited for here.
  INSERT INTO answer_requests (user_id, request_id, kind, fingerprint, assistant_turn_id, scope_chat_ids,
                               profile, status, lease_node, lease_until)
  VALUES (p_user, p_request, CASE WHEN p_target IN ('search', 'completion', 'embedding') THEN p_target ELSE 'turn' END, p_fingerprint, assistant,
          scope, p_profile, 'streaming', p_node, clock_timestamp() + p_lease_ms * interval '1 millisecond')
  ON CONFLICT (user_id, request_id) DO NOTHING;
  IF NOT FOUND THEN
    SELECT * INTO known FROM answer_requests WHERE user_id = p_user AND request_id = p_request;
    IF known.fingerprint <> p_fingerprint THEN
      RAISE EXCEPTION USING ERRCODE = 'AG409', MESSAGE = 'request id used with another body';
    END IF;
    RETURN request_json(p_user, p_request) || '{"begun": false}';
  END IF;

  INSERT INTO user_preferences (user_id) VALUES (p_user) ON CONFLICT (user_id) DO NOTHING;
  SELECT * INTO prefs FROM user_preferences WHERE user_id = p_user;
  -- Only a plain true, or nothing at all, is on: what cannot be read is off.
  IF coalesce(prefs.preferences -> 'ai_enabled', 'true') <> 'true'::jsonb THEN
    RAISE EXCEPTION USING ERRCODE = 'AG403', MESSAGE = 'AI is off for this account';
  END IF;

  IF p_chat IS NOT NULL THEN
    SELECT coalesce(name, 'Conversation') INTO chat_name FROM chats WHERE user_id = p_user AND id = p_chat;
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'AG404', MESSAGE = 'chat';
    END IF;
  END IF;

  IF p_target = 'thread' THEN
    SELECT * INTO thread FROM conversation_assistant_threads WHERE user_id = p_user AND id = p_thread;
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'AG404', MESSAGE = 'thread';
    END IF;
    -- A chat's own thread never answers about anything but that chat.
    IF thread.chat_id IS NOT NULL THEN
      IF scope <> '{}' AND scope <> ARRAY[thread.chat_id] THEN
        RAISE EXCEPTION USING ERRCODE = 'AG404', MESSAGE = 'thread';
      END IF;
      scope := ARRAY[thread.chat_id];
    END IF;
  ELSIF p_target = 'chat' THEN
    INSERT INTO conversation_assistant_threads AS t (user_id, chat_id, title) VALUES (p_user, p_chat, chat_name)
    ON CONFLICT (user_id, chat_id) DO UPDATE SET updated_at = clock_timestamp() RETURNING t.* INTO thread;
    scope := ARRAY[p_chat];
  ELSIF p_target = 'client' THEN
    INSERT INTO conversation_assistant_threads AS t (user_id, client_key) VALUES (p_user, p_client_key)
    ON CONFLICT (user_id, client_key) DO UPDATE SET updated_at = clock_timestamp() RETURNING t.* INTO thread;
  ELSIF p_target = 'new' THEN
    INSERT INTO conversation_assistant_threads AS t (user_id) VALUES (p_user) RETURNING t.* INTO thread;
  END IF;

  IF EXISTS (SELECT FROM unnest(scope) AS wanted(id)
             WHERE NOT EXISTS (SELECT FROM chats c WHERE c.user_id = p_user AND c.id = wanted.id)) THEN
    RAISE EXCEPTION USING ERRCODE = 'AG404', MESSAGE = 'chat';
  END IF;

  IF p_target NOT IN ('search', 'completion', 'embedding') THEN
    SELECT coalesce(jsonb_agg(jsonb_build_object('role', r.role, 'content', r.content) ORDER BY r.seq), '[]')
      INTO recent
      FROM (SELECT role, content, seq FROM conversation_assistant_turns
             WHERE user_id = p_user AND thread_id = thread.id AND content <> ''
               AND (role = 'user' OR status = 'completed')
             ORDER BY seq DESC LIMIT p_recent) r;
    fresh := NOT EXISTS (SELECT FROM conversation_assistant_turns WHERE user_id = p_user AND thread_id = thread.id);
    IF fresh AND thread.chat_id IS NULL AND thread.title = 'New conversation' THEN
      thread.title := thread_title(p_question);
    END IF;
    -- Locks the thread, so that nobody deletes it from under its new turns.
    UPDATE conversation_assistant_threads t SET title = thread.title, updated_at = clock_timestamp()
     WHERE user_id = p_user AND id = thread.id RETURNING t.* INTO thread;
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'AG404', MESSAGE = 'thread';
    END IF;
    INSERT INTO conversation_assistant_turns (user_id, thread_id, role, content, scope_chat_ids, status, request_id)
    VALUES (p_user, thread.id, 'user', p_question, scope, 'completed', p_request) RETURNING id INTO asked;
    INSERT INTO conversation_assistant_turns (user_id, id, thread_id, role, scope_chat_ids, status, request_id)
    VALUES (p_user, assistant, thread.id, 'assistant', scope, 'streaming', p_request);
  END IF;

  INSERT INTO budget_accounts (user_id) VALUES (p_user) ON CONFLICT (user_id) DO NOTHING;
  IF p_hold > 0 THEN
    UPDATE budget_accounts SET held_micro_usd = held_micro_usd + p_hold
     WHERE user_id = p_user
       AND (allowance_micro_usd IS NULL OR allowance_micro_usd - held_micro_usd - spent_micro_usd >= p_hold);
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'AG402', MESSAGE = 'budget exhausted';
    END IF;
    INSERT INTO ledger_entries (user_id, request_id, kind, debit_account, credit_account, amount_micro_usd, state, price_book_version)
    VALUES (p_user, p_request, 'reservation', 'allowance', 'held', p_hold, 'pending', p_price_book);
  END IF;
  INSERT INTO budget_holds (user_id, request_id, amount_micro_usd, state, price_book_version)
  VALUES (p_user, p_request, p_hold, 'pending', p_price_book);

  IF p_target IN ('completion', 'embedding') THEN
    RETURN '{"begun": true}';
  END IF;

  UPDATE answer_requests SET thread_id = thread.id, user_turn_id = asked, scope_chat_ids = scope
   WHERE user_id = p_user AND request_id = p_request;

  RETURN request_json(p_user, p_request) || jsonb_build_object(
    'begun', true, 'newThread', fresh, 'chatThread', thread.chat_id IS NOT NULL,
    'timezone', prefs.timezone, 'recent', recent);
END
$$;

-- Ends a turn, once: answer, usage, ledger, hold and thread in one transaction. Whoever comes
-- second (a sweeper that took the lease, a late owner) changes nothing and reads what stands.
CREATE OR REPLACE FUNCTION finish_turn(p_user text, p_request uuid, p_node text, p_end jsonb)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  req      answer_requests;
  hold     budget_holds;
  cost     bigint := (p_end ->> 'costMicroUsd')::bigint;
  billable bigint;
  u        jsonb := p_end -> 'usage';
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  SELECT * INTO req FROM answer_requests WHERE user_id = p_user AND request_id = p_request FOR UPDATE;
  IF NOT FOUND OR req.status <> 'streaming' OR req.lease_node IS DISTINCT FROM p_node THEN
    RETURN request_json(p_user, p_request) || '{"finished": false}';
  END IF;

  -- First the thread, then the account, as begin_turn does: two turns of a thread never wait in a circle.
  UPDATE conversation_assistant_threads SET updated_at = clock_timestamp()
   WHERE user_id = p_user AND id = req.thread_id;
  -- Nothing is written back into a conversation that was deleted meanwhile.
  UPDATE conversation_assistant_turns
     SET content = p_end ->> 'content', citations = p_end -> 'citations', status = p_end ->> 'status',
         query_plan = p_end -> 'queryPlan', prompt_version = p_end ->> 'promptVersion',
         provider = p_end ->> 'provider', model = p_end ->> 'model', finish_reason = p_end ->> 'finishReason',
         input_tokens = (u ->> 'inputTokens')::bigint + (u ->> 'cacheReadTokens')::bigint + (u ->> 'cacheWriteTokens')::bigint,
         output_tokens = (u ->> 'outputTokens')::bigint, error_code = p_end ->> 'errorCode'
   WHERE user_id = p_user AND id = req.assistant_turn_id;

  SELECT * INTO hold FROM budget_holds WHERE user_id = p_user AND request_id = p_request FOR UPDATE;
  -- Never more than was held: what a provider reports above it is the operator's loss, not the person's.
  billable := least(coalesce((p_end ->> 'billableMicroUsd')::bigint, cost), hold.amount_micro_usd);
  UPDATE budget_holds
     SET state = CASE WHEN billable > 0 THEN 'posted' ELSE 'voided' END, settled_micro_usd = billable, closed_at = now()
   WHERE user_id = p_user AND request_id = p_request;
  IF hold.amount_micro_usd > 0 THEN
    UPDATE budget_accounts
       SET held_micro_usd = held_micro_usd - hold.amount_micro_usd, spent_micro_usd = spent_micro_usd + billable
     WHERE user_id = p_user;
  END IF;
  IF billable > 0 THEN
    INSERT INTO ledger_entries (user_id, request_id, kind, debit_account, credit_account, amount_micro_usd, state, price_book_version)
    VALUES (p_user, p_request, 'settlement', 'held', 'spent', billable, 'posted', hold.price_book_version);
  END IF;
  IF hold.amount_micro_usd > billable THEN
    INSERT INTO ledger_entries (user_id, request_id, kind, debit_account, credit_account, amount_micro_usd, state, price_book_version)
    VALUES (p_user, p_request, 'release', 'held', 'allowance', hold.amount_micro_usd - billable, 'voided', hold.price_book_version);
  END IF;

  INSERT INTO ai_usage_events (user_id, request_id, feature, profile, provider, model, input_tokens, cache_read_tokens,
    cache_write_tokens, output_tokens, reasoning_tokens, estimated, provider_cost_micro_usd, billable_cost_micro_usd,
    failed_attempts, failed_cost_micro_usd, price_book_version, latency_ms, status, error_code, billing_source)
  VALUES (p_user, p_request, CASE req.kind WHEN 'turn' THEN 'assistant' ELSE req.kind END, req.profile,
    p_end ->> 'provider', p_end ->> 'model', (u ->> 'inputTokens')::bigint, (u ->> 'cacheReadTokens')::bigint,
    (u ->> 'cacheWriteTokens')::bigint, (u ->> 'outputTokens')::bigint, (u ->> 'reasoningTokens')::bigint,
    (u ->> 'estimated')::boolean, cost, billable,
    coalesce((p_end ->> 'failedAttempts')::integer, 0), coalesce((p_end ->> 'failedCostMicroUsd')::bigint, 0),
    hold.price_book_version, (p_end ->> 'latencyMs')::bigint,
    CASE WHEN billable > 0 THEN 'settled' ELSE 'released' END, p_end ->> 'errorCode',
    coalesce(p_end ->> 'billingSource', 'managed_allowance'));

  UPDATE answer_requests
     SET status = p_end ->> 'status', lease_node = NULL, lease_until = NULL, finished_at = clock_timestamp(),
         outcome = jsonb_build_object('usage', u, 'costMicroUsd', billable, 'finishReason', p_end ->> 'finishReason',
                     'provider', p_end ->> 'provider', 'model', p_end ->> 'model', 'errorCode', p_end ->> 'errorCode')
   WHERE user_id = p_user AND request_id = p_request;
  RETURN request_json(p_user, p_request) || '{"finished": true}';
END
$$;

-- Replacing a function keeps who may call it, and forgets its settings.
ALTER FUNCTION begin_turn SET search_path = ${schema}, public, pg_temp;
ALTER FUNCTION finish_turn SET search_path = ${schema}, public, pg_temp;
