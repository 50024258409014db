import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { ChainUnavailable, type BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { PostgresWatchedChains } from '../../infrastructure/persistence/postgres-watched-chains.js';
import type { Block, Cursor } from '../../domain/cursor.js';
import { Alerts } from '../../contract/alerts.js';
import { findCommonAncestor, requireBlock } from './detect-reorganization.js';
import { RequestEvaluation } from '../../contract/requests-to-evaluate.js';
import { RecordedTransfers } from '../../contract/recorded-transfers.js';
import { makePendingAgain } from '../pending/pending-again.js';
import { RecordedPayouts } from '../../infrastructure/persistence/recorded-payouts.js';
import { IterationLimits } from '../iteration-limits.js';

/** `stays`: the cursor is not moved, because endpoints disagree about the head or about a final block. */
export type RewindResult = { readonly kind: 'moved' } | { readonly kind: 'stays' };

/**
 * First asks the second endpoint whether it replaced the final block too, which detects an endpoint on another fork
 * in one call.
 */
@Injectable()
export class RewindChain {
  private readonly contradictedAt = new Map<string, string>();

  constructor(
    private readonly chains: Chains,
    private readonly chain: PostgresWatchedChains,
    private readonly transfers: RecordedTransfers,
    private readonly requests: RequestEvaluation,
    private readonly payouts: RecordedPayouts,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly alerts: Alerts,
    private readonly limits: IterationLimits,
  ) {}

  /**
   * @throws ChainUnavailable also if a configured second endpoint has not confirmed that a final block was replaced
   */
  async rewind(network: string, cursor: Cursor, head: BlockHeader, epoch: bigint): Promise<RewindResult> {
    const newest = Math.min(cursor.head.number, head.number);
    const final = await this.findCommonFinalBlock(network, cursor, newest);
    const keptFinal = final === null ? await this.findFinalBlockOnSecondEndpoint(network, cursor) : null;
    if (keptFinal !== null) {
      await this.stopForReplacedFinalBlock(network, keptFinal, epoch);
      return { kind: 'stays' };
    }
    const ancestor = await findCommonAncestor(
      this.chain,
      this.chains.of(network).reader,
      network,
      newest,
      final,
    );
    if (ancestor.number === newest) {
      this.handleContradiction(network, cursor);
      return { kind: 'stays' };
    }
    // The target may still be a block of the abandoned fork, if the rewind takes several iterations.
    const target = await this.chooseRewindTarget(network, cursor, ancestor);
    const { reversals, parked, removedPayouts } = await this.unitOfWork.run(async () => {
      const now = await this.clock.now();
      await this.chain.rewind(network, cursor, target, epoch);
      const lost = await this.transfers.markOrphanedAbove(network, target.number);
      // These requests must be evaluated now: their other transfers may already be final, so no later iteration
      // would evaluate them.
      const arrived = makePendingAgain(lost, target.time);
      const evaluation = await this.requests.evaluate({ read: new Map(), due: [], lost, arrived }, now);
      return { ...evaluation, removedPayouts: await this.payouts.removeAbove(network, target.number, now) };
    });
    for (const { request, transfers } of reversals)
      this.alerts.creditedTransferDisappeared(network, request, transfers);
    for (const { request, reason } of parked) this.alerts.requestParked(request, reason);
    const finalPayouts = removedPayouts.filter(({ wereFinal }) => wereFinal);
    const transactions = finalPayouts.map(({ transactionHash }) => transactionHash);
    if (transactions.length > 0) this.alerts.finalPayoutsDisappeared(network, transactions);
    this.alerts.chainReorganized(network, cursor.head.number - target.number, target.number);
    return { kind: 'moved' };
  }

  /**
   * The common ancestor, or a later block if more transfers lie above the ancestor than one unit of work may drop.
   */
  private async chooseRewindTarget(network: string, { head }: Cursor, ancestor: Block): Promise<Block> {
    const first = await this.transfers.blockAtLimit(network, ancestor.number, this.limits.rewound);
    if (first === null) return ancestor;
    return (await this.chain.block(network, Math.min(first, head.number - 1))) ?? ancestor;
  }

  private async findCommonFinalBlock(network: string, cursor: Cursor, newest: number): Promise<Block | null> {
    if (cursor.finalNumber === null) return null;
    const known = await this.chain.block(network, Math.min(cursor.finalNumber, newest));
    if (known === null) return null;
    return (await requireBlock(this.chains.of(network).reader, network, known.number)).hash === known.hash
      ? known
      : null;
  }

  /**
   * A contradiction is briefly normal during a reorganization or behind a load balancer with a lagging node, so only a
   * repetition counts.
   */
  private handleContradiction(network: string, { head }: Cursor): void {
    if (this.contradictedAt.get(network) !== head.hash) {
      this.contradictedAt.set(network, head.hash);
      return;
    }
    this.contradictedAt.delete(network);
    const reason = `it returns block ${head.number} that the service has read, but reports a chain that does not contain this block.`;
    this.chains.of(network).reader.reportDoubtfulAnswer(reason);
    throw new ChainUnavailable(network, reason);
  }

  private async stopForReplacedFinalBlock(network: string, { number }: Block, epoch: bigint): Promise<void> {
    const disagreement = `one endpoint has replaced the final block ${number}, but another endpoint still has it.`;
    await this.unitOfWork.run(() => this.chain.recordDisagreement(network, disagreement, epoch));
    this.alerts.endpointsDisagree(network, disagreement);
    this.chains.of(network).reader.reportDoubtfulAnswer(disagreement);
  }

  /** One faulty endpoint must not reverse postings, even if the second endpoint is briefly unavailable or behind. */
  private async findFinalBlockOnSecondEndpoint(
    network: string,
    { finalNumber }: Cursor,
  ): Promise<Block | null> {
    const { secondEndpoint } = this.chains.of(network);
    if (finalNumber === null || secondEndpoint.isOnlyEndpoint()) return null;
    const independent = secondEndpoint.isIndependent();
    const [known, theirs] = await Promise.all([
      this.chain.block(network, finalNumber),
      independent ? secondEndpoint.blockHeader(finalNumber) : null,
    ]);
    if (theirs === null)
      throw new ChainUnavailable(
        network,
        `a second endpoint must confirm that block ${finalNumber}, which was final, is no longer on the chain.`,
      );
    return theirs.hash === known?.hash ? known : null;
  }
}
