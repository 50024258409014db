import type { Random } from '../random.js';
import { accountKey } from './credentials.js';
import { assetOf, textOf } from './amounts.js';
import { codeOf, hasStatus, MINUTE_MS, partOf, repeat, dataOf, keyOf, type Answer } from './calls.js';
import { memoryOf, moneyMemoryOf } from './memory.js';
import { pay, payable, type Payable } from './payable.js';
import { nameAddress, remember, type AnsweredRefund } from './refunds.js';
import { limitRefunds, topUp } from './refund-floats.js';
import { readRequest } from './payment-requests.js';
import { giveUpCall } from './operators.js';
import { act, type Act, type Merchant, type World } from './world.js';

interface Place {
  readonly world: World;
  readonly merchant: Merchant;
  readonly random: Random;
  readonly found: Payable;
}

type Way = (place: Place) => Promise<unknown>;

export const paybackActs: readonly Act[] = [
  paidBack('pay, and get all of it back', 9, (place) => refund(place, toStranger(place))),
  paidBack('pay too much, and get the excess back', 6, (place) => refund(place, toStranger(place)), 'more'),
  paidBack('pay, and the claim is taken back for another refund', 4, async (place) => {
    const claimed = await refund(place, { claim: {} });
    if (claimed?.claim_url === undefined) return;
    if (place.random.chance(0.4)) await namePayee(place, claimed.id);
    await changeOrRead(place, claimed.id, 'cancel');
    await refund(place, toStranger(place));
  }),
  paidBack('pay, and the refund is cancelled at once', 4, async (place) => {
    const made = await refund(place, toStranger(place));
    if (made === undefined) return;
    // A worker may take it up meanwhile.
    for (let looks = place.random.whole(0, 4); looks > 0; looks -= 1)
      await changeOrRead(place, made.id, 'read');
    await cancel(place, made.id);
  }),
  paidBack('pay, and the refund is cancelled while it is paid', 6, async (place) => {
    const { world, random } = place;
    const made = await refund(place, toStranger(place));
    // Its transfer may be sent by then, or be in a block that is not final yet.
    if (made !== undefined) world.later(random.whole(1, 16) * MINUTE_MS, () => cancel(place, made.id));
  }),
  paidBack('pay, and refunds up to the limit of a day are cancelled', 4, (place) => {
    const { world, found, random } = place;
    const payee = toStranger(place);
    // It is known to take such transfers.
    const { token } = assetOf(world, found.selection.uniqueAssetId);
    world.network.pay({ to: payee.refund_to_address, payer: 1, token, amount: 1n });
    world.later(random.whole(2, 5) * MINUTE_MS, () => refundUpToLimit(place, payee));
    return Promise.resolve();
  }),
  paidBack('pay, and the claim is approved and cancelled at once', 5, async (place) => {
    const claimed = await refund(place, { claim: {} });
    if (claimed?.claim_url === undefined) return;
    await namePayee(place, claimed.id);
    const second = place.random.oneOf(['cancel', 'cancel', 'approve'] as const);
    await Promise.all([changeOrRead(place, claimed.id, 'approve'), changeOrRead(place, claimed.id, second)]);
    await changeOrRead(place, claimed.id, 'read');
  }),
  paidBack('pay, and the transfer back is given up', 5, async (place) => {
    const { world, random } = place;
    if ((await refund(place, toStranger(place))) === undefined) return;
    // Until a worker has sent it, and a block has taken it.
    let left = 8;
    const look = async () => {
      left -= 1;
      if (!(await giveUpCall(world, random)) && left > 0) world.later(random.whole(10, 55) * 1_000, look);
    };
    await look();
    world.later(random.whole(40, 120) * MINUTE_MS, async () => void (await refund(place, toStranger(place))));
  }),
  paidBack('pay, and get it back in two parts at once', 5, async (place) => {
    const { random, found } = place;
    const part = partOf(found.selection.amount, random);
    const parts = random.chance(0.5) ? [part, found.selection.amount - part] : [part, part];
    await Promise.all(
      parts.map((amount) => refund(place, { ...toStranger(place), ...decimalOf(place, amount) })),
    );
  }),
  paidBack('pay, and the float has enough for one of two refunds', 4, async (place) => {
    const { world, random, found } = place;
    const half = found.selection.amount / 2n;
    await emptyFloat(place, half);
    const both = async () => {
      const one = () => refund(place, { ...toStranger(place), ...decimalOf(place, half) });
      if (random.chance(0.6)) await Promise.all([one(), one()]);
      else for (let times = 2; times > 0; times -= 1) await one();
    };
    world.later(random.whole(12, 40) * MINUTE_MS, both);
  }),
];

