import { assetOf, textOf } from './amounts.js';
import { MINUTE_MS } from './calls.js';
import { memoryOf, selectionOf, type Selection, moneyMemoryOf } from './memory.js';
import type { Random } from '../random.js';
import { act, type Act, type Merchant, type World } from './world.js';

type Wanted = Pick<Selection, 'uniqueAssetId' | 'amount'>;

/** Enough for the gas of many refunds, in wei. */
const GAS = 50_000_000_000_000_000n;

export const refundFloatActs: readonly Act[] = [
  act('open the refund float', 2, async (world, merchant, random) => {
    const memory = moneyMemoryOf(merchant);
    if (memory.floatAddress !== undefined && random.chance(0.97)) return false;
    await open(world, merchant);
  }),
  act('top up the refund float', 1.8, async (world, merchant, random) => {
    const memory = moneyMemoryOf(merchant);
    const wants = memory.floatWants ?? wantedNext(merchant, random);
    if (memory.floatAddress === undefined || wants === undefined) return false;
    // An asset that is missing was refused just now; else merchants top up seldom.
    if (memory.floatWants === undefined && random.chance(0.7)) return false;
    await topUp(world, merchant, random, wants);
  }),
  act('allot the float to an account', 0.6, async (world, merchant, random) => {
    const wants = wantedNext(merchant, random);
    if (wants === undefined) return false;
    const { accountId } = random.oneOf(merchant.accounts);
    const amount = textOf(wants.amount * BigInt(random.whole(0, 20)), assetOf(world, wants.uniqueAssetId));
    const words = [merchant.organizationId, accountId, wants.uniqueAssetId, amount];
    await world.operator('float', 'allot', ...words);
  }),
  act('say what bounds the refunds of an account', 0.2, async (world, merchant, random) => {
    const basis = random.oneOf(['topped_up', 'received']);
    await world.operator('float', 'basis', merchant.organizationId, basis);
  }),
  act('limit the refunds of an account', 0.4, async (world, merchant, random) => {
    const wants = wantedNext(merchant, random);
    if (wants === undefined) return false;
    const amount = (most: number) =>
      textOf(wants.amount * BigInt(random.whole(1, most)), assetOf(world, wants.uniqueAssetId));
    const { accountId } = random.oneOf(merchant.accounts);
    const perDay = random.chance(0.6) ? amount(10) : undefined;
    const below = random.chance(0.6) ? ['--automatic-below', amount(3)] : [];
    await limitRefunds(world, merchant, { accountId, uniqueAssetId: wants.uniqueAssetId, perDay }, below);
  }),
  act('withdraw from the refund float', 0.24, async (world, merchant, random) => {
    const wants = wantedNext(merchant, random);
    if (moneyMemoryOf(merchant).floatAddress === undefined || wants === undefined) return false;
    const amount = random.chance(0.3) ? 'all' : textOf(wants.amount, assetOf(world, wants.uniqueAssetId));
    const words = [merchant.organizationId, world.network.network, wants.uniqueAssetId, amount];
    const told = await world.operator('float', 'withdraw', ...words, '--yes');
    // Some are taken back at once.
    if ('printed' in told && random.chance(0.3))
      await world.operator('float', 'cancel', (told.printed as { id: string }).id, '--yes');
  }),
  act('cancel a refund by the operator', 0.2, async (world, merchant, random) => {
    const open = memoryOf(merchant)
      .refunds.all()
      .filter(({ status }) => ['pending', 'processing'].includes(status));
    if (open.length === 0) return false;
    const { id } = random.oneOf(open);
    world.note({ kind: 'given up', at: world.now(), id });
    await world.operator('refund', 'cancel', merchant.organizationId, id, '--yes');
  }),
];

export async function topUp(
  world: World,
  merchant: Merchant,
  random: Random,
  { uniqueAssetId, amount }: Wanted,
): Promise<void> {
  const memory = moneyMemoryOf(merchant);
  delete memory.floatWants;
  if (memory.floatAddress === undefined) await open(world, merchant);
  const to = memory.floatAddress;
  if (to === undefined) return;
  const { token } = assetOf(world, uniqueAssetId);
  world.network.pay({ to, payer: 1, token, amount: amount * BigInt(random.whole(1, 4)) });
  if (random.chance(0.7)) world.network.pay({ to, payer: 1, token: null, amount: GAS });
  // Most look soon whether it has arrived: it counts once it is final.
  const query = { type: 'deposit', page: '1', page_size: '20' };
  const look = { method: 'GET', path: '/v1/transactions', query, as: merchant.credentials[0]! } as const;
  for (const minutes of [random.whole(1, 2), random.whole(3, 4), random.whole(5, 20)])
    world.later(minutes * MINUTE_MS + random.whole(0, 59_999), async () => void (await world.call(look)));
}

export async function fillFloat(world: World, merchant: Merchant, random: Random): Promise<void> {
  await open(world, merchant);
  const to = moneyMemoryOf(merchant).floatAddress;
  if (to === undefined) return;
  for (const { token, decimals } of world.network.assets)
    world.network.pay({
      ...{ to, payer: 1, token },
      amount: token === null ? GAS * 400n : BigInt(random.whole(500, 20_000)) * 10n ** BigInt(decimals),
    });
}

async function open(world: World, merchant: Merchant): Promise<void> {
  const told = await world.operator('float', 'open', merchant.organizationId, world.network.network);
  if ('printed' in told) moneyMemoryOf(merchant).floatAddress = (told.printed as { address: string }).address;
}

/** The size and the asset of some payment: what merchants pay back is as large. */
function wantedNext(merchant: Merchant, random: Random) {
  const shown = memoryOf(merchant)
    .requests.all()
    .flatMap((request) => selectionOf(request) ?? []);
  return shown.length === 0 ? undefined : random.oneOf(shown);
}

interface Limited {
  readonly accountId: string;
  readonly uniqueAssetId: string;
  /** Decimal text; absent: no limit. */
  readonly perDay: string | undefined;
}

export async function limitRefunds(
  world: World,
  merchant: Merchant,
  { accountId, uniqueAssetId, perDay }: Limited,
  more: readonly string[] = [],
): Promise<void> {
  world.note({
    ...{ kind: 'refund limit', at: world.now(), accountId, uniqueAssetId, isAutomatic: more.length > 0 },
    ...(perDay !== undefined && { perDay }),
  });
  await world.operator(
    ...['refund-limits', 'set', '--organization', merchant.organizationId],
    ...['--account', accountId, '--asset', uniqueAssetId],
    ...(perDay === undefined ? [] : ['--per-day', perDay]),
    ...more,
  );
}
