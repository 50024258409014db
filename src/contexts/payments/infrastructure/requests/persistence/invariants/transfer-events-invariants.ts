import type { Invariant } from '#shared/kernel/invariant.js';
import type { Asset } from '#shared/kernel/asset.js';

const IS_ADDRESS_OF_EVENT = `a.payment_request_id = e.aggregate_id AND a.network = e.data ->> 'network'
  AND a.address = e.data ->> 'to' AND a.fee_basis_points = (e.data ->> 'feeBasisPoints')::integer
  AND a.delivered = (e.data ? 'delivered')`;

const IS_TRANSFER_OF_EVENT = `t.payment_request_id = e.aggregate_id AND (t.to_address, t.from_address, t.network,
    t.unique_asset_id, t.currency, t.decimals::text)
  = (e.data ->> 'to', e.data ->> 'from', e.data ->> 'network', e.data ->> 'uniqueAssetId', e.data ->> 'currency',
    e.data ->> 'decimals')
  AND t.transaction_hash IS NOT DISTINCT FROM e.data ->> 'transactionHash'`;

export const transferEventsInvariants: Invariant[] = [
  {
    name: 'confirmations-tell-their-request',
    promise:
      'Each confirmation event has the requested amount, the received amount, an address and the fee of its payment ' +
      'request, and a credited transfer.',
    breaches: `SELECT e.id AS event_id, e.aggregate_id AS payment_request_id
      FROM platform.events e LEFT JOIN payments.payment_requests r ON r.id = e.aggregate_id
      WHERE e.type = 'payment_request.confirmed' AND (
        (r.network, r.unique_asset_id, r.currency, r.decimals::text, r.amount::text, r.received_amount::text, r.reference_id)
          IS DISTINCT FROM (e.data ->> 'network', e.data ->> 'uniqueAssetId', e.data ->> 'currency',
            e.data ->> 'decimals', e.data ->> 'expectedAmount', e.data ->> 'receivedAmount', e.data ->> 'referenceId')
        OR NOT EXISTS (SELECT FROM payments.deposit_addresses a WHERE ${IS_ADDRESS_OF_EVENT})
        OR NOT EXISTS (SELECT FROM payments.transfers t WHERE ${IS_TRANSFER_OF_EVENT}
          AND (t.counted OR t.reversed_at IS NOT NULL)))`,
  },
  {
    name: 'booked-transfers-match-events',
    promise:
      'Each event of a deposit, reversal or incoming transfer has the addresses, hash, asset and fee of its transfer and deposit ' +
      'address.',
    breaches: `SELECT e.id AS event_id, e.data ->> 'transferId' AS transfer_id FROM platform.events e
      WHERE e.type IN ('payment_request.deposit_received', 'payment_request.credit_reversed',
          'payment_request.incoming_transfer_changed') AND (
        NOT EXISTS (SELECT FROM payments.transfers t
          WHERE t.id = (e.data ->> 'transferId')::uuid AND ${IS_TRANSFER_OF_EVENT})
        OR NOT EXISTS (SELECT FROM payments.deposit_addresses a WHERE ${IS_ADDRESS_OF_EVENT}))`,
  },
  {
    name: 'addresses-are-of-their-terms',
    promise: 'Every deposit address pays the recipients in the settlement terms from which it was derived.',
    breaches: `SELECT a.network, a.address, a.settlement_terms_id FROM payments.known_addresses a
      LEFT JOIN point_of_sale.public_settlement_terms t ON t.id = a.settlement_terms_id
      WHERE (t.organization_id, t.network, t.settlement_address, t.fee_recipient, t.fee_basis_points)
          IS DISTINCT FROM (a.organization_id, a.network, a.settlement_address, a.fee_recipient, a.fee_basis_points)
        OR t.account_id <> a.account_id`,
  },
  {
    name: 'one-decimals-for-each-asset',
    promise: 'An asset has the same decimals and symbol in all records.',
    breaches: `SELECT unique_asset_id FROM (
        SELECT unique_asset_id, decimals, currency FROM payments.payment_requests WHERE unique_asset_id IS NOT NULL
        UNION SELECT unique_asset_id, decimals, currency FROM payments.selections
        UNION SELECT unique_asset_id, decimals, currency FROM payments.transfers) recorded
      GROUP BY unique_asset_id HAVING count(*) > 1`,
  },
];

/** Ignores withdrawn assets. */
export function assetDecimalsInvariant(assets: readonly Asset[]): Invariant {
  const rows = assets.map(
    ({ uniqueAssetId, decimals }) => `('${uniqueAssetId.replaceAll("'", "''")}', ${decimals})`,
  );
  const catalogue = rows.length === 0 ? `SELECT NULL::text, NULL::integer` : `VALUES ${rows.join(', ')}`;
  return {
    name: 'decimals-are-of-the-catalogue',
    promise: 'Amounts are recorded with the decimals that NETWORKS_FILE has for their asset.',
    breaches: `SELECT r.unique_asset_id, r.decimals AS recorded, c.decimals AS configured FROM (
        SELECT unique_asset_id, decimals FROM payments.payment_requests
        UNION SELECT unique_asset_id, decimals FROM payments.selections
        UNION SELECT unique_asset_id, decimals FROM payments.transfers) r
      JOIN (${catalogue}) c (unique_asset_id, decimals) USING (unique_asset_id)
      WHERE r.decimals <> c.decimals`,
  };
}
