import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import {
  cancellingCall,
  endedBy,
  isFinished,
  type OutboundTransaction,
} from '../../domain/outbound/outbound-transaction.js';
import { isWithNodes } from '../../domain/outbound/broadcast-response.js';
import {
  type NonceView,
  type SilentEndpoint,
  fateOnChain,
  hasAnswered,
  isForeign,
  lostAttemptOf,
  type NonceUse,
} from '../../domain/outbound/fate-on-chain.js';
import { type FeeLimits, type Fees, bumpedFees, firstFees } from '../../domain/outbound/fees.js';
import { OutboundChain } from './outbound-chain.js';
import {
  type OutboundAttempt,
  broadcastAttempts,
  OutboundTransactions,
  type SendingStep,
} from './outbound-transactions.js';
import { ProveUse } from './prove-use.js';
import { SenderHolds } from './sender-holds.js';
import { type SenderKey, SenderKeys } from './sender-keys.js';

/** So many blocks without the transaction, and more is offered where the market asks for more. A halted chain has none. */
const BLOCKS_BEFORE_BUMP = 3;
/** Where blocks are fast, a transaction still takes its time to be seen by who makes them. */
const MIN_SECONDS_BEFORE_BUMP = 10;

/**
 * `moved`: more can be done at once. `waiting`: for a block, a node, or for what an operator must do. `key_missing`: this
 * process cannot sign for it.
 */
export type Advance = 'moved' | 'waiting' | 'key_missing';

/**
 * Takes one step of an outbound transaction. Every step stores one thing, and repeats what may have been done before it: bytes are
 * stored before they are sent to an endpoint, and are sent again until a receipt is seen. A process that dies between any
 * two steps, and two processes that take the same one, leave one transaction under the nonce.
 */
@Injectable()
export class AdvanceOutboundTransaction {
  constructor(
    private readonly sendings: OutboundTransactions,
    private readonly chain: OutboundChain,
    private readonly keys: SenderKeys,
    private readonly clock: Clock,
    private readonly proveUse: ProveUse,
    private readonly holds: SenderHolds,
  ) {}

  /** @throws ChainUnavailable, or the key's error, where the step is to be tried again; NotAsOrdered */
  async advance(id: string): Promise<Advance> {
    const sending = await this.sendings.find(id);
    if (sending === null || isFinished(sending.state)) return 'waiting';
    if (sending.state === 'reserved') return this.offerFirst(sending);
    const attempts = await this.sendings.attempts(id);
    return sending.state === 'signed'
      ? this.broadcastFirst(sending, attempts)
      : this.lookUp(sending, attempts);
  }

  /** Stores an attempt that uses the nonce up in place of the call; `advance` sends it to nodes. */
  cancel(
    sending: OutboundTransaction,
    { fees, head }: Pick<OutboundAttempt, 'fees' | 'head'>,
  ): Promise<Advance> {
    return this.sign(sending, this.keys.keyFor(sending), fees, { cancels: true, head });
  }

  /**
   * Nothing is signed for the first time while the key is held: a transaction that is not stored may be this call already, under
   * its nonce or another one. Later attempts use the nonce of the first, and are asked for no hold.
   */
  private async offerFirst(sending: OutboundTransaction): Promise<Advance> {
    const { network, key, sender, nonce } = sending;
    const { mostCount } = await this.chain.account(network, sender);
    const hold = await this.holds.holdAt({ network, key, address: sender }, mostCount);
    if (hold === null) return this.signFirst(sending);
    const use = mostCount > nonce ? await this.chain.nonceUse(network, sender, nonce) : null;
    return use === null ? 'waiting' : this.endBy(sending, use);
  }

  /** A call that its key may not send is signed by no later try: `sender status` shows why. */
  private async signFirst(sending: OutboundTransaction): Promise<Advance> {
    try {
      return await this.offer(sending, null);
    } catch (error) {
      if (error instanceof DomainError)
        await this.keep(sending, { state: 'reserved', response: error.message });
      throw error;
    }
  }

