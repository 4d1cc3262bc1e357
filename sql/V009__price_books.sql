-- Prices as versioned data: each usage row, hold and ledger entry names the book it was computed with,
-- so any bill can be computed again. A book that is in is never changed and never goes.

CREATE TABLE price_books (
  version    text PRIMARY KEY,
  id         text NOT NULL CHECK (id ~ '^[A-Za-z0-9][A-Za-z0-9.-]{0,39}$'),
  valid_from date NOT NULL,
  hash       text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
  content    jsonb NOT NULL CHECK (jsonb_typeof(content) = 'object'),
  loaded_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT version_in_use UNIQUE (id, valid_from),
  CHECK (version = id || '@' || to_char(valid_from, 'YYYY-MM-DD') || '#' || left(hash, 16))
);
COMMENT ON TABLE price_books IS 'the one table without a person: prices are nobody''s, so there is no row-level security';
COMMENT ON COLUMN price_books.valid_from IS 'the first day of these prices, in UTC; the latest that has come is in force, among equals the one loaded last';
COMMENT ON COLUMN price_books.content IS 'what hash is of: US dollars for a million tokens, as decimal texts, by model and bucket';

-- The key would refuse it, too; this says why. Of two that come at once only the key knows.
CREATE FUNCTION price_book_is_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM price_books b
              WHERE b.id = NEW.id AND b.valid_from = NEW.valid_from AND b.hash <> NEW.hash) THEN
    RAISE EXCEPTION USING ERRCODE = 'AG410', MESSAGE = 'a version in use cannot change';
  END IF;
  RETURN NEW;
END
$$;

CREATE FUNCTION price_book_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'AG410', MESSAGE = 'a version in use cannot change';
END
$$;

ALTER FUNCTION price_book_is_new SET search_path = ${schema}, public, pg_temp;
ALTER FUNCTION price_book_stays SET search_path = ${schema}, public, pg_temp;
REVOKE ALL ON FUNCTION price_book_is_new, price_book_stays FROM PUBLIC;

CREATE TRIGGER is_new BEFORE INSERT ON price_books FOR EACH ROW EXECUTE FUNCTION price_book_is_new();
-- For the owner as well.
CREATE TRIGGER stays BEFORE UPDATE OR DELETE OR TRUNCATE ON price_books
  FOR EACH STATEMENT EXECUTE FUNCTION price_book_stays();

GRANT SELECT, INSERT ON price_books TO ${gatewayRole};
