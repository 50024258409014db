import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { ChainProgress } from '#contexts/payments/domain/requests/transfer.js';
import { RequestsToJudge } from '#contexts/payments/domain/watching/requests-to-judge.js';
import { PAST_DEADLINE, PAST_DEADLINE_OF_SEVERAL } from './past-deadline.sql.js';
import { isDayOver, isToPost } from '../../requests/persistence/reading-progress.sql.js';
import { ENDED } from '../../requests/persistence/status-and-deadline.sql.js';

/** Requests examined at once, open ones too: anyone can send to any address that was ever shown. */
const LOOKED_AT_ONCE = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Steps from one request to the next, so that the cost does not depend on the transfers of each. */
const WITH_UNBOOKED_TRANSFERS = `
WITH RECURSIVE asked (id, place) AS (
  SELECT ${nextAfter('$2::uuid')}, 1
  UNION ALL
  SELECT ${nextAfter('asked.id')}, place + 1 FROM asked WHERE asked.id IS NOT NULL AND place < $3::integer)
SELECT r.id, r.status IN ${ENDED} AND (
    EXISTS (SELECT FROM payments.transfers o WHERE ${isToPost('o')} AND o.network = $1 AND o.gathered_on IS NULL)
    OR EXISTS (SELECT FROM payments.transfers o WHERE ${isToPost('o')} AND o.network = $1 AND ${isDayOver('o')})) AS is_due
FROM asked JOIN payments.payment_requests r USING (id) ORDER BY r.id`;

/** @param id an SQL expression @returns the next request with a final transfer that is not booked, or null */
function nextAfter(id: string): string {
  return `(SELECT t.payment_request_id FROM payments.transfers t
   WHERE t.network = $1 AND t.canonical AND t.final AND NOT t.counted AND t.deposited_at IS NULL
     AND t.payment_request_id > ${id} ORDER BY t.payment_request_id LIMIT 1)`;
}

@Injectable()
export class PostgresRequestsToJudge extends RequestsToJudge {
  /** The last request examined, by network. Losing it only restarts the search. */
  private readonly lookedAt = new Map<string, PaymentRequestId>();

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
      others.length === 0 ? PAST_DEADLINE : PAST_DEADLINE_OF_SEVERAL,
      [network, progress.headTime, progress.final?.time ?? null, limit, [network, ...others]],
    );
    return rows.map((row) => row.id);
  }

  async withUnbookedTransfers(network: string, limit: number): Promise<PaymentRequestId[]> {
    const after = this.lookedAt.get(network) ?? BEFORE_ALL;
    const rows = await this.database.query<{ id: PaymentRequestId; isDue: boolean }>(
      WITH_UNBOOKED_TRANSFERS,
      [network, after, LOOKED_AT_ONCE],
    );
    const found = rows.filter((row) => row.isDue).slice(0, limit);
    const last = found.length === limit ? found.at(-1) : rows.at(-1);
    // Behind the last one the next search begins anew.
    if (last === undefined || (rows.length < LOOKED_AT_ONCE && found.length < limit))
      this.lookedAt.delete(network);
    else this.lookedAt.set(network, last.id);
    return found.map((row) => row.id);
  }
}
