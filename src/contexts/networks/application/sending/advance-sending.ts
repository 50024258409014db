import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import { NetworkCatalogue } from '../../contract/network-catalogue.js';
import { isWithNodes } from '../../domain/sending/broadcast-response.js';
import {
  type EndpointView,
  type FateOnChain,
  fateOnChain,
  isForeign,
} from '../../domain/sending/fate-on-chain.js';
import { type FeeLimits, type Fees, bumpedFees, firstFees } from '../../domain/sending/fees.js';
import { isFinished, type MinedAttempt, type Sending } from '../../domain/sending/sending.js';
import { ProveUse } from './prove-use.js';
import { type BroadcastOutcome, SendingChain } from './sending-chain.js';
import { type Attempt, Sendings, type SendingStep } from './sendings.js';
import { SenderKeys } from './sender-keys.js';

/** So many blocks without a receipt, and an attempt is offered more for. */
const BLOCKS_BEFORE_BUMP = 3;
/** Where blocks are fast, a transaction still takes its time to be seen by who makes them. */
const LEAST_SECONDS_BEFORE_BUMP = 10;

/**
 * `moved`: more can be done at once. `waiting`: for a block, a node, or for what an operator must do. `key_missing`: this
 * process cannot sign for it.
 */
export type Advance = 'moved' | 'waiting' | 'key_missing';

/**
 * Takes one step of a sending. Every step stores one thing, and repeats what may have been done before it: bytes are
 * stored before an endpoint is given them, and are given again until a receipt is seen. A process that dies between any
 * two steps, and two processes that take the same one, leave one call under the nonce.
 */
@Injectable()
export class AdvanceSending {
  constructor(
    private readonly sendings: Sendings,
    private readonly chain: SendingChain,
    private readonly keys: SenderKeys,
    private readonly catalogue: NetworkCatalogue,
    private readonly clock: Clock,
    private readonly prove: ProveUse,
  ) {}

  /** @throws ChainUnavailable, or the key's error, where the step is to be tried again; NotAsOrdered */
  async execute(id: string): Promise<Advance> {
    const sending = await this.sendings.find(id);
    if (sending === null || isFinished(sending.state)) return 'waiting';
    if (sending.state === 'reserved') return this.sign(sending, null);
    const attempts = await this.sendings.attempts(id);
    return sending.state === 'signed'
      ? this.broadcastFirst(sending, attempts)
      : this.lookUp(sending, attempts);
  }

  /** The stored bytes go first, also after a crash that may have come after they were sent. */
  private async broadcastFirst(sending: Sending, attempts: readonly Attempt[]): Promise<Advance> {
    const last = attempts.at(-1)!;
    const { response, responses } = await this.give(sending, attempts);
    // An earlier attempt may be in a pool, or in a block already, whatever becomes of this one.
    if (isWithNodes(response) || attempts.length > 1 || (await this.isTakenCareOf(sending, last)))
      return this.moved(sending, { state: 'broadcast', response: responses });
    try {
      const bumped = response === 'underpriced' ? await this.bump(sending, last) : 'waiting';
      if (bumped !== 'waiting') return bumped;
    } finally {
      await this.sendings.step(sending, { state: 'signed', response: responses });
    }
    return 'waiting';
  }

  /** A refusal in words that are not known may be of bytes that are in a block already. */
  private async isTakenCareOf({ network, sender, nonce }: Sending, { hash }: Attempt): Promise<boolean> {
    const views = await this.chain.views(network, sender, [hash]);
    return views.some((view) => view !== null && (view.receipt !== null || view.latestCount > nonce));
  }

  /** The last attempt, and where no endpoint wants it, the ones before it: a pool may have forgotten them. */
  private async give({ network }: Sending, attempts: readonly Attempt[]): Promise<BroadcastOutcome> {
    const [last, ...earlier] = attempts.toReversed() as [Attempt, ...Attempt[]];
    const outcome = await this.chain.broadcast(network, last);
    if (isWithNodes(outcome.response) || outcome.response === 'unreachable') return outcome;
    for (const attempt of earlier) {
      const { response, responses } = await this.chain.broadcast(network, attempt);
      if (isWithNodes(response))
        return {
          response,
          responses: `${outcome.responses}; attempt ${attempt.number} again: ${responses}`,
        };
    }
    return outcome;
  }

