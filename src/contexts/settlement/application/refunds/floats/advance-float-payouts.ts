import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import {
  floatKeyName,
  OutboundTransactionSender,
  type OutboundTransactionStatus,
} from '#contexts/networks/contract/outbound-transaction-sender.js';
import { SigningOrderMismatch, SigningOrderRevoked } from '#contexts/networks/contract/transfer-orders.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { TransferRefused } from '#contexts/networks/contract/transfer-planning.js';
import type { FloatPayout, FloatPayoutDelay } from '#contexts/settlement/domain/refunds/float-payouts.js';
import { FloatPayouts } from '#contexts/settlement/infrastructure/refunds/persistence/float-payouts.js';
import { Refunds } from '#contexts/settlement/domain/refunds/refunds.js';
import { LockRefundedSum } from '../lock-refunded-sum.js';
import { EndFloatPayout } from './end-float-payout.js';
import { RefundSettings } from '../refund-claim.js';

export interface FloatPayoutProgress {
  readonly payout: FloatPayout;
  readonly held: string | null;
  readonly ended: 'completed' | 'failed' | null;
  /** The payout stays held until an operator has checked it. */
  readonly isContradicted?: boolean;
}

const MAX_PAYOUTS_AT_ONCE = 100;
/** The growing pauses below reach this number after about an hour. */
const MAX_RECIPIENT_REFUSALS = 8;
const FIRST_PAUSE_SECONDS = 30;
const MAX_PAUSE_SECONDS = 3_600;
const RETRY_SECONDS = 60;
const SENT_CHECK_SECONDS = 2;
const HOLD_CHECK_SECONDS = 30;
const DAY_MS = 24 * 60 * 60 * 1_000;

const CANCELLATION_REASONS = {
  refund: 'The operator cancelled its transaction',
  withdrawal: 'Its transaction was cancelled, by the operator or because the settlement address was changed,',
} as const;

/** Another process ended or sent the payout first. The rollback releases the reserved nonce. */
class PayoutNotToBeSent extends Error {}

/**
 * The call is stored in the database transaction that reserves its nonce, so a payout that was not sent has no nonce
 * and can be ended. Final blocks decide the outcome of a nonce.
 */
@Injectable()
export class AdvanceFloatPayouts {
  constructor(
    private readonly payouts: FloatPayouts,
    private readonly refunds: Refunds,
    private readonly lockSum: LockRefundedSum,
    private readonly chains: Chains,
    private readonly sender: OutboundTransactionSender,
    private readonly endFloatPayout: EndFloatPayout,
    private readonly settings: RefundSettings,
    private readonly clock: Clock,
  ) {}

  async advance(network: string): Promise<FloatPayoutProgress[]> {
    const advanced: FloatPayoutProgress[] = [];
    for (const payout of await this.payouts.listDue(network, MAX_PAYOUTS_AT_ONCE)) {
      const done = await this.advancePayout(payout).catch(async (error: unknown) => {
        // Keeps the time since which the key has been missing, so that a short RPC outage does not restart it.
        const why = this.reasonKeyIsMissing(payout) === null ? undefined : 'key';
        const held = await this.delayPayout(payout, errorSentence(error), RETRY_SECONDS, why);
        return { ...held, isContradicted: error instanceof SigningOrderMismatch };
      });
      if (done !== null) advanced.push(done);
    }
    return advanced;
  }

  private async advancePayout(payout: FloatPayout): Promise<FloatPayoutProgress | null> {
    if (payout.sent) return this.followTransaction(payout);
    const held = await this.delayIfKeyIsHeld(payout);
    if (held !== null) return held;
    const lacking = this.reasonKeyIsMissing(payout);
    if (lacking !== null) return this.handleMissingKey(payout, lacking);
    const call = await this.planCall(payout);
    if (call === null || 'held' in call) return call;
    try {
      await this.sendPayout(payout, call);
    } catch (error) {
      if (error instanceof PayoutNotToBeSent) return null;
      if (error instanceof SigningOrderRevoked) return this.failPayout(payout, error.message, null);
      throw error;
    }
    return this.followTransaction({ ...payout, call, sent: true });
  }

