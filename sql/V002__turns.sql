-- The two ends of an answer, one function and one round trip each, and what keeps the turns of a
-- dead node from hanging. Functions that serve one person set that person first and run with the
-- rights of the gateway's role, so row-level security holds inside them too. The few that look
-- over all persons (leases, sweeping) run as the owner and return ids only.
--
-- Errors the gateway knows by SQLSTATE: AG402 budget exhausted, AG403 AI off, AG404 not the
-- person's (or not there), AG409 the request id belongs to another body.

CREATE FUNCTION thread_json(t conversation_assistant_threads) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', t.id, 'title', t.title, 'chat_id', t.chat_id,
                            'created_at', t.created_at, 'updated_at', t.updated_at)
$$;

CREATE FUNCTION index_status_json(p_user text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT jsonb_build_object('status', status, 'indexedCount', indexed_count, 'totalCount', total_count,
                               'lastIndexedAt', last_indexed_at, 'lastError', last_error)
       FROM conversation_assistant_index_state WHERE user_id = p_user),
    '{"status":"idle","indexedCount":0,"totalCount":0,"lastIndexedAt":null,"lastError":null}'::jsonb)
$$;

-- A question as a title: at most 72 characters in one line, with nothing dangling at the cut.
CREATE FUNCTION thread_title(p_question text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(
    nullif(btrim(left(btrim(regexp_replace(p_question, '\s+', ' ', 'g')), 72), U&' \200B\200D'), ''),
    'New conversation')
$$;

-- What a request looks like to whoever comes second: a retry, another node, a reader of the turn.
CREATE FUNCTION request_json(p_user text, p_request uuid) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'requestId', r.request_id, 'kind', r.kind, 'status', r.status, 'profile', r.profile,
    'threadId', r.thread_id, 'userTurnId', r.user_turn_id, 'assistantTurnId', r.assistant_turn_id,
    'scopeChatIds', to_jsonb(r.scope_chat_ids), 'createdAt', r.created_at, 'finishedAt', r.finished_at,
    'leaseNode', r.lease_node, 'outcome', r.outcome,
    'content', a.content, 'citations', a.citations, 'queryPlan', a.query_plan,
    'provider', a.provider, 'model', a.model, 'finishReason', a.finish_reason, 'errorCode', a.error_code,
    'thread', CASE WHEN t.id IS NULL THEN NULL ELSE thread_json(t) END,
    'index', index_status_json(p_user))
  FROM answer_requests r
  LEFT JOIN conversation_assistant_turns a ON a.user_id = r.user_id AND a.id = r.assistant_turn_id
  LEFT JOIN conversation_assistant_threads t ON t.user_id = r.user_id AND t.id = r.thread_id
  WHERE r.user_id = p_user AND r.request_id = p_request
$$;

