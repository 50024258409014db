import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DEAD, ExaminedNetworks } from '../testing/examined-networks.js';
import type { NetworkWorld } from '../testing/network-world.js';

let networks: ExaminedNetworks;

beforeAll(async () => {
  networks = await ExaminedNetworks.start();
});
afterAll(() => networks.stop());
afterEach(() => networks.close());

/** The reading of a worker that was configured so, and what it has found. */
interface Read {
  ago: number;
  disagreement?: string;
  disagreesFor?: number;
  maxLagSeconds?: number;
  mempoolsAgo?: number;
}

describe('network status', () => {
  async function readTo(opened: NetworkWorld, read: Read) {
    const { ago, disagreement = null, disagreesFor = 0, maxLagSeconds = 86_400, mempoolsAgo } = read;
    await opened.platform.database.query(
      `INSERT INTO payments.blocks (network, number, hash, parent_hash, time)
       VALUES ('sandbox', 20, '0xab', '0xcd', platform.now())`,
    );
    opened.platform.makesUp(['cursors-are-of-stored-blocks']);
    await opened.platform.database.query(
      `INSERT INTO payments.chain_cursors (network, head_number, head_hash, head_time, final_number, final_time,
         max_lag_seconds, disagreement, disagrees_since, pending_read_at)
       VALUES ('sandbox', 20, '0xab', platform.now() - make_interval(secs => $1), 17, platform.now(), $2, $3,
         CASE WHEN $3::text IS NOT NULL THEN clock_timestamp() - make_interval(secs => $4) END,
         platform.now() - make_interval(secs => $5))`,
      [ago, maxLagSeconds, disagreement, disagreesFor, mempoolsAgo ?? null],
    );
  }

  it('shows what is read, and that it takes requests', async () => {
    const opened = await networks.open([networks.chain.url]);
    await readTo(opened, { ago: 3 });

    const { data } = await opened.runJson<Record<string, object>>('network', 'status');

    expect(data['sandbox']).toMatchObject({
      readiness: 'ready',
      takes_requests: true,
      why_not: null,
      // One endpoint, as development may have it, and three confirmations.
      risks: expect.stringMatching(/^single_endpoint: [^:]+\.$/),
      read_to_block: 20,
      seconds_behind: expect.any(Number),
      final_block: 17,
      disagreement: null,
      seconds_in_disagreement: null,
      seconds_since_mempools_read: null,
      open_requests: 0,
      held_addresses: 0,
      last_audit: null,
      endpoints: { 1: { state: 'well', head: expect.any(Number), reason: null } },
    });
  });

  it('shows how long ago mempools were read whole, where they are', async () => {
    const opened = await networks.open([networks.chain.url]);
    await readTo(opened, { ago: 3, mempoolsAgo: 900 });

    const { data } = await opened.runJson<Record<string, { seconds_since_mempools_read: number }>>(
      'network',
      'status',
    );

    expect(data['sandbox']!.seconds_since_mempools_read).toBeGreaterThanOrEqual(900);
  });

  it('shows what the last audit came to, and since when the next one runs', async () => {
    const opened = await networks.open([networks.chain.url]);
    await readTo(opened, { ago: 3 });
    await opened.platform.database.query(
      `INSERT INTO payments.chain_audits (network, began_at, ended_at, block_number, block_hash, seed, stage, position,
         addresses, transfers, tokens, custody_tries, held, findings)
       VALUES ('sandbox', '2026-01-01', '2026-01-01 01:00', 17, '0xab', 's', 'ended', '', 5, 4, 3, 1, '{}', '[{}, {}]'),
         ('sandbox', '2026-01-02', NULL, 18, '0xab', 's', 'addresses', '', 2, 0, 0, 0, '{}', '[]')`,
    );

    const { data } = await opened.runJson<Record<string, { last_audit: object }>>('network', 'status');

    expect(data['sandbox']!.last_audit).toMatchObject({
      block: 17,
      addresses: 5,
      transfers: 4,
      tokens: 3,
      findings: 2,
      findings_so_far: 0,
      ended_at: expect.stringContaining('2026-01-01'),
      runs_since: expect.stringContaining('2026-01-02'),
    });
  });

  it('stores no chain', async () => {
    const opened = await networks.open();
    await opened.run('network', 'status');

    expect(await opened.platform.database.query('SELECT network FROM networks.known_chains')).toEqual([]);
  });

  it('shows each endpoint as it answers now', async () => {
    const opened = await networks.open([networks.chain.url, DEAD, await networks.foreignNode()]);
    await readTo(opened, { ago: 3 });

    const { data } = await opened.runJson<Record<string, object>>('network', 'status');

    expect(data['sandbox']).toMatchObject({
      readiness: 'ready',
      takes_requests: true,
      endpoints: {
        1: { state: 'well' },
        2: { state: 'silent', name: '127.0.0.1:9' },
        3: { state: 'foreign', reason: expect.stringContaining('serves chain 1') },
      },
    });
  });

  it('shows a disagreement, and that requests are taken until it has lasted too long', async () => {
    const opened = await networks.open([networks.chain.url]);
    await readTo(opened, { ago: 3, disagreement: 'Block 7 differs.', disagreesFor: 86_000 });

    const { data } = await opened.runJson<Record<string, object>>('network', 'status');

    expect(data['sandbox']).toMatchObject({
      takes_requests: true,
      why_not: null,
      disagreement: 'Block 7 differs.',
      disagrees_since: expect.any(String),
    });
    const shown = data['sandbox'] as { seconds_behind: number; seconds_in_disagreement: number };
    expect(Math.abs(shown.seconds_behind - 3)).toBeLessThan(60);
    expect(Math.abs(shown.seconds_in_disagreement - 86_000)).toBeLessThan(60);
  });

  it('goes by the lag that the worker was configured with, which is what requests are refused by', async () => {
    const opened = await networks.open([networks.chain.url], { max_lag_seconds: 30 });
    await readTo(opened, { ago: 3_000, maxLagSeconds: 86_400 });

    const { data } = await opened.runJson<Record<string, object>>('network', 'status');

    expect(data['sandbox']).toMatchObject({ takes_requests: true, why_not: null });
  });

  it.each<[string, Read | null, object, RegExp]>([
    ['was not read yet', null, {}, /not been read yet/],
    [
      'is read too late',
      { ago: 90_000 },
      {},
      /^The last block read is 9\d{4} seconds old\. The limit is 86400 seconds/,
    ],
    [
      'has endpoints that disagree for too long',
      { ago: 1, disagreement: 'Block 7 differs.', disagreesFor: 90_000 },
      {},
      /disagreed for 9\d{4} seconds: Block 7 differs\. The limit is 86400 seconds/,
    ],
    ['lacks its factory', { ago: 1 }, { factory: `0x${'11'.repeat(20)}` }, /no forwarder factory at 0x1111/],
  ])('says why a network takes no requests that %s', async (_, read, changes, why) => {
    const opened = await networks.open([networks.chain.url], changes);
    if (read !== null) await readTo(opened, read);

    const { out } = await opened.run('network', 'status');

    expect(out).toMatch(/sandbox\.takes_requests +false/);
    expect(/sandbox\.why_not +(.*)/.exec(out)?.[1]).toMatch(why);
  });

  it('shows a network none of whose endpoints serves its chain, without failing', async () => {
    const { status, data } = await (
      await networks.open([await networks.foreignNode()])
    ).runJson<Record<string, object>>('network', 'status');

    expect([status, data['sandbox']]).toEqual([
      0,
      expect.objectContaining({ readiness: 'foreign', takes_requests: false }),
    ]);
  });
});
