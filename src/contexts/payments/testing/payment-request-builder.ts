import { newId } from '../../../shared/kernel/ids.js';
import { PaymentRequest } from '../domain/payment-request.js';
import type { Transfer } from '../domain/transfer.js';
import { DOLLAR, NETWORK } from './collecting-world.js';

/** When requests of the builder are born; block 0 has this timestamp and a block comes every ten seconds. */
export const BIRTH = new Date('2026-03-01T12:00:00.000Z');
export const WINDOW_SECONDS = 480;
export const GRACE_SECONDS = 60;
/** The last block whose timestamp counts. */
export const LAST_BLOCK = (WINDOW_SECONDS + GRACE_SECONDS) / 10;

export function timeOf(block: number): Date {
  return new Date(BIRTH.getTime() + block * 10_000);
}

export function openRequest(amount: bigint, referenceId?: string): PaymentRequest {
  const facts = {
    id: newId<PaymentRequest['id']>(),
    organizationId: newId<PaymentRequest['facts']['organizationId']>(),
    accountId: newId<PaymentRequest['facts']['accountId']>(),
    pointOfSaleId: newId<PaymentRequest['facts']['pointOfSaleId']>(),
    network: NETWORK,
    uniqueAssetId: DOLLAR.uniqueAssetId,
    currency: DOLLAR.symbol,
    decimals: DOLLAR.decimals,
    amount,
    ...(referenceId === undefined ? {} : { referenceId }),
    deposit: {
      address: '0xDEaDdEaDDEaDDEAddeadDEaDDEADDEAdDEADDeAd',
      factory: '0x',
      implementation: '0x',
      settlementTermsId: newId<PaymentRequest['facts']['deposit']['settlementTermsId']>(),
      settlementAddress: '0x',
      feeRecipient: '0x',
      feeBasisPoints: 100,
      homeChainId: 1,
    },
    createdAt: BIRTH,
  };
  return PaymentRequest.open(facts, WINDOW_SECONDS, GRACE_SECONDS);
}

/** `amount` in the block of that height, at that position in it. */
export function transfer(
  amount: bigint,
  block: number,
  index = 0,
  uniqueAssetId = DOLLAR.uniqueAssetId,
): Transfer {
  return {
    id: newId(),
    kind: 'log',
    transactionHash: `0x${block.toString(16)}-${index}`,
    index,
    blockNumber: block,
    blockHash: `0x${block.toString(16)}`,
    blockTime: timeOf(block),
    uniqueAssetId,
    from: `0xfrom-${block}-${index}`,
    to: '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
    amount,
    decimals: DOLLAR.decimals,
    requiredConfirmations: 1,
  };
}

/** The network was read up to block `head`; what is at most `final` can no longer disappear. */
export function readTo(head: number, final: number | null = head) {
  return { headTime: timeOf(head), final: final === null ? null : { number: final, time: timeOf(final) } };
}
