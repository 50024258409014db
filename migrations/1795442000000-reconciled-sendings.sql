-- Transactions of a key that a restored database does not know are taken up from the chain.
SET LOCAL lock_timeout = '3s';

ALTER TABLE networks.sendings
  -- The transaction that used the nonce of a foreign one; null of those that are older than this column.
  ADD COLUMN used_by text CONSTRAINT sendings_used_by CHECK (used_by ~ '^0x[0-9a-f]{64}$'),
  -- Taken up from the chain, where a restored database did not know of it.
  ADD COLUMN adopted boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT sendings_nonce_once;
-- The nonce of a foreign sending is that of another one too, once the transaction that used it is stored.
CREATE UNIQUE INDEX sendings_nonce_once ON networks.sendings (network, sender, nonce) WHERE state <> 'foreign';
-- Whether it was taken up is said when it is stored.
CREATE FUNCTION networks.keep_adopted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a sending keeps whether it was taken up from the chain';
END $$;
CREATE TRIGGER sendings_keep_adopted BEFORE UPDATE ON networks.sendings FOR EACH ROW
  WHEN (OLD.adopted IS DISTINCT FROM NEW.adopted) EXECUTE FUNCTION networks.keep_adopted();
CREATE INDEX sendings_foreign ON networks.sendings (network, sender, nonce) WHERE state = 'foreign';

ALTER TABLE settlement.refund_float_payouts
  -- Of the sending that pays it, where that has another id: the nonce of the first one was used by another transaction.
  ADD COLUMN sending_id uuid;
CREATE UNIQUE INDEX refund_float_payouts_sending ON settlement.refund_float_payouts (COALESCE(sending_id, id));

CREATE FUNCTION settlement.keep_payout_sending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a payout of a refund float keeps the sending that pays it in place of its own';
END $$;
CREATE TRIGGER refund_float_payouts_keep_sending BEFORE UPDATE ON settlement.refund_float_payouts FOR EACH ROW
  WHEN (OLD.sending_id IS NOT NULL AND OLD.sending_id IS DISTINCT FROM NEW.sending_id)
  EXECUTE FUNCTION settlement.keep_payout_sending();
