import { newId } from '#shared/kernel/ids.js';
import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import type { Movement } from '../domain/movement.js';
import { confirmedPayment, receivedDeposit, reversalOf } from './movements.js';
import type { OnChainMovement } from '../domain/on-chain-movement.js';

/** Money that came to a payment request's address and the part that still stands, as the chain has it. */
export interface Credits {
  /** In the order in which payments publishes them. */
  readonly movements: Movement[];
  /** Sums that still stand of what was posted at once: of the payment, and of each deposit. */
  readonly remaining: bigint[];
  readonly feeBasisPoints: number;
}

/**
 * Any history of one payment request: paid in some transfers, or not at all; more of them too late; then any of them
 * disappear, in any order, some before the next one comes.
 */
export function anyCredits(random: SeededRandom, owner: Partial<OnChainMovement> = {}): Credits {
  const feeBasisPoints = random.whole(0, 10_000);
  const facts = { ...owner, paymentRequestId: newId<never>(), feeBasisPoints };
  const amount = () => random.bits(random.whole(1, 128)) + 1n;
  const movements: Movement[] = [];
  const remaining: bigint[] = [];
  const reversible: (() => void)[] = [];

  const parts = Array.from({ length: random.whole(0, 4) }, amount);
  if (parts.length > 0) {
    const received = parts.reduce((sum, part) => sum + part, 0n);
    const payment = confirmedPayment({ ...facts, receivedAmount: received, expectedAmount: amount() });
    movements.push(payment);
    const at = remaining.push(received) - 1;
    for (const part of parts) {
      reversible.push(() => {
        const before = remaining[at]!;
        const after = (remaining[at] = before - part);
        movements.push(reversalOf(payment, { transferId: newId<string>(), before, after }));
      });
    }
  }
  for (let left = random.whole(parts.length === 0 ? 1 : 0, 4); left > 0; left -= 1) {
    const deposit = receivedDeposit({ ...facts, amount: amount() });
    movements.push(deposit);
    const at = remaining.push(deposit.amount) - 1;
    reversible.push(() => {
      remaining[at] = 0n;
      movements.push(reversalOf(deposit));
    });
    while (reversible.length > 0 && random.chance(0.3)) {
      reversible.splice(random.whole(0, reversible.length - 1), 1)[0]!();
    }
  }
  for (const reverse of random.shuffled(reversible)) if (random.chance(0.4)) reverse();
  return { movements, remaining, feeBasisPoints };
}
