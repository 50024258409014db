import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import {
  cancellingCall,
  endStateOf,
  isFinishedOutboundState,
  type OutboundTransaction,
} from '../../domain/outbound/outbound-transaction.js';
import { isKnownToNodes } from '../../domain/outbound/broadcast-response.js';
import {
  type EndpointNonceObservation,
  type UnresponsiveEndpoint,
  findOnChainStatus,
  hasAnswered,
  hasExpired,
  isUsedByOtherTransaction,
  matchUnrecordedAttempt,
  type NonceUse,
} from '../../domain/outbound/on-chain-status.js';
import {
  type GasFeeLimits,
  type GasFees,
  bumpedGasFees,
  initialGasFees,
} from '../../domain/outbound/gas-fees.js';
import { OutboundChain, type UnsignedTransaction } from './outbound-chain.js';
import {
  type OutboundAttempt,
  broadcastAttempts,
  OutboundTransactions,
  type OutboundStateChange,
} from './outbound-transactions.js';
import { VerifyCallBeforeSigning } from './verify-call-before-signing.js';
import { SenderHolds } from './sender-holds.js';
import { type SenderKey, SenderKeys } from './sender-keys.js';

/** A halted chain produces no blocks, so its fees are not raised. */
const BLOCKS_BEFORE_BUMP = 3;
/** Even on chains with fast blocks, a transaction needs time to reach block producers. */
const MIN_SECONDS_BEFORE_BUMP = 10;

/** `waiting`: for a block, an endpoint or an operator. `key_missing`: this process does not hold the key. */
export type AdvanceResult = 'moved' | 'waiting' | 'key_missing';

/**
 * Steps can be repeated after a crash and by two processes: bytes are stored before they are broadcast, and only one
 * transaction uses the nonce.
 */
@Injectable()
export class AdvanceOutboundTransaction {
  constructor(
    private readonly sendings: OutboundTransactions,
    private readonly chain: OutboundChain,
    private readonly keys: SenderKeys,
    private readonly clock: Clock,
    private readonly verifyCallBeforeSigning: VerifyCallBeforeSigning,
    private readonly holds: SenderHolds,
  ) {}

  /**
   * @throws ChainUnavailable or an error of the key if the step should be retried; NotAsOrdered
   */
  async advance(id: string): Promise<AdvanceResult> {
    const sending = await this.sendings.find(id);
    if (sending === null || isFinishedOutboundState(sending.state)) return 'waiting';
    if (sending.state === 'reserved') return this.offerFirst(sending);
    const attempts = await this.sendings.attempts(id);
    return sending.state === 'signed'
      ? this.broadcastFirst(sending, attempts)
      : this.lookUp(sending, attempts);
  }

  /** On chains without nonces. @returns false if a signed transaction can still be included, or was */
  async cancelUnexecuted(sending: OutboundTransaction): Promise<boolean> {
    const { id, network, state } = sending;
    if (state !== 'reserved') {
      if (state === 'signed') return false;
      const views = await this.chain.nonceObservations(network, sending, await this.sendings.attempts(id));
      if (!hasExpired(views)) return false;
    }
    const step = { state: 'cancelled', mined: null, response: 'The operator cancelled it.' } as const;
    return this.sendings.changeState(sending, step);
  }

  /** Only if nothing was signed, or if every attempt has expired without being included. */
  private endUnexecuted(sending: OutboundTransaction, response: string): Promise<AdvanceResult> {
    return this.recordStep(sending, { state: 'cancelled', mined: null, response });
  }

  cancel(
    sending: OutboundTransaction,
    { fees, head }: Pick<OutboundAttempt, 'fees' | 'head'>,
  ): Promise<AdvanceResult> {
    return this.sign(sending, this.keys.keyFor(sending), fees, { cancels: true, head });
  }

  /** Not while the key is on hold: a transaction missing in the database may already be this call. */
  private async offerFirst(sending: OutboundTransaction): Promise<AdvanceResult> {
    const { network, key, sender, nonce } = sending;
    const { mostCount } = await this.chain.senderAccountState(network, sender);
    const hold = await this.holds.holdAtCount({ network, key, address: sender }, mostCount);
    if (hold === null) return this.signFirst(sending);
    const use = mostCount > nonce ? await this.chain.nonceUse(network, sender, nonce) : null;
    return use === null ? 'waiting' : this.endBy(sending, use);
  }

  /** Stores the error if the key may not send the call, because a retry would fail too. */
  private async signFirst(sending: OutboundTransaction): Promise<AdvanceResult> {
    try {
      return await this.offer(sending, null);
    } catch (error) {
      if (error instanceof DomainError)
        await this.keep(sending, { state: 'reserved', response: error.message });
      throw error;
    }
  }

