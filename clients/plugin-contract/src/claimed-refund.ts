import type { PaymentCollectionClient, Schemas } from 'payment-collection-client';
import type { Payment } from './payment.js';
import { roundedPrice, toDecimal } from './price.js';
import { refundAmount } from './refund-amounts.js';
import { Refusal } from './refusal.js';

type Refund = Schemas['Refund'];

export interface RefundOfShop {
  /** The shop's own id of the refund. Each call with the same id creates the same refund. */
  readonly id: string;
  /** Amount to refund, in the shop's currency. */
  readonly part: unknown;
  readonly reason: string;
}

/**
 * Creates a refund that the payer claims, because the sender's address may belong to an exchange. The URL of the claim page is returned only
 * once, so if that response was lost, another refund replaces the first. @throws Refusal, and PaymentCollectionError
 */
export async function createClaimedRefund(
  client: PaymentCollectionClient,
  payment: Payment,
  { id, part, reason }: RefundOfShop,
): Promise<Refund> {
  const { amount: price, coin_code = '' } = payment;
  // The shop's amount may have more decimals than the rounded price.
  const asked = roundedPrice(part, coin_code) === price ? price : part;
  const amount = refundAmount(payment, toDecimal(asked), price, await decimalsOf(client, payment));
  const create = (idempotencyKey: string) =>
    client.refunds.create(payment.id, { claim: {}, amount, reason }, { idempotencyKey });
  const first = await create(id);
  if (first.claim_url !== undefined || first.status !== 'pending' || first.refund_to_address !== undefined)
    return first;
  await client.refunds.cancel(first.id);
  return create(`${id}-2`);
}

async function decimalsOf(client: PaymentCollectionClient, { id, selected }: Payment): Promise<number> {
  for await (const { unique_asset_id, decimals } of client.list('/v1/assets'))
    if (unique_asset_id === selected?.unique_asset_id) return decimals;
  throw new Refusal('not_allowed', `The service does not list the asset received for payment request ${id}.`);
}
