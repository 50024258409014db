import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DEAD, ExaminedNetworks } from './testing/examined-networks.js';
import type { NetworkWorld } from './testing/network-world.js';

let networks: ExaminedNetworks;

beforeAll(async () => {
  networks = await ExaminedNetworks.start();
}, 60_000);
afterAll(() => networks.stop());
afterEach(() => networks.close());

describe('network status', () => {
  async function readTo(opened: NetworkWorld, secondsAgo: number, disagreement: string | null = null) {
    await opened.platform.database.query(
      `INSERT INTO payments.blocks (network, number, hash, parent_hash, time)
       VALUES ('sandbox', 20, '0xab', '0xcd', platform.now())`,
    );
    await opened.platform.database.query(
      `INSERT INTO payments.chain_cursors (network, head_number, head_hash, head_time, final_number, final_time,
         disagreement, disagrees_since)
       VALUES ('sandbox', 20, '0xab', platform.now() - make_interval(secs => $1), 17, platform.now(), $2,
         CASE WHEN $2::text IS NULL THEN NULL ELSE platform.now() END)`,
      [secondsAgo, disagreement],
    );
  }

  it('shows what is read, and that it takes requests', async () => {
    const opened = await networks.open([networks.chain.url]);
    await readTo(opened, 3);

    const { data } = await opened.told<Record<string, object>>('network', 'status');

    expect(data['sandbox']).toMatchObject({
      standing: 'ready',
      takes_requests: true,
      why_not: null,
      read_to_block: 20,
      seconds_behind: expect.any(Number),
      final_block: 17,
      disagreement: null,
      open_requests: 0,
      held_addresses: 0,
      endpoints: { 1: { state: 'well', head: expect.any(Number), reason: null } },
    });
  });

  it('shows each endpoint as it answers now', async () => {
    const opened = await networks.open([networks.chain.url, DEAD, await networks.foreignNode()]);
    await readTo(opened, 3);

    const { data } = await opened.told<Record<string, object>>('network', 'status');

    expect(data['sandbox']).toMatchObject({
      standing: 'ready',
      takes_requests: true,
      endpoints: {
        1: { state: 'well' },
        2: { state: 'silent', name: '127.0.0.1:9' },
        3: { state: 'foreign', reason: expect.stringContaining('serves chain 1') },
      },
    });
  });

  it.each([
    ['was not read yet', null, {}, /not read yet/],
    ['is read too late', { ago: 90_000 }, {}, /read up to 9\d{4} seconds ago; more than 86400/],
    ['is told otherwise by an endpoint', { ago: 1, says: 'Block 7 differs.' }, {}, /Block 7 differs\./],
    ['lacks its factory', { ago: 1 }, { factory: `0x${'11'.repeat(20)}` }, /no forwarder factory at 0x1111/],
  ])('says why a network takes no requests that %s', async (_, read, changes, why) => {
    const opened = await networks.open([networks.chain.url], changes);
    if (read !== null) await readTo(opened, read.ago, 'says' in read ? read.says : null);

    const { out } = await opened.say('network', 'status');

    expect(out).toMatch(/sandbox\.takes_requests +false/);
    expect(/sandbox\.why_not +(.*)/.exec(out)?.[1]).toMatch(why);
  });

  it('shows a network none of whose endpoints serves its chain, without failing', async () => {
    const { status, data } = await (
      await networks.open([await networks.foreignNode()])
    ).told<Record<string, object>>('network', 'status');

    expect([status, data['sandbox']]).toEqual([
      0,
      expect.objectContaining({ standing: 'foreign', takes_requests: false }),
    ]);
  });
});