  /** After a crash, the stored bytes may already have been broadcast. */
  private async broadcastFirst(
    sending: OutboundTransaction,
    attempts: readonly OutboundAttempt[],
  ): Promise<AdvanceResult> {
    const last = attempts.at(-1)!;
    const { response, responses } = await broadcastAttempts(this.chain, sending.network, attempts);
    // An earlier attempt may already be in a mempool or a block, even if every endpoint rejected this attempt.
    if (isKnownToNodes(response) || attempts.length > 1 || (await this.isTakenCareOf(sending, last)))
      return this.recordStep(sending, { state: 'broadcast', response: responses });
    try {
      const bumped = response === 'underpriced' ? await this.offer(sending, last) : 'waiting';
      if (bumped !== 'waiting') return bumped;
    } finally {
      await this.sendings.changeState(sending, { state: 'signed', response: responses });
    }
    return 'waiting';
  }

  /** A rejection with an unknown message may mean that the bytes are already in a block. */
  private async isTakenCareOf(sending: OutboundTransaction, last: OutboundAttempt): Promise<boolean> {
    const views = await this.chain.nonceObservations(sending.network, sending, [last]);
    return views.some(
      (view) =>
        hasAnswered(view) &&
        // An attempt that expires ends by its expiration, even if every endpoint rejects it.
        (view.receipt !== null || view.latestCount > sending.nonce || view.expiry !== undefined),
    );
  }

  private async lookUp(
    sending: OutboundTransaction,
    attempts: readonly OutboundAttempt[],
  ): Promise<AdvanceResult> {
    const { network, sender, nonce } = sending;
    const views = await this.chain.nonceObservations(network, sending, attempts);
    const fate = findOnChainStatus(nonce, views);
    if (fate.kind === 'mined' || fate.kind === 'final') {
      const cancelling = attempts.filter(({ cancels }) => cancels).map(({ hash }) => hash);
      const step = endStateOf(fate.receipt, fate.kind === 'final', cancelling);
      if (fate.kind === 'final') return this.recordStep(sending, step);
      if (!fate.isAgreed) return this.goOn(sending, attempts, views, step, fate.doubts);
      const response =
        fate.doubts.join('; ') || `Every endpoint shows it in block ${fate.receipt.blockNumber}.`;
      await this.keep(sending, { ...step, response });
      return 'waiting';
    }
    const hashes = attempts.map(({ hash }) => hash);
    const use = fate.kind === 'used' ? await this.chain.nonceUse(network, sender, nonce) : null;
    if (isUsedByOtherTransaction(use, hashes)) return this.endBy(sending, use);
    // Requires answers from all endpoints, because an endpoint that did not answer may have the receipt.
    if (sending.state === 'mined' && views.every(hasAnswered))
      return this.recordStep(sending, { state: 'broadcast', mined: null });
    return this.goOn(sending, attempts, views, { state: sending.state }, []);
  }

  private async endBy(sending: OutboundTransaction, use: NonceUse): Promise<AdvanceResult> {
    const lost = matchUnrecordedAttempt(use, sending);
    if (lost !== null) return this.takeUp(sending, use, lost === 'cancels');
    const response = `${use.hash} used the nonce ${sending.nonce} in block ${use.blockNumber}.`;
    return this.recordStep(sending, { state: 'foreign', mined: null, response, usedBy: use.hash });
  }

  private async takeUp(
    sending: OutboundTransaction,
    { hash, signed }: NonceUse,
    cancels: boolean,
  ): Promise<AdvanceResult> {
    if (sending.state === 'mined') return this.recordStep(sending, { state: 'broadcast', mined: null });
    const { raw, fees } = signed!;
    await this.sendings.addAttempt(sending, { hash, raw, fees, head: null, cancels });
    return 'moved';
  }

  /** All attempts use the same nonce, so at most one is mined. */
  private async goOn(
    sending: OutboundTransaction,
    attempts: readonly OutboundAttempt[],
    views: readonly (EndpointNonceObservation | UnresponsiveEndpoint)[],
    step: OutboundStateChange,
    doubts: readonly string[],
  ): Promise<AdvanceResult> {
    const { nonce } = sending;
    const answered = views.filter(hasAnswered);
    const highest = Math.max(...answered.map(({ latestCount }) => latestCount));
    // Uses the highest transaction count: with a falsely low count, all earlier transactions would be broadcast again
    // every time.
    if (answered.length > 0 && highest < nonce) await this.fillGap(sending, highest);
    // Only endpoints that show no receipt, and no transaction with this nonce in their count, decide about a higher
    // offer.
    const open = answered.filter(({ receipt, latestCount }) => receipt === null && latestCount === nonce);
    // Broadcasts first, so that a missing gas price or an unavailable signer does not delay it.
    const { responses } = await broadcastAttempts(this.chain, sending.network, attempts);
    const kept = await this.keep(sending, { ...step, response: [...doubts, responses].join('; ') });
    if (answered.some(({ expiry }) => expiry !== undefined)) return this.renew(kept, views);
    const last = attempts.at(-1)!;
    const head = Math.max(...open.map((view) => view.head));
    const isStuck = open.length > 0 && (await this.isStuck(last, head));
    const bumped = isStuck ? await this.offer(kept, last) : 'waiting';
    return bumped === 'moved' ? bumped : 'waiting';
  }

