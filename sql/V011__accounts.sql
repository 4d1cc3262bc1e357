-- Accounts with months, credits and overage, and a ledger that cannot be out of balance.
--
-- What a request holds is part of its own row: begun and ended with one write each. What an account has
-- done is in ledger_transfers, one row for each thing that happened: how much it moved into (+) and out of
-- (-) each account, in all nothing. What an account has left is in budget_accounts, under constraints that
-- no code can get around; that both say the same is what `ask-gateway reconcile` looks at.

-- ---------------------------------------------------------------- the hold of a request

ALTER TABLE answer_requests
  ADD COLUMN hold_micro_usd         bigint NOT NULL DEFAULT 0 CHECK (hold_micro_usd >= 0),
  ADD COLUMN hold_credits_micro_usd bigint NOT NULL DEFAULT 0 CHECK (hold_credits_micro_usd >= 0),
  ADD COLUMN hold_overage_micro_usd bigint NOT NULL DEFAULT 0 CHECK (hold_overage_micro_usd >= 0),
  ADD COLUMN hold_month             date,
  ADD COLUMN hold_state             text CHECK (hold_state IN ('pending', 'posted', 'voided', 'expired')),
  ADD COLUMN settled_micro_usd      bigint CHECK (settled_micro_usd >= 0),
  ADD COLUMN price_book_version     text,
  ADD CONSTRAINT hold_has_parts CHECK (hold_credits_micro_usd + hold_overage_micro_usd <= hold_micro_usd),
  ADD CONSTRAINT never_more_than_held CHECK (settled_micro_usd <= hold_micro_usd);
COMMENT ON COLUMN answer_requests.hold_micro_usd IS
  'the worst case; what of it is neither of the credits nor of the overage is of the allowance';
COMMENT ON COLUMN answer_requests.hold_month IS 'whose allowance it was taken from';

UPDATE answer_requests r
   SET hold_micro_usd = h.amount_micro_usd, hold_state = h.state, settled_micro_usd = h.settled_micro_usd,
       price_book_version = h.price_book_version,
       hold_month = date_trunc('month', now() AT TIME ZONE 'UTC')::date
  FROM budget_holds h WHERE h.user_id = r.user_id AND h.request_id = r.request_id;

DROP TABLE budget_holds;

CREATE VIEW budget_holds WITH (security_invoker = true) AS
  SELECT user_id, request_id, hold_micro_usd AS amount_micro_usd, settled_micro_usd, hold_state AS state,
         price_book_version, created_at, finished_at AS closed_at
    FROM answer_requests WHERE hold_state IS NOT NULL;
COMMENT ON VIEW budget_holds IS 'what requests hold, or held';

-- ---------------------------------------------------------------- what an account has left

ALTER TABLE budget_accounts
  ADD COLUMN month                    date NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC')::date,
  ADD COLUMN carried_micro_usd        bigint NOT NULL DEFAULT 0 CHECK (carried_micro_usd >= 0),
  ADD COLUMN credits_micro_usd        bigint NOT NULL DEFAULT 0 CHECK (credits_micro_usd >= 0),
  ADD COLUMN credits_held_micro_usd   bigint NOT NULL DEFAULT 0 CHECK (credits_held_micro_usd >= 0),
  ADD COLUMN credits_expire_at        timestamptz,
  ADD COLUMN overage_cap_micro_usd    bigint CHECK (overage_cap_micro_usd >= 0),
  ADD COLUMN overage_bound_micro_usd  bigint NOT NULL DEFAULT 0,
  ADD COLUMN overage_held_micro_usd   bigint NOT NULL DEFAULT 0 CHECK (overage_held_micro_usd >= 0),
  ADD COLUMN overage_spent_micro_usd  bigint NOT NULL DEFAULT 0 CHECK (overage_spent_micro_usd >= 0),
  ADD COLUMN request_cap_micro_usd    bigint CHECK (request_cap_micro_usd >= 0),
  ADD COLUMN daily_warning_micro_usd  bigint CHECK (daily_warning_micro_usd >= 0),
  ADD COLUMN day                      date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date,
  ADD COLUMN day_spent_micro_usd      bigint NOT NULL DEFAULT 0 CHECK (day_spent_micro_usd >= 0),
  ADD COLUMN open_holds               integer NOT NULL DEFAULT 0 CHECK (open_holds >= 0),
  ADD COLUMN version                  bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT no_credit_overdraft CHECK (credits_held_micro_usd <= credits_micro_usd),
  ADD CONSTRAINT no_more_than_overage
    CHECK (overage_held_micro_usd + overage_spent_micro_usd <= overage_bound_micro_usd);
COMMENT ON COLUMN budget_accounts.allowance_micro_usd IS 'of each month, without rollover; null: the account has no limit';
COMMENT ON COLUMN budget_accounts.held_micro_usd IS 'of the allowance of this month';
COMMENT ON COLUMN budget_accounts.spent_micro_usd IS 'of the allowance of this month';
COMMENT ON COLUMN budget_accounts.carried_micro_usd IS 'still held of the allowance and the overage of months before';
COMMENT ON COLUMN budget_accounts.credits_micro_usd IS 'granted, and neither spent nor expired; held ones among them';
COMMENT ON COLUMN budget_accounts.overage_cap_micro_usd IS 'what the person agreed to pay in a month beyond it all; null: nothing';
COMMENT ON COLUMN budget_accounts.overage_bound_micro_usd IS 'the cap, or what was gone when it was lowered below that';
COMMENT ON COLUMN budget_accounts.version IS 'grows with each change, so that a copy knows its age';

UPDATE budget_accounts a
   SET open_holds = (SELECT count(*) FROM answer_requests r WHERE r.user_id = a.user_id AND r.hold_state = 'pending');

-- Credits as they were granted. What expires first is spent first.
CREATE TABLE credit_grants (
  user_id             text NOT NULL,
  id                  bigint GENERATED ALWAYS AS IDENTITY,
  source_key          text NOT NULL CHECK (source_key <> ''),
  amount_micro_usd    bigint NOT NULL CHECK (amount_micro_usd > 0),
  remaining_micro_usd bigint NOT NULL CHECK (remaining_micro_usd >= 0),
  expires_at          timestamptz,
  created_at          timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, id),
  -- The same payment is granted once, however often it is told.
  UNIQUE (user_id, source_key),
  CHECK (remaining_micro_usd <= amount_micro_usd)
);
CREATE INDEX credit_grants_left ON credit_grants (user_id, expires_at, id) WHERE remaining_micro_usd > 0;

-- ---------------------------------------------------------------- the ledger

