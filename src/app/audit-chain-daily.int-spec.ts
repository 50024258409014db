import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChainReader, ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Chain } from '#contexts/networks/contract/chains.js';
import { AuditRecordsAgainstChain } from '#contexts/payments/application/audit/audit-records-against-chain.js';
import { RunDailyChainAudit } from '#contexts/payments/application/audit/run-daily-chain-audit.js';
import { chainAuditInvariants } from '#contexts/payments/infrastructure/audit/audit-invariants.js';
import {
  PostgresChainAuditResults,
  ChainAudits,
} from '#contexts/payments/infrastructure/audit/persistence/chain-audits.js';
import { ChainAuditQueries } from '#contexts/payments/infrastructure/audit/persistence/chain-audit-queries.js';
import { ChainAuditors } from '#contexts/payments/infrastructure/audit/chain-auditors.js';
import { NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { HashedAddresses } from '#contexts/payments/testing/requests/hashed-addresses.js';
import { ChainsByNetwork } from '#contexts/chain-watching/testing/chains-by-network.js';
import { RecordedAlerts } from '#contexts/chain-watching/testing/noted-alerts.js';
import { PostgresCustodyRecords } from './between-contexts/custody-records.js';
import { openAuditedWorld } from './testing/audited-world.js';
import { forgePayment } from './testing/forge-payment.js';
import { verifyInvariants } from './verify-invariants.js';

/** An audit that checks two addresses per step, so that five addresses take several steps. */
class SmallStepAudit extends AuditRecordsAgainstChain {
  protected override readonly addressesAtOnce = 2;
  protected override readonly transfersAtOnce = 1;
}

/** Records the addresses whose balances the audit requests. */
class RecordingChains extends ChainsByNetwork {
  override find(network: string): Chain {
    const chain = super.find(network);
    const tokenBalances: ChainReader['tokenBalances'] = (hash, token, addresses) => {
      asked.push(...addresses.map((address) => `${token} ${address}`));
      return chain.reader.tokenBalances(hash, token, addresses);
    };
    return { ...chain, reader: Object.assign(Object.create(chain.reader) as ChainReader, { tokenBalances }) };
  }
}

const asked: string[] = [];
const alerts = new RecordedAlerts();
let world: Awaited<ReturnType<typeof openAuditedWorld>>;
let workers: ChainAuditors[];
let shown: number;
beforeAll(async () => {
  world = await openAuditedWorld();
  const { database, platform, tokens, catalogue } = world;
  const payments = new ChainAuditQueries(database);
  workers = [1, 2].map(() => {
    const auditRecordsAgainstChain = new SmallStepAudit(
      new RecordingChains(new Map([[NETWORK, world.chain]]), undefined, new HashedAddresses()),
      ...([catalogue, payments, tokens, new PostgresCustodyRecords(database)] as const),
    );
    const audits = new ChainAudits(database, platform.leases);
    const daily = new RunDailyChainAudit(audits, auditRecordsAgainstChain, payments, alerts);
    return new ChainAuditors(catalogue, platform.leases, daily);
  });
  const pairs = await database.query(
    `SELECT DISTINCT address, unique_asset_id FROM payments.selections WHERE network = $1
     UNION SELECT address, unique_asset_id FROM payments.deposit_addresses WHERE network = $1`,
    [NETWORK],
  );
  shown = pairs.length;
});
afterAll(() => world.close());
beforeEach(async () => {
  asked.length = alerts.noted.length = 0;
  await world.database.query(`UPDATE payments.chain_audits SET began_at = began_at - interval '1 day'`);
  await letLeasesLapse();
});

const letLeasesLapse = () =>
  world.database.query(`UPDATE platform.leases SET expires_at = '-infinity' WHERE name LIKE 'chain audit %'`);
const turns = async (worker: number, count: number) => {
  for (let left = count; left > 0; left -= 1) await workers[worker]!.runIteration(NETWORK);
};
/** The running audit, or the last completed audit if none is running. */
const latest = async () => (await new PostgresChainAuditResults(world.database).latest()).at(-1)!;
/** Runs cycles of one worker until the audit has ended, including all repeated checks of a custody mismatch. */
async function auditToTheEnd(worker = 0) {
  const before = await latest();
  for (let left = 60; left > 0; left -= 1) {
    await workers[worker]!.runIteration(NETWORK);
    const now = await latest();
    if (now?.endedAt != null && now.endedAt.getTime() !== before?.endedAt?.getTime()) return now;
  }
  throw new Error('The audit did not end.');
}
const broken = async () => {
  const verdicts = await verifyInvariants(chainAuditInvariants([NETWORK]), (text) =>
    world.database.rows(text),
  );
  return verdicts.filter(({ breaches }) => breaches.length > 0);
};

describe('The daily audit', () => {
  it('reports a missing audit after a network was read for two days, but not for networks that are not configured', async () => {
    const past = (by: string) =>
      world.database.query(
        `UPDATE payments.chain_cursors SET first_read_at = platform.now() - interval '${by}'`,
      );
    await past('47 hours');
    const early = await broken();
    await past('49 hours');

    expect(early).toEqual([]);
    expect(await broken()).toMatchObject([
      { name: 'chain-audits-keep-up', breaches: [{ network: NETWORK }] },
    ]);
    expect(
      (await verifyInvariants(chainAuditInvariants([]), (text) => world.database.rows(text))).flatMap(
        (each) => each.breaches,
      ),
    ).toEqual([]);
  });

  it('continues in another worker, checks each address once and rests for a day', async () => {
    await turns(0, 3);
    await letLeasesLapse();
    const ended = await auditToTheEnd(1);

    expect(ended).toMatchObject({ addresses: 5, tokens: 5, findings: 0 });
    expect(ended.transfers).toBeGreaterThan(3);
    expect(asked).toHaveLength(shown);
    expect(new Set(asked).size).toBe(shown);
    expect(alerts.noted).toEqual([]);
    expect(await broken()).toEqual([]);
    expect(await workers[1]!.runIteration(NETWORK)).toBe(false);
    expect(asked).toHaveLength(shown);
  });

  it('runs in one of two workers at a time, and discards the result of a worker that lost its lease', async () => {
    await turns(0, 2);
    expect(await workers[1]!.runIteration(NETWORK)).toBe(false);
    let wake!: () => void;
    let fallAsleep!: () => void;
    const asleep = new Promise<void>((resolve) => (fallAsleep = resolve));
    const sleep = new Promise<void>((resolve) => (wake = resolve));
    world.chain.beforeAnswer = () => (fallAsleep(), sleep);
    const late = workers[0]!.runIteration(NETWORK);
    await asleep;
    world.chain.beforeAnswer = () => undefined;
    await letLeasesLapse();
    await turns(1, 1);
    const stored = await world.database.query('SELECT * FROM payments.chain_audits');
    wake();

    expect(await late).toBe(false);
    expect(await world.database.query('SELECT * FROM payments.chain_audits')).toEqual(stored);
    expect(await auditToTheEnd(1)).toMatchObject({ addresses: 5, findings: 0 });
  });

  it('waits while the node is unavailable, and restarts if the audited block is no longer on the chain', async () => {
    await turns(0, 2);
    const before = await latest();
    world.chain.beforeAnswer = () => {
      throw new ChainUnavailable(NETWORK, 'it is away');
    };
    await expect(workers[0]!.runIteration(NETWORK)).rejects.toThrow('it is away');
    world.chain.beforeAnswer = () => undefined;
    expect(await latest()).toEqual(before);
    expect(alerts.noted).toEqual([]);

    await world.database.query(`UPDATE payments.chain_audits SET block_hash = '0x00' WHERE ended_at IS NULL`);
    await turns(0, 1);

    expect(alerts.noted).toEqual([`audit of block ${before.block} began anew`]);
    expect(await latest()).toMatchObject({ endedAt: null, addresses: 0 });
    expect(await auditToTheEnd()).toMatchObject({ addresses: 5, findings: 0 });
  });

  it('restarts at a newer block if the node no longer has the state of the audited block', async () => {
    await turns(0, 2);
    const before = await latest();
    world.chain.statesKept = 0;
    await turns(0, 2);
    expect(await latest()).toEqual(before);
    world.chain.mineEmpty(4);
    await world.follow();
    await turns(0, 1);
    world.chain.statesKept = Infinity;
    const anew = await latest();
    asked.length = 0;
    const ended = await auditToTheEnd();

    expect(alerts.noted).toEqual(Array(3).fill(`audit of block ${before.block} began anew`));
    expect(anew).toMatchObject({ endedAt: null, addresses: 0 });
    expect(anew.block).toBeGreaterThan(before.block);
    expect(ended).toMatchObject({ block: anew.block, addresses: 5, findings: 0 });
    expect(new Set(asked).size).toBe(shown);
  });

  it('reports each finding of a forged payment once', async () => {
    const { address } = await forgePayment(world);
    const ended = await auditToTheEnd();
    await turns(0, 2);

    expect(ended.findings).toBe(3);
    expect(alerts.noted).toHaveLength(3);
    expect(alerts.noted).toContain(`address-holds-less: ${address}`);
    expect(await broken()).toMatchObject([{ name: 'chain-audits-find-nothing' }]);
  });
});
