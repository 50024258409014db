import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import {
  ChainReader,
  ChainUnavailable,
  SecondEndpoint,
  type BlockHeader,
} from '../../../networks/contract/chain-reader.js';
import { WatchedChain, type Block, type Cursor } from '../../domain/watching/watched-chain.js';
import { Alerts } from './alerts.js';
import { commonAncestor, blockAt } from './common-ancestor.js';
import { JudgeRequests } from './judge-requests.js';

/** Goes back to the newest block that still stands, and un-counts what stood above it; reverses what was posted. */
@Injectable()
export class RewindChain {
  /** By network, the head at which an endpoint's answers contradicted each other when last it was to go back. */
  private readonly contradictedAt = new Map<string, string>();

  constructor(
    private readonly reader: ChainReader,
    private readonly secondEndpoint: SecondEndpoint,
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
    const final = await this.finalThatStands(network, cursor, newest);
    // Before anything below it is looked at: one question finds out an endpoint that follows another fork.
    if (final === null && (await this.heldElsewhere(network, cursor, epoch))) return false;
    const ancestor = await commonAncestor(this.chain, this.reader, network, newest, final);
    if (ancestor.number === newest) return this.contradicted(network, cursor);
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

  /** Our final block, or ours at `newest` where that is lower; null where the endpoint has another there, or none is. */
  private async finalThatStands(network: string, cursor: Cursor, newest: number): Promise<Block | null> {
    if (cursor.finalNumber === null) return null;
    const known = await this.chain.block(network, Math.min(cursor.finalNumber, newest));
    if (known === null) return null;
    return (await blockAt(this.reader, network, known.number)).hash === known.hash ? known : null;
  }

  /**
   * It tells of a block of ours and of one that does not follow from it. For a moment a chain that is just reorganised
   * looks like that, and so do two nodes behind one address, one of which is late by a block; hence not the first time.
   * @returns false the first time @throws ChainUnavailable where it is so once more: another endpoint is read next
   */
  private contradicted(network: string, { head }: Cursor): false {
    if (this.contradictedAt.get(network) !== head.hash) {
      this.contradictedAt.set(network, head.hash);
      return false;
    }
    this.contradictedAt.delete(network);
    const reason = `it has our block ${head.number} and yet tells of a chain that does not contain it.`;
    this.reader.doubt(network, reason);
    throw new ChainUnavailable(network, reason);
  }

  /** Whether another endpoint holds on to what was final and is gone here. @throws ChainUnavailable as below */
  private async heldElsewhere(network: string, cursor: Cursor, epoch: bigint): Promise<boolean> {
    const stillFinal = await this.stillFinalElsewhere(network, cursor);
    if (stillFinal === null) return false;
    const disagreement = `one endpoint has replaced block ${stillFinal.number}, which was final; another has not.`;
    await this.unitOfWork.run(() => this.chain.disagree(network, disagreement, epoch));
    this.alerts.endpointsDisagree(network, disagreement);
    this.reader.doubt(network, disagreement);
    return true;
  }

  /**
   * What was final is given up only where no endpoint holds on to it: one that went astray must not undo postings, nor
   * may it while the second is briefly away or behind.
   * @throws ChainUnavailable where a second endpoint is configured but tells of no block at that height
   */
  private async stillFinalElsewhere(network: string, { finalNumber }: Cursor): Promise<Block | null> {
    if (finalNumber === null || this.secondEndpoint.isAlone(network)) return null;
    const independent = this.secondEndpoint.isIndependent(network);
    const [known, theirs] = await Promise.all([
      this.chain.block(network, finalNumber),
      independent ? this.secondEndpoint.block(network, finalNumber) : null,
    ]);
    if (theirs === null)
      throw new ChainUnavailable(
        network,
        `a second endpoint must confirm that what was final is gone (block ${finalNumber}).`,
      );
    return theirs.hash === known?.hash ? known : null;
  }
}
