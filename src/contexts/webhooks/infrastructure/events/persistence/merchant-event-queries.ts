import { Injectable } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import { isUuid } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { MerchantEvent } from '#contexts/webhooks/domain/events/merchant-events.js';
import { listFilteredEvents, type MerchantEventsPage, type MerchantEventsQuery } from './filtered-events.js';

export interface ListedEvents extends MerchantEventsPage {
  readonly nextAfter?: string;
}

type MerchantEventRow = { known: boolean } & (MerchantEvent | { id: null });

/**
 * Drops the events of the next owner. With an equality condition, the planner might scan the events of all owners.
 * @param owner column @param id SQL parameter @param mine SQL condition for the owner's events
 */
const eventsAfterSql = (owner: string, id: string, mine: string) =>
  `WITH cursor AS (SELECT number FROM webhooks.events e WHERE id = $2 AND ${mine})
   SELECT asked.known, e.id, e.organization_id, e.account_id,
     e.event_type, e.payment_request_id, e.occurred_at, e.body, e.underpayment_accepted
   FROM (SELECT $2::uuid IS NULL OR EXISTS (SELECT FROM cursor) AS known) asked
   LEFT JOIN LATERAL (
     SELECT * FROM webhooks.events
     WHERE asked.known AND (${owner}, number) > (${id}, COALESCE((SELECT number FROM cursor), 0))
     ORDER BY ${owner}, number LIMIT $3) e ON ${mine}
   ORDER BY e.number`;

const EVENTS_OF_ORGANIZATION_SQL = eventsAfterSql('organization_id', '$1', 'e.organization_id = $1');
const EVENTS_OF_ACCOUNT_SQL = eventsAfterSql(
  'account_id',
  '$4',
  'e.account_id = $4 AND e.organization_id = $1',
);

/**
 * In recorded order, which is the order of occurrence within a payment request. New events never appear before events
 * already read.
 */
@Injectable()
export class MerchantEventQueries {
  constructor(private readonly database: Database) {}

  /** @throws DomainError validation_failed on `after`, the same for malformed and unknown ids */
  async list({ after, ...query }: MerchantEventsQuery): Promise<ListedEvents> {
    const cursor = after?.toLowerCase();
    const canBeOne = cursor === undefined || isUuid(cursor);
    const page = canBeOne ? await this.readAfter({ ...query, after: cursor }) : null;
    if (page !== null) return { ...page, nextAfter: page.readTo ?? page.events.at(-1)?.id ?? cursor };
    throw invalidField(
      'after',
      'event',
      'is not an event that this request can read. Send the id of such an event, or omit it to start at the first event.',
    );
  }

  /**
   * With a filter, reads at most `MAX_EVENTS_READ` events; the caller continues after `readTo`. @returns null if `after` is
   * not in the scope
   */
  async readAfter({ scope, after, limit, filter }: MerchantEventsQuery): Promise<MerchantEventsPage | null> {
    if (filter !== undefined) return listFilteredEvents(this.database, { scope, after, limit, filter });
    const { organizationId, accountId } = scope;
    const ofOrganization = [organizationId, after ?? null, limit + 1];
    const rows = await (accountId === null
      ? this.database.query<MerchantEventRow>(EVENTS_OF_ORGANIZATION_SQL, ofOrganization)
      : this.database.query<MerchantEventRow>(EVENTS_OF_ACCOUNT_SQL, [...ofOrganization, accountId]));
    if (!rows[0]!.known) return null;
    const events = rows.filter((row): row is { known: boolean } & MerchantEvent => row.id !== null);
    return { events: events.slice(0, limit), hasMore: events.length > limit };
  }
}
