import type { Random } from '../random.js';
import type { AnswerFact } from '../facts/fact.js';
import { assetOf, textOf } from './amounts.js';
import { codeOf, createAnswered, partOf, repeat, timeOf, type PageOf } from './answers.js';
import { dataOf, hex, keyOf, type Answer } from './calls.js';
import { memoryOf, selectionOf, type KnownRefund, type KnownRequest, type Selection } from './memory.js';
import { moneyMemoryOf } from './money-memory.js';
import { addressOf, nameAddress } from './refund-claims.js';
import { topUp } from './refund-floats.js';
import type { Act, Call, Merchant, World } from './world.js';

/** A refund as it is answered. */
export interface AnsweredRefund {
  readonly id: string;
  readonly payment_request_id: string;
  readonly status: string;
  readonly claim_url?: string;
}

const DAY_MS = 86_400_000;

export const refundActs: readonly Act[] = [
  refunding('refund to an address', 6.4, (world, merchant, random) => ({
    refund_to_address: addressOf(world, merchant, random),
  })),
  refunding('refund by a claim', 5.6, (world, _merchant, random) => {
    const days = random.oneOf([0, 0.02, 1, 7, 366, 400]);
    return { claim: random.chance(0.6) ? {} : { expires_at: timeOf(world.now() + days * DAY_MS) } };
  }),
  handling('approve a refund', 6.4, (refund, isNamed) => refund.status === 'pending' && isNamed, {
    ...{ method: 'POST', operation: 'approve' },
  }),
  handling('approve a refund too early or too late', 0.6, () => true, {
    ...{ method: 'POST', operation: 'approve' },
  }),
  handling('cancel a refund', 1.4, ({ status }) => ['pending', 'processing'].includes(status), {
    ...{ method: 'POST', operation: 'cancel' },
  }),
  handling('read a refund', 3.2, () => true, { method: 'GET', operation: '' }),
  {
    name: 'list refunds',
    weight: 2,
    async attempt(world, merchant, random) {
      const requests = memoryOf(merchant).requests.all();
      const query = {
        ...{ page: String(random.oneOf([1, 1, 1, 2])), page_size: String(random.whole(1, 50)) },
        ...(random.chance(0.3) && { status: random.oneOf(['pending', 'processing', 'completed', 'failed']) }),
        ...(random.chance(0.3) && requests.length > 0 && { payment_request_id: random.oneOf(requests).id }),
      };
      const answer = await world.call({
        ...{ method: 'GET', path: '/v1/refunds', query, as: keyOf(merchant, random) },
      });
      for (const refund of dataOf<PageOf<AnsweredRefund>>(answer)?.data ?? []) remember(merchant, refund);
      return true;
    },
  },
];

/** An act that creates a refund. @param payee the fields that say where the money goes */
function refunding(
  name: string,
  weight: number,
  payee: (world: World, merchant: Merchant, random: Random) => object,
): Act {
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      const request = refundable(merchant, random);
      const selection = request && selectionOf(request);
      if (request === undefined || selection === undefined) return false;
      const amount = amountOf(selection, random);
      const call: Call = {
        ...{ method: 'POST', path: `/v1/refunds/payment-request/${request.id}` },
        body: {
          ...payee(world, merchant, random),
          ...(amount !== undefined && { amount: textOf(amount, assetOf(world, selection.uniqueAssetId)) }),
          ...(random.chance(0.1) && { unique_asset_id: selection.uniqueAssetId }),
          ...(random.chance(0.4) && { reason: `reason ${hex(random, 4)}` }),
        },
        as: keyOf(merchant, random),
      };
      const answer = await createAnswered(world, merchant, random, call);
      const made = dataOf<AnsweredRefund>(answer);
      if (made !== undefined) remember(merchant, made);
      if (codeOf(answer) === 'state_conflict') moneyMemoryOf(merchant).spent.put({ id: request.id });
      await noteFloat(world, merchant, random, answer, { ...selection, amount: amount ?? selection.amount });
      if (made !== undefined && random.chance(0.12)) await takeBack(world, merchant, random, made.id);
      else if (made?.claim_url !== undefined) await goOn(world, merchant, random, made.id);
      return true;
    },
  };
}

