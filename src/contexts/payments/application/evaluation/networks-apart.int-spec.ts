import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Chain, Chains } from '#contexts/networks/contract/chains.js';
import type { AddressDerivationInput, DepositTerms } from '#contexts/networks/contract/deposit-addresses.js';
import { sentPayout } from '#contexts/chain-watching/testing/model-block.js';
import {
  COIN,
  DOLLAR,
  NETWORK,
  OTHER_DOLLAR,
  OTHER_GRACE_SECONDS,
  OTHER_NETWORK,
  SmallCatalogue,
  someTerms,
} from '../../testing/requests/collecting-world.js';
import { HashedAddresses } from '../../testing/requests/hashed-addresses.js';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';
import type { PaymentRequestView } from '../requests/payment-request-view.js';

const NETWORKS = [NETWORK, OTHER_NETWORK] as const;
const OTHER_COIN = { ...COIN, network: OTHER_NETWORK, uniqueAssetId: `n${OTHER_NETWORK}_tETH` };
const TOKENS = { [NETWORK]: DOLLAR, [OTHER_NETWORK]: OTHER_DOLLAR };
const COINS = { [NETWORK]: COIN, [OTHER_NETWORK]: OTHER_COIN };

/** EVM networks have the same addresses: here, each network's n-th payment request has the same address as the other's. */
class SameAddresses extends Chains {
  private readonly requests: Record<string, string[]> = { [NETWORK]: [], [OTHER_NETWORK]: [] };
  private readonly hashed = new HashedAddresses();

  find(network: string): Chain {
    const { depositAddresses } = this.hashed.find(NETWORK);
    const known = this.requests[network]!;
    const derive = (terms: DepositTerms, { requestId }: AddressDerivationInput) => {
      if (!known.includes(requestId)) known.push(requestId);
      const place = `${known.indexOf(requestId)}` as AddressDerivationInput['requestId'];
      return depositAddresses.derive({ ...terms, ...someTerms(NETWORK) }, {
        requestId: place,
      } as AddressDerivationInput);
    };
    return {
      depositAddresses: { sequenceName: () => null, transferUri: () => null, derive },
    } as unknown as Chain;
  }
}

/** A payment request in each asset of a network. */
interface Requests {
  readonly dollars: PaymentRequestView;
  readonly coins: PaymentRequestView;
  readonly unpaid: PaymentRequestView;
}

let payments: Payments;
let requests: Record<string, Requests>;

beforeEach(async () => {
  const catalogue = new SmallCatalogue(SmallCatalogue.ofTwoNetworks().networks(), [
    ...Object.values(TOKENS),
    ...Object.values(COINS),
  ]);
  payments = await openPayments(3, catalogue, new SameAddresses());
  const point = await payments.pointsOfSale.open({
    paymentOptions: catalogue.assets().map(({ uniqueAssetId }) => uniqueAssetId),
    terms: new Map(NETWORKS.map((network) => [network, someTerms(network)])),
  });
  requests = {};
  payments.chainOf(OTHER_NETWORK).blockSeconds = 45;
  // The models number their hashes: from here on, the networks have different ones.
  payments.chainOf(OTHER_NETWORK).mine();
  payments.chainOf(OTHER_NETWORK).removeNewestBlocks(1);
  for (const network of NETWORKS) {
    await payments.follow(network);
    const { uniqueAssetId } = TOKENS[network];
    const coins = { uniqueAssetId: COINS[network].uniqueAssetId, amount: '0.001' };
    requests[network] = {
      dollars: await payments.request({ uniqueAssetId }, point),
      coins: await payments.request(coins, point),
      unpaid: await payments.request({ uniqueAssetId }, point),
    };
    await payments.follow(network);
  }
});
// Nobody posts to the ledger here.
afterEach(() => payments.close(['ledger-confirmed-posted-once', 'ledger-deposits-posted-once']));

type Network = (typeof NETWORKS)[number];

const cents = (network: Network, amount: number) =>
  pay(requests[network]!.dollars, amount, TOKENS[network].token);

function removeBlock(network: Network): void {
  payments.chainOf(network).removeNewestBlocks(1);
  payments.chainOf(network).mineEmpty(1);
}

function sendPayout(network: Network): void {
  payments.chainOf(network).mine(sentPayout(requests[network]!.dollars, TOKENS[network].token, 4_000_000n));
}

