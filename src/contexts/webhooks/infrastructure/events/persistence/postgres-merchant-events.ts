import { Injectable } from '@nestjs/common';
import type { Scope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { followingOnes } from './following-ones.js';
import {
  MerchantEvents,
  type MerchantEvent,
  type MerchantEventsPage,
  type MerchantEventsQuery,
} from '#contexts/webhooks/domain/events/merchant-events.js';

/**
 * The subscriber that records them, by its name among the positions. The release that learnt of deposits and reversals
 * has changed it: a worker of an earlier one, which would pass over them, finds no position of its own any more.
 */
export const MERCHANT_EVENTS_SUBSCRIBER = 'merchant_events';
/** Younger events may still be on their way. */
const JUST_NOW_SECONDS = 10;

/** A row of a page, or the one row of an empty one. */
type Row = { known: boolean } & (MerchantEvent | { id: null });

/**
 * Begins behind the cursor in the owner's index and takes what follows there, at the end perhaps of the next owner, which
 * is dropped. By an equality the planner may rather walk through the events of all others in the order of numbers.
 * @param owner the column of whose events are read
 * @param id its parameter
 * @param mine whether an event is theirs
 */
const following = (owner: string, id: string, mine: string) =>
  `WITH cursor AS (SELECT number FROM webhooks.events e WHERE id = $2 AND ${mine})
   SELECT asked.known, e.id, e.organization_id, e.account_id,
     e.event_type, e.payment_request_id, e.occurred_at, e.body
   FROM (SELECT $2::uuid IS NULL OR EXISTS (SELECT FROM cursor) AS known) asked
   LEFT JOIN LATERAL (
     SELECT * FROM webhooks.events
     WHERE asked.known AND (${owner}, number) > (${id}, COALESCE((SELECT number FROM cursor), 0))
     ORDER BY ${owner}, number LIMIT $3) e ON ${mine}
   ORDER BY e.number`;

const OF_ORGANIZATION = following('organization_id', '$1', 'e.organization_id = $1');
const OF_ACCOUNT = following('account_id', '$4', 'e.account_id = $4 AND e.organization_id = $1');

@Injectable()
export class PostgresMerchantEvents extends MerchantEvents {
  constructor(private readonly database: Database) {
    super();
  }

  override async record(events: readonly MerchantEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.database.write(
      `INSERT INTO webhooks.events
         (id, organization_id, account_id, event_type, payment_request_id, occurred_at, body)
       SELECT "id", "organizationId", "accountId", "eventType", "paymentRequestId", "occurredAt", "body"
       FROM jsonb_to_recordset($1::jsonb) AS e (n integer, "id" uuid, "organizationId" uuid, "accountId" uuid,
         "eventType" text, "paymentRequestId" uuid, "occurredAt" timestamptz, "body" text)
       ORDER BY n
       ON CONFLICT (id) DO NOTHING`,
      [JSON.stringify(events.map((event, n) => ({ ...event, n })))],
    );
  }

  override async following({
    scope,
    after,
    limit,
    filter,
  }: MerchantEventsQuery): Promise<MerchantEventsPage | null> {
    if (filter !== undefined) return followingOnes(this.database, { scope, after, limit, filter });
    const { organizationId, accountId } = scope;
    const ofOrganization = [organizationId, after ?? null, limit + 1];
    const rows = await (accountId === null
      ? this.database.query<Row>(OF_ORGANIZATION, ofOrganization)
      : this.database.query<Row>(OF_ACCOUNT, [...ofOrganization, accountId]));
    if (!rows[0]!.known) return null;
    const events = rows.filter((row): row is { known: boolean } & MerchantEvent => row.id !== null);
    return { events: events.slice(0, limit), hasMore: events.length > limit };
  }

  override async areRecordedUntil(time: Date): Promise<boolean> {
    const behind = await this.database.query(
      `SELECT FROM (
         SELECT e.occurred_at FROM platform.events e
         WHERE (e.transaction_id, e.position) > (
           COALESCE((SELECT transaction_id FROM platform.subscriber_positions WHERE subscriber = $2), '0'::xid8),
           COALESCE((SELECT position FROM platform.subscriber_positions WHERE subscriber = $2), 0))
         ORDER BY e.transaction_id, e.position LIMIT 1) next
       WHERE next.occurred_at < LEAST($1, platform.now() - interval '${JUST_NOW_SECONDS} seconds')`,
      [time, MERCHANT_EVENTS_SUBSCRIBER],
    );
    return behind.length === 0;
  }

  override async isComing({ organizationId, accountId }: Scope, event: string): Promise<boolean> {
    const found = await this.database.query(
      `SELECT FROM webhooks.deliveries
       WHERE event_id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR account_id = $3) LIMIT 1`,
      [event, organizationId, accountId],
    );
    return found.length > 0;
  }
}
