import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import { ChainReader, ChainUnavailable, ChainWitness } from '../../networks/contract/chain-reader.js';
import { RecordedTransfers } from '../domain/recorded-transfers.js';
import type { RecordedTransfer } from '../domain/transfer.js';
import { RereadFinalBlocks } from './reread-final-blocks.js';

const PER_TURN = 20;

/** Has a second endpoint confirm block and receipt of transfers too large to believe one endpoint. */
@Injectable()
export class SeekAgreement {
  constructor(
    private readonly reader: ChainReader,
    private readonly witness: ChainWitness,
    private readonly transfers: RecordedTransfers,
    private readonly rereading: RereadFinalBlocks,
  ) {}

  /** @returns by request the ids of transfers that two endpoints tell the same of; the others go on waiting */
  async of(network: string): Promise<Map<PaymentRequestId, Set<string>>> {
    const agreed = new Map<PaymentRequestId, Set<string>>();
    if (!this.witness.isIndependent(network)) return agreed;
    for (const { paymentRequestId, transfer } of await this.transfers.awaitingAgreement(network, PER_TURN)) {
      if (!(await this.isConfirmed(transfer))) continue;
      const ids =
        agreed.get(paymentRequestId) ?? agreed.set(paymentRequestId, new Set()).get(paymentRequestId)!;
      ids.add(transfer.id);
    }
    return agreed;
  }

  private async isConfirmed(transfer: RecordedTransfer): Promise<boolean> {
    const { network, blockHash, blockNumber, to } = transfer;
    try {
      if ((await this.witness.block(network, blockNumber))?.hash !== blockHash) return false;
      if (transfer.kind !== 'balance')
        return await this.witness.holds(network, blockHash, this.rereading.asTold(transfer));
      const [[here], [there]] = await Promise.all([
        this.reader.balances(network, blockHash, [to]),
        this.witness.balances(network, blockHash, [to]),
      ]);
      return here !== undefined && here === there;
    } catch (error) {
      // The second endpoint's silence holds up what is so large, and nothing else.
      if (error instanceof ChainUnavailable) return false;
      throw error;
    }
  }
}
