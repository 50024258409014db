import type { Random } from '../random.js';
import { assetOf } from './amounts.js';
import { pay, withAddress } from './payable.js';
import { createRequest } from './payment-requests.js';
import { somePointOfSale } from './points-of-sale.js';
import type { Act, Merchant, World } from './world.js';

/** Where collected money goes, for all of an organization or for one account. */
export const termsActs: readonly Act[] = [
  {
    name: 'change where collected money goes',
    weight: 0.25,
    async attempt(world, merchant, random) {
      const account = random.chance(0.4) ? random.oneOf(merchant.accounts).accountId : undefined;
      await changeTerms(world, merchant, random, account);
      return true;
    },
  },
  {
    // Money of a sale right after a change goes where the new terms say, in one settlement with that of the sale before.
    name: 'sell right before and after new terms',
    weight: 4,
    async attempt(world, merchant, random) {
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
      return true;
    },
  },
];

/** Orders where collected money goes from now on. @param account all accounts without terms of their own unless it is named */
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
