import type { Random } from '../random.js';
import { assetOf } from './amounts.js';
import { pay, withAddress, payable } from './payable.js';
import { createRequest, readRequest } from './payment-requests.js';
import { somePointOfSale } from './points-of-sale.js';
import { act, type Act, type Merchant, type World, type SimulatedAsset } from './world.js';
import { MINUTE_MS } from './calls.js';
import type { KnownRequest } from './memory.js';

export const termsActs: readonly Act[] = [
  act('change where collected money goes', 0.25, async (world, merchant, random) => {
    const account = random.chance(0.4) ? random.oneOf(merchant.accounts).accountId : undefined;
    await changeTerms(world, merchant, random, account);
  }),
  // Money of a sale right after a change goes where the new terms say, in one settlement with that of the sale before.
  act('sell right before and after new terms', 4, async (world, merchant, random) => {
    const pos = await somePointOfSale(world, merchant, random, random.chance(0.5) ? 'online' : undefined);
    if (pos === undefined) return false;
    const asset = assetOf(world, random.oneOf(pos.config.payment_options));
    const sell = async () => {
      const request = await createRequest(world, merchant, random, pos, { asset });
      const found = request && (await withAddress(world, request, random));
      if (found !== undefined) pay(world, merchant, random, found, { amount: found.selection.amount });
    };
    for (let times = random.whole(1, 2); times > 0; times -= 1) await sell();
    await changeTerms(world, merchant, random, random.chance(0.6) ? pos.accountId : undefined);
    for (let times = random.whole(1, 2); times > 0; times -= 1) await sell();
  }),
];

async function changeTerms(
  world: World,
  merchant: Merchant,
  random: Random,
  account: string | undefined,
): Promise<void> {
  const { network } = world.network;
  const settlementAddress = random.oneOf(world.network.strangers);
  const feeBasisPoints = random.oneOf([0, 0, 30, 100, 250, 9_999]);
  const feeRecipient = random.oneOf(world.network.strangers);
  const words = [
    ...['settlement-terms', 'set', '--organization', merchant.organizationId],
    ...(account === undefined ? [] : ['--account', account]),
    ...['--network', network, '--address', settlementAddress],
    ...(feeBasisPoints === 0
      ? []
      : ['--fee-basis-points', String(feeBasisPoints), '--fee-recipient', feeRecipient]),
    '--yes',
  ];
  // One that failed may have been carried out: it is ordered again until that is known.
  let told = await world.operator(...words);
  for (let again = 0; again < 2 && 'failed' in told; again += 1) told = await world.operator(...words);
  if ('failed' in told) return;
  world.note({
    ...{ kind: 'terms', at: world.now(), organizationId: merchant.organizationId },
    ...(account !== undefined && { accountId: account }),
    ...{ network, settlementAddress, feeBasisPoints },
    ...(feeBasisPoints > 0 && { feeRecipient }),
  });
}

export const settledSaleActs: readonly Act[] = [
  act('pay odd amounts twice to one address', 4, async (world, merchant, random) => {
    const found = await payable(world, merchant, random);
    if (found === undefined) return false;
    const { amount } = found.selection;
    pay(world, merchant, random, found, { amount: amount + odd(found.asset, random) });
    const again = async () => {
      pay(world, merchant, random, found, { amount: amount / 2n + odd(found.asset, random) });
      await look(world, merchant, random, found.request);
    };
    world.later(random.whole(6, 45) * MINUTE_MS, again);
  }),
  act('pay again and again while it is settled', 5, async (world, merchant, random) => {
    const found = await payable(world, merchant, random);
    if (found === undefined) return false;
    const { amount } = found.selection;
    pay(world, merchant, random, found, { amount });
    // The forwarder pays out what comes before its own transaction too, booked or not.
    const more = () =>
      pay(world, merchant, random, found, { amount: amount / 8n + odd(found.asset, random) });
    world.later(random.whole(9, 40) * MINUTE_MS, async () => {
      await world.operator('settlement', 'run', world.network.network, '--yes');
      for (let minutes = 0; minutes < 24; minutes += random.whole(1, 5))
        world.later(minutes * MINUTE_MS + random.whole(1, 59_999), () => Promise.resolve(more()));
      await look(world, merchant, random, found.request);
    });
  }),
];

/** So few of the smallest units that the fee of each payment is rounded. */
function odd({ decimals }: SimulatedAsset, random: Random): bigint {
  return BigInt(random.whole(1, 9_999)) * (decimals > 6 && random.chance(0.5) ? 10n ** 9n : 1n);
}

async function look(world: World, merchant: Merchant, random: Random, request: KnownRequest): Promise<void> {
  const read = () => readRequest(world, request, merchant.credentials[0]!);
  world.later(random.whole(5, 30) * MINUTE_MS, async () => void (await read()));
  await read();
}
