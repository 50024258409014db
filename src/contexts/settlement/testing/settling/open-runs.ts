import { MADE_UP_SENDER } from '#test/support/partial-worlds.js';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { ConfiguredCatalogue } from '#contexts/networks/infrastructure/configuration/configured-catalogue.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { AdvanceBatch } from '../../application/settling/advance-batch.js';
import { FindSettlementMinimums } from '../../application/settling/find-settlement-minimums.js';
import { PlanSettlementRun } from '../../application/settling/plan-settlement-run.js';
import { ReadBalances } from '../../application/settling/read-balances.js';
import { RunSettlement } from '../../application/settling/run-settlement.js';
import { ShowNetworkSettlement } from '../../application/settling/show-network-settlement.js';
import { Batches } from '../../infrastructure/settling/persistence/batches.js';
import { DueFunds } from '../../infrastructure/settling/persistence/due-funds.js';
import { SetAsidePayouts } from '../../infrastructure/settling/persistence/set-aside-payouts.js';
import { MemorySender } from './memory-sender.js';
import { openSettling } from './open-settling.js';
import { confirmedEvent, SETTLEMENT_ADDRESS, someAddress, type SomeAddress } from './payout-events.js';
import { isNative } from '#shared/kernel/asset.js';
import {
  SettlementPlanMismatch,
  type SettlementPlanning,
  type DuePayout,
  type SettlementPlanDifferenceKind,
  type SettlementBatch,
  type SettlementOutcome,
  type AttemptedPayout,
} from '#contexts/networks/contract/settlement-planning.js';
import type { ChainReader } from '#contexts/networks/contract/chain-reader.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import {
  SettlementPolicies,
  type SettlementPolicy,
} from '#contexts/networks/contract/settlement-policies.js';
import { InternalTransferCheck } from '#contexts/chain-watching/contract/native-balances.js';
import {
  NetworkReadProgressQuery,
  type NetworkReadProgress,
} from '#contexts/chain-watching/contract/reading-progress.js';
import { rateUnavailableError } from '#contexts/rates/contract/exchange-rates.js';
import { Quotes, type Rate } from '#contexts/rates/contract/quotes.js';

class FixedPolicies extends SettlementPolicies {
  policy: SettlementPolicy = { everySeconds: 1, maxGasSharePercent: 1, afterHours: 24, isPaused: false };

  override all(): ReadonlyMap<string, SettlementPolicy> {
    return new Map([['sandbox', this.policy]]);
  }
}

/** Fixed price: one dollar is a thousandth of the native coin. */
class FixedQuotes extends Quotes {
  price: string | null = '0.001';

  override async quote(asset: { symbol: string }, coin: string): Promise<Rate | null> {
    if (asset.symbol === coin) return null;
    if (this.price === null) throw rateUnavailableError(asset.symbol, coin);
    return { price: this.price, sources: ['test'], at: new Date() };
  }

  override cachedQuote(): undefined {
    return undefined;
  }
}

/** Reports every address as compared, unless the test names the compared addresses. */
class FixedComparisons extends InternalTransferCheck {
  compared: ReadonlySet<string> | 'all' = 'all';
  asked: string[] = [];

  override async requestComparison(
    _network: string,
    addresses: readonly string[],
  ): Promise<ReadonlySet<string>> {
    this.asked.push(...addresses);
    const { compared } = this;
    return new Set(compared === 'all' ? addresses : addresses.filter((address) => compared.has(address)));
  }
}

class FixedReadProgress extends NetworkReadProgressQuery {
  finalNumber: number | null = null;

  override async networkProgress(): Promise<NetworkReadProgress[]> {
    return [{ network: 'sandbox', finalNumber: this.finalNumber } as NetworkReadProgress];
  }
}

class FixedBalances {
  private readonly balances = new Map<string, bigint | null>();

  /** @param amount null: the token returns no balance of the address */
  hold(address: string, amount: bigint | null): void {
    this.balances.set(address, amount);
  }

  reader(): ChainReader {
    const of = async (addresses: readonly string[]) =>
      addresses.map((each) => {
        const held = this.balances.get(each);
        return held === undefined ? 0n : held;
      });
    return {
      head: async () => ({ head: { hash: '0xb' }, finalNumber: null }),
      balances: (_hash: string, addresses: readonly string[]) => of(addresses),
      tokenBalances: (_hash: string, _token: string, addresses: readonly string[]) => of(addresses),
    } as unknown as ChainReader;
  }
}