-- Begins a turn, or finds the one that the same request id began. p_target names where the answer
-- goes: new, client (p_client_key), thread (p_thread), chat (p_chat), or search (kept nowhere).
CREATE FUNCTION begin_turn(
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
  VALUES (p_user, p_request, CASE p_target WHEN 'search' THEN 'search' ELSE 'turn' END, p_fingerprint, assistant,
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

  IF p_target <> 'search' THEN
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

  UPDATE answer_requests SET thread_id = thread.id, user_turn_id = asked, scope_chat_ids = scope
   WHERE user_id = p_user AND request_id = p_request;

  RETURN request_json(p_user, p_request) || jsonb_build_object(
    'begun', true, 'newThread', fresh, 'chatThread', thread.chat_id IS NOT NULL,
    'timezone', prefs.timezone, 'recent', recent);
END
$$;

-- Ends a turn, once: answer, usage, ledger, hold and thread in one transaction. Whoever comes
-- second (a sweeper that took the lease, a late owner) changes nothing and reads what stands.
CREATE FUNCTION finish_turn(p_user text, p_request uuid, p_node text, p_end jsonb)
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
    failed_attempts, failed_cost_micro_usd, price_book_version, latency_ms, status, error_code)
  VALUES (p_user, p_request, CASE req.kind WHEN 'search' THEN 'search' ELSE 'assistant' END, req.profile,
    p_end ->> 'provider', p_end ->> 'model', (u ->> 'inputTokens')::bigint, (u ->> 'cacheReadTokens')::bigint,
    (u ->> 'cacheWriteTokens')::bigint, (u ->> 'outputTokens')::bigint, (u ->> 'reasoningTokens')::bigint,
    (u ->> 'estimated')::boolean, cost, billable,
    coalesce((p_end ->> 'failedAttempts')::integer, 0), coalesce((p_end ->> 'failedCostMicroUsd')::bigint, 0),
    hold.price_book_version, (p_end ->> 'latencyMs')::bigint,
    CASE WHEN billable > 0 THEN 'settled' ELSE 'released' END, p_end ->> 'errorCode');

  UPDATE answer_requests
     SET status = p_end ->> 'status', lease_node = NULL, lease_until = NULL, finished_at = clock_timestamp(),
         outcome = jsonb_build_object('usage', u, 'costMicroUsd', billable, 'finishReason', p_end ->> 'finishReason',
                     'provider', p_end ->> 'provider', 'model', p_end ->> 'model', 'errorCode', p_end ->> 'errorCode')
   WHERE user_id = p_user AND request_id = p_request;
  RETURN request_json(p_user, p_request) || '{"finished": true}';
END
$$;

-- Asks whoever runs the answer to stop it. True when it was running.
CREATE FUNCTION request_cancel(p_user text, p_request uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  UPDATE answer_requests SET cancel_requested = true
   WHERE user_id = p_user AND request_id = p_request AND status = 'streaming';
  RETURN FOUND;
END
$$;

-- Says that somebody reads along on another node. Its node asks before it stops an answer whose own
-- readers are gone.
CREATE FUNCTION note_follower(p_user text, p_request uuid, p_ms bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  UPDATE answer_requests SET followed_until = clock_timestamp() + p_ms * interval '1 millisecond'
   WHERE user_id = p_user AND request_id = p_request AND status = 'streaming';
END
$$;

CREATE FUNCTION is_followed(p_user text, p_request uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  RETURN EXISTS (SELECT FROM answer_requests WHERE user_id = p_user AND request_id = p_request
                  AND followed_until > clock_timestamp());
END
$$;

-- Keeps a node's running answers alive; tells which of them somebody wants stopped and which
-- are no longer this node's.
CREATE FUNCTION renew_leases(p_node text, p_users text[], p_requests uuid[], p_lease_ms bigint)
RETURNS TABLE (user_id text, request_id uuid, cancel_requested boolean, lost boolean)
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  RETURN QUERY
  WITH mine AS (SELECT * FROM unnest(p_users, p_requests) AS m(u, r)),
  renewed AS (
    UPDATE answer_requests a SET lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond'
      FROM mine m WHERE a.user_id = m.u AND a.request_id = m.r AND a.status = 'streaming' AND a.lease_node = p_node
    RETURNING a.user_id, a.request_id, a.cancel_requested)
  SELECT m.u, m.r, coalesce(n.cancel_requested, false), n.request_id IS NULL
    FROM mine m LEFT JOIN renewed n ON n.user_id = m.u AND n.request_id = m.r
   WHERE n.request_id IS NULL OR n.cancel_requested;
END
$$;

-- Hands the answers of dead nodes to a living one, a bounded number at a time.
CREATE FUNCTION claim_lapsed(p_node text, p_lease_ms bigint, p_limit integer)
RETURNS TABLE (user_id text, request_id uuid, assistant_turn_id uuid)
LANGUAGE sql SECURITY DEFINER AS $$
  UPDATE answer_requests a
     SET lease_node = p_node, lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond'
    FROM (SELECT l.user_id, l.request_id FROM answer_requests l
           WHERE l.status = 'streaming' AND l.lease_until < clock_timestamp()
           ORDER BY l.lease_until LIMIT p_limit FOR UPDATE SKIP LOCKED) lapsed
   WHERE a.user_id = lapsed.user_id AND a.request_id = lapsed.request_id
  RETURNING a.user_id, a.request_id, a.assistant_turn_id
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('thread_json', 'thread_title', 'index_status_json', 'request_json', 'begin_turn',
                              'finish_turn', 'request_cancel', 'note_follower', 'is_followed', 'renew_leases',
                              'claim_lapsed') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
  END LOOP;
END
$$;