  private async lookUp(sending: Sending, attempts: readonly Attempt[]): Promise<Advance> {
    const { network, sender, nonce } = sending;
    const hashes = attempts.map(({ hash }) => hash);
    const views = await this.chain.views(network, sender, hashes);
    const fate = fateOnChain(nonce, views);
    if (fate.kind === 'mined' || fate.kind === 'final') return this.settle(sending, fate);
    const use = fate.kind === 'used' ? await this.chain.nonceUse(network, sender, nonce) : null;
    if (!isForeign(use, hashes)) return this.goOn(sending, attempts, views);
    const response = `${use.hash} used the nonce ${nonce} in block ${use.blockNumber}.`;
    return this.moved(sending, { state: 'foreign', mined: null, response });
  }

  private async settle(
    sending: Sending,
    { kind, receipt }: Extract<FateOnChain, { receipt: MinedAttempt }>,
  ): Promise<Advance> {
    if (kind === 'final')
      return this.moved(sending, { state: receipt.succeeded ? 'final' : 'reverted', mined: receipt });
    const { mined } = sending;
    if (mined?.hash === receipt.hash && mined.blockNumber === receipt.blockNumber) return 'waiting';
    await this.sendings.step(sending, { state: 'mined', mined: receipt });
    return 'waiting';
  }

  /** No receipt is seen: the last attempt is given again, or one that offers more where this one has waited for long. */
  private async goOn(
    sending: Sending,
    attempts: readonly Attempt[],
    views: readonly (EndpointView | null)[],
  ): Promise<Advance> {
    const counts = views.flatMap((view) => (view === null ? [] : [view.latestCount]));
    const last = attempts.at(-1)!;
    // An endpoint that is silent may be the one that has the receipt.
    if (sending.state === 'mined' && counts.length === views.length)
      return this.moved(sending, { state: 'broadcast', mined: null });
    if (sending.state === 'mined' || counts.length === 0) {
      await this.give(sending, attempts);
      return 'waiting';
    }
    const count = Math.max(...counts);
    if (count < sending.nonce) await this.fillGap(sending, count);
    try {
      if (count === sending.nonce && (await this.isStuck(sending, last))) {
        const bumped = await this.bump(sending, last);
        if (bumped === 'moved') return bumped;
      }
    } catch (error) {
      // A price that nobody says, or a signer that fails, keeps no bytes from their pools.
      await this.giveAgain(sending, attempts);
      throw error;
    }
    await this.giveAgain(sending, attempts);
    return 'waiting';
  }

  private async giveAgain(sending: Sending, attempts: readonly Attempt[]): Promise<void> {
    const { responses } = await this.give(sending, attempts);
    if (responses !== sending.response)
      await this.sendings.step(sending, { state: 'broadcast', response: responses });
  }

  /** Earlier nonces that a reorganisation took out of their blocks: their bytes are given again, in their order. */
  private async fillGap({ network, sender, nonce }: Sending, count: number): Promise<void> {
    const earlier = await this.sendings.minedAttempts(network, sender, count, nonce);
    for (const signed of earlier) await this.chain.broadcast(network, signed);
  }

  private async isStuck({ network }: Sending, { at }: Attempt): Promise<boolean> {
    const blockSeconds = this.catalogue.network(network)?.blockSeconds ?? 0;
    const patience = Math.max(BLOCKS_BEFORE_BUMP * blockSeconds, LEAST_SECONDS_BEFORE_BUMP);
    return (await this.clock.now()).getTime() - at.getTime() >= patience * 1_000;
  }

  /** @returns waiting where no more may be offered */
  private async bump(sending: Sending, { fees }: Attempt): Promise<Advance> {
    const market = await this.chain.market(sending.network);
    const bumped = bumpedFees(fees, market, this.limitsOf(sending));
    return bumped === null ? 'waiting' : this.sign(sending, bumped);
  }

  /** @param fees null for the first attempt, by the market */
  private async sign(sending: Sending, fees: Fees | null): Promise<Advance> {
    const { network, nonce, call } = sending;
    const key = this.keys.of(sending);
    if (key === undefined) return 'key_missing';
    await this.prove.execute(sending);
    const offered = fees ?? firstFees(await this.chain.market(network), this.limitsOf(sending));
    const chainId = this.chain.chainId(network);
    const signed = await key.sign({ chainId, nonce, call, fees: offered });
    await this.sendings.attempt(sending, { ...signed, fees: offered });
    return 'moved';
  }

  /** The network's ceiling also where the row names a higher one. */
  private limitsOf({ network, feeCeiling }: Sending): FeeLimits {
    const limits = this.chain.feeLimits(network);
    return feeCeiling < limits.ceiling ? { ...limits, ceiling: feeCeiling } : limits;
  }

  private async moved(sending: Sending, step: SendingStep): Promise<Advance> {
    await this.sendings.step(sending, step);
    return 'moved';
  }
}