  /** Every endpoint must prove that no block has or can have the last attempt, because two could execute the call twice. */
  private renew(
    sending: OutboundTransaction,
    views: readonly (EndpointNonceObservation | UnresponsiveEndpoint)[],
  ): Promise<AdvanceResult> {
    return hasExpired(views) ? this.offer(sending, null) : Promise.resolve('waiting');
  }

  private async keep(
    sending: OutboundTransaction,
    step: OutboundStateChange & { response: string },
  ): Promise<OutboundTransaction> {
    const { state, response, mined = sending.mined } = step;
    const isNew =
      state !== sending.state ||
      response !== sending.response ||
      mined?.hash !== sending.mined?.hash ||
      mined?.blockNumber !== sending.mined?.blockNumber ||
      mined?.succeeded !== sending.mined?.succeeded;
    if (isNew) await this.sendings.changeState(sending, step);
    return { ...sending, state, response, mined };
  }

  /** Broadcasts the bytes of earlier nonces again, in order, after a reorganization removed them from their blocks. */
  private async fillGap({ network, sender, nonce }: OutboundTransaction, count: number): Promise<void> {
    const earlier = await this.sendings.minedAttempts(network, sender, count, nonce);
    for (const signed of earlier) await this.chain.broadcast(network, signed);
  }

  /** @param head newest block of the endpoints that show no transaction with the nonce */
  private async isStuck(last: OutboundAttempt, head: number): Promise<boolean> {
    if (last.head !== null && head - last.head < BLOCKS_BEFORE_BUMP) return false;
    return (await this.clock.now()).getTime() - last.at.getTime() >= MIN_SECONDS_BEFORE_BUMP * 1_000;
  }

  private async offer(sending: OutboundTransaction, last: OutboundAttempt | null): Promise<AdvanceResult> {
    const key = this.keys.keyFor(sending);
    if (key === undefined) return 'key_missing';
    const limits = this.limitsOf(sending);
    const { head, validity, ...market } = await this.chain.gasFeeMarket(sending.network);
    const fees = last === null ? initialGasFees(market, limits) : bumpedGasFees(last.fees, market, limits);
    return fees === null
      ? 'waiting'
      : this.sign(sending, key, fees, { cancels: last?.cancels ?? false, head, validity });
  }

  private async sign(
    sending: OutboundTransaction,
    key: SenderKey | undefined,
    fees: GasFees,
    {
      cancels,
      head,
      validity,
    }: Pick<OutboundAttempt, 'cancels' | 'head'> & Pick<UnsignedTransaction, 'validity'>,
  ): Promise<AdvanceResult> {
    const { network, sender, nonce } = sending;
    if (key === undefined) return 'key_missing';
    // A cancellation moves nothing, so it needs no proof. The transaction of a revoked order is cancelled, because
    // later nonces wait for its nonce.
    if (!cancels && (await this.verifyCallBeforeSigning.isOrderRevoked(sending)))
      return validity === undefined
        ? this.sign(sending, key, fees, { cancels: true, head })
        : this.endUnexecuted(sending, 'Its order was revoked, and no transaction executed it.');
    const call = cancels
      ? cancellingCall(sender, await this.chain.selfTransferGas(network, sender))
      : sending.call;
    const signed = await key.sign({ chainId: this.chain.chainId(network), nonce, call, fees, validity });
    await this.sendings.addAttempt(sending, { ...signed, fees, head, cancels });
    return 'moved';
  }

  /** Applies the network's maximum fee, even if the database row contains a higher one. */
  private limitsOf({ network, feeCeiling }: OutboundTransaction): GasFeeLimits {
    const limits = this.chain.feeLimits(network);
    return feeCeiling < limits.ceiling ? { ...limits, ceiling: feeCeiling } : limits;
  }

  private async recordStep(sending: OutboundTransaction, step: OutboundStateChange): Promise<AdvanceResult> {
    await this.sendings.changeState(sending, step);
    return 'moved';
  }
}
