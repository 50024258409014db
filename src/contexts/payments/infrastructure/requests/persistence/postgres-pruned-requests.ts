import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { PrunedRequests } from '#contexts/payments/domain/requests/pruned-requests.js';
import { PRUNE, REVIVE, UNPAID } from './prune-requests.sql.js';

interface Row {
  id: PaymentRequestId;
}

@Injectable()
export class PostgresPrunedRequests extends PrunedRequests {
  constructor(private readonly database: Database) {
    super();
  }

  async prune(ids: readonly PaymentRequestId[]): Promise<void> {
    const locked = await this.database.write<Row>(
      'SELECT id FROM payments.payment_requests WHERE id = ANY($1) ORDER BY id FOR UPDATE',
      [ids],
    );
    // A statement of its own: it sees what a turn of a watcher committed before it let the request go.
    const unpaid = await this.database.write<Row>(UNPAID, [locked.map(({ id }) => id)]);
    if (unpaid.length === 0) return;
    const pruned = unpaid.map(({ id }) => id);
    for (const statement of PRUNE) await this.database.write(statement, [pruned]);
  }
}

/** Makes those of these requests that were pruned again, in the open unit of work. @param database with that unit */
export async function revive(database: Database, ids: readonly PaymentRequestId[]): Promise<void> {
  const pruned = await database.write<Row>(
    'SELECT id FROM payments.pruned_requests WHERE id = ANY($1) ORDER BY id FOR UPDATE',
    [ids],
  );
  if (pruned.length === 0) return;
  for (const statement of REVIVE) await database.write(statement, [pruned.map(({ id }) => id)]);
}
