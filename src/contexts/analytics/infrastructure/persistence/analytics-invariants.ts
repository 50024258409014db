import type { Invariant } from '#shared/kernel/invariant.js';
import { ANALYTICS_SUBSCRIBER, IS_COUNTED_EVENT } from '../analytics-subscriber.js';
import { ANALYTICS_WITHOUT_EVENTS } from './analytics-changes.sql.js';

export const UNCOUNTED_EVENTS = `events AS MATERIALIZED (SELECT e.* FROM platform.subscriber_positions p
  JOIN platform.events e ON e.transaction_id >= p.transaction_id
    AND (e.transaction_id, e.position) > (p.transaction_id, p.position)
  WHERE p.subscriber = '${ANALYTICS_SUBSCRIBER}' AND ${IS_COUNTED_EVENT})`;

/** False if the figures lack archived events. They can then be verified only after a rebuild. */
export const IS_ANALYTICS_COMPLETE = '(SELECT complete FROM figures.present)';

/** Hold at any checkpoint of the subscriber, and after the oldest events were archived. */
export const analyticsInvariants: Invariant[] = [
  {
    name: 'figures-are-what-is-recorded',
    promise:
      'Each value in analytics equals the total of the payment requests, transfers, settlements and refunds of that ' +
      'day, except for events that are not counted yet.',
    holdsWithoutArchive: true,
    breaches: `WITH ${UNCOUNTED_EVENTS}
      SELECT scope_id, day, figure, part, stored.number, stored.amount, recorded.number AS recorded_number,
        recorded.amount AS recorded_amount
      FROM (SELECT * FROM figures.daily JOIN figures.present USING (generation) WHERE number <> 0 OR amount <> 0) stored
      FULL JOIN (${ANALYTICS_WITHOUT_EVENTS}) recorded USING (scope_id, organization_id, day, figure, part)
      WHERE (stored.number, stored.amount) IS DISTINCT FROM (recorded.number, recorded.amount)
        AND ${IS_ANALYTICS_COMPLETE} AND EXISTS (SELECT FROM platform.subscriber_positions WHERE subscriber = '${ANALYTICS_SUBSCRIBER}')`,
  },
  {
    name: 'figures-name-their-assets',
    promise: 'Analytics use the same name for an asset as all other records.',
    holdsWithoutArchive: true,
    breaches: `SELECT d.part FROM figures.daily d JOIN figures.present p USING (generation)
      LEFT JOIN figures.assets a ON a.unique_asset_id = d.part
      WHERE d.figure NOT IN ('requests', 'paid_within') AND a.unique_asset_id IS NULL`,
  },
  {
    name: 'figures-have-the-deposits-that-stand',
    promise:
      'The deposits shown for review in the overview are those that were not reversed, without dust and without ' +
      'events that are not counted yet.',
    holdsWithoutArchive: true,
    breaches: `WITH ${UNCOUNTED_EVENTS}
      SELECT transfer_id, kept.amount, booked.amount AS booked FROM figures.public_deposits kept
      FULL JOIN (SELECT id AS transfer_id, amount, deposited_at AS at FROM payments.public_booked_transfers
        WHERE deposited_at IS NOT NULL AND reversed_at IS NULL AND gathered_on IS NULL) booked USING (transfer_id)
      WHERE (kept.amount, kept.at) IS DISTINCT FROM (booked.amount, booked.at)
        AND NOT EXISTS (SELECT FROM events e WHERE (e.data ->> 'transferId')::uuid = transfer_id)
        AND ${IS_ANALYTICS_COMPLETE} AND EXISTS (SELECT FROM platform.subscriber_positions WHERE subscriber = '${ANALYTICS_SUBSCRIBER}')`,
  },
];