  /** The stored bytes go first, also after a crash that may have come after they were sent. */
  private async broadcastFirst(
    sending: OutboundTransaction,
    attempts: readonly OutboundAttempt[],
  ): Promise<Advance> {
    const last = attempts.at(-1)!;
    const { response, responses } = await broadcastAttempts(this.chain, sending.network, attempts);
    // An earlier attempt may be in a pool, or in a block already, whatever becomes of this one.
    if (isWithNodes(response) || attempts.length > 1 || (await this.isTakenCareOf(sending, last)))
      return this.moved(sending, { state: 'broadcast', response: responses });
    try {
      const bumped = response === 'underpriced' ? await this.offer(sending, last) : 'waiting';
      if (bumped !== 'waiting') return bumped;
    } finally {
      await this.sendings.step(sending, { state: 'signed', response: responses });
    }
    return 'waiting';
  }

  /** A refusal in words that are not known may be of bytes that are in a block already. */
  private async isTakenCareOf(sending: OutboundTransaction, last: OutboundAttempt): Promise<boolean> {
    const views = await this.chain.views(sending.network, sending, [last]);
    return views.some(
      (view) => hasAnswered(view) && (view.receipt !== null || view.latestCount > sending.nonce),
    );
  }

  private async lookUp(sending: OutboundTransaction, attempts: readonly OutboundAttempt[]): Promise<Advance> {
    const { network, sender, nonce } = sending;
    const views = await this.chain.views(network, sending, attempts);
    const fate = fateOnChain(nonce, views);
    if (fate.kind === 'mined' || fate.kind === 'final') {
      const cancelling = attempts.filter(({ cancels }) => cancels).map(({ hash }) => hash);
      const step = endedBy(fate.receipt, fate.kind === 'final', cancelling);
      if (fate.kind === 'final') return this.moved(sending, step);
      if (!fate.isAgreed) return this.goOn(sending, attempts, views, step, fate.doubts);
      const response =
        fate.doubts.join('; ') || `Every endpoint shows it in block ${fate.receipt.blockNumber}.`;
      await this.keep(sending, { ...step, response });
      return 'waiting';
    }
    const hashes = attempts.map(({ hash }) => hash);
    const use = fate.kind === 'used' ? await this.chain.nonceUse(network, sender, nonce) : null;
    if (isForeign(use, hashes)) return this.endBy(sending, use);
    // An endpoint that is silent may be the one that has the receipt.
    if (sending.state === 'mined' && views.every(hasAnswered))
      return this.moved(sending, { state: 'broadcast', mined: null });
    return this.goOn(sending, attempts, views, { state: sending.state }, []);
  }

  /** @param use of the nonce, by none of the stored attempts */
  private async endBy(sending: OutboundTransaction, use: NonceUse): Promise<Advance> {
    const lost = lostAttemptOf(use, sending);
    if (lost !== null) return this.takeUp(sending, use, lost === 'cancels');
    const response = `${use.hash} used the nonce ${sending.nonce} in block ${use.blockNumber}.`;
    return this.moved(sending, { state: 'foreign', mined: null, response, usedBy: use.hash });
  }

  /** It is followed by its receipt, as those that were never lost. */
  private async takeUp(
    sending: OutboundTransaction,
    { hash, signed }: NonceUse,
    cancels: boolean,
  ): Promise<Advance> {
    if (sending.state === 'mined') return this.moved(sending, { state: 'broadcast', mined: null });
    const { raw, fees } = signed!;
    await this.sendings.attempt(sending, { hash, raw, fees, head: null, cancels });
    return 'moved';
  }