/** Happenings on one network, in order. Each happens on the other network before the next one. */
const HAPPENINGS: Readonly<Record<string, (network: Network) => void>> = {
  'two transfers arrive': (network) =>
    payments.chainOf(network).mine(cents(network, 400), cents(network, 100)),
  'their block is removed': removeBlock,
  'a transfer arrives again, with a coin inside a contract call': (network) => {
    const coins = { to: requests[network]!.coins.address, amount: 10n ** 15n, token: COIN.token };
    payments.chainOf(network).mine(cents(network, 1_000), { ...coins, kind: 'internal' });
  },
  'they become final': (network) => payments.chainOf(network).mineEmpty(3),
  'a payout is sent': sendPayout,
  'its block is removed': removeBlock,
  'a payout is sent again': sendPayout,
  'the payout becomes final': (network) => payments.chainOf(network).mineEmpty(3),
  'money comes late': (network) => void payments.chainOf(network).mine(cents(network, 300)),
  'the late money becomes final': (network) => payments.chainOf(network).mineEmpty(3),
  'a window ends': (network) => {
    const { expiresAt } = requests[network]!.unpaid;
    payments.chainOf(network).mineBeyond(new Date(expiresAt.getTime() + OTHER_GRACE_SECONDS * 1_000));
    payments.chainOf(network).mineEmpty(3);
  },
};

/** All rows of a network in every table that has one, except the times at which somebody looked. */
async function rowsOf(network: Network): Promise<Record<string, unknown>> {
  const tables = await payments.database.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.columns
     JOIN information_schema.tables USING (table_schema, table_name)
     WHERE column_name = 'network' AND table_schema = 'payments' AND table_type = 'BASE TABLE'`,
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await payments.database.query<{ rows: unknown }>(
      `SELECT jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)::text) AS rows FROM ${name} t WHERE network = $1`,
      [network],
    );
    found[name] = row!.rows;
  }
  return found;
}

/** Returns the time of the network's final block as it is stored, and as the chain has it. */
async function finalTimes(network: Network): Promise<{ stored: Date; onChain: Date }> {
  const [cursor] = await payments.database.query<{ finalNumber: number; finalTime: Date }>(
    'SELECT final_number, final_time FROM payments.chain_cursors WHERE network = $1',
    [network],
  );
  const block = await payments.chainOf(network).blockHeader(cursor!.finalNumber);
  return { stored: cursor!.finalTime, onChain: block!.time };
}

async function outcomes(network: Network) {
  const { dollars, coins } = requests[network]!;
  const views = await Promise.all([dollars, coins].map((request) => payments.read(request)));
  return views.map(({ status, receivedAmount, transfers }) => ({
    ...{ status, receivedAmount },
    transfers: transfers.map(({ amount, final, counted }) => ({ amount, final, counted })),
  }));
}

describe('The watcher of two networks with the same addresses and block numbers', () => {
  it('shares nothing between them', async () => {
    expect(requests[NETWORK]!.dollars.address).toBe(requests[OTHER_NETWORK]!.dollars.address);

    for (const [happening, happen] of Object.entries(HAPPENINGS)) {
      for (const [network, other] of [NETWORKS, NETWORKS.toReversed()] as [Network, Network][]) {
        const before = await rowsOf(other);
        happen(network);
        await payments.platform.advance(10);
        await payments.follow(network);
        expect({ happening, rows: await rowsOf(other) }).toEqual({ happening, rows: before });
        const { stored, onChain } = await finalTimes(network);
        expect(stored).toEqual(onChain);
      }
      expect({ happening, outcomes: await outcomes(NETWORK) }).toEqual({
        happening,
        outcomes: await outcomes(OTHER_NETWORK),
      });
    }

    expect(await outcomes(NETWORK)).toEqual([
      {
        ...{ status: 'completed', receivedAmount: 10_000_000n },
        transfers: [
          { amount: 10_000_000n, final: true, counted: true },
          { amount: 3_000_000n, final: true, counted: false },
        ],
      },
      {
        ...{ status: 'completed', receivedAmount: 10n ** 15n },
        transfers: [{ amount: 10n ** 15n, final: true, counted: true }],
      },
    ]);
    for (const network of NETWORKS)
      expect((await payments.read(requests[network]!.unpaid)).status).toBe('expired');
    expect(payments.alerts.noted).toEqual(Array.from({ length: 4 }, () => 'reorganized 1'));
    expect(await payments.breaches()).toEqual({});
  });
});
