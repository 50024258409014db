import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import { Database } from '../../../../shared/platform/database/database.js';
import type { ChainProgress } from '../../domain/outcome.js';
import { RequestsToJudge } from '../../domain/requests-to-judge.js';
import { PAST_DEADLINE, PAST_DEADLINE_OF_SEVERAL } from './past-deadline.sql.js';

@Injectable()
export class PostgresRequestsToJudge extends RequestsToJudge {
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
      [
        network,
        progress.headTime,
        progress.final?.time ?? null,
        limit,
        ...(others.length === 0 ? [] : [others]),
      ],
    );
    return rows.map((row) => row.id);
  }

  async withUnbookedMoney(network: string, limit: number): Promise<PaymentRequestId[]> {
    // What waits for its request to end is final money in open requests: as little as there are of these.
    const rows = await this.database.query<{ id: PaymentRequestId }>(
      `SELECT DISTINCT r.id FROM payments.transfers t JOIN payments.payment_requests r ON r.id = t.payment_request_id
       WHERE t.network = $1 AND t.canonical AND t.final AND NOT t.counted AND t.deposited_at IS NULL
         AND r.status IN ('completed', 'underpaid', 'overpaid', 'expired', 'failed') LIMIT $2`,
      [network, limit],
    );
    return rows.map((row) => row.id);
  }
}