/** An act on one of the refunds that the merchant knows. */
function handling(
  name: string,
  weight: number,
  fits: (refund: KnownRefund, isNamed: boolean) => boolean,
  { method, operation }: { readonly method: 'GET' | 'POST'; readonly operation: string },
): Act {
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      const { named } = moneyMemoryOf(merchant);
      const { refunds, requests } = memoryOf(merchant);
      const fitting = refunds.all().filter((one) => fits(one, named.find(one.id) !== undefined));
      if (fitting.length === 0) return false;
      const refund = random.oneOf(fitting);
      const path = `/v1/refunds/${refund.id}${operation && `/${operation}`}`;
      const answer = await repeat(world, { method, path, as: keyOf(merchant, random) });
      const read = dataOf<AnsweredRefund>(answer);
      if (read !== undefined) remember(merchant, read);
      else if (operation === 'approve' && codeOf(answer) === 'state_conflict') refund.status = 'failed';
      const request = requests.find(refund.requestId);
      const selection = request && selectionOf(request);
      if (selection !== undefined) await noteFloat(world, merchant, random, answer, selection);
      return true;
    },
  };
}

/** Nobody has approved it yet. */
async function takeBack(world: World, merchant: Merchant, random: Random, id: string): Promise<void> {
  const call = { method: 'POST', path: `/v1/refunds/${id}/cancel` } as const;
  const read = dataOf<AnsweredRefund>(await repeat(world, { ...call, as: keyOf(merchant, random) }));
  if (read !== undefined) remember(merchant, read);
}

/** Most payers name an address soon, and some merchants approve it soon. */
async function goOn(world: World, merchant: Merchant, random: Random, id: string): Promise<void> {
  const { refunds } = memoryOf(merchant);
  if (random.chance(0.4)) return;
  await nameAddress(world, merchant, random, refunds.find(id)!);
  if (moneyMemoryOf(merchant).named.find(id) === undefined || random.chance(0.5)) return;
  const call = { method: 'POST', path: `/v1/refunds/${id}/approve` } as const;
  const read = dataOf<AnsweredRefund>(await repeat(world, { ...call, as: keyOf(merchant, random) }));
  if (read !== undefined) remember(merchant, read);
}

/** A request that may have something to pay back: one that has ended or was paid, seldom any. */
function refundable(merchant: Merchant, random: Random): KnownRequest | undefined {
  const all = memoryOf(merchant)
    .requests.all()
    .filter((request) => selectionOf(request) !== undefined);
  const { spent } = moneyMemoryOf(merchant);
  const paid = all.filter(({ id, payments }) => payments > 0 && spent.find(id) === undefined);
  const ended = paid.filter(({ status }) => !['pending', 'created', 'processing'].includes(status));
  const from = random.chance(0.9) ? ended : random.chance(0.8) ? paid : all;
  return from.length === 0 ? undefined : random.oneOf(from);
}

/** @returns undefined for all that is left */
function amountOf({ amount }: Selection, random: Random): bigint | undefined {
  if (random.chance(0.35)) return undefined;
  if (random.chance(0.7)) return partOf(amount, random);
  return random.oneOf([amount, amount + 1n, amount * 2n, 1n]);
}

/** Keeps what a refused refund lacked, for whoever tops up the float; some do at once. */
async function noteFloat(
  world: World,
  merchant: Merchant,
  random: Random,
  answer: Answer,
  wanted: Selection,
): Promise<void> {
  if (codeOf(answer) !== 'refund_float_insufficient') return;
  const { uniqueAssetId, amount } = wanted;
  const memory = moneyMemoryOf(merchant);
  memory.floatWants = { uniqueAssetId, amount };
  // The refusal names the address.
  const { message } = (answer as AnswerFact).body as { readonly message: string };
  memory.floatAddress ??= /0x[0-9a-fA-F]{40}/.exec(message)?.[0];
  if (random.chance(0.5)) await topUp(world, merchant, random, memory.floatWants);
}

export function remember(merchant: Merchant, refund: AnsweredRefund): void {
  const { refunds } = memoryOf(merchant);
  const claimUrl = refund.claim_url ?? refunds.find(refund.id)?.claimUrl;
  refunds.put({
    ...{ id: refund.id, requestId: refund.payment_request_id, status: refund.status },
    ...(claimUrl !== undefined && { claimUrl }),
  });
}
