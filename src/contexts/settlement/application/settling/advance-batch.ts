import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import { DomainError } from '../../../../shared/kernel/domain-error.js';
import { GAS_KEY, Sender, type SendingFate } from '../../../networks/contract/sender.js';
import { ReadingProgress } from '../../../payments/contract/reading-progress.js';
import { batchMayBecome, type Batch, type BatchState } from '../../domain/settling/batch.js';
import { Batches } from '../../domain/settling/batches.js';
import { SetAside } from '../../domain/settling/set-aside.js';

/** A plan that was never sent is made anew after that time: what waits may have changed. */
const ABANDON_AFTER_MS = 600_000;

export interface AdvancedBatch {
  readonly batch: Batch;
  readonly state: BatchState;
  /** Why it could not be sent, in the sender's words. */
  readonly refused: string | null;
}

/**
 * Takes a batch as far as the sender's fate of it goes. The stored call is given to the sender under the batch's id, so that
 * after a crash the very same call is sent, once.
 */
@Injectable()
export class AdvanceBatch {
  constructor(
    private readonly batches: Batches,
    private readonly sender: Sender,
    private readonly reading: ReadingProgress,
    private readonly setAside: SetAside,
    private readonly clock: Clock,
  ) {}

  /** @throws ChainUnavailable */
  async execute(batch: Batch): Promise<AdvancedBatch> {
    let fate = await this.sender.fate(batch.id);
    if (fate === null) {
      if (batch.state !== 'chosen') return { batch, state: batch.state, refused: null };
      const age = (await this.clock.now()).getTime() - batch.createdAt.getTime();
      if (age > ABANDON_AFTER_MS) return this.becomes(batch, 'abandoned', null);
      try {
        fate = await this.send(batch);
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'state_conflict') throw error;
        return { batch, state: batch.state, refused: error.message };
      }
    }
    return this.becomes(batch, await this.stateBy(batch, fate), fate.transactionHash);
  }

  private send({ id, network, call: { to, data, gas } }: Batch): Promise<SendingFate> {
    const call = { to, data, value: 0n, gasLimit: gas };
    return this.sender.send({ id, network, key: GAS_KEY, purpose: 'settlement', call });
  }

  private async becomes(batch: Batch, state: BatchState, hash: string | null): Promise<AdvancedBatch> {
    if (!batchMayBecome(batch.state, state)) return { batch, state: batch.state, refused: null };
    const moved = await this.batches.move(batch, state, hash);
    // Tried again at once, it would be reverted again: each time costs gas.
    if (moved && state === 'reverted') await this.setAsideAll(batch);
    return { batch, state: moved ? state : batch.state, refused: null };
  }

  private async stateBy(batch: Batch, fate: SendingFate): Promise<BatchState> {
    switch (fate.state) {
      case 'mined':
        return fate.succeeded === true ? 'delivered' : 'sent';
      case 'final':
        return (await this.isRead(batch, fate)) ? 'final' : 'delivered';
      case 'reverted':
      case 'foreign':
      case 'cancelled':
        return fate.state;
      default:
        return 'sent';
    }
  }

  /** Before its payouts are recorded, what it delivered would seem to wait still. */
  private async isRead({ network }: Batch, { transactionHash, blockNumber }: SendingFate): Promise<boolean> {
    if (await this.batches.isRecorded(network, transactionHash!)) return true;
    const reading = (await this.reading.readings()).find((each) => each.network === network);
    return reading?.finalNumber != null && reading.finalNumber >= blockNumber!;
  }

  private async setAsideAll({ id, network }: Batch): Promise<void> {
    const says = `Its transaction was reverted, with all of batch ${id}.`;
    const payouts = await this.batches.payouts(id);
    await this.setAside.add(
      network,
      payouts.map(({ address, uniqueAssetId }) => ({ address, uniqueAssetId, reason: 'reverted', says })),
    );
  }
}