  /** Null if another process has ended the payout. */
  private async planCall(
    payout: FloatPayout,
  ): Promise<NonNullable<FloatPayout['call']> | FloatPayoutProgress | null> {
    const { asset, floatAddress, to, amount, tries } = payout;
    try {
      return (
        await this.chains.require(asset.network, 'transferPlanning').plan(floatAddress, asset, to, amount)
      ).call;
    } catch (error) {
      if (!(error instanceof TransferRefused)) throw error;
      // A low balance can be topped up. A recipient that keeps refusing is assumed to refuse permanently.
      if (error.reason === 'balance') return this.delayPayout(payout, error.message, RETRY_SECONDS);
      if (tries + 1 >= MAX_RECIPIENT_REFUSALS) return this.failPayout(payout, error.message, null);
      const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** tries, MAX_PAUSE_SECONDS);
      return this.delayPayout(payout, error.message, pause, 'recipient');
    }
  }

  private async sendPayout(payout: FloatPayout, call: NonNullable<FloatPayout['call']>): Promise<void> {
    const { id, sendingId, kind, asset, organizationId, accountId } = payout;
    const purpose = kind === 'refund' ? 'refund' : 'float_withdrawal';
    const alongside = async () => {
      if (kind === 'refund') {
        const { snapshot } = await this.refunds.find({ organizationId, accountId }, id);
        await this.lockSum.refuseReversed(snapshot);
      }
      if (!(await this.payouts.markSent(id, call))) throw new PayoutNotToBeSent();
    };
    const order = { id: sendingId, network: asset.network, key: floatKeyName(organizationId) } as const;
    await this.sender.send({ ...order, purpose, call, alongside });
  }

  private reasonKeyIsMissing({ asset, organizationId, floatAddress }: FloatPayout): string | null {
    try {
      const address = this.sender.addressOf(asset.network, floatKeyName(organizationId));
      if (address === floatAddress) return null;
      return `The key of this process pays from an address other than the float ${floatAddress}.`;
    } catch (error) {
      if (error instanceof DomainError) return error.message;
      throw error;
    }
  }

  /** A key that no process has had for `keyMissingDays` counts as lost, and the payout's amount is released. */
  private async handleMissingKey(payout: FloatPayout, lacking: string): Promise<FloatPayoutProgress | null> {
    const { keylessSince } = payout;
    const days = this.settings.keyMissingDays;
    const now = (await this.clock.now()).getTime();
    if (keylessSince === null || now - keylessSince.getTime() < days * DAY_MS)
      return this.delayPayout(payout, lacking, RETRY_SECONDS, 'key');
    const failure = `No process had the key of the refund float ${payout.floatAddress} for ${days} days. Nothing was sent.`;
    const fail = () => this.failPayout(payout, failure, null);
    if (!payout.sent) return fail();
    // The sender releases only the last nonce of a float, so later payouts release their nonces first. A signed
    // transaction keeps its nonce because it may still be mined.
    const failed = await this.sender.release(payout.sendingId, fail);
    return failed ?? this.delayPayout(payout, lacking, RETRY_SECONDS, 'key');
  }

  private async followTransaction(payout: FloatPayout): Promise<FloatPayoutProgress | null> {
    const fate = await this.sender.status(payout.sendingId);
    const lacking = fate?.state === 'reserved' ? this.reasonKeyIsMissing(payout) : null;
    if (lacking !== null) return this.handleMissingKey(payout, lacking);
    switch (fate?.state) {
      case 'final':
        return this.completePayout(payout, fate);
      case 'reverted':
        return this.failPayout(payout, 'Its transaction was executed without effect.', fate);
      case 'foreign':
        // The transaction that used the nonce may pay this refund or another refund.
        return (
          (await this.delayIfKeyIsHeld(payout)) ??
          this.failPayout(payout, 'Another transaction of the float used its nonce.', null)
        );
      case 'cancelled':
        // The operator may have cancelled this transaction because another one, which is not stored, pays the refund.
        return (
          (await this.delayIfKeyIsHeld(payout)) ??
          this.failPayout(payout, `${CANCELLATION_REASONS[payout.kind]} before it was executed.`, fate)
        );
      default:
        await this.payouts.putOff(payout.id, { held: null, seconds: SENT_CHECK_SECONDS });
        return null;
    }
  }

  /** While a float's key is held, a payout that appears unsent may already be paid on the chain. */
  private async delayIfKeyIsHeld(payout: FloatPayout): Promise<FloatPayoutProgress | null> {
    const { id, asset, organizationId, floatAddress } = payout;
    const hold = await this.sender.findHold(asset.network, floatKeyName(organizationId), floatAddress);
    if (hold === null) return null;
    await this.payouts.putOff(id, { held: hold.message, seconds: HOLD_CHECK_SECONDS });
    return { payout, held: hold.message, ended: null };
  }

  /** A token contract may reject a transfer by returning `false`, although the transaction succeeds. */
  private async completePayout(
    payout: FloatPayout,
    fate: OutboundTransactionStatus,
  ): Promise<FloatPayoutProgress | null> {
    const { transactionHash, blockNumber } = fate;
    const { asset, floatAddress: from, to, amount } = payout;
    if (
      !(await this.chains
        .require(asset.network, 'transferPlanning')
        .hasMovedFunds(transactionHash!, { from, asset, to, amount }))
    )
      return this.failPayout(
        payout,
        `${asset.symbol} did not transfer the amount, though its transaction is final.`,
        fate,
      );
    const ended = {
      status: 'completed',
      transactionHash,
      blockNumber,
      gas: gasOf(fate),
      failure: null,
    } as const;
    return (await this.endFloatPayout.end(payout, ended)) ? { payout, held: null, ended: 'completed' } : null;
  }

  private async failPayout(
    payout: FloatPayout,
    failure: string,
    fate: OutboundTransactionStatus | null,
  ): Promise<FloatPayoutProgress | null> {
    const { transactionHash = null, blockNumber = null } = fate ?? {};
    const gas = fate === null ? 0n : gasOf(fate);
    const ended = { status: 'failed', transactionHash, blockNumber, gas, failure } as const;
    return (await this.endFloatPayout.end(payout, ended)) ? { payout, held: failure, ended: 'failed' } : null;
  }

  private async delayPayout(
    payout: FloatPayout,
    held: string,
    seconds: number,
    why?: FloatPayoutDelay['why'],
  ): Promise<FloatPayoutProgress> {
    await this.payouts.putOff(payout.id, { held, seconds, ...(why && { why }) });
    return { payout, held, ended: null };
  }
}

function gasOf(fate: OutboundTransactionStatus): bigint {
  return fate.gasCost ?? 0n;
}

function errorSentence(error: unknown): string {
  return error instanceof DomainError || error instanceof Error ? error.message : String(error);
}
