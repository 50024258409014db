import { expect } from '@jest/globals';
import { OUTPUT_COIN, OUTPUT_NETWORK } from '#contexts/networks/testing/output-family.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { LinkSettings } from '../../application/links/limit-link-openings.js';
import { numberedAddressesInvariants } from '../../infrastructure/requests/persistence/invariants/numbered-addresses-invariants.js';
import {
  CONFIRMATIONS,
  NETWORK,
  SmallCatalogue,
  someTerms,
  walletTerms,
} from '../requests/collecting-world.js';
import { HashedOrWalletAddresses } from '../requests/hashed-addresses.js';
import { openPaymentLinks } from './open-payment-links.js';

export type WalletPayments = Awaited<ReturnType<typeof openWalletPayments>>;

export const addressOf = (wallet: string, number: number) =>
  new HashedOrWalletAddresses().derive(OUTPUT_NETWORK, walletTerms(wallet), { requestId: '', number })
    .address;

/** Payments and links of a shop that is paid straight into the wallet `OWN`. */
export async function openWalletPayments() {
  const bench = await openPaymentLinks(
    new LinkSettings(),
    CONFIRMATIONS,
    SmallCatalogue.withWallets(),
    new HashedOrWalletAddresses(),
  );
  await bench.follow();
  await bench.follow(OUTPUT_NETWORK);
  const openShop = (wallet: string, fields: Partial<CollectingPoint> = {}) =>
    bench.pointsOfSale.open({
      paymentOptions: [OUTPUT_COIN.uniqueAssetId],
      terms: new Map([
        [OUTPUT_NETWORK, walletTerms(wallet)],
        [NETWORK, someTerms(NETWORK)],
      ]),
      ...fields,
    });
  const shop = await openShop('OWN');

  return {
    ...bench,
    shop,
    /** Another point of sale, paid into that wallet. */
    openShop,

    /** A request of 0.01 coins, but for these fields. */
    requestCoins: (point = shop, more: object = {}) =>
      bench.request({ uniqueAssetId: OUTPUT_COIN.uniqueAssetId, amount: '0.01', ...more }, point),

    /** The numbers that were taken, by wallet, and the next one of each. */
    async numbers() {
      const rows = await bench.database.query<{ numbering: string; taken: number[]; next: number }>(
        `SELECT n.numbering, array_agg(a.number ORDER BY a.number) AS taken, n.next_number AS next
         FROM payments.address_numbers n LEFT JOIN (SELECT numbering_id, number FROM payments.deposit_addresses
           UNION ALL SELECT numbering_id, number FROM payments.pruned_addresses) a ON a.numbering_id = n.id
         GROUP BY n.numbering, n.next_number ORDER BY n.numbering`,
      );
      return Object.fromEntries(rows.map(({ numbering, taken, next }) => [numbering, { taken, next }]));
    },

    /** Names of the invariants that do not hold then. The tampering is undone. */
    async breachesAfter(tampering: string): Promise<string[]> {
      const found: string[] = [];
      const undone = new Error('undone');
      const tampered = bench.database.run(async () => {
        await bench.database.query(tampering);
        for (const { name, breaches } of numberedAddressesInvariants)
          if ((await bench.database.query(breaches)).length > 0) found.push(name);
        throw undone;
      });
      await expect(tampered).rejects.toBe(undone);
      return found;
    },
  };
}