function paidBack(name: string, weight: number, way: Way, how: 'exactly' | 'more' = 'exactly'): Act {
  return act(name, weight, async (world, merchant, random) => {
    const found = await payable(world, merchant, random);
    if (found === undefined) return false;
    const { amount } = found.selection;
    const more = how === 'more' ? partOf(amount, random) + BigInt(random.whole(1, 9_999)) : 0n;
    pay(world, merchant, random, found, { amount: amount + more });
    comeBack({ world, merchant, random, found }, way, 3);
  });
}

function comeBack(place: Place, way: Way, times: number): void {
  const { world, merchant, random, found } = place;
  world.later(random.whole(8, 35) * MINUTE_MS, async () => {
    const shown = await readRequest(world, found.request, merchant.credentials[0]!);
    const isOver = shown !== undefined && !['pending', 'created', 'processing'].includes(shown.status);
    if (isOver) await way(place);
    else if (times > 1) comeBack(place, way, times - 1);
  });
}

function toStranger({ world, random }: Place) {
  return { refund_to_address: random.oneOf(world.network.strangers) };
}

function decimalOf({ world, found }: Place, amount: bigint) {
  return { amount: textOf(amount, assetOf(world, found.selection.uniqueAssetId)) };
}

async function refund(place: Place, body: object, again = true): Promise<AnsweredRefund | undefined> {
  const { world, merchant, random, found } = place;
  const path = `/v1/refunds/payment-request/${found.request.id}`;
  const answer = await world.call({ method: 'POST', path, body, as: keyOf(merchant, random) });
  const made = dataOf<AnsweredRefund>(answer);
  if (made !== undefined) {
    remember(merchant, made);
    if (random.chance(0.3)) await lookAsAccount(place);
  }
  if (codeOf(answer) === 'refund_float_insufficient' && again && random.chance(0.7)) {
    await topUp(world, merchant, random, found.selection);
    world.later(random.whole(12, 40) * MINUTE_MS, async () => void (await refund(place, body, false)));
  }
  return made;
}

async function changeOrRead(
  { world, merchant, random }: Place,
  id: string,
  what: 'approve' | 'cancel' | 'read',
): Promise<Answer> {
  const path = `/v1/refunds/${id}`;
  const as = keyOf(merchant, random);
  const answer = await repeat(
    world,
    what === 'read' ? { method: 'GET', path, as } : { method: 'POST', path: `${path}/${what}`, as },
  );
  const read = dataOf<AnsweredRefund>(answer);
  if (read !== undefined) remember(merchant, read);
  return answer;
}

async function refundUpToLimit(place: Place, payee: object): Promise<void> {
  const { world, merchant, found } = place;
  const { uniqueAssetId, amount } = found.selection;
  const perDay = textOf(amount * 3n, assetOf(world, uniqueAssetId));
  await limitRefunds(world, merchant, { accountId: found.request.accountId, uniqueAssetId, perDay });
  const body = { ...payee, ...decimalOf(place, amount) };
  for (let left = 4; left > 0; left -= 1) {
    const made = await refund(place, body);
    if (made === undefined || !hasStatus(await changeOrRead(place, made.id, 'cancel'), 200)) return;
  }
  await refund(place, body);
}

async function cancel(place: Place, id: string): Promise<void> {
  const answer = await changeOrRead(place, id, 'cancel');
  if (hasStatus(answer, 200) && place.random.chance(0.6)) await refund(place, toStranger(place));
}

async function namePayee({ world, merchant, random }: Place, id: string): Promise<void> {
  await nameAddress(world, merchant, random, memoryOf(merchant).refunds.find(id)!);
}

async function emptyFloat({ world, merchant, found }: Place, amount: bigint): Promise<void> {
  const { uniqueAssetId } = found.selection;
  const opened = await world.operator('float', 'open', merchant.organizationId, world.network.network);
  if ('failed' in opened) return;
  const { address } = opened.printed as { address: string };
  moneyMemoryOf(merchant).floatAddress = address;
  const { token } = assetOf(world, uniqueAssetId);
  const words = [merchant.organizationId, world.network.network, uniqueAssetId];
  if (token !== null) await world.operator('float', 'withdraw', ...words, 'all', '--yes');
  world.network.pay({ to: address, payer: 1, token, amount });
  if (token !== null) world.network.pay({ to: address, payer: 1, token: null, amount: 10n ** 17n });
}

async function lookAsAccount({ world, merchant, random }: Place): Promise<void> {
  const key = await accountKey(world, merchant, random, random.oneOf(merchant.accounts));
  if (key !== undefined) await world.call({ method: 'GET', path: '/v1/refunds', as: key.credential });
}
