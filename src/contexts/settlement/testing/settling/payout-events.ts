import { newId, type AccountId, type OrganizationId, type PaymentRequestId } from '#shared/kernel/ids.js';
import type { PaymentRequestConfirmed } from '#contexts/payments/contract/payment-request-events.js';
import type {
  PaidOutAddress,
  PayoutsFinal,
  PayoutsRemoved,
  PayoutsSeen,
} from '#contexts/chain-watching/contract/payout-events.js';

export const USDC = 'nsandbox_t0x5FbDB2315678afecb367f032d93F642f64180aa3';
export const DOLLARS = 1_000_000n;
export const SETTLEMENT_ADDRESS = '0x52908400098527886e0f7030069857d2e4169ee7';
export const OTHER_SETTLEMENT_ADDRESS = '0x8617e340b3d01fa5f11f306f4090fd50e238070d';

export interface SomeAddress {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: PaymentRequestId;
  readonly address: string;
}

let addressCount = 0;

export function someAddress(owner?: Pick<SomeAddress, 'organizationId' | 'accountId'>): SomeAddress {
  addressCount += 1;
  const { organizationId = newId<OrganizationId>(), accountId = newId<AccountId>() } = owner ?? {};
  const address = `0x${addressCount.toString(16).padStart(40, '0')}`;
  return { organizationId, accountId, paymentRequestId: newId<PaymentRequestId>(), address };
}

export function confirmedEvent(
  { organizationId, accountId, paymentRequestId, address }: SomeAddress,
  amount: bigint,
  occurredAt: Date,
): PaymentRequestConfirmed {
  return {
    type: 'payment_request.confirmed',
    ...{ aggregateId: paymentRequestId, organizationId, accountId, occurredAt },
    data: {
      ...{ network: 'sandbox', uniqueAssetId: USDC, currency: 'USDC', decimals: 6, feeBasisPoints: 100 },
      ...{ expectedAmount: `${amount}`, receivedAmount: `${amount}`, to: address },
      from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      transactionHash: `0x${'8'.repeat(64)}`,
    },
  };
}

/** A payout of USDC with a fee of 1 percent. `facts` overrides fields. */
export function paidOutAddress(
  { paymentRequestId, address }: SomeAddress,
  amount: bigint,
  facts: Partial<PaidOutAddress> = {},
): PaidOutAddress {
  const toFee = amount / 100n;
  return {
    ...{ paymentRequestId, address, uniqueAssetId: USDC, currency: 'USDC', decimals: 6 },
    ...{ settlementAddress: SETTLEMENT_ADDRESS, feeBasisPoints: 100 },
    ...{ toSettlement: `${amount - toFee}`, toFee: `${toFee}`, ...facts },
  };
}

export function payoutsSeen(
  { organizationId, accountId }: Pick<SomeAddress, 'organizationId' | 'accountId'>,
  payouts: readonly PaidOutAddress[],
  occurredAt: Date,
): PayoutsSeen {
  const aggregateId = newId<string>();
  return {
    type: 'payouts.seen',
    ...{ aggregateId, organizationId, accountId, occurredAt },
    data: {
      ...{ network: 'sandbox', blockNumber: 7, blockHash: `0x${'b'.repeat(64)}`, payouts },
      transactionHash: `0x${aggregateId.replaceAll('-', '').padStart(64, '0')}`,
      from: '0x79398e3b7e4dc4e644179c65883663be72c7f9c9',
    },
  };
}

export function payoutsFinal(seen: PayoutsSeen): PayoutsFinal {
  return { ...seen, type: 'payouts.final', data: { network: seen.data.network } };
}

export function payoutsRemoved(seen: PayoutsSeen, wereFinal = false): PayoutsRemoved {
  return { ...seen, type: 'payouts.removed', data: { network: seen.data.network, wereFinal } };
}
