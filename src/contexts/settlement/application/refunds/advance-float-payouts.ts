import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../../shared/kernel/domain-error.js';
import { floatKeyOf, Sender, type SendingFate } from '../../../networks/contract/sender.js';
import { NotAsOrdered } from '../../../networks/contract/ordered-transfers.js';
import { TransferPlanning, TransferRefused } from '../../../networks/contract/transfer-planning.js';
import { type FloatPayout, FloatPayouts } from '../../domain/refunds/float-payouts.js';
import { EndFloatPayout } from './end-float-payout.js';

/** What a look at a payout came to, where somebody may want to know of it. */
export interface AdvancedPayout {
  readonly payout: FloatPayout;
  /** Why it does not go on; null where it has ended. */
  readonly held: string | null;
  readonly ended: 'completed' | 'failed' | null;
  /** Whether what is stored of it contradicts itself: it stays held until somebody has looked. */
  readonly isContradicted?: boolean;
}

const MOST_AT_ONCE = 100;
/** After which a recipient that refuses is given up: with the pauses below about an hour and a half. */
const MOST_TRIES = 8;
const FIRST_PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 3_600;
/** Between looks at what was sent. */
const LOOK_AGAIN_SECONDS = 2;

/**
 * Carries on what floats pay. Each step is stored before the next is taken, and can be taken again:
 * 1. planned: the call is simulated, then stored; from then on it is this very call.
 * 2. sent: the sender reserves one nonce for its id, however often it is asked.
 * 3. ended: by what final blocks say of that nonce.
 */
@Injectable()
export class AdvanceFloatPayouts {
  constructor(
    private readonly payouts: FloatPayouts,
    private readonly planning: TransferPlanning,
    private readonly sender: Sender,
    private readonly end: EndFloatPayout,
  ) {}

  /** One that fails holds up no other. */
  async execute(network: string): Promise<AdvancedPayout[]> {
    const advanced: AdvancedPayout[] = [];
    for (const payout of await this.payouts.due(network, MOST_AT_ONCE)) {
      const done = await this.advance(payout).catch(async (error: unknown) => ({
        ...(await this.putOff(payout, sentenceOf(error))),
        isContradicted: error instanceof NotAsOrdered,
      }));
      if (done !== null) advanced.push(done);
    }
    return advanced;
  }

  private async advance(payout: FloatPayout): Promise<AdvancedPayout | null> {
    if (payout.sent) return this.follow(payout);
    const call = payout.call ?? (await this.planned(payout));
    if (call === null) return null;
    if ('held' in call) return call;
    await this.send(payout, call);
    await this.payouts.markSent(payout.id);
    return this.follow({ ...payout, call, sent: true });
  }

  /** @returns its call, null where another process has ended or planned it, or why it does not go on */
  private async planned(payout: FloatPayout): Promise<FloatPayout['call'] | AdvancedPayout> {
    const { asset, floatAddress, to, amount } = payout;
    try {
      const { call } = await this.planning.plan(asset.network, floatAddress, asset, to, amount);
      return (await this.payouts.plan(payout.id, call)) ? call : null;
    } catch (error) {
      if (!(error instanceof TransferRefused)) throw error;
      // More may be sent to the float; a recipient that refuses for long refuses for good.
      if (error.reason === 'recipient' && payout.tries + 1 >= MOST_TRIES)
        return this.fail(payout, error.message);
      return this.putOff(payout, error.message);
    }
  }

  private async send(payout: FloatPayout, call: NonNullable<FloatPayout['call']>): Promise<void> {
    const { id, kind, asset, organizationId, floatAddress } = payout;
    const key = floatKeyOf(organizationId);
    if (this.sender.addressOf(asset.network, key) !== floatAddress) {
      throw new Error(`The key that is held pays from another address than the float ${floatAddress}.`);
    }
    const purpose = kind === 'refund' ? 'refund' : 'float_withdrawal';
    await this.sender.send({ id, network: asset.network, key, purpose, call });
  }

  private async follow(payout: FloatPayout): Promise<AdvancedPayout | null> {
    const fate = await this.sender.fate(payout.id);
    switch (fate?.state) {
      case 'final':
        return this.complete(payout, fate);
      case 'reverted':
        return this.fail(payout, 'Its transaction was executed without effect.', fate);
      case 'foreign':
        return this.fail(payout, 'Another transaction of the float used its nonce.');
      default:
        await this.payouts.putOff(payout.id, null, LOOK_AGAIN_SECONDS, false);
        return null;
    }
  }

  private async complete(payout: FloatPayout, fate: SendingFate): Promise<AdvancedPayout | null> {
    const { transactionHash, blockNumber } = fate;
    const ended = {
      status: 'completed',
      transactionHash,
      blockNumber,
      gas: gasOf(fate),
      failure: null,
    } as const;
    return (await this.end.execute(payout, ended)) ? { payout, held: null, ended: 'completed' } : null;
  }

  private async fail(
    payout: FloatPayout,
    failure: string,
    fate?: SendingFate,
  ): Promise<AdvancedPayout | null> {
    const { transactionHash = null, blockNumber = null } = fate ?? {};
    const gas = fate === undefined ? 0n : gasOf(fate);
    const ended = { status: 'failed', transactionHash, blockNumber, gas, failure } as const;
    return (await this.end.execute(payout, ended)) ? { payout, held: failure, ended: 'failed' } : null;
  }

  private async putOff(payout: FloatPayout, held: string): Promise<AdvancedPayout> {
    const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(payout.tries, 10), LONGEST_PAUSE_SECONDS);
    await this.payouts.putOff(payout.id, held, pause, true);
    return { payout, held, ended: null };
  }
}

function gasOf(fate: SendingFate): bigint {
  return fate.gasCost ?? 0n;
}

function sentenceOf(error: unknown): string {
  return error instanceof DomainError || error instanceof Error ? error.message : String(error);
}
