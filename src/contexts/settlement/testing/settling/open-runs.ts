import { MADE_UP_SENDER } from '#test/support/partial-worlds.js';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { ConfiguredCatalogue } from '#contexts/networks/infrastructure/configuration/configured-catalogue.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { AdvanceBatch } from '../../application/settling/advance-batch.js';
import { FindDueTerms } from '../../application/settling/find-due-terms.js';
import { PlanRun } from '../../application/settling/plan-run.js';
import { ReadBalances } from '../../application/settling/read-balances.js';
import { RunSettlement } from '../../application/settling/run-settlement.js';
import { ShowSettling } from '../../application/settling/show-settling.js';
import { PostgresBatches } from '../../infrastructure/settling/persistence/postgres-batches.js';
import { PostgresDueMoney } from '../../infrastructure/settling/persistence/postgres-due-money.js';
import { PostgresSetAside } from '../../infrastructure/settling/persistence/postgres-set-aside.js';
import {
  FixedBalances,
  FixedGasPrices,
  FixedLook,
  FixedPolicies,
  FixedQuotes,
  FixedReading,
} from './fixed-networks.js';
import { MemoryPlanning } from './memory-planning.js';
import { MemorySender } from './memory-sender.js';
import { openSettling } from './open-settling.js';
import { confirmed, SETTLEMENT_ADDRESS, someAddress, type SomeAddress } from './payout-events.js';

const FEE_RECIPIENT = '0xfee0fee0fee0fee0fee0fee0fee0fee0fee0fee0';

const TABLES = [
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
  ],
  'platform.events',
];

export interface WaitingOf {
  readonly of?: Pick<SomeAddress, 'organizationId' | 'accountId'>;
  readonly settlementAddress?: string;
}

/** Runs of settlement on a real database, with nodes whose answers a test sets. */
export async function openRuns() {
  const settling = await openSettling();
  const { database, clock } = settling;
  // Deposit addresses without the requests, and sendings without the sender, that there would be.
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
  const [policies, gasPrices, quotes] = [new FixedPolicies(), new FixedGasPrices(), new FixedQuotes()];
  const [look, reading, balances] = [new FixedLook(), new FixedReading(), new FixedBalances()];
  const [sender, planning] = [new MemorySender(), new MemoryPlanning()];
  const batches = new PostgresBatches(settling.counted);
  const setAside = new PostgresSetAside(settling.counted);
  const dueMoney = new PostgresDueMoney(settling.counted);
  const findTerms = new FindDueTerms(policies, catalogue, gasPrices, planning, quotes, clock);
  const read = new ReadBalances(balances.reader(), catalogue);
  const planRun = new PlanRun(findTerms, dueMoney, catalogue, read, planning, clock, look);
  const advance = new AdvanceBatch(
    ...([batches, sender, reading, setAside, planning, catalogue, read, settling.counted, clock] as const),
  );
  const owner = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };

  const know = (addresses: readonly SomeAddress[], settlementAddress: string) =>
    database.run(async () => {
      await database.write('SET LOCAL session_replication_role = replica');
      await database.write(
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

  const run = new RunSettlement(sender, planRun, batches, setAside, advance);
  const show = new ShowSettling(policies, catalogue, findTerms, dueMoney, batches, setAside);
  const addressesOf = async (batch: string) => (await batches.payouts(batch)).map(({ address }) => address);

  return {
    ...settling,
    ...{ policies, gasPrices, quotes, look, reading, balances, sender, planning },
    ...{ batches, setAside, dueMoney, advance, planRun, owner, run, show, addressesOf },
    /** Runs once. @returns the addresses that it sent; null where it sent nothing */
    async chosen() {
      const { sent } = await run.execute('sandbox');
      return sent === null ? null : await addressesOf(sent.batch.id);
    },
    /** How many addresses wait in each standing. */
    async sums() {
      const [view] = await show.execute();
      return Object.fromEntries(view!.waiting.map(({ standing, addresses }) => [standing, addresses]));
    },
    /** So many seconds by the one clock. */
    passes: (seconds: number) => settling.advance(seconds),
    /** Addresses where so much waits, and is. */
    async wait(
      count: number,
      amount: bigint,
      { of = owner, settlementAddress = SETTLEMENT_ADDRESS }: WaitingOf = {},
    ): Promise<SomeAddress[]> {
      const addresses = Array.from({ length: count }, () => someAddress(of));
      await know(addresses, settlementAddress);
      const now = await clock.now();
      await settling.happen(...addresses.map((each) => confirmed(each, amount, now)));
      for (const { address } of addresses) balances.hold(address, amount);
      return addresses;
    },
    /** Nothing waits, nothing was sent, and the clock is right again: cheaper than another database for each test. */
    async clear() {
      await database.run(async () => {
        await database.write('SET LOCAL session_replication_role = replica');
        for (const table of TABLES) await database.write(`DELETE FROM ${table}`);
        await database.write(`UPDATE platform.clock_offset SET value = interval '0'`);
      });
      Object.assign(quotes, new FixedQuotes());
      Object.assign(look, new FixedLook());
      Object.assign(reading, new FixedReading());
      Object.assign(sender, new MemorySender());
      Object.assign(planning, new MemoryPlanning());
    },
    /** Takes every open batch as far as it goes. */
    async advanceAll() {
      const advanced = [];
      for (const batch of await batches.open('sandbox')) advanced.push(await advance.execute(batch));
      return advanced;
    },
  };
}
