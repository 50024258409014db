import { Injectable } from '@nestjs/common';
import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { ChainProgress } from '#contexts/chain-watching/contract/incoming-transfer.js';
import { RequestsToEvaluate } from '#contexts/chain-watching/contract/requests-to-evaluate.js';
import {
  REQUESTS_PAST_DEADLINE,
  REQUESTS_PAST_DEADLINE_ON_EACH_OF_THEIR_NETWORKS,
} from './past-deadline.sql.js';
import {
  isAggregationDayOverSql,
  isToBeDepositedSql,
} from '../requests/persistence/recorded-transfer-row.js';
import { ENDED_STATUSES_SQL } from '../requests/persistence/status-and-deadline.sql.js';

/** Includes open requests, because anyone can send to a displayed address. */
const REQUESTS_EXAMINED_AT_ONCE = 500;
const LOWEST_REQUEST_ID = '00000000-0000-0000-0000-000000000000';

/** One step per request: the cost must not depend on the number of transfers. */
const WITH_UNBOOKED_TRANSFERS = `
WITH RECURSIVE asked (id, place) AS (
  SELECT ${nextRequestAfterSql('$2::uuid')}, 1
  UNION ALL
  SELECT ${nextRequestAfterSql('asked.id')}, place + 1 FROM asked WHERE asked.id IS NOT NULL AND place < $3::integer)
SELECT r.id, r.organization_id, r.status IN ${ENDED_STATUSES_SQL} AND (
    EXISTS (SELECT FROM payments.transfers o WHERE ${isToBeDepositedSql('o')} AND o.network = $1 AND o.gathered_on IS NULL)
    OR EXISTS (SELECT FROM payments.transfers o WHERE ${isToBeDepositedSql('o')} AND o.network = $1 AND ${isAggregationDayOverSql('o')})) AS is_due
FROM asked JOIN payments.payment_requests r USING (id) ORDER BY r.id`;

function nextRequestAfterSql(id: string): string {
  return `(SELECT t.payment_request_id FROM payments.transfers t
   WHERE t.network = $1 AND t.canonical AND t.final AND NOT t.counted AND t.deposited_at IS NULL
     AND t.payment_request_id > ${id} ORDER BY t.payment_request_id LIMIT 1)`;
}

interface ExaminedRequest {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly isDue: boolean;
}

interface RequestScan {
  readonly after: string;
  /** Requests returned by this scan, and by earlier scans that omitted some. */
  readonly found: ReadonlySet<PaymentRequestId>;
  /** A limit made this scan omit requests. */
  readonly hasOmitted: boolean;
}

const NEW_SCAN: RequestScan = { after: LOWEST_REQUEST_ID, found: new Set(), hasOmitted: false };

@Injectable()
export class PostgresRequestsToEvaluate extends RequestsToEvaluate {
  private readonly scans = new Map<string, RequestScan>();

  constructor(private readonly database: Database) {
    super();
  }

  async pastDeadline(
    network: string,
    others: readonly string[],
    progress: ChainProgress,
    limit: number,
  ): Promise<PaymentRequestId[]> {
    const rows = await this.database.query<{ id: PaymentRequestId }>(
      others.length === 0 ? REQUESTS_PAST_DEADLINE : REQUESTS_PAST_DEADLINE_ON_EACH_OF_THEIR_NETWORKS,
      [network, progress.headTime, progress.final?.time ?? null, limit, [network, ...others]],
    );
    return rows.map((row) => row.id);
  }

  async withUnbookedTransfers(network: string, limit: number): Promise<PaymentRequestId[]> {
    const scan = this.scans.get(network) ?? NEW_SCAN;
    const values = [network, scan.after, REQUESTS_EXAMINED_AT_ONCE];
    const examined = await this.database.query<ExaminedRequest>(WITH_UNBOOKED_TRANSFERS, values);
    const due = orderRoundRobin(
      examined.filter(({ isDue }) => isDue),
      scan.found,
    );
    this.scans.set(network, advanceScan(scan, examined, due, limit));
    return due.slice(0, limit);
  }
}

function advanceScan(
  scan: RequestScan,
  examined: readonly ExaminedRequest[],
  due: readonly PaymentRequestId[],
  limit: number,
): RequestScan {
  const found = new Set([...scan.found, ...due.slice(0, limit)]);
  const hasOmitted = scan.hasOmitted || due.some((id) => !found.has(id));
  if (examined.length === REQUESTS_EXAMINED_AT_ONCE) return { after: examined.at(-1)!.id, found, hasOmitted };
  // If the complete scan omitted requests, the next scan prefers them to those already found.
  return hasOmitted ? { ...NEW_SCAN, found } : NEW_SCAN;
}

/** Round-robin over the organizations. In each organization, requests found before come last. */
function orderRoundRobin(
  rows: readonly ExaminedRequest[],
  found: ReadonlySet<PaymentRequestId>,
): PaymentRequestId[] {
  const counts = new Map<string, number>();
  const newFirst = rows.toSorted((one, other) => Number(found.has(one.id)) - Number(found.has(other.id)));
  const turns = newFirst.map(({ id, organizationId }) => {
    const turn = counts.get(organizationId) ?? 0;
    counts.set(organizationId, turn + 1);
    return { id, turn };
  });
  return turns.sort((one, other) => one.turn - other.turn).map(({ id }) => id);
}