-- One row is one transfer over the accounts that are its columns; the constraint is double entry. A
-- request is in two: of what it holds, pending; and of what became of that: posted, voided or expired.
-- What begins or ends together for a person is one transfer.
CREATE TABLE ledger_transfers (
  user_id            text NOT NULL,
  id                 bigint GENERATED ALWAYS AS IDENTITY,
  requests           uuid[] NOT NULL DEFAULT '{}',
  source_key         text,
  kind               text NOT NULL CHECK (kind IN ('reservation', 'settlement', 'release', 'monthly_grant',
                                                   'top_up', 'expiration', 'adjustment')),
  state              text NOT NULL CHECK (state IN ('pending', 'posted', 'voided', 'expired')),
  allowance          bigint NOT NULL DEFAULT 0,
  postpaid           bigint NOT NULL DEFAULT 0,
  credits            bigint NOT NULL DEFAULT 0,
  overage            bigint NOT NULL DEFAULT 0,
  held               bigint NOT NULL DEFAULT 0,
  revenue            bigint NOT NULL DEFAULT 0,
  granted            bigint NOT NULL DEFAULT 0,
  provider           bigint NOT NULL DEFAULT 0,
  cost               bigint NOT NULL DEFAULT 0,
  absorbed           bigint NOT NULL DEFAULT 0,
  price_book_version text,
  created_at         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, id),
  CONSTRAINT balanced CHECK (allowance + postpaid + credits + overage + held + revenue + granted = 0
                             AND provider + cost + absorbed = 0),
  CONSTRAINT of_something CHECK ((kind IN ('reservation', 'settlement', 'release')) = (requests <> '{}'))
);
COMMENT ON TABLE ledger_transfers IS 'micro-USD; what the person has to do with, then what the operator owes providers';
COMMENT ON COLUMN ledger_transfers.allowance IS 'what the person has left of the month';
COMMENT ON COLUMN ledger_transfers.postpaid IS 'persons without a limit: what they used, negative';
COMMENT ON COLUMN ledger_transfers.overage IS 'what the person owes beyond it all, negative';
COMMENT ON COLUMN ledger_transfers.revenue IS 'what persons paid';
COMMENT ON COLUMN ledger_transfers.granted IS 'the other side of grants and of what expired';
COMMENT ON COLUMN ledger_transfers.provider IS 'owed to providers';
COMMENT ON COLUMN ledger_transfers.cost IS 'of that, what persons paid for, negative';
COMMENT ON COLUMN ledger_transfers.absorbed IS 'of that, what nobody paid for, negative';

INSERT INTO ledger_transfers (user_id, requests, kind, state, allowance, postpaid, held, revenue, provider, cost,
                              absorbed, price_book_version, created_at)
SELECT l.user_id, ARRAY[l.request_id],
       CASE WHEN l.kinds = ARRAY['reservation'] THEN 'reservation' WHEN l.spent > 0 THEN 'settlement' ELSE 'release' END,
       CASE WHEN l.kinds = ARRAY['reservation'] THEN 'pending' WHEN l.spent > 0 THEN 'posted' ELSE 'voided' END,
       CASE WHEN a.allowance_micro_usd IS NULL THEN 0 ELSE l.freed END,
       CASE WHEN a.allowance_micro_usd IS NULL THEN l.freed ELSE 0 END,
       - l.freed - l.spent, l.spent, l.owed, - least(l.owed, l.spent), - (l.owed - least(l.owed, l.spent)),
       l.price_book_version, l.created_at
  FROM (
    SELECT e.user_id, e.request_id, ARRAY['reservation'] AS kinds, - e.amount_micro_usd AS freed, 0::bigint AS spent,
           0::bigint AS owed, e.price_book_version, e.created_at
      FROM ledger_entries e WHERE e.kind = 'reservation'
    UNION ALL
    SELECT u.user_id, u.request_id, ARRAY['end'],
           coalesce(sum(e.amount_micro_usd) FILTER (WHERE e.kind = 'release'), 0),
           coalesce(sum(e.amount_micro_usd) FILTER (WHERE e.kind = 'settlement'), 0),
           CASE u.billing_source WHEN 'byok' THEN 0 ELSE u.provider_cost_micro_usd + u.failed_cost_micro_usd END,
           u.price_book_version, u.created_at
      FROM ai_usage_events u
      LEFT JOIN ledger_entries e ON e.user_id = u.user_id AND e.request_id = u.request_id AND e.kind <> 'reservation'
     GROUP BY u.user_id, u.request_id
  ) l
  LEFT JOIN budget_accounts a ON a.user_id = l.user_id
 WHERE l.freed <> 0 OR l.spent <> 0 OR l.owed <> 0
 ORDER BY l.created_at;

INSERT INTO ledger_transfers (user_id, kind, state, allowance, granted)
SELECT user_id, 'monthly_grant', 'posted', allowance_micro_usd, - allowance_micro_usd
  FROM budget_accounts WHERE allowance_micro_usd > 0;

DROP TABLE ledger_entries;

CREATE FUNCTION ledger_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'AG410', MESSAGE = 'the ledger is only ever added to';
END
$$;
-- For the owner as well.
CREATE TRIGGER stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_stays();

-- What an account may spend changes by the hand of the operator, and with each month: the ledger is told
-- by the table itself, so that nobody can forget to.
CREATE FUNCTION allowance_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  had  bigint;
  has  bigint := coalesce(NEW.allowance_micro_usd - NEW.held_micro_usd - NEW.spent_micro_usd, 0);
  used bigint := 0;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.allowance_micro_usd > 0 THEN
      INSERT INTO ledger_transfers (user_id, kind, state, allowance, granted)
      VALUES (NEW.user_id, 'monthly_grant', 'posted', NEW.allowance_micro_usd, - NEW.allowance_micro_usd);
    END IF;
    RETURN NULL;
  END IF;
  had := coalesce(OLD.allowance_micro_usd - OLD.held_micro_usd - OLD.spent_micro_usd, 0);
  IF NEW.month > OLD.month THEN
    IF had > 0 THEN
      INSERT INTO ledger_transfers (user_id, kind, state, allowance, granted)
      VALUES (NEW.user_id, 'expiration', 'posted', - had, had);
    END IF;
    IF has > 0 THEN
      INSERT INTO ledger_transfers (user_id, kind, state, allowance, granted)
      VALUES (NEW.user_id, 'monthly_grant', 'posted', has, - has);
    END IF;
  ELSIF NEW.allowance_micro_usd IS DISTINCT FROM OLD.allowance_micro_usd THEN
    -- What an account without a limit has used counts once it gets one.
    used := CASE WHEN OLD.allowance_micro_usd IS NULL THEN NEW.held_micro_usd + NEW.spent_micro_usd ELSE 0 END;
    INSERT INTO ledger_transfers (user_id, kind, state, allowance, postpaid, granted)
    VALUES (NEW.user_id, 'adjustment', 'posted', has - had, used, had - has - used);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER opened AFTER INSERT ON budget_accounts FOR EACH ROW EXECUTE FUNCTION allowance_changed();
