-- The call for a question's plan stands among the other calls of its request: it has a model, tokens and a price of
-- its own, so that no row of the request's answer can hold it.

ALTER TABLE ai_usage_attempts
  ADD COLUMN purpose text NOT NULL DEFAULT 'answer' CHECK (purpose IN ('answer', 'planner'));
COMMENT ON TABLE ai_usage_attempts IS 'of calls beside the one of the usage row, each with its tokens';
COMMENT ON COLUMN ai_usage_attempts.purpose IS 'answer: a model that was tried and gave no text, the operator''s, never billed; planner: the call for the question''s plan, billed with an answer that is billed';
COMMENT ON COLUMN ai_usage_events.failed_cost_micro_usd IS 'of the request''s other calls, which ai_usage_attempts tells one by one';

-- What is written of an end, but for money: a usage row, and one for each other call. Nodes of before say no purpose.
CREATE OR REPLACE FUNCTION note_usage(p_user text, p_request uuid, p_kind text, p_profile text, p_book text, p_end jsonb,
                           p_billable bigint, p_source text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  u jsonb := p_end -> 'usage';
BEGIN
  INSERT INTO ai_usage_events (user_id, request_id, feature, profile, provider, model, input_tokens, cache_read_tokens,
    cache_write_tokens, output_tokens, reasoning_tokens, estimated, provider_cost_micro_usd, billable_cost_micro_usd,
    failed_attempts, failed_cost_micro_usd, price_book_version, latency_ms, status, error_code, billing_source)
  VALUES (p_user, p_request, CASE p_kind WHEN 'turn' THEN 'assistant' ELSE p_kind END, p_profile,
    p_end ->> 'provider', p_end ->> 'model', (u ->> 'inputTokens')::bigint, (u ->> 'cacheReadTokens')::bigint,
    (u ->> 'cacheWriteTokens')::bigint, (u ->> 'outputTokens')::bigint, (u ->> 'reasoningTokens')::bigint,
    (u ->> 'estimated')::boolean, (p_end ->> 'costMicroUsd')::bigint, p_billable,
    coalesce((p_end ->> 'failedAttempts')::integer, 0), coalesce((p_end ->> 'failedCostMicroUsd')::bigint, 0),
    p_book, (p_end ->> 'latencyMs')::bigint, CASE WHEN p_billable > 0 THEN 'settled' ELSE 'released' END,
    p_end ->> 'errorCode', p_source);
  IF jsonb_typeof(p_end -> 'attempts') = 'array' THEN
    INSERT INTO ai_usage_attempts (user_id, request_id, attempt, provider, model, input_tokens, cache_read_tokens,
      cache_write_tokens, output_tokens, reasoning_tokens, estimated, provider_cost_micro_usd, price_book_version,
      purpose)
    SELECT p_user, p_request, t.place, t.a ->> 'provider', t.a ->> 'model', (t.a ->> 'inputTokens')::bigint,
           (t.a ->> 'cacheReadTokens')::bigint, (t.a ->> 'cacheWriteTokens')::bigint,
           (t.a ->> 'outputTokens')::bigint, (t.a ->> 'reasoningTokens')::bigint, (t.a ->> 'estimated')::boolean,
           (t.a ->> 'costMicroUsd')::bigint, p_book, coalesce(t.a ->> 'purpose', 'answer')
      FROM jsonb_array_elements(p_end -> 'attempts') WITH ORDINALITY AS t(a, place);
  END IF;
END
$$;

-- A function that is replaced loses its settings, and keeps its rights.
DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname = 'note_usage' LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
  END LOOP;
END
$$;
