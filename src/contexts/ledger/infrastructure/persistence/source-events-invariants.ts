import type { Invariant } from '#shared/kernel/invariant.js';
import type { PublishedSourceEvent } from '../subscribers/source-event-types.js';
import { LEDGER_SUBSCRIBER } from '../subscribers/movement-event-types.js';
import { MAX_POSTING_DELAY } from './ledger-invariants.js';

const numberField = (field: string) => `(e.data ->> '${field}')::numeric`;
const textField = (field: string) => `e.data ->> '${field}'`;

interface SourceColumns {
  readonly type: 'withdraw' | 'refund' | 'deposit';
  readonly gross: string;
  readonly ends: readonly [fromType: string, to: string, toType: string];
  readonly status: string;
  readonly request: string;
  readonly reference: string;
}

const FLOAT_COLUMNS = { gross: numberField('amount'), request: 'NULL::uuid', reference: 'NULL' };

const COLUMNS_BY_EVENT_TYPE: Record<PublishedSourceEvent['type'], SourceColumns> = {
  'settlement.status_changed': {
    ...FLOAT_COLUMNS,
    type: 'withdraw',
    gross: `${numberField('amount')} + ${numberField('feeAmount')}`,
    ends: [`'vault'`, textField('settlementAddress'), 'settlement_address'],
    status: textField('status'),
  },
  'refund.status_changed': {
    ...FLOAT_COLUMNS,
    type: 'refund',
    ends: [
      `CASE ${textField('paidBy')} WHEN 'merchant' THEN 'settlement_address' ELSE 'wallet' END`,
      textField('to'),
      'wallet',
    ],
    status: textField('status'),
    request: `(${textField('paymentRequestId')})::uuid`,
    reference: textField('referenceId'),
  },
  'refund_float.topped_up': {
    ...FLOAT_COLUMNS,
    type: 'deposit',
    ends: [`'wallet'`, textField('to'), 'wallet'],
    status: `'completed'`,
  },
  'refund_float.withdrawal_status_changed': {
    ...FLOAT_COLUMNS,
    type: 'withdraw',
    ends: [`'wallet'`, textField('to'), 'settlement_address'],
    status: textField('status'),
  },
};

/** The transaction must match the last event at most one minute later. */
export const sourceEventsInvariants: Invariant[] = [
  sourceIsBooked('ledger-settlements-are-followed', 'settlement', 'settlement.status_changed'),
  sourceIsBooked('ledger-refunds-are-followed', 'refund that was approved', 'refund.status_changed'),
  sourceIsBooked('ledger-top-ups-are-posted', 'top-up of a refund float', 'refund_float.topped_up'),
  sourceIsBooked(
    'ledger-float-withdrawals-are-followed',
    'withdrawal from a refund float',
    'refund_float.withdrawal_status_changed',
  ),
  {
    name: 'ledger-sources-told',
    promise:
      'Every withdraw, refund and top-up, and each of its statuses, has the event for which it was posted.',
    breaches: `SELECT t.id, t.source_id FROM ledger.transactions t WHERE t.source_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM platform.events e WHERE e.aggregate_id = t.source_id AND e.type = ${eventTypeOf('t')})
      UNION ALL
      SELECT t.id, t.source_id FROM ledger.status_changes c JOIN ledger.transactions t ON t.id = c.transaction_id
      WHERE NOT EXISTS (SELECT FROM platform.events e WHERE e.aggregate_id = t.source_id AND e.type = ${eventTypeOf('t')}
        AND e.data ->> 'status' = c.status)`,
  },
];

function eventTypeOf(row: string): string {
  return `CASE ${row}.type WHEN 'refund' THEN 'refund.status_changed' WHEN 'deposit' THEN 'refund_float.topped_up'
    ELSE CASE ${row}.from_type WHEN 'vault' THEN 'settlement.status_changed'
      ELSE 'refund_float.withdrawal_status_changed' END END`;
}

/** A refund or withdrawal that was cancelled before approval has no transaction, because nothing was sent. */
function sourceIsBooked(name: string, what: string, eventType: PublishedSourceEvent['type']): Invariant {
  const { type, gross, ends, status, request, reference } = COLUMNS_BY_EVENT_TYPE[eventType];
  const [fromType, to, toType] = ends;
  return {
    name,
    promise:
      `Each ${what} has exactly one ${type} in the journal, with its gas and with the owner, amounts, asset, source, destination, ` +
      'status and hash of its last event. Events of the last 60 seconds may be missing until the ledger reaches them.',
    breaches: `WITH due AS (
        SELECT e.* FROM platform.events e LEFT JOIN platform.subscriber_positions p ON p.subscriber = '${LEDGER_SUBSCRIBER}'
        WHERE e.type = '${eventType}' AND e.data ->> 'status' IS DISTINCT FROM 'pending'
          AND ((e.transaction_id, e.position) <= (p.transaction_id, p.position)
            OR e.occurred_at < platform.now() - ${MAX_POSTING_DELAY})),
      last AS (SELECT DISTINCT ON (aggregate_id) * FROM due ORDER BY aggregate_id, transaction_id DESC, position DESC)
      SELECT e.id AS event_id, e.aggregate_id, t.id FROM last e
      LEFT JOIN ledger.transactions t ON t.source_id = e.aggregate_id
      LEFT JOIN LATERAL (SELECT c.status, c.transaction_hash FROM ledger.status_changes c
        WHERE c.transaction_id = t.id ORDER BY c.step DESC LIMIT 1) c ON true
      WHERE (EXISTS (SELECT FROM due d WHERE d.aggregate_id = e.aggregate_id
            AND d.data ->> 'status' IS DISTINCT FROM 'failed') OR ${eventType === 'settlement.status_changed'})
        AND ((t.type, t.organization_id, t.account_id, t.gross_amount, t.net_amount, t.expected_amount, t.decimals,
            t.currency, t.network, t.unique_asset_id, lower(t.from_address), t.from_type, lower(t.to_address), t.to_type,
            t.payment_request_id, t.reference_id, COALESCE(c.status, t.status), t.transfer_id)
          IS DISTINCT FROM ('${type}', e.organization_id, e.account_id, ${gross}, ${numberField('amount')}, ${gross},
            ${numberField('decimals')}, ${textField('currency')}, ${textField('network')}, ${textField('uniqueAssetId')},
            lower(${textField('from')}), ${fromType}, lower(${to}), '${toType}',
            ${request}, ${reference}, ${status}, NULL::uuid)
        OR COALESCE(${textField('transactionHash')}, 'unknown')
          NOT IN (COALESCE(c.transaction_hash, t.transaction_hash, 'unknown'), 'unknown')
        OR t.created_at < e.occurred_at - interval '60 seconds' AND c.status IS NULL
        OR COALESCE((e.data #>> '{gas,amount}')::numeric, 0) <> COALESCE((SELECT sum(g.amount) FROM ledger.entries g
          WHERE g.transaction_id = t.id AND g.ledger_account = 'gas_spent'
            AND g.unique_asset_id = e.data #>> '{gas,uniqueAssetId}'), 0))`,
  };
}
