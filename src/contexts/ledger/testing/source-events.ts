import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import type {
  RefundFloatToppedUp,
  RefundFloatWithdrawalStatusChanged,
  RefundStatusChanged,
} from '#contexts/settlement/contract/refund-events.js';
import type {
  SettledAddress,
  SettlementStatusChanged,
} from '#contexts/settlement/contract/settlement-events.js';
import { serviceFee } from '../domain/on-chain-movement.js';
import { USDC } from './movements.js';

export const FACTORY = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
export const SETTLEMENT_ADDRESS = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';
export const FLOAT = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';
export const COIN = 'nsandbox_tETH';
const HASH = '0x5e1d3a76fbf824220eafc8c79ad578ad2b67d01b0c2425eb1f1347e8f50882ab';
const ASSET = { network: 'sandbox', uniqueAssetId: USDC, currency: 'USDC', decimals: 6 };

export interface Owner {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

export const anOwner = (): Owner => ({
  organizationId: newId<OrganizationId>(),
  accountId: newId<AccountId>(),
});

const eventHeader = ({ organizationId, accountId }: Owner, aggregateId: string) => ({
  aggregateId,
  organizationId,
  accountId,
  occurredAt: new Date(),
});

/** A settled deposit address, with the amount divided as the forwarder contract divides it. */
export function emptiedAddress(
  place: Pick<SettledAddress, 'paymentRequestId' | 'address'>,
  gross: bigint,
  feeBasisPoints = 0,
): SettledAddress {
  const fee = serviceFee(gross, feeBasisPoints);
  const { paymentRequestId, address } = place;
  return {
    paymentRequestId,
    address: address.toLowerCase(),
    feeBasisPoints,
    toSettlement: `${gross - fee}`,
    toFee: `${fee}`,
  };
}

const sumOfAmounts = (values: readonly string[]) =>
  `${values.reduce((total, value) => total + BigInt(value), 0n)}`;

export function settlementEvent(
  owner: Owner,
  id: string,
  status: SettlementStatusChanged['data']['status'],
  addresses: readonly SettledAddress[],
): SettlementStatusChanged {
  const data = {
    status,
    ...ASSET,
    addresses,
    from: FACTORY,
    settlementAddress: SETTLEMENT_ADDRESS,
    amount: sumOfAmounts(addresses.map(({ toSettlement }) => toSettlement)),
    feeAmount: sumOfAmounts(addresses.map(({ toFee }) => toFee)),
    transactionHash: HASH,
  };
  return { ...eventHeader(owner, id), type: 'settlement.status_changed', data };
}

type RefundFacts = Partial<RefundStatusChanged['data']> & { readonly paymentRequestId: string };

export function refundEvent(owner: Owner, id: string, facts: RefundFacts): RefundStatusChanged {
  const data = {
    status: 'processing' as const,
    ...ASSET,
    amount: '1000000',
    pointOfSaleId: newId<string>(),
    from: FLOAT,
    to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    ...facts,
  };
  return { ...eventHeader(owner, id), type: 'refund.status_changed', data };
}

export function topUpEvent(
  owner: Owner,
  facts: Partial<RefundFloatToppedUp['data']> = {},
): RefundFloatToppedUp {
  const data = {
    ...ASSET,
    ...{ amount: '5000000', to: FLOAT, from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' },
    transactionHash: HASH,
    ...facts,
  };
  return { ...eventHeader(owner, newId()), type: 'refund_float.topped_up', data };
}

export function floatWithdrawalEvent(
  owner: Owner,
  id: string,
  facts: Partial<RefundFloatWithdrawalStatusChanged['data']>,
): RefundFloatWithdrawalStatusChanged {
  const data = {
    status: 'processing' as const,
    ...ASSET,
    amount: '2000000',
    from: FLOAT,
    to: SETTLEMENT_ADDRESS,
    ...facts,
  };
  return { ...eventHeader(owner, id), type: 'refund_float.withdrawal_status_changed', data };
}
