import type { Invariant } from '#shared/kernel/invariant.js';

const netOfFee = (sum: string) => `(${sum} - div(${sum} * (e.data ->> 'feeBasisPoints')::numeric, 10000))`;

const numberField = (field: string) => `(e.data ->> '${field}')::numeric`;

const AMOUNTS_BY_TYPE = {
  payment_in: [
    numberField('receivedAmount'),
    netOfFee(numberField('receivedAmount')),
    numberField('expectedAmount'),
  ],
  deposit: [numberField('amount'), netOfFee(numberField('amount')), numberField('amount')],
  adjustment: [
    `${numberField('after')} - ${numberField('before')}`,
    `${netOfFee(numberField('after'))} - ${netOfFee(numberField('before'))}`,
    `${numberField('after')} - ${numberField('before')}`,
  ],
} as const;

export const transactionEventsInvariants: Invariant[] = [
  transactionMatchesEvent('payment_in', 'payment_request.confirmed', 'true'),
  transactionMatchesEvent(
    'deposit',
    'payment_request.deposit_received',
    `(e.data ->> 'transferId')::uuid = t.transfer_id`,
  ),
  transactionMatchesEvent(
    'adjustment',
    'payment_request.credit_reversed',
    `(e.data ->> 'transferId')::uuid = t.transfer_id`,
  ),
];

function transactionMatchesEvent(
  type: keyof typeof AMOUNTS_BY_TYPE,
  eventType: string,
  isOf: string,
): Invariant {
  const [gross, netAmount, expected] = AMOUNTS_BY_TYPE[type];
  return {
    name: `ledger-${type.replace('_', '-')}-tells-its-event`,
    promise: `Each ${type} has the owner, amounts, asset, addresses, hash and reference of its event, and is not older than the event.`,
    breaches: `SELECT t.id, t.payment_request_id FROM ledger.transactions t
      JOIN platform.events e ON e.aggregate_id = t.payment_request_id AND e.type = '${eventType}' AND ${isOf}
      WHERE t.type = '${type}' AND ((t.organization_id, t.account_id, t.gross_amount, t.net_amount, t.expected_amount,
          t.decimals, t.currency, t.network, t.unique_asset_id, t.transaction_hash, t.reference_id,
          lower(t.from_address), lower(t.to_address), t.status, t.from_type, t.to_type, t.financial_provider)
        IS DISTINCT FROM (e.organization_id, e.account_id, ${gross}, ${netAmount}, ${expected},
          ${numberField('decimals')}, e.data ->> 'currency', e.data ->> 'network', e.data ->> 'uniqueAssetId',
          e.data ->> 'transactionHash', e.data ->> 'referenceId', lower(e.data ->> 'from'), lower(e.data ->> 'to'),
          'completed', 'wallet', CASE WHEN e.data ? 'delivered' THEN 'settlement_address' ELSE 'vault' END, 'onchain')
        OR t.created_at < e.occurred_at - interval '60 seconds' OR t.updated_at <> t.created_at)`,
  };
}
