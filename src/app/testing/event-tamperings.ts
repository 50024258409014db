import { requestWith, type Tampering } from './tampering.js';

const event = (column: string, value: string, ...reportedBy: string[]): Tampering => ({
  name: `event ${column}`,
  sql: `UPDATE platform.events SET ${column} = ${value} WHERE aggregate_id = ${requestWith('session')} AND type = 'payment_request.asset_selected'
    AND data ->> 'currency' = 'EURX'`,
  reportedBy: ['events-are-as-sealed', ...reportedBy],
});

export const eventTamperings: readonly Tampering[] = [
  event('id', 'gen_random_uuid()'),
  event('type', `'payment_request.something'`, 'selections-match-events'),
  event('aggregate_id', requestWith('open'), 'addresses-match-events', 'selections-match-events'),
  event('organization_id', 'gen_random_uuid()', 'events-have-their-request'),
  event('account_id', 'gen_random_uuid()', 'events-have-their-request'),
  event('occurred_at', `occurred_at + interval '1 second'`),
  event('transaction_id', `'3'`),
  event('position', 'DEFAULT', 'asked-amounts-match-events'),
  event('data', `jsonb_set(data, '{amount}', '"1"')`, 'selections-match-events'),
  {
    name: 'request, erased with all references',
    sql: `DELETE FROM platform.events WHERE aggregate_id = ${requestWith('open')};
      DELETE FROM payments.status_history WHERE payment_request_id = ${requestWith('open')};
      DELETE FROM payments.deposit_addresses WHERE payment_request_id = ${requestWith('open')};
      DELETE FROM payments.payment_requests WHERE reference_id = 'open'`,
    reportedBy: ['events-are-as-sealed'],
  },
  {
    name: 'request, erased with all references and later seals',
    sql: `DELETE FROM platform.seals WHERE number >= (SELECT min(s.number) FROM platform.seals s JOIN platform.events e
        ON e.aggregate_id = ${requestWith('open')} AND (s.transaction_id, s.position) >= (e.transaction_id, e.position)) AND number < (SELECT max(number) FROM platform.seals);
      DELETE FROM platform.events WHERE aggregate_id = ${requestWith('open')};
      DELETE FROM payments.status_history WHERE payment_request_id = ${requestWith('open')};
      DELETE FROM payments.deposit_addresses WHERE payment_request_id = ${requestWith('open')};
      DELETE FROM payments.payment_requests WHERE reference_id = 'open'`,
    reportedBy: ['events-are-as-sealed'],
  },
  {
    name: 'event inserted in the sealed log',
    sql: `INSERT INTO platform.events (id, transaction_id, type, aggregate_id, organization_id, account_id, occurred_at, data)
      SELECT gen_random_uuid(), transaction_id, 'payment_request.something', aggregate_id, organization_id, account_id, occurred_at, '{}'
      FROM platform.events ORDER BY transaction_id LIMIT 1`,
    reportedBy: ['events-are-as-sealed'],
  },
  {
    name: 'seal',
    sql: `UPDATE platform.seals SET digest = sha256('other') WHERE number = 1`,
    reportedBy: ['events-are-as-sealed'],
  },
  { name: 'all seals, erased', sql: 'DELETE FROM platform.seals', reportedBy: ['events-are-as-sealed'] },
];
