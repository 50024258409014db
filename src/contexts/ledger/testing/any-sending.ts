import type { DomainEvent } from '#shared/kernel/domain-event.js';
import { newId } from '#shared/kernel/ids.js';
import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { COIN, floatWithdrawalEvent, refundEvent, topUpEvent, type Owner } from './source-events.js';

interface Sent {
  readonly id: string;
  readonly byMerchant: boolean;
  readonly amount: bigint;
  readonly statusEvent: (status: 'processing' | 'completed' | 'failed', gas?: bigint) => DomainEvent;
}

/** Top-ups of a float, what it refunds and is withdrawn from it, and refunds by the merchant's own wallet. */
export class AnySending {
  float = 0n;
  floatOfCoin = 0n;
  gasSpent = 0n;
  refundedByMerchant = 0n;
  private readonly sending: Sent[] = [];

  /** @param refunded is paid back: by the merchant's own wallet where it was delivered there */
  constructor(
    private readonly random: SeededRandom,
    private readonly owner: Owner,
    private readonly refunded: { readonly paymentRequestId: string; readonly delivered?: true },
  ) {}

  /** Some events that happen next. */
  step(): DomainEvent[] {
    const choice = this.random.whole(0, 3);
    const amount = this.random.bits(30) + 1n;
    if (choice === 0) {
      this.float += amount;
      return [topUpEvent(this.owner, { amount: `${amount}` })];
    }
    if (choice === 1) {
      this.floatOfCoin += amount;
      return [topUpEvent(this.owner, { amount: `${amount}`, uniqueAssetId: COIN })];
    }
    const sent = this.sending.pop();
    if (choice === 2 || sent === undefined) return [this.send(amount), ...(sent ? [this.ended(sent)] : [])];
    return [this.ended(sent)];
  }

  private send(amount: bigint): DomainEvent {
    const id = newId<string>();
    const { paymentRequestId, delivered = false } = this.refunded;
    const isRefund = this.random.chance(0.7);
    const byMerchant = isRefund && delivered;
    const statusEvent: Sent['statusEvent'] = (status, gas) => {
      const facts = {
        status,
        amount: `${amount}`,
        ...(byMerchant && { paidBy: 'merchant' as const, from: 'unknown' }),
        gas: gas === undefined ? undefined : { uniqueAssetId: COIN, amount: `${gas}` },
      };
      return isRefund
        ? refundEvent(this.owner, id, { ...facts, paymentRequestId })
        : floatWithdrawalEvent(this.owner, id, facts);
    };
    this.sending.push({ id, amount, byMerchant, statusEvent });
    return statusEvent('processing');
  }

  private ended({ amount, byMerchant, statusEvent }: Sent): DomainEvent {
    const gas = this.random.chance(0.8) && !byMerchant ? this.random.bits(20) : undefined;
    const fails = this.random.chance(0.3);
    if (!fails && byMerchant) this.refundedByMerchant += amount;
    else if (!fails) this.float -= amount;
    this.floatOfCoin -= gas ?? 0n;
    this.gasSpent += gas ?? 0n;
    return statusEvent(fails ? 'failed' : 'completed', gas);
  }
}