CREATE TRIGGER changed AFTER UPDATE OF allowance_micro_usd, month ON budget_accounts
  FOR EACH ROW EXECUTE FUNCTION allowance_changed();

-- ---------------------------------------------------------------- usage of attempts that gave nothing

CREATE TABLE ai_usage_attempts (
  user_id                 text NOT NULL,
  request_id              uuid NOT NULL,
  attempt                 integer NOT NULL,
  provider                text NOT NULL,
  model                   text NOT NULL,
  input_tokens            bigint NOT NULL,
  cache_read_tokens       bigint NOT NULL,
  cache_write_tokens      bigint NOT NULL,
  output_tokens           bigint NOT NULL,
  reasoning_tokens        bigint NOT NULL,
  estimated               boolean NOT NULL,
  provider_cost_micro_usd bigint NOT NULL,
  price_book_version      text NOT NULL,
  created_at              timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, request_id, attempt)
);
COMMENT ON TABLE ai_usage_attempts IS 'of models that were tried and gave no text: the operator''s, never billed';

DO $$
DECLARE
  name   text;
  rights text;
BEGIN
  FOR name, rights IN VALUES
    ('credit_grants', 'SELECT, UPDATE (remaining_micro_usd)'),
    ('ledger_transfers', 'SELECT, INSERT'),
    ('ai_usage_attempts', 'SELECT, INSERT') LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY person ON %I USING (user_id = nullif(current_setting(''ask.user_id'', true), '''')) '
      'WITH CHECK (user_id = nullif(current_setting(''ask.user_id'', true), ''''))', name);
    EXECUTE format('GRANT %s ON %I TO ${gatewayRole}', rights, name);
  END LOOP;
END
$$;
GRANT SELECT ON budget_holds TO ${gatewayRole};
GRANT UPDATE (month, carried_micro_usd, credits_micro_usd, credits_held_micro_usd, credits_expire_at,
              overage_cap_micro_usd, overage_bound_micro_usd, overage_held_micro_usd, overage_spent_micro_usd,
              request_cap_micro_usd, daily_warning_micro_usd, day, day_spent_micro_usd, open_holds, version)
  ON budget_accounts TO ${gatewayRole};

-- ---------------------------------------------------------------- moving money

-- The account of a person who comes for the first time. As the owner: what an account may spend is not
-- the gateway's to write.
CREATE FUNCTION open_account(p_user text, p_monthly bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER AS $$
  INSERT INTO budget_accounts (user_id, allowance_micro_usd) VALUES (p_user, p_monthly)
  ON CONFLICT (user_id) DO NOTHING
$$;

-- What of the credits has expired and is not held goes back.
CREATE FUNCTION expire_credits(p_user text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  acc     budget_accounts;
  grant_  credit_grants;
  gone    bigint;
BEGIN
  SELECT * INTO acc FROM budget_accounts WHERE user_id = p_user FOR UPDATE;
  FOR grant_ IN SELECT * FROM credit_grants
                 WHERE user_id = p_user AND remaining_micro_usd > 0 AND expires_at <= now() ORDER BY expires_at, id LOOP
    gone := least(grant_.remaining_micro_usd, acc.credits_micro_usd - acc.credits_held_micro_usd);
    EXIT WHEN gone = 0;
    UPDATE credit_grants SET remaining_micro_usd = remaining_micro_usd - gone WHERE user_id = p_user AND id = grant_.id;
    INSERT INTO ledger_transfers (user_id, source_key, kind, state, credits, granted)
    VALUES (p_user, grant_.source_key, 'expiration', 'posted', - gone, gone);
    acc.credits_micro_usd := acc.credits_micro_usd - gone;
  END LOOP;
  UPDATE budget_accounts
     SET credits_micro_usd = acc.credits_micro_usd, version = version + 1,
         credits_expire_at = (SELECT min(expires_at) FROM credit_grants
                               WHERE user_id = p_user AND remaining_micro_usd > 0)
   WHERE user_id = p_user;
END
$$;

-- Takes so much out of the grants of credits, what expires first before the rest.
CREATE FUNCTION spend_credits(p_user text, p_amount bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  missing bigint := p_amount;
  grant_  credit_grants;
  taken   bigint;
BEGIN
  FOR grant_ IN SELECT * FROM credit_grants
                 WHERE user_id = p_user AND remaining_micro_usd > 0 ORDER BY expires_at NULLS LAST, id FOR UPDATE LOOP
    EXIT WHEN missing = 0;
    taken := least(missing, grant_.remaining_micro_usd);
    UPDATE credit_grants SET remaining_micro_usd = remaining_micro_usd - taken WHERE user_id = p_user AND id = grant_.id;
    missing := missing - taken;
  END LOOP;
END
$$;

-- The account of now, locked: a new month has begun, and what has expired is gone.
CREATE FUNCTION lock_account(p_user text, p_policy jsonb) RETURNS budget_accounts LANGUAGE plpgsql AS $$
DECLARE
  acc        budget_accounts;
  this_month date := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
BEGIN
  SELECT * INTO acc FROM budget_accounts WHERE user_id = p_user FOR UPDATE;
  IF NOT FOUND THEN
    PERFORM open_account(p_user, (p_policy ->> 'monthlyMicroUsd')::bigint);
    SELECT * INTO acc FROM budget_accounts WHERE user_id = p_user FOR UPDATE;
  END IF;
  IF acc.month < this_month THEN
    UPDATE budget_accounts
       SET month = this_month, carried_micro_usd = carried_micro_usd + held_micro_usd + overage_held_micro_usd,
           held_micro_usd = 0, spent_micro_usd = 0, overage_held_micro_usd = 0, overage_spent_micro_usd = 0,
           overage_bound_micro_usd = coalesce(overage_cap_micro_usd, 0), version = version + 1
     WHERE user_id = p_user RETURNING * INTO acc;
  END IF;
  IF acc.credits_expire_at <= now() THEN
    PERFORM expire_credits(p_user);
    SELECT * INTO acc FROM budget_accounts WHERE user_id = p_user;
  END IF;
  RETURN acc;
END
$$;

-- What an account can still hold; null: as much as it likes.
CREATE FUNCTION account_free(acc budget_accounts) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN acc.allowance_micro_usd - acc.held_micro_usd - acc.spent_micro_usd
       + acc.credits_micro_usd - acc.credits_held_micro_usd
       + greatest(coalesce(acc.overage_cap_micro_usd, 0) - acc.overage_held_micro_usd - acc.overage_spent_micro_usd, 0);
END
$$;

-- What keeps an account from holding so much: null is nothing. A reason, whether waiting helps, and until when.
CREATE FUNCTION hold_refusal(acc budget_accounts, p_hold bigint, p_policy jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  cap  bigint := least(acc.request_cap_micro_usd, (p_policy ->> 'requestCapMicroUsd')::bigint);
  open integer := (p_policy ->> 'openHolds')::integer;
  free bigint := account_free(acc);
BEGIN
  IF p_hold > cap THEN
    RETURN jsonb_build_object('reason', 'request_cap', 'waitingHelps', false);
  ELSIF open > 0 AND acc.open_holds >= open THEN
    RETURN jsonb_build_object('reason', 'open_holds', 'waitingHelps', true);
  ELSIF free IS NULL OR p_hold <= free THEN
    RETURN NULL;
  ELSIF p_hold <= free + acc.held_micro_usd + acc.credits_held_micro_usd + acc.overage_held_micro_usd THEN
    RETURN jsonb_build_object('reason', 'in_use', 'waitingHelps', true);
  ELSIF p_hold <= acc.allowance_micro_usd + coalesce(acc.overage_cap_micro_usd, 0) THEN
    RETURN jsonb_build_object('reason', 'monthly_allowance', 'waitingHelps', true,
      'until', to_char(acc.month + interval '1 month', 'YYYY-MM-DD"T"00:00:00"Z"'));
  END IF;
  RETURN jsonb_build_object('reason', 'too_costly', 'waitingHelps', false);
END
$$;

-- An account for those who keep a copy of it: version, what is free, how many holds are open. (Small
-- functions are in plpgsql: one in SQL that has settings is planned anew at each call.)
CREATE FUNCTION account_copy(acc budget_accounts) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN jsonb_build_object('version', acc.version, 'free', account_free(acc), 'open', acc.open_holds,
    'requestCap', acc.request_cap_micro_usd, 'month', acc.month);
END
$$;

CREATE TYPE hold_taken AS (month date, credits bigint, overage bigint, account jsonb);

-- Holds so much for a request, or AG402 (AG429: too many are open) with the refusal as detail: of the
-- allowance as far as that goes, then of the credits, then of the overage.
CREATE FUNCTION take_hold(p_user text, p_request uuid, p_hold bigint, p_price_book text, p_policy jsonb)
RETURNS hold_taken LANGUAGE plpgsql AS $$
DECLARE
  acc     budget_accounts := lock_account(p_user, p_policy);
  refusal jsonb := hold_refusal(acc, p_hold, p_policy);
  taken   hold_taken;
  part    bigint := p_hold;
BEGIN
  IF refusal IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = CASE refusal ->> 'reason' WHEN 'open_holds' THEN 'AG429' ELSE 'AG402' END,
      MESSAGE = 'not held', DETAIL = refusal::text;
  END IF;
  taken.credits := 0;
  taken.overage := 0;
  IF acc.allowance_micro_usd IS NOT NULL THEN
    part := least(p_hold, acc.allowance_micro_usd - acc.held_micro_usd - acc.spent_micro_usd);
    taken.credits := least(p_hold - part, acc.credits_micro_usd - acc.credits_held_micro_usd);
    taken.overage := p_hold - part - taken.credits;
  END IF;
  UPDATE budget_accounts
     SET held_micro_usd = held_micro_usd + part,
         credits_held_micro_usd = credits_held_micro_usd + taken.credits,
         overage_held_micro_usd = overage_held_micro_usd + taken.overage,
         open_holds = open_holds + 1, version = version + 1
   WHERE user_id = p_user RETURNING * INTO acc;
  IF p_hold > 0 THEN
    INSERT INTO ledger_transfers (user_id, requests, kind, state, allowance, postpaid, credits, overage, held,
                                  price_book_version)
    VALUES (p_user, ARRAY[p_request], 'reservation', 'pending',
            CASE WHEN acc.allowance_micro_usd IS NULL THEN 0 ELSE - part END,
            CASE WHEN acc.allowance_micro_usd IS NULL THEN - part ELSE 0 END,
            - taken.credits, - taken.overage, p_hold, p_price_book);
  END IF;
  taken.month := acc.month;
  taken.account := account_copy(acc);
  RETURN taken;
END
$$;

-- What is written of an end, but for money: a usage row and one for each attempt that gave nothing.
CREATE FUNCTION note_usage(p_user text, p_request uuid, p_kind text, p_profile text, p_book text, p_end jsonb,
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
      cache_write_tokens, output_tokens, reasoning_tokens, estimated, provider_cost_micro_usd, price_book_version)
    SELECT p_user, p_request, t.place, t.a ->> 'provider', t.a ->> 'model', (t.a ->> 'inputTokens')::bigint,
           (t.a ->> 'cacheReadTokens')::bigint, (t.a ->> 'cacheWriteTokens')::bigint,
           (t.a ->> 'outputTokens')::bigint, (t.a ->> 'reasoningTokens')::bigint, (t.a ->> 'estimated')::boolean,
           (t.a ->> 'costMicroUsd')::bigint, p_book
      FROM jsonb_array_elements(p_end -> 'attempts') WITH ORDINALITY AS t(a, place);
  END IF;
END
$$;

-- Ends a request whose row the caller has locked: hold, ledger, usage and account. A hold's part of the
-- allowance pays first, then that of the credits. Answers the account, and whether the day's warning is due.
CREATE FUNCTION settle_hold(p_user text, req answer_requests, p_end jsonb, p_policy jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  acc     budget_accounts := lock_account(p_user, p_policy);
  -- Who waited over midnight for the account does not turn its day back.
  today   date := greatest(acc.day, (now() AT TIME ZONE 'UTC')::date);
  before  bigint := CASE WHEN acc.day = today THEN acc.day_spent_micro_usd ELSE 0 END;
  warning bigint := coalesce(acc.daily_warning_micro_usd, (p_policy ->> 'dailyWarningMicroUsd')::bigint);
  limited boolean := acc.allowance_micro_usd IS NOT NULL;
  -- Of a month that is over: what is left of it has expired.
  old     boolean := req.hold_month IS DISTINCT FROM acc.month;
  cost    bigint := (p_end ->> 'costMicroUsd')::bigint;
  source  text := coalesce(p_end ->> 'billingSource', 'managed_allowance');
  owed    bigint := CASE source WHEN 'byok' THEN 0 ELSE cost + coalesce((p_end ->> 'failedCostMicroUsd')::bigint, 0) END;
  -- Never more than was held: what a provider reports above it is the operator's loss, not the person's.
  b       bigint := least(coalesce((p_end ->> 'billableMicroUsd')::bigint, cost), req.hold_micro_usd);
  held_c  bigint := req.hold_credits_micro_usd;
  held_o  bigint := req.hold_overage_micro_usd;
  held_a  bigint := req.hold_micro_usd - held_c - held_o;
  used_a  bigint := least(b, held_a);
  used_c  bigint := least(b - used_a, held_c);
  used_o  bigint := b - used_a - used_c;
  ending  text := CASE WHEN b > 0 THEN 'posted' WHEN p_end ->> 'errorCode' = 'interrupted' THEN 'expired' ELSE 'voided' END;
  warned  boolean := coalesce(before < warning AND before + b >= warning, false);
BEGIN
  UPDATE answer_requests
     SET status = p_end ->> 'status', lease_node = NULL, lease_until = NULL, finished_at = clock_timestamp(),
         settled_micro_usd = b, hold_state = ending,
         outcome = jsonb_build_object('usage', p_end -> 'usage', 'costMicroUsd', b,
                     'finishReason', p_end ->> 'finishReason', 'provider', p_end ->> 'provider',
                     'model', p_end ->> 'model', 'errorCode', p_end ->> 'errorCode')
                   || CASE WHEN warned THEN '{"dailyWarning": true}' ELSE '{}' END::jsonb
   WHERE user_id = p_user AND request_id = req.request_id;
  IF req.hold_micro_usd > 0 OR owed > 0 THEN
    INSERT INTO ledger_transfers (user_id, requests, kind, state, allowance, postpaid, credits, overage, held,
                                  revenue, granted, provider, cost, absorbed, price_book_version)
    VALUES (p_user, ARRAY[req.request_id], CASE WHEN b > 0 THEN 'settlement' ELSE 'release' END, ending,
            CASE WHEN limited AND NOT old THEN held_a - used_a ELSE 0 END,
            CASE WHEN limited THEN 0 ELSE held_a - used_a END,
            held_c - used_c, held_o - used_o, - req.hold_micro_usd, b,
            CASE WHEN limited AND old THEN held_a - used_a ELSE 0 END,
            owed, - least(owed, b), least(owed, b) - owed, req.price_book_version);
  END IF;
  -- Beyond allowance and credits it is overage.
  PERFORM note_usage(p_user, req.request_id, req.kind, req.profile, req.price_book_version, p_end, b,
                     CASE WHEN used_o > 0 THEN 'managed_overage' ELSE source END);
  IF used_c > 0 THEN
    PERFORM spend_credits(p_user, used_c);
  END IF;
  UPDATE budget_accounts
     SET held_micro_usd = held_micro_usd - CASE WHEN old THEN 0 ELSE held_a END,
         spent_micro_usd = spent_micro_usd + CASE WHEN old THEN 0 ELSE used_a END,
         credits_held_micro_usd = credits_held_micro_usd - held_c, credits_micro_usd = credits_micro_usd - used_c,
         overage_held_micro_usd = overage_held_micro_usd - CASE WHEN old THEN 0 ELSE held_o END,
         overage_spent_micro_usd = overage_spent_micro_usd + CASE WHEN old THEN 0 ELSE used_o END,
         carried_micro_usd = carried_micro_usd - CASE WHEN old THEN held_a + held_o ELSE 0 END,
         day = today, day_spent_micro_usd = before + b, open_holds = open_holds - 1, version = version + 1
   WHERE user_id = p_user RETURNING * INTO acc;
  RETURN account_copy(acc);
END
$$;

-- Whether an account could hold so much, without a lock: null if so, or if nothing is known of it yet. A
-- request id that was used holds nothing more, so no account can stand in its way.
CREATE FUNCTION check_hold(p_user text, p_request uuid, p_hold bigint, p_policy jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  acc budget_accounts;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  SELECT * INTO acc FROM budget_accounts WHERE user_id = p_user;
  IF NOT FOUND OR acc.month < date_trunc('month', now() AT TIME ZONE 'UTC')::date
     OR EXISTS (SELECT FROM answer_requests WHERE user_id = p_user AND request_id = p_request) THEN
    RETURN NULL;
  END IF;
  RETURN hold_refusal(acc, p_hold, p_policy);
END
$$;

-- What is begun or ended is on disk before anybody is told so, whatever the server's setting: a beginning that
-- a crash forgets is a model called twice.
CREATE FUNCTION make_durable() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
END
$$;

-- ---------------------------------------------------------------- one request

DROP FUNCTION begin_turn;
-- Begins a turn, or finds the one that the same request id began. p_target names where the answer
-- goes: new, client (p_client_key), thread (p_thread), chat (p_chat), or nowhere: search, completion
-- and embedding, of which the last two are told nothing but that they began. p_policy is what holds for
-- accounts that say nothing else: monthlyMicroUsd, requestCapMicroUsd, dailyWarningMicroUsd, openHolds.
CREATE FUNCTION begin_turn(
  p_user text, p_request uuid, p_fingerprint bytea, p_target text,
  p_thread uuid, p_client_key text, p_chat uuid,
  p_scope_chats uuid[], p_question text, p_profile text,
  p_node text, p_lease_ms bigint, p_hold bigint, p_price_book text, p_recent integer, p_policy jsonb DEFAULT '{}')
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
  taken     hold_taken;
BEGIN
  PERFORM make_durable();
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

  taken := take_hold(p_user, p_request, p_hold, p_price_book, p_policy);
  UPDATE answer_requests
     SET thread_id = thread.id, user_turn_id = asked, scope_chat_ids = scope, hold_micro_usd = p_hold,
         hold_credits_micro_usd = taken.credits, hold_overage_micro_usd = taken.overage,
         hold_month = taken.month, hold_state = 'pending', price_book_version = p_price_book
   WHERE user_id = p_user AND request_id = p_request;

  IF p_target IN ('completion', 'embedding') THEN
    RETURN jsonb_build_object('begun', true, 'account', taken.account);
  END IF;
  RETURN request_json(p_user, p_request) || jsonb_build_object(
    'begun', true, 'newThread', fresh, 'chatThread', thread.chat_id IS NOT NULL,
    'timezone', prefs.timezone, 'recent', recent, 'account', taken.account);
END
$$;

DROP FUNCTION finish_turn;
-- Ends a turn, once: answer, usage, ledger, hold and thread in one transaction. Whoever comes
-- second (a sweeper that took the lease, a late owner) changes nothing and reads what stands.
CREATE FUNCTION finish_turn(p_user text, p_request uuid, p_node text, p_end jsonb, p_policy jsonb DEFAULT '{}')
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  req     answer_requests;
  u       jsonb := p_end -> 'usage';
  account jsonb;
BEGIN
  PERFORM make_durable();
  PERFORM set_config('ask.user_id', p_user, true);
  SELECT * INTO req FROM answer_requests WHERE user_id = p_user AND request_id = p_request FOR UPDATE;
  IF NOT FOUND OR req.status <> 'streaming' OR req.lease_node IS DISTINCT FROM p_node THEN
    RETURN request_json(p_user, p_request) || '{"finished": false}';
  END IF;

  IF req.thread_id IS NOT NULL THEN
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
  END IF;

  account := settle_hold(p_user, req, p_end, p_policy);
  RETURN request_json(p_user, p_request) || jsonb_build_object('finished', true, 'account', account);
END
$$;

-- ---------------------------------------------------------------- many requests

DROP FUNCTION begin_group;
DROP FUNCTION begin_all;
DROP FUNCTION finish_group;
DROP FUNCTION finish_all;

-- What begins or ends in one moment on a node, of any number of persons: a few statements for all of it, as
-- the owner, each naming the persons and the requests it was given. It is for the plain case: an account
-- that is there, in its month, where all of a person's requests fit into the allowance. Persons for whom
-- it is otherwise are answered one request at a time, by the functions above. Accounts are locked in the
-- order of persons, so that two nodes never wait for each other in a circle.

-- Begins the plain ones: which, and what each person's account stands at after it (with one of theirs). All
-- of them or none, if a request id was used.
CREATE FUNCTION begin_group(
  p_node text, p_users text[], p_requests uuid[], p_fingerprints bytea[], p_targets text[],
  p_profiles text[], p_leases_ms bigint[], p_holds bigint[], p_price_books text[], p_policy jsonb)
RETURNS TABLE (place integer, account jsonb)
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  this_month date := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
  cap        bigint := (p_policy ->> 'requestCapMicroUsd')::bigint;
  open       bigint := nullif((p_policy ->> 'openHolds')::bigint, 0);
  plain      text[];
  wanted     integer;
  made       integer;
  places     integer[];
  accounts   jsonb[];
BEGIN
  WITH wants AS (
    SELECT w.u, sum(w.hold) AS hold, max(w.hold) AS most, count(*) AS n FROM unnest(p_users, p_holds) AS w(u, hold) GROUP BY w.u
  ), locked AS (
    SELECT a.* FROM budget_accounts a WHERE a.user_id = ANY (p_users) ORDER BY a.user_id FOR UPDATE
  )
  SELECT array_agg(t.u), sum(t.n) INTO plain, wanted
    FROM wants t JOIN locked a ON a.user_id = t.u LEFT JOIN user_preferences p ON p.user_id = t.u
   WHERE a.month = this_month
     AND (a.allowance_micro_usd IS NULL OR t.hold <= a.allowance_micro_usd - a.held_micro_usd - a.spent_micro_usd)
     AND t.most <= coalesce(least(a.request_cap_micro_usd, cap), t.most)
     AND a.open_holds + t.n <= coalesce(open, a.open_holds + t.n)
     AND coalesce(p.preferences -> 'ai_enabled', 'true') = 'true'::jsonb;
  IF plain IS NULL THEN
    RETURN;
  END IF;

  INSERT INTO answer_requests (user_id, request_id, kind, fingerprint, assistant_turn_id, profile, status, lease_node,
                               lease_until, hold_micro_usd, hold_month, hold_state, price_book_version)
  -- No turn is written: its id is that of the request.
  SELECT w.u, w.request, w.target, w.fingerprint, w.request, w.profile, 'streaming', p_node,
         clock_timestamp() + w.lease * interval '1 millisecond', w.hold, this_month, 'pending', w.book
    FROM unnest(p_users, p_requests, p_fingerprints, p_targets, p_profiles, p_leases_ms, p_holds, p_price_books)
         AS w(u, request, fingerprint, target, profile, lease, hold, book)
   WHERE w.u = ANY (plain)
  ON CONFLICT (user_id, request_id) DO NOTHING;
  GET DIAGNOSTICS made = ROW_COUNT;
  IF made < wanted THEN
    RAISE EXCEPTION USING ERRCODE = 'AG000', MESSAGE = 'one by one';
  END IF;

  WITH wants AS (
    SELECT w.* FROM unnest(p_users, p_requests, p_holds, p_price_books) WITH ORDINALITY AS w(u, request, hold, book, place)
     WHERE w.u = ANY (plain)
  ), books AS (
    SELECT w.u, w.book, sum(w.hold)::bigint AS hold, array_agg(w.request) FILTER (WHERE w.hold > 0) AS requests
      FROM wants w GROUP BY w.u, w.book
  ), changed AS (
    UPDATE budget_accounts a
       SET held_micro_usd = a.held_micro_usd + t.hold, open_holds = a.open_holds + t.n, version = a.version + 1
      FROM (SELECT w.u, sum(w.hold)::bigint AS hold, count(*)::integer AS n, min(w.place) AS place FROM wants w GROUP BY w.u) t
     WHERE a.user_id = t.u
    RETURNING a AS acc, t.u, t.place
  ), moved AS (
    INSERT INTO ledger_transfers (user_id, requests, kind, state, allowance, postpaid, held, price_book_version)
    SELECT b.u, b.requests, 'reservation', 'pending', CASE WHEN (c.acc).allowance_micro_usd IS NULL THEN 0 ELSE - b.hold END,
           CASE WHEN (c.acc).allowance_micro_usd IS NULL THEN - b.hold ELSE 0 END, b.hold, b.book
      FROM books b JOIN changed c ON c.u = b.u WHERE b.hold > 0
  )
  SELECT array_agg(w.place::integer), array_agg(CASE WHEN c.place = w.place THEN account_copy(c.acc) END)
    INTO places, accounts
    FROM wants w JOIN changed c ON c.u = w.u;
  -- Only now: what a query has handed on stays handed on, also when it fails later.
  RETURN QUERY SELECT * FROM unnest(places, accounts);
EXCEPTION
  WHEN deadlock_detected OR serialization_failure THEN
    RAISE; -- all are begun anew
  WHEN OTHERS THEN
    RETURN; -- one by one, who has the fault is told so
END
$$;

-- p_targets: completion or embedding. begun is false for a request id that was used, refusal the SQLSTATE
-- of begin_turn, detail what it says beside. account: what a person's account stands at after it.
CREATE FUNCTION begin_all(
  p_node text, p_users text[], p_requests uuid[], p_fingerprints bytea[], p_targets text[],
  p_profiles text[], p_leases_ms bigint[], p_holds bigint[], p_price_books text[], p_policy jsonb DEFAULT '{}')
RETURNS TABLE (place integer, begun boolean, refusal text, detail text, account jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  there  boolean[] := array_fill(false, ARRAY[cardinality(p_users)]);
  i      integer;
  answer jsonb;
  person text;
BEGIN
  PERFORM make_durable();
  begun := true;
  FOR place, account IN
    SELECT g.place, g.account FROM begin_group(p_node, p_users, p_requests, p_fingerprints, p_targets, p_profiles,
      p_leases_ms, p_holds, p_price_books, p_policy) g LOOP
    there[place] := true;
    RETURN NEXT;
  END LOOP;
  IF NOT false = ANY (there) THEN
    RETURN;
  END IF;
  FOR i IN SELECT o.place FROM unnest(there, p_users) WITH ORDINALITY AS o(done, u, place)
            WHERE NOT o.done ORDER BY o.u, o.place LOOP
    place := i;
    begun := false;
    refusal := NULL;
    detail := NULL;
    account := NULL;
    BEGIN
      -- The account first: of those who begin anything for a person one at a time gets further than this.
      IF person IS DISTINCT FROM p_users[i] THEN
        person := p_users[i];
        PERFORM set_config('ask.user_id', person, true);
        PERFORM lock_account(person, p_policy);
      END IF;
      answer := begin_turn(person, p_requests[i], p_fingerprints[i], p_targets[i], NULL, NULL, NULL, '{}', '',
        p_profiles[i], p_node, p_leases_ms[i], p_holds[i], p_price_books[i], 0, p_policy);
      begun := (answer ->> 'begun')::boolean;
      account := answer -> 'account';
    EXCEPTION
      WHEN deadlock_detected OR serialization_failure THEN
        RAISE;
      WHEN OTHERS THEN
        refusal := SQLSTATE;
        GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    END;
    RETURN NEXT;
  END LOOP;
END
$$;

-- Ends the plain ones: those that run, are this node's, are kept in no thread, hold of this month's
-- allowance alone, and have no attempts that failed. Requests are locked before accounts.
CREATE FUNCTION finish_group(p_node text, p_users text[], p_requests uuid[], p_ends jsonb[])
RETURNS TABLE (place integer, account jsonb) LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  this_month date := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
  today      date := (now() AT TIME ZONE 'UTC')::date;
  plain      integer[];
  places     integer[];
  accounts   jsonb[];
BEGIN
  WITH locked AS (
    SELECT q.user_id, q.request_id, w.place
      FROM unnest(p_users, p_requests, p_ends) WITH ORDINALITY AS w(u, request, body, place)
      JOIN answer_requests q ON q.user_id = w.u AND q.request_id = w.request
     WHERE q.status = 'streaming' AND q.lease_node = p_node AND q.thread_id IS NULL AND q.hold_credits_micro_usd = 0
       AND q.hold_overage_micro_usd = 0 AND q.hold_month = this_month AND w.body -> 'attempts' IS NULL
     ORDER BY q.user_id, q.request_id FOR UPDATE OF q
  ), of_now AS (
    SELECT a.user_id, a.month FROM budget_accounts a
     WHERE a.user_id = ANY (p_users) AND (SELECT count(*) FROM locked) > 0 ORDER BY a.user_id FOR UPDATE
  )
  -- What is ended twice in one group is ended by the first.
  SELECT array_agg(f.place) INTO plain
    FROM (SELECT min(l.place) AS place FROM locked l JOIN of_now a ON a.user_id = l.user_id AND a.month = this_month
           GROUP BY l.user_id, l.request_id) f;
  IF plain IS NULL THEN
    RETURN;
  END IF;

  WITH ends AS (
    SELECT w.u, w.request, w.place, w.body, w.body -> 'usage' AS usage, (w.body ->> 'costMicroUsd')::bigint AS cost,
           coalesce((w.body ->> 'billableMicroUsd')::bigint, (w.body ->> 'costMicroUsd')::bigint) AS wants,
           coalesce((w.body ->> 'failedCostMicroUsd')::bigint, 0) AS failed,
           coalesce(w.body ->> 'billingSource', 'managed_allowance') AS source, w.body ->> 'errorCode' AS error
      FROM unnest(p_users, p_requests, p_ends) WITH ORDINALITY AS w(u, request, body, place)
     WHERE w.place = ANY (plain)
  ), closed AS (
    UPDATE answer_requests q
       SET status = e.body ->> 'status', lease_node = NULL, lease_until = NULL, finished_at = clock_timestamp(),
           settled_micro_usd = least(e.wants, q.hold_micro_usd),
           hold_state = CASE WHEN least(e.wants, q.hold_micro_usd) > 0 THEN 'posted'
                             WHEN e.error = 'interrupted' THEN 'expired' ELSE 'voided' END,
           outcome = jsonb_build_object('usage', e.usage, 'costMicroUsd', least(e.wants, q.hold_micro_usd),
             'finishReason', e.body ->> 'finishReason', 'provider', e.body ->> 'provider',
             'model', e.body ->> 'model', 'errorCode', e.error)
      FROM ends e WHERE q.user_id = e.u AND q.request_id = e.request
    RETURNING q.user_id, q.request_id, e.place, q.kind, q.profile, q.hold_state AS state, q.price_book_version AS book,
              q.hold_micro_usd AS hold, q.settled_micro_usd AS paid, e.body, e.usage, e.cost, e.failed, e.source, e.error,
              CASE e.source WHEN 'byok' THEN 0 ELSE e.cost + e.failed END AS owed
  ), used AS (
    INSERT INTO ai_usage_events (user_id, request_id, feature, profile, provider, model, input_tokens,
      cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, estimated, provider_cost_micro_usd,
      billable_cost_micro_usd, failed_attempts, failed_cost_micro_usd, price_book_version, latency_ms, status,
      error_code, billing_source)
    SELECT c.user_id, c.request_id, c.kind, c.profile, c.body ->> 'provider', c.body ->> 'model',
           (c.usage ->> 'inputTokens')::bigint, (c.usage ->> 'cacheReadTokens')::bigint,
           (c.usage ->> 'cacheWriteTokens')::bigint, (c.usage ->> 'outputTokens')::bigint,
           (c.usage ->> 'reasoningTokens')::bigint, (c.usage ->> 'estimated')::boolean, c.cost, c.paid,
           coalesce((c.body ->> 'failedAttempts')::integer, 0), c.failed, c.book, (c.body ->> 'latencyMs')::bigint,
           CASE WHEN c.paid > 0 THEN 'settled' ELSE 'released' END, c.error, c.source
      FROM closed c
  ), books AS (
    SELECT c.user_id, c.book, c.state, array_agg(c.request_id) AS requests, sum(c.hold)::bigint AS hold,
           sum(c.paid)::bigint AS paid, sum(c.owed)::bigint AS owed, sum(least(c.owed, c.paid))::bigint AS covered
      FROM closed c GROUP BY c.user_id, c.book, c.state
  ), changed AS (
    UPDATE budget_accounts a
       SET held_micro_usd = a.held_micro_usd - t.hold, spent_micro_usd = a.spent_micro_usd + t.paid,
           day = greatest(a.day, today),
           day_spent_micro_usd = t.paid + CASE WHEN a.day >= today THEN a.day_spent_micro_usd ELSE 0 END,
           open_holds = a.open_holds - t.n, version = a.version + 1
      FROM (SELECT c.user_id AS u, sum(c.hold)::bigint AS hold, sum(c.paid)::bigint AS paid, count(*)::integer AS n,
                   min(c.place) AS place FROM closed c GROUP BY c.user_id) t
     WHERE a.user_id = t.u
    RETURNING a AS acc, t.u, t.place
  ), moved AS (
    INSERT INTO ledger_transfers (user_id, requests, kind, state, allowance, postpaid, held, revenue, provider, cost,
                                  absorbed, price_book_version)
    SELECT b.user_id, b.requests, CASE b.state WHEN 'posted' THEN 'settlement' ELSE 'release' END, b.state,
           CASE WHEN (c.acc).allowance_micro_usd IS NULL THEN 0 ELSE b.hold - b.paid END,
           CASE WHEN (c.acc).allowance_micro_usd IS NULL THEN b.hold - b.paid ELSE 0 END,
           - b.hold, b.paid, b.owed, - b.covered, b.covered - b.owed, b.book
      FROM books b JOIN changed c ON c.u = b.user_id WHERE b.hold > 0 OR b.owed > 0
  )
  SELECT array_agg(e.place::integer), array_agg(CASE WHEN c.place = e.place THEN account_copy(c.acc) END)
    INTO places, accounts
    FROM closed e JOIN changed c ON c.u = e.user_id;
  RETURN QUERY SELECT * FROM unnest(places, accounts);
EXCEPTION
  WHEN deadlock_detected OR serialization_failure THEN
    RAISE;
  WHEN OTHERS THEN
    RETURN;
END
$$;

-- finished is false for a request that had ended, or is another node's by now.
CREATE FUNCTION finish_all(p_node text, p_users text[], p_requests uuid[], p_ends jsonb[], p_policy jsonb DEFAULT '{}')
RETURNS TABLE (place integer, finished boolean, refusal text, account jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  there  boolean[] := array_fill(false, ARRAY[cardinality(p_users)]);
  i      integer;
  answer jsonb;
BEGIN
  PERFORM make_durable();
  finished := true;
  FOR place, account IN SELECT g.place, g.account FROM finish_group(p_node, p_users, p_requests, p_ends) g LOOP
    there[place] := true;
    RETURN NEXT;
  END LOOP;
  IF NOT false = ANY (there) THEN
    RETURN;
  END IF;
  FOR i IN SELECT o.place FROM unnest(there, p_users) WITH ORDINALITY AS o(done, u, place)
            WHERE NOT o.done ORDER BY o.u, o.place LOOP
    place := i;
    finished := false;
    refusal := NULL;
    account := NULL;
    BEGIN
      answer := finish_turn(p_users[i], p_requests[i], p_node, p_ends[i], p_policy);
      finished := (answer ->> 'finished')::boolean;
      account := answer -> 'account';
    EXCEPTION
      WHEN deadlock_detected OR serialization_failure THEN
        RAISE;
      WHEN OTHERS THEN
        refusal := SQLSTATE;
    END;
    RETURN NEXT;
  END LOOP;
END
$$;

-- ---------------------------------------------------------------- the operator's hand, as the owner

-- Grants credits, once for each source_key: whether it did.
CREATE FUNCTION grant_credits(p_user text, p_source_key text, p_amount bigint, p_expires_at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  PERFORM lock_account(p_user, '{}');
  INSERT INTO credit_grants (user_id, source_key, amount_micro_usd, remaining_micro_usd, expires_at)
  VALUES (p_user, p_source_key, p_amount, p_amount, p_expires_at) ON CONFLICT (user_id, source_key) DO NOTHING;
  IF NOT FOUND THEN
    IF NOT EXISTS (SELECT FROM credit_grants WHERE user_id = p_user AND source_key = p_source_key
                    AND amount_micro_usd = p_amount) THEN
      RAISE EXCEPTION USING ERRCODE = 'AG409', MESSAGE = 'source key used for another amount';
    END IF;
    RETURN false;
  END IF;
  INSERT INTO ledger_transfers (user_id, source_key, kind, state, credits, granted)
  VALUES (p_user, p_source_key, 'top_up', 'posted', p_amount, - p_amount);
  UPDATE budget_accounts
     SET credits_micro_usd = credits_micro_usd + p_amount, version = version + 1,
         credits_expire_at = least(credits_expire_at, p_expires_at)
   WHERE user_id = p_user;
  RETURN true;
END
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('open_account', 'expire_credits', 'spend_credits', 'lock_account', 'account_free',
                              'hold_refusal', 'check_hold', 'account_copy', 'take_hold', 'note_usage', 'make_durable', 'settle_hold', 'begin_turn',
                              'finish_turn', 'begin_group', 'begin_all', 'finish_group', 'finish_all',
                              'ledger_stays', 'allowance_changed', 'grant_credits') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
    IF f::text ~ '(begin|finish)_(all|group)' THEN
      -- Planned once, and by the keys: what is asked for is a handful of rows of tables of any size, which a
      -- planner that saw them empty does not know.
      EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_generic_plan', f);
      EXECUTE format('ALTER FUNCTION %s SET enable_hashjoin = off', f);
      EXECUTE format('ALTER FUNCTION %s SET enable_mergejoin = off', f);
      EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', f);
    END IF;
    IF f::text !~ 'grant_credits' THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
    END IF;
  END LOOP;
END
$$;
