import type { Database } from '#shared/platform/database/database.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { MerchantEvent, MerchantEventFilter } from '#contexts/webhooks/domain/events/merchant-events.js';

export interface MerchantEventsQuery {
  readonly scope: TenantScope;
  /** Must belong to the scope. Default: starts at the first event. */
  readonly after?: string;
  readonly limit: number;
  readonly filter?: MerchantEventFilter;
}

export interface MerchantEventsPage {
  readonly events: MerchantEvent[];
  /** The page is full, or a filtered read has reached `MAX_EVENTS_READ`. */
  readonly hasMore: boolean;
  /** Last event read, matching or not. Absent if the page is full or nothing was read. */
  readonly readTo?: string;
}

export const MAX_EVENTS_READ = 5_000;

/** An empty page has one row without an event. */
type FilteredEventRow = { known: boolean; stopped: boolean; readTo: string | null } & (
  MerchantEvent | { id: null }
);

/** Reads only the bodies of the matching events. */
const filteredEventsSql = (owner: string, id: string, mine: string) => `
WITH cursor AS (SELECT number FROM webhooks.events e WHERE id = $2 AND ${mine}),
asked AS (SELECT $2::uuid IS NULL OR EXISTS (SELECT FROM cursor) AS known),
ahead AS MATERIALIZED (
  SELECT e.number, e.id, row_number() OVER (ORDER BY e.number) AS n,
    ($5::text IS NULL OR e.event_type = $5) AND ($6::uuid IS NULL OR e.payment_request_id = $6)
      AND ($7::timestamptz IS NULL OR e.occurred_at >= $7) AND ($8::timestamptz IS NULL OR e.occurred_at < $8) AS matches
  FROM asked JOIN LATERAL (
    SELECT * FROM webhooks.events
    WHERE asked.known AND (${owner}, number) > (${id}, COALESCE((SELECT number FROM cursor), 0))
    ORDER BY ${owner}, number LIMIT ${MAX_EVENTS_READ + 1}) e ON ${mine}
),
found AS MATERIALIZED (
  SELECT number FROM ahead WHERE matches AND n <= ${MAX_EVENTS_READ} ORDER BY number LIMIT $3
)
SELECT asked.known, EXISTS (SELECT FROM ahead WHERE n > ${MAX_EVENTS_READ}) AS stopped,
  (SELECT id FROM ahead WHERE n <= ${MAX_EVENTS_READ} ORDER BY n DESC LIMIT 1) AS read_to,
  e.id, e.organization_id, e.account_id, e.event_type,
  e.payment_request_id, e.occurred_at, e.body, e.underpayment_accepted
FROM asked LEFT JOIN (found JOIN webhooks.events e ON e.number = found.number) ON true
ORDER BY e.number`;

/** $1 organization, $2 after, $3 limit plus 1, $4 account, $5 type, $6 request, $7 from, $8 before. */
const EVENTS_OF_ORGANIZATION_SQL = filteredEventsSql(
  'organization_id',
  '$1',
  'e.organization_id = $1 AND $4::uuid IS NULL',
);
const EVENTS_OF_ACCOUNT_SQL = filteredEventsSql(
  'account_id',
  '$4',
  'e.account_id = $4 AND e.organization_id = $1',
);

export async function listFilteredEvents(
  database: Database,
  { scope, after, limit, filter }: MerchantEventsQuery & { readonly filter: MerchantEventFilter },
): Promise<MerchantEventsPage | null> {
  const { organizationId, accountId } = scope;
  const { eventType = null, paymentRequestId = null, occurred } = filter;
  const rows = await database.query<FilteredEventRow>(
    accountId === null ? EVENTS_OF_ORGANIZATION_SQL : EVENTS_OF_ACCOUNT_SQL,
    [
      ...[organizationId, after ?? null, limit + 1, accountId],
      ...[eventType, paymentRequestId, occurred.from ?? null, occurred.before ?? null],
    ],
  );
  const [{ known, stopped, readTo }] = rows as [FilteredEventRow, ...FilteredEventRow[]];
  if (!known) return null;
  const events = rows.flatMap((row) => (row.id === null ? [] : [toMerchantEvent(row)]));
  if (events.length > limit) return { events: events.slice(0, limit), hasMore: true };
  return { events, hasMore: stopped, readTo: readTo ?? undefined };
}

function toMerchantEvent({
  known: _known,
  stopped: _stopped,
  readTo: _readTo,
  ...event
}: FilteredEventRow & MerchantEvent) {
  return event;
}
