import { stateConflict } from '#shared/kernel/domain-error.js';
import {
  OutboundTransactionSender,
  type OutboundTransactionStatus,
  type OutboundTransactionOrder,
} from '#contexts/networks/contract/outbound-transaction-sender.js';

export const GAS_ACCOUNT = '0x9a5000000000000000000000000000000000009a';

export class MemorySender extends OutboundTransactionSender {
  readonly orders = new Map<string, OutboundTransactionOrder>();
  refusal: string | null = null;
  /** If true, `send` fails before the order is stored, like a process that is killed. */
  isKilled = false;
  private readonly fates = new Map<string, OutboundTransactionStatus>();

  override addressOf(): string {
    return GAS_ACCOUNT;
  }

  override async send(order: OutboundTransactionOrder): Promise<OutboundTransactionStatus> {
    if (this.isKilled) throw new Error('killed');
    if (this.refusal !== null) throw stateConflict(this.refusal);
    const known = this.orders.get(order.id);
    if (known === undefined) {
      await order.alongside?.();
      this.orders.set(order.id, order);
      this.becomes(order.id, { state: 'reserved' });
    } else if (known.call.data !== order.call.data) throw stateConflict('another call');
    return this.fates.get(order.id)!;
  }

  override async findHold(): Promise<null> {
    return null;
  }

  /** Settlement batches never release a nonce. */
  override async release(): Promise<null> {
    return null;
  }

  override async status(id: string): Promise<OutboundTransactionStatus | null> {
    return this.fates.get(id) ?? null;
  }

  becomes(id: string, fate: Partial<OutboundTransactionStatus>): void {
    const nothing = {
      ...{ transactionHash: null, blockNumber: null, succeeded: null, gasCost: null, response: null },
    };
    this.fates.set(id, {
      state: 'reserved',
      nonce: this.orders.size - 1,
      ...nothing,
      ...this.fates.get(id),
      ...fate,
    });
  }

  mine(id: string, succeeded = true): string {
    const transactionHash = `0x${id.replaceAll('-', '').padStart(64, '0')}`;
    this.becomes(id, { state: 'mined', transactionHash, blockNumber: 7, succeeded });
    return transactionHash;
  }
}