  /**
   * Not every endpoint shows a receipt, and one that does may lie: the last attempt is sent again to all, and one that offers
   * more takes its place where this one has waited for long. Both use one nonce, so that one of them at most is mined.
   */
  private async goOn(
    sending: OutboundTransaction,
    attempts: readonly OutboundAttempt[],
    views: readonly (NonceView | SilentEndpoint)[],
    step: SendingStep,
    doubts: readonly string[],
  ): Promise<Advance> {
    const { nonce } = sending;
    const answered = views.filter(hasAnswered);
    const highest = Math.max(...answered.map(({ latestCount }) => latestCount));
    // The highest count decides: the lowest may be a lie that has all bytes there ever were sent again each time.
    if (answered.length > 0 && highest < nonce) await this.fillGap(sending, highest);
    // One that shows a receipt, or counts a transaction with the nonce, holds no bump up.
    const open = answered.filter(({ receipt, latestCount }) => receipt === null && latestCount === nonce);
    // Before all that may fail: a price that nobody says, or a signer that is away, keeps no bytes from their pools.
    const { responses } = await broadcastAttempts(this.chain, sending.network, attempts);
    const kept = await this.keep(sending, { ...step, response: [...doubts, responses].join('; ') });
    const last = attempts.at(-1)!;
    const head = Math.max(...open.map((view) => view.head));
    const isStuck = open.length > 0 && (await this.isStuck(last, head));
    const bumped = isStuck ? await this.offer(kept, last) : 'waiting';
    return bumped === 'moved' ? bumped : 'waiting';
  }

  /** Stores a step that leaves the outbound transaction unfinished, where it says anything new. @returns the outbound transaction as it is then */
  private async keep(
    sending: OutboundTransaction,
    step: SendingStep & { response: string },
  ): Promise<OutboundTransaction> {
    const { state, response, mined = sending.mined } = step;
    const isNew =
      state !== sending.state ||
      response !== sending.response ||
      mined?.hash !== sending.mined?.hash ||
      mined?.blockNumber !== sending.mined?.blockNumber ||
      mined?.succeeded !== sending.mined?.succeeded;
    if (isNew) await this.sendings.step(sending, step);
    return { ...sending, state, response, mined };
  }

  /** Earlier nonces that a reorganisation took out of their blocks: their bytes are sent again, in their order. */
  private async fillGap({ network, sender, nonce }: OutboundTransaction, count: number): Promise<void> {
    const earlier = await this.sendings.minedAttempts(network, sender, count, nonce);
    for (const signed of earlier) await this.chain.broadcast(network, signed);
  }

  /** @param head the newest block of the endpoints that show no transaction with the nonce */
  private async isStuck(last: OutboundAttempt, head: number): Promise<boolean> {
    if (last.head !== null && head - last.head < BLOCKS_BEFORE_BUMP) return false;
    return (await this.clock.now()).getTime() - last.at.getTime() >= MIN_SECONDS_BEFORE_BUMP * 1_000;
  }

  /** @param last the attempt before; null for the first @returns waiting where nothing more is to be offered */
  private async offer(sending: OutboundTransaction, last: OutboundAttempt | null): Promise<Advance> {
    const key = this.keys.keyFor(sending);
    if (key === undefined) return 'key_missing';
    const limits = this.limitsOf(sending);
    const { head, ...market } = await this.chain.market(sending.network);
    const fees = last === null ? firstFees(market, limits) : bumpedFees(last.fees, market, limits);
    return fees === null
      ? 'waiting'
      : this.sign(sending, key, fees, { cancels: last?.cancels ?? false, head });
  }

  private async sign(
    sending: OutboundTransaction,
    key: SenderKey | undefined,
    fees: Fees,
    { cancels, head }: Pick<OutboundAttempt, 'cancels' | 'head'>,
  ): Promise<Advance> {
    const { network, sender, nonce } = sending;
    if (key === undefined) return 'key_missing';
    // What cancels is made here and moves nothing, so that it needs no proof. Later nonces wait for that of a revoked order.
    if (!cancels && (await this.proveUse.isRevoked(sending)))
      return this.sign(sending, key, fees, { cancels: true, head });
    const call = cancels
      ? cancellingCall(sender, await this.chain.gasToItself(network, sender))
      : sending.call;
    const signed = await key.sign({ chainId: this.chain.chainId(network), nonce, call, fees });
    await this.sendings.attempt(sending, { ...signed, fees, head, cancels });
    return 'moved';
  }

  /** The network's ceiling also where the row names a higher one. */
  private limitsOf({ network, feeCeiling }: OutboundTransaction): FeeLimits {
    const limits = this.chain.feeLimits(network);
    return feeCeiling < limits.ceiling ? { ...limits, ceiling: feeCeiling } : limits;
  }

  private async moved(sending: OutboundTransaction, step: SendingStep): Promise<Advance> {
    await this.sendings.step(sending, step);
    return 'moved';
  }
}
