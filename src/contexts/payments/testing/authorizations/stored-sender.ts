import { createHash } from 'node:crypto';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { Database } from '#shared/platform/database/database.js';
import {
  OutboundTransactionSender,
  type OutboundTransactionStatus,
  type OutboundTransactionOrder,
} from '#contexts/networks/contract/outbound-transaction-sender.js';

const GAS_ACCOUNT = `0x${'9a'.repeat(20)}`;

export function transactionOf(id: string): string {
  return `0x${createHash('sha256').update(id).digest('hex')}`;
}

/** Keeps sendings in the sender's own tables, with the nonce and what is stored alongside in one unit of work; the test decides the rest. */
export class StoredSender extends OutboundTransactionSender {
  readonly orders: OutboundTransactionOrder[] = [];
  refusal: string | null = null;
  /** True where what it sends counts as taken up from the chain. */
  adopts = false;
  beforeSending: () => void = () => undefined;

  constructor(private readonly database: Database) {
    super();
  }

  override addressOf(): string {
    return GAS_ACCOUNT;
  }

  override async send(order: OutboundTransactionOrder): Promise<OutboundTransactionStatus> {
    this.beforeSending();
    if (this.refusal !== null) throw stateConflict(this.refusal);
    const { id, network, key, purpose, call, reservationCeiling } = order;
    await this.database.run(async () => {
      await this.database.queryInTransaction(
        `INSERT INTO networks.sendings (id, network, sender, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose, key, adopted)
         SELECT $1, $2, $3, count(*), $4, $5, $6, $7, $8, $9, $10, $11 FROM networks.sendings`,
        [
          ...[
            id,
            network,
            GAS_ACCOUNT,
            call.to,
            Buffer.from(call.data.slice(2), 'hex'),
            call.value.toString(),
          ],
          ...[call.gasLimit.toString(), reservationCeiling!.toString(), purpose, key, this.adopts],
        ],
      );
      await order.alongside?.();
    });
    this.orders.push(order);
    return (await this.status(id))!;
  }

  override async findHold(): Promise<null> {
    return null;
  }

  override async release(): Promise<null> {
    return null;
  }

  override async status(id: string): Promise<OutboundTransactionStatus | null> {
    const [row] = await this.database.query<{
      state: OutboundTransactionStatus['state'];
      nonce: number;
      minedHash: string | null;
      minedBlock: number | null;
      minedSucceeded: boolean | null;
      gasCost: bigint | null;
    }>(
      'SELECT state, nonce, mined_hash, mined_block, mined_succeeded, gas_cost FROM networks.sendings WHERE id = $1',
      [id],
    );
    if (row === undefined) return null;
    const { state, nonce, minedHash, minedBlock, minedSucceeded, gasCost } = row;
    const mined = { transactionHash: minedHash, blockNumber: minedBlock, succeeded: minedSucceeded };
    return { state, nonce, ...mined, gasCost, response: null };
  }

  /** Has that become of it on the chain. @param block that its transaction is in @param gasCost null where its receipt says none */
  async becomes(
    id: string,
    state: 'mined' | 'final' | 'reverted' | 'cancelled' | 'foreign',
    block = 0,
    gasCost: bigint | null = null,
  ): Promise<void> {
    const hash = state === 'foreign' ? null : transactionOf(id);
    await this.database.run(async () => {
      if (hash !== null)
        await this.database.queryInTransaction(
          `INSERT INTO networks.sending_attempts (sending_id, number, network, hash, raw, max_fee, cancels)
           SELECT id, 1, network, $2, 'raw', 1, $3 FROM networks.sendings WHERE id = $1 ON CONFLICT DO NOTHING`,
          [id, hash, state === 'cancelled'],
        );
      await this.database.queryInTransaction(
        `UPDATE networks.sendings SET state = $2, attempts = CASE WHEN $3::text IS NULL THEN 0 ELSE 1 END, mined_hash = $3,
           mined_block = CASE WHEN $3 IS NOT NULL THEN $4::bigint END,
           mined_succeeded = CASE WHEN $3 IS NOT NULL THEN $2 IN ('mined', 'final') END,
           gas_cost = CASE WHEN $2 <> 'mined' THEN $5::numeric END WHERE id = $1`,
        [id, state, hash, block, hash === null ? null : (gasCost?.toString() ?? null)],
      );
    });
  }
}
