import type { Random } from '../random.js';
import type { AnswerFact } from '../facts/fact.js';
import { assetOf, textOf } from './amounts.js';
import {
  codeOf,
  createAnswered,
  partOf,
  repeat,
  timeOf,
  type PageOf,
  dataOf,
  hex,
  keyOf,
  type Answer,
  hasStatus,
} from './calls.js';
import {
  memoryOf,
  selectionOf,
  type KnownRefund,
  type KnownRequest,
  type Selection,
  moneyMemoryOf,
} from './memory.js';
import { topUp } from './refund-floats.js';
import { act, type Act, type Call, type Merchant, type World } from './world.js';

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
  act('list refunds', 2, async (world, merchant, random) => {
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
  }),
];

function refunding(
  name: string,
  weight: number,
  payee: (world: World, merchant: Merchant, random: Random) => object,
): Act {
  return act(name, weight, async (world, merchant, random) => {
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
  });
}

function handling(
  name: string,
  weight: number,
  fits: (refund: KnownRefund, isNamed: boolean) => boolean,
  { method, operation }: { readonly method: 'GET' | 'POST'; readonly operation: string },
): Act {
  return act(name, weight, async (world, merchant, random) => {
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
  });
}

async function takeBack(world: World, merchant: Merchant, random: Random, id: string): Promise<void> {
  const call = { method: 'POST', path: `/v1/refunds/${id}/cancel` } as const;
  const read = dataOf<AnsweredRefund>(await repeat(world, { ...call, as: keyOf(merchant, random) }));
  if (read !== undefined) remember(merchant, read);
}

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

function amountOf({ amount }: Selection, random: Random): bigint | undefined {
  if (random.chance(0.35)) return undefined;
  if (random.chance(0.7)) return partOf(amount, random);
  return random.oneOf([amount, amount + 1n, amount * 2n, 1n]);
}

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

/** Such an address is none of a payer. */
const REFUSED_ADDRESSES = ['0x0000000000000000000000000000000000000000', '0x12', 'bc1qexample', ''];

export const refundClaimActs: readonly Act[] = [
  act('name an address at the claim page', 3.6, async (world, merchant, random) => {
    const { named } = moneyMemoryOf(merchant);
    const isOpen = ({ id, status }: KnownRefund) => status === 'pending' && named.find(id) === undefined;
    const claims = memoryOf(merchant)
      .refunds.all()
      .filter((refund) => refund.claimUrl !== undefined && (isOpen(refund) || random.chance(0.05)));
    if (claims.length === 0) return false;
    await nameAddress(world, merchant, random, random.oneOf(claims));
  }),
  act('look at the claim page', 0.9, async (world, merchant, random) => {
    const claims = memoryOf(merchant)
      .refunds.all()
      .flatMap(({ claimUrl }) => claimUrl ?? []);
    if (claims.length === 0) return false;
    const path = random.chance(0.95) ? new URL(random.oneOf(claims)).pathname : '/refund/0unknown';
    await world.call({ method: 'GET', path, from: `10.9.0.${random.whole(1, 254)}` });
  }),
];

export async function nameAddress(
  world: World,
  merchant: Merchant,
  random: Random,
  refund: KnownRefund,
): Promise<void> {
  if (refund.claimUrl === undefined) return;
  const path = new URL(refund.claimUrl).pathname;
  const from = `10.9.${random.whole(0, 255)}.${random.whole(1, 254)}`;
  const page = { path, from, headers: { 'sec-fetch-site': 'same-origin' } } as const;
  const typed = { refund_to_address: addressOf(world, merchant, random) };
  if (random.chance(0.3)) await world.call({ ...page, method: 'GET' });
  if (random.chance(0.7)) await world.call({ ...page, method: 'POST', form: typed });
  if (random.chance(0.1)) return;
  const confirmed = { ...typed, confirmed: 'true' };
  const answer = await world.call({ ...page, method: 'POST', form: confirmed });
  if (hasStatus(answer, 303)) moneyMemoryOf(merchant).named.put({ id: refund.id });
  // A claim that was not used in time, or whose refund was cancelled, opens nothing any more.
  if (hasStatus(answer, 404)) refund.status = 'failed';
  else if (random.chance(0.1)) await world.call({ ...page, method: 'POST', form: confirmed });
}

export function addressOf(world: World, merchant: Merchant, random: Random): string {
  if (random.chance(0.9)) return random.oneOf(world.network.strangers);
  const shown = memoryOf(merchant)
    .requests.all()
    .flatMap((request) => selectionOf(request)?.address ?? []);
  const { floatAddress = '' } = moneyMemoryOf(merchant);
  return random.oneOf([...REFUSED_ADDRESSES, floatAddress, ...shown.slice(-1)]);
}
