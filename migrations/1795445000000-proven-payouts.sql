-- What the service's keys send is compared with what was ordered, and what never changes cannot be changed.
SET LOCAL lock_timeout = '3s';

-- Part of the context's contract: what was sent, for those who ordered it.
CREATE VIEW networks.public_sendings AS
  SELECT id, network, sender, key, purpose, recipient, data, value, gas_limit, state, mined_hash, mined_block, gas_cost,
    adopted
  FROM networks.sendings;

-- Part of the context's contract: where an organization as a whole has its money delivered, by the terms in force.
CREATE VIEW point_of_sale.public_organization_addresses AS
  SELECT DISTINCT ON (organization_id, network) organization_id, network, settlement_address
  FROM point_of_sale.settlement_terms WHERE account_id IS NULL ORDER BY organization_id, network, number DESC;

-- An approved refund is paid in the asset, on the network and from the float that it was approved for.
CREATE FUNCTION settlement.keep_refund_asset() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a refund keeps its asset, and an approved one its float and who approved it';
END $$;
CREATE TRIGGER refunds_asset_kept BEFORE UPDATE ON settlement.refunds
  FOR EACH ROW WHEN ((OLD.network, OLD.token, OLD.currency, OLD.decimals)
      IS DISTINCT FROM (NEW.network, NEW.token, NEW.currency, NEW.decimals)
    OR OLD.approved_at IS NOT NULL AND (OLD.approved_at, OLD.approved_by, OLD.float_address)
      IS DISTINCT FROM (NEW.approved_at, NEW.approved_by, NEW.float_address))
  EXECUTE FUNCTION settlement.keep_refund_asset();
CREATE TRIGGER refund_float_payouts_asset_kept BEFORE UPDATE ON settlement.refund_float_payouts
  FOR EACH ROW WHEN ((OLD.currency, OLD.decimals, OLD.ordered_by)
      IS DISTINCT FROM (NEW.currency, NEW.decimals, NEW.ordered_by))
  EXECUTE FUNCTION settlement.keep_refund_asset();
