import { Injectable } from '@nestjs/common';
import { Database } from '../../../../shared/platform/database/database.js';
import {
  MerchantEvents,
  type MerchantEvent,
  type MerchantEventsPage,
  type MerchantEventsWanted,
} from '../../domain/merchant-events.js';

/** A row of a page, or the one row of an empty one. */
type Row = { known: boolean } & (MerchantEvent | { id: null });

/** @param mine whose events are read, by the parameters $1 and $2 */
const following = (mine: string) =>
  `WITH cursor AS (SELECT number FROM webhooks.events WHERE id = $3 AND ${mine})
   SELECT cursor.known, e.* FROM (SELECT $3::uuid IS NULL OR EXISTS (SELECT FROM cursor) AS known) cursor
   LEFT JOIN LATERAL (
     SELECT number, id, organization_id AS "organizationId", account_id AS "accountId", event_type AS "eventType",
       payment_request_id AS "paymentRequestId", occurred_at AS "occurredAt", body
     FROM webhooks.events
     WHERE cursor.known AND ${mine} AND number > COALESCE((SELECT number FROM cursor), 0)
     ORDER BY number LIMIT $4) e ON true
   ORDER BY e.number`;

const OF_ACCOUNT = following('account_id = $2 AND organization_id = $1');
const OF_ORGANIZATION = following('organization_id = $1 AND $2::uuid IS NULL');

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
  }: MerchantEventsWanted): Promise<MerchantEventsPage | null> {
    const { organizationId, accountId } = scope;
    const rows = await this.database.query<Row>(accountId === null ? OF_ORGANIZATION : OF_ACCOUNT, [
      organizationId,
      accountId,
      after ?? null,
      limit + 1,
    ]);
    if (!rows[0]!.known) return null;
    const events = rows.filter((row): row is { known: boolean } & MerchantEvent => row.id !== null);
    return { events: events.slice(0, limit), hasMore: events.length > limit };
  }
}
