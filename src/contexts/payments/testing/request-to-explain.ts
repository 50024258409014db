import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type {
  DisplayedReadProgress,
  OfferedAsset,
  RequestToExplain,
} from '../application/explanation/explanation-view.js';
import type { TransferView } from '../application/requests/payment-request-view.js';

export const ADDRESS = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const HASH = `0x${'ab'.repeat(32)}`;

export function at(time: string): Date {
  return new Date(`2026-01-31T${time}.000Z`);
}

/** 10 USDX on the sandbox, which counts until a minute after the window. */
export const DOLLARS: OfferedAsset = {
  network: 'sandbox',
  uniqueAssetId: 'nsandbox_tUSDX',
  currency: 'USDX',
  decimals: 6,
  amount: 10_000_000n,
  address: ADDRESS,
  countsUntil: at('12:09:00'),
};

export const OTHER_DOLLARS: OfferedAsset = {
  ...DOLLARS,
  network: 'polygon',
  uniqueAssetId: 'npolygon_tUSDX',
  address: SENDER,
  countsUntil: at('12:12:00'),
};

export function reading(
  given: Partial<DisplayedReadProgress['read']> = {},
  network = 'sandbox',
): DisplayedReadProgress {
  return {
    network,
    read: { toBlock: 20, toTime: at('12:02:00'), final: { block: 9, time: at('12:00:10') }, ...given },
    behindSeconds: 5,
    isBehind: false,
  };
}

export const BEHIND: DisplayedReadProgress = { ...reading(), behindSeconds: 3_725, isBehind: true };

/** So many dollars that count, two blocks deep of twelve, unless told otherwise. */
export function dollars(whole: number, given: Partial<TransferView> = {}): TransferView {
  return {
    network: 'sandbox',
    kind: 'log',
    transactionHash: HASH,
    uniqueAssetId: DOLLARS.uniqueAssetId,
    currency: 'USDX',
    amount: BigInt(Math.round(whole * 100)) * 10_000n,
    decimals: 6,
    from: SENDER,
    to: ADDRESS,
    blockNumber: 19,
    blockTime: at('12:01:50'),
    confirmations: 2,
    requiredConfirmations: 12,
    final: false,
    counted: true,
    awaitsCrossCheck: false,
    detectedAt: at('12:01:55'),
    ...given,
  };
}

export const FINAL = { final: true, confirmations: 12 };

/** A created request of 10 USDX, read up to block 20; what counts of `transfers` is received. */
export function toExplain(given: Partial<RequestToExplain> = {}): RequestToExplain {
  const transfers = given.transfers ?? [];
  return {
    id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f' as PaymentRequestId,
    pointOfSaleId: '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90' as PointOfSaleId,
    status: 'created',
    fulfilled: false,
    createdAt: at('12:00:00'),
    expiresAt: at('12:08:00'),
    offered: [DOLLARS],
    asked: DOLLARS,
    receivedAmount: transfers.reduce((sum, { counted, amount }) => (counted ? sum + amount : sum), 0n),
    networks: [reading()],
    now: at('12:02:05'),
    ...given,
    transfers,
  };
}

export function withoutChoice(given: Partial<RequestToExplain> = {}): RequestToExplain {
  const { asked: _, ...request } = toExplain({ status: 'pending', offered: [], networks: [], ...given });
  return request;
}
