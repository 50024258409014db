import { Injectable } from '@nestjs/common';
import { invalidField, unavailable } from '#shared/kernel/domain-error.js';
import { isUuid } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import type { MerchantEvent } from '#contexts/webhooks/domain/events/merchant-events.js';
import { followingOnes, type MerchantEventsPage, type MerchantEventsQuery } from './following-ones.js';

export interface ListedEvents extends MerchantEventsPage {
  /** The `after` of the next request; absent where nothing has happened yet. */
  readonly nextAfter?: string;
}

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
     e.event_type, e.payment_request_id, e.occurred_at, e.body, e.underpayment_accepted
   FROM (SELECT $2::uuid IS NULL OR EXISTS (SELECT FROM cursor) AS known) asked
   LEFT JOIN LATERAL (
     SELECT * FROM webhooks.events
     WHERE asked.known AND (${owner}, number) > (${id}, COALESCE((SELECT number FROM cursor), 0))
     ORDER BY ${owner}, number LIMIT $3) e ON ${mine}
   ORDER BY e.number`;

const OF_ORGANIZATION = following('organization_id', '$1', 'e.organization_id = $1');
const OF_ACCOUNT = following('account_id', '$4', 'e.account_id = $4 AND e.organization_id = $1');

/**
 * The merchant events, in one order for all: that in which they were recorded, of each payment request and subscription that
 * in which they happened. Nothing ever comes between events that were read already.
 */
@Injectable()
export class MerchantEventQueries {
  constructor(private readonly database: Database) {}

  /**
   * Continues behind `after`, as the caller spelled it.
   * @throws DomainError validation_failed on `after`, the same for whatever is no event in the scope; unavailable where it is
   * one that was delivered before it was recorded
   */
  async list({ after, ...query }: MerchantEventsQuery): Promise<ListedEvents> {
    const cursor = after?.toLowerCase();
    const canBeOne = cursor === undefined || isUuid(cursor);
    const page = canBeOne ? await this.following({ ...query, after: cursor }) : null;
    if (page !== null) return { ...page, nextAfter: page.readTo ?? page.events.at(-1)?.id ?? cursor };
    if (canBeOne && (await this.isComing(query.scope, cursor!)))
      throw unavailable('This event is still being recorded. Try again shortly.');
    throw invalidField(
      'after',
      'event',
      'is not an event that this request can read. Send the id of such an event, or omit it to start at the first event.',
    );
  }

  /**
   * One statement. With a filter it passes over so many events at most, so that a filter that nothing matches costs no more
   * than others; who asks goes on behind `readTo`.
   * @returns null where the scope has no event `after`
   */
  async following({ scope, after, limit, filter }: MerchantEventsQuery): Promise<MerchantEventsPage | null> {
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

  /** True where an event of the scope is being delivered already, though it is recorded only in a moment. */
  private async isComing({ organizationId, accountId }: Scope, event: string): Promise<boolean> {
    const found = await this.database.query(
      `SELECT FROM webhooks.deliveries
       WHERE event_id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR account_id = $3) LIMIT 1`,
      [event, organizationId, accountId],
    );
    return found.length > 0;
  }
}
