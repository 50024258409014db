import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/kernel/clock.js';
import { UnitOfWork } from '../../../shared/kernel/unit-of-work.js';
import {
  ChainReader,
  ChainUnavailable,
  ChainWitness,
  type BlockHeader,
} from '../../networks/contract/chain-reader.js';
import { WatchedChain, type Block, type Cursor } from '../domain/watched-chain.js';
import { Alerts } from './alerts.js';
import { commonAncestor } from './common-ancestor.js';
import { JudgeRequests } from './judge-requests.js';

/** Goes back to the newest block that still stands, and un-counts what stood above it; reverses what was posted. */
@Injectable()
export class RewindChain {
  constructor(
    private readonly reader: ChainReader,
    private readonly witness: ChainWitness,
    private readonly chain: WatchedChain,
    private readonly judge: JudgeRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly alerts: Alerts,
  ) {}

  /**
   * @returns false where nothing was taken back: endpoints disagree about the head, or about what was final
   * @throws ChainUnavailable, CursorMoved, LeaseLost: nothing was changed; the first also until a second endpoint, where
   *   one is configured, confirms that what was final is gone
   */
  async execute(network: string, cursor: Cursor, head: BlockHeader, epoch: bigint): Promise<boolean> {
    const newest = Math.min(cursor.head.number, head.number);
    const ancestor = await commonAncestor(this.chain, this.reader, network, newest);
    if (ancestor.number === cursor.head.number) return false;
    const stillFinal = await this.stillFinalElsewhere(network, cursor, ancestor);
    if (stillFinal !== null) {
      const disagreement = `one endpoint has replaced block ${stillFinal.number}, which was final; another has not.`;
      await this.unitOfWork.run(() => this.chain.disagree(network, disagreement, epoch));
      this.alerts.endpointsDisagree(network, disagreement);
      this.reader.doubt(network, disagreement);
      return false;
    }
    const reversals = await this.unitOfWork.run(async () => {
      const now = await this.clock.now();
      const lost = await this.chain.rewind(network, cursor, ancestor, epoch);
      // What counts instead may be final long since: nothing else would ever look at it again.
      return this.judge.execute(
        { read: new Map(), due: [], lost, arrived: new Map(), agreed: new Map() },
        now,
      );
    });
    for (const { request, transfers } of reversals)
      this.alerts.creditedTransferDisappeared(network, request, transfers);
    this.alerts.chainReorganised(network, cursor.head.number - ancestor.number, ancestor.number);
    return true;
  }

  /**
   * What was final is given up only where no endpoint holds on to it: one that went astray must not undo postings, nor
   * may it while the second is briefly away or behind.
   * @throws ChainUnavailable where a second endpoint is configured but tells of no block at that height
   */
  private async stillFinalElsewhere(network: string, cursor: Cursor, ancestor: Block): Promise<Block | null> {
    const { finalNumber } = cursor;
    if (finalNumber === null || ancestor.number >= finalNumber || this.witness.isAlone(network)) return null;
    const independent = this.witness.isIndependent(network);
    const [known, theirs] = await Promise.all([
      this.chain.block(network, finalNumber),
      independent ? this.witness.block(network, finalNumber) : null,
    ]);
    if (theirs === null)
      throw new ChainUnavailable(
        network,
        `a second endpoint must confirm that what was final is gone (block ${finalNumber}).`,
      );
    return theirs.hash === known?.hash ? known : null;
  }
}
