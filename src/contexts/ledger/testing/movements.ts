import { newId, type AccountId, type OrganizationId, type PaymentRequestId } from '#shared/kernel/ids.js';
import type { ReversedCredit, Movement, ReceivedDeposit, ConfirmedPayment } from '../domain/movement.js';
import type { OnChainMovement } from '../domain/on-chain-movement.js';
import type { PublishedMovementEvent } from '../infrastructure/subscribers/movement-event-types.js';

export const USDC = 'nsandbox_t0x5fbdb2315678afecb367f032d93f642f64180aa3';

const movement = (): OnChainMovement => ({
  paymentRequestId: newId<PaymentRequestId>(),
  organizationId: newId<OrganizationId>(),
  accountId: newId<AccountId>(),
  ...{ network: 'sandbox', uniqueAssetId: USDC, currency: 'USDC', decimals: 6, feeBasisPoints: 0 },
  from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  to: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  transactionHash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
});

export function confirmedPayment(facts: Partial<ConfirmedPayment> = {}): ConfirmedPayment {
  const amounts = { expectedAmount: 10_000_000n, receivedAmount: 10_000_000n };
  return { type: 'payment_in', ...movement(), ...amounts, ...facts };
}

export function receivedDeposit(facts: Partial<ReceivedDeposit> = {}): ReceivedDeposit {
  return { type: 'deposit', ...movement(), transferId: newId(), amount: 4_000_000n, ...facts };
}

/** A reversal of a transfer that this movement booked. Default: reverses the full amount. */
export function reversalOf(
  booked: ConfirmedPayment | ReceivedDeposit,
  facts: Partial<Pick<ReversedCredit, 'transferId' | 'before' | 'after'>> = {},
): ReversedCredit {
  const whole =
    booked.type === 'deposit'
      ? { transferId: booked.transferId, before: booked.amount }
      : { transferId: newId<string>(), before: booked.receivedAmount };
  const { paymentRequestId, organizationId, accountId, network, uniqueAssetId, currency, decimals } = booked;
  const { feeBasisPoints, delivered, referenceId, from, to, transactionHash } = booked;
  return {
    type: 'adjustment',
    ...{ paymentRequestId, organizationId, accountId, network, uniqueAssetId },
    ...{ currency, decimals, feeBasisPoints, delivered, referenceId, from, to, transactionHash },
    ...whole,
    after: 0n,
    ...facts,
  };
}

const EVENT_TYPES = {
  payment_in: 'payment_request.confirmed',
  deposit: 'payment_request.deposit_received',
  adjustment: 'payment_request.credit_reversed',
} as const;

/** The event that payments publishes for the movement, without fields that the ledger does not read. */
export function bookedEvent(movement: Movement, occurredAt: Date): PublishedMovementEvent {
  const { type, paymentRequestId, organizationId, accountId, occurredAt: paidAt, ...facts } = movement;
  const data = Object.fromEntries(
    Object.entries({ ...facts, ...(paidAt && { paidAt: paidAt.toISOString() }) }).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? `${value}` : value,
    ]),
  );
  const event = { type: EVENT_TYPES[type], aggregateId: paymentRequestId, organizationId, accountId };
  return { ...event, occurredAt, data: data as never };
}