/** Plans settlement batches as the service does, without a node. */
class MemoryPlanning implements SettlementPlanning {
  price = 1_000_000_000n;
  /** Differences that the simulation reports, by deposit address. */
  readonly differing = new Map<string, SettlementPlanDifferenceKind>();
  mostOfBatch = 300;
  /** Deposit addresses whose payouts fail in execution, with an event (`failing`) or without one (`silent`). */
  readonly failing = new Set<string>();
  readonly silent = new Set<string>();
  /** Deposit addresses whose fee recipient refuses its share. */
  readonly feeless = new Set<string>();
  /** Deposit addresses whose fee recipient refuses its share only in execution, not in simulation. */
  readonly losingFees = new Set<string>();
  tried = Infinity;
  dataFeeOfPayout = 0n;
  private readonly calls = new Map<string, readonly AttemptedPayout[]>();

  async plan(_sender: string, due: readonly DuePayout[]): Promise<readonly SettlementBatch[]> {
    const differences = due.flatMap(({ depositAddress, asset }) => {
      const kind = this.differing.get(depositAddress);
      if (kind === undefined) return [];
      return [{ kind, depositAddress, uniqueAssetId: asset.uniqueAssetId, says: `It is ${kind}.` }];
    });
    if (differences.length > 0) throw new SettlementPlanMismatch('sandbox', differences);
    const batches: SettlementBatch[] = [];
    for (let at = 0; at < due.length; at += this.mostOfBatch) {
      const payouts = due.slice(at, at + this.mostOfBatch).map((each) => {
        const isFeeRefused = this.feeless.has(each.depositAddress);
        const toFee = isFeeRefused ? 0n : (each.gross * BigInt(each.terms.feeBasisPoints)) / 10_000n;
        return { ...each, toSettlement: each.gross - toFee, toFee, isFeeRefused };
      });
      const data = `0x${payouts.map(({ depositAddress }) => depositAddress.slice(-4)).join('')}` as const;
      const token = (asset: DuePayout['asset']) => (isNative(asset) ? null : asset.token);
      this.calls.set(
        data,
        payouts.map(({ depositAddress, asset }) => ({ depositAddress, token: token(asset) })),
      );
      batches.push({ payouts, call: { to: '0xfac0', data, gas: 100_000n * BigInt(payouts.length) } });
    }
    // The order of batches is not guaranteed, so tests must not rely on it.
    return batches.reverse();
  }

  async outcome({ data }: { data: string }): Promise<SettlementOutcome> {
    const { failing, silent, tried } = this;
    const payouts = this.calls.get(data)!.slice(0, tried);
    const failed = payouts.filter(({ depositAddress }) => failing.has(depositAddress));
    const isSettled = ({ depositAddress }: AttemptedPayout) =>
      !failing.has(depositAddress) && !silent.has(depositAddress);
    const settled = payouts.filter(isSettled).map((payout) => {
      return { ...payout, toFee: this.losingFees.has(payout.depositAddress) ? 0n : 1n };
    });
    return { settled, failed, tried };
  }

  async dataFeePerPayout(): Promise<bigint> {
    return this.dataFeeOfPayout;
  }

  async gasPrice(): Promise<bigint> {
    return this.price;
  }
}

const FEE_RECIPIENT = '0xfee0fee0fee0fee0fee0fee0fee0fee0fee0fee0';

const TABLES_TO_CLEAR = [
  ...[
    'settlement.waiting',
    'settlement.settled_addresses',
    'settlement.settlements',
    'settlement.batch_payouts',
  ],
  ...[
    'settlement.batches',
    'settlement.set_aside',
    'payments.deposit_addresses',
    'payments.settlement_holds',
    'settlement.failing_terms',
    'payments.transfers',
    'payments.chain_cursors',
  ],
  'platform.events',
];

export interface WaitingOptions {
  readonly of?: Pick<SomeAddress, 'organizationId' | 'accountId'>;
  readonly settlementAddress?: string;
}

export async function openRuns() {
  const settling = await openSettling();
  const { database, clock } = settling;
  // Neither the payment requests of the deposit addresses nor the sender's rows of outbound transactions exist.
  settling.makesUp([
    ...MADE_UP_SENDER,
    'addresses-are-of-their-terms',
    'addresses-have-their-request',
    'addresses-match-events',
    'selections-have-their-address',
  ]);
  const settings = settingsFor('http://127.0.0.1:9', {
    assets: [sampleAsset({ symbol: 'USDC' }), nativeAsset()],
  });
  const catalogue = new ConfiguredCatalogue(settings, new NetworkReadiness());
  const [policies, quotes] = [new FixedPolicies(), new FixedQuotes()];
  const [look, reading, balances] = [new FixedComparisons(), new FixedReadProgress(), new FixedBalances()];
  const [sender, planning] = [new MemorySender(), new MemoryPlanning()];
  const chains = new SameChain({ reader: balances.reader(), settlementPlanning: planning });
  const batches = new Batches(settling.counted);
  const setAside = new SetAsidePayouts(settling.counted);
  const dueFunds = new DueFunds(settling.counted);
  const findTerms = new FindSettlementMinimums(policies, catalogue, chains, quotes, clock);
  const read = new ReadBalances(chains, catalogue);
  const planSettlementRun = new PlanSettlementRun(findTerms, dueFunds, catalogue, read, chains, clock, look);
  const advance = new AdvanceBatch(
    ...([batches, sender, reading, setAside, chains, catalogue, read, settling.counted, clock] as const),
  );
  const owner = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };

  const storeAddresses = (addresses: readonly SomeAddress[], settlementAddress: string) =>
    database.run(async () => {
      await database.queryInTransaction('SET LOCAL session_replication_role = replica');
      await database.queryInTransaction(
        `INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
           unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at)
         SELECT 'sandbox', address, request, $3, $4, 'x', '{"factory": "0xfac0"}', $3, $5, $6, 100, platform.now()
         FROM UNNEST($1::text[], $2::uuid[]) AS t (address, request)`,
        [
          addresses.map(({ address }) => address),
          addresses.map(({ paymentRequestId }) => paymentRequestId),
          ...[addresses[0]!.organizationId, addresses[0]!.accountId, settlementAddress, FEE_RECIPIENT],
        ],
      );
    });

  const run = new RunSettlement(sender, planSettlementRun, batches, setAside, advance);
  const show = new ShowNetworkSettlement(policies, catalogue, findTerms, dueFunds, batches, setAside);
  const addressesOf = async (batch: string) => (await batches.payouts(batch)).map(({ address }) => address);

  return {
    ...settling,
    ...{ policies, quotes, look, reading, balances, sender, planning },
    ...{ batches, setAside, dueFunds, advance, planSettlementRun, owner, run, show, addressesOf },
    async chosen() {
      const { sent } = await run.run('sandbox');
      return sent === null ? null : await addressesOf(sent.batch.id);
    },
    async sums() {
      const [view] = await show.show();
      return Object.fromEntries(view!.waiting.map(({ standing, addresses }) => [standing, addresses]));
    },
    passes: (seconds: number) => settling.advance(seconds),
    /** Creates deposit addresses with this waiting balance, which they also hold on the chain. */
    async wait(
      count: number,
      amount: bigint,
      { of = owner, settlementAddress = SETTLEMENT_ADDRESS }: WaitingOptions = {},
    ): Promise<SomeAddress[]> {
      const addresses = Array.from({ length: count }, () => someAddress(of));
      await storeAddresses(addresses, settlementAddress);
      const now = await clock.now();
      await settling.happen(...addresses.map((each) => confirmedEvent(each, amount, now)));
      for (const { address } of addresses) balances.hold(address, amount);
      return addresses;
    },
    /** Stores a counted transfer to the address, in the block after the newest finalized one. */
    async acceptBeforeFinality({ address, paymentRequestId: id }: SomeAddress): Promise<void> {
      await database.run(async () => {
        await database.queryInTransaction('SET LOCAL session_replication_role = replica');
        await database.queryInTransaction(
          `INSERT INTO payments.chain_cursors (network, head_number, head_hash, head_time, final_number, final_time, finalized_number)
           VALUES ('sandbox', 9, '0x09', platform.now(), 9, platform.now(), 8)`,
        );
        await database.queryInTransaction(
          `INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time,
             unique_asset_id, currency, from_address, to_address, amount, decimals, required_confirmations, payment_request_id,
             organization_id, account_id, counted, final, detected_at)
           VALUES ($1, 'sandbox', 'log', '0x01', 0, 9, '0x09', platform.now(), 'x', 'USDC', '0xfa', $2, 1, 6, 1, $1, $1, $1,
             true, true, platform.now())`,
          [id, address],
        );
      });
    },
    /** Deletes all balances and batches and resets the clock. Cheaper than a new database for each test. */
    async clear() {
      await database.run(async () => {
        await database.queryInTransaction('SET LOCAL session_replication_role = replica');
        for (const table of TABLES_TO_CLEAR) await database.queryInTransaction(`DELETE FROM ${table}`);
        await database.queryInTransaction(`UPDATE platform.clock_offset SET value = interval '0'`);
      });
      Object.assign(quotes, new FixedQuotes());
      Object.assign(look, new FixedComparisons());
      Object.assign(reading, new FixedReadProgress());
      Object.assign(sender, new MemorySender());
      Object.assign(planning, new MemoryPlanning());
    },
    async advanceAll() {
      const advanced = [];
      for (const batch of await batches.listOpen('sandbox')) advanced.push(await advance.advance(batch));
      return advanced;
    },
  };
}
