import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { MADE_UP_EVENTS } from '#test/support/partial-worlds.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '../../kernel/ids.js';
import { logSettled } from '../event-log/testing/log-settled.js';
import { LeaseLost } from '../leases/leases.js';
import { HASH_CHAIN_LEASE, EventHashChain } from './event-hash-chain.js';

let platform: TestPlatform;
let seals: EventHashChain;
let epoch: bigint;
beforeEach(async () => {
  platform = await openTestDatabase();
  platform.makesUp(MADE_UP_EVENTS);
  seals = new EventHashChain(platform.database, platform.leases);
  epoch = (await platform.leases.acquire(HASH_CHAIN_LEASE, newId()))!;
});
afterEach(() => platform.close());

async function happen(count: number): Promise<void> {
  const event = () => ({
    type: 'something.happened',
    aggregateId: newId(),
    organizationId: newId(),
    accountId: newId(),
    occurredAt: new Date(),
    data: { amount: '1.50', note: 'naïve ✓' },
  });
  await platform.database.run(() => platform.eventLog.append(Array.from({ length: count }, event) as never));
}

const stored = () =>
  platform.database.query<{ number: number; events: number; digest: Buffer }>(
    'SELECT number, events, digest FROM platform.seals ORDER BY number',
  );

describe('The hash chain', () => {
  it('includes the events in reading order, in steps, up to the end of the log', async () => {
    await happen(3);
    await happen(2);
    await logSettled(platform.database);

    const made = [];
    for (let seal = await seals.appendLink(epoch, 2); seal !== null; seal = await seals.appendLink(epoch, 2))
      made.push([seal.number, seal.events]);

    expect(made).toEqual([
      [1, 2],
      [2, 2],
      [3, 1],
    ]);
  });

  it('consists of digests that can be computed from the log and the previous digest', async () => {
    await happen(1);
    await logSettled(platform.database);
    const seal = await seals.appendLink(epoch);

    const [event] = await platform.database.query<Record<string, unknown>>(
      `SELECT id, transaction_id::text, position::text, type, aggregate_id, organization_id, account_id,
         extract(epoch FROM occurred_at)::text AS at, data::text FROM platform.events`,
    );
    const { id, transactionId, position, type, aggregateId, organizationId, accountId, at, data } = event!;
    const text = [transactionId, type, aggregateId, organizationId, accountId].map(
      (each) => `"${String(each)}"`,
    );
    const [transaction, ...rest] = text;
    const line = `["${String(id)}", ${transaction}, ${String(position)}, ${rest.join(', ')}, ${String(at)}, ${String(data)}]`;
    const empty = createHash('sha256').digest();
    expect(seal!.digest).toBe(createHash('sha256').update(empty).update(`1\n1\n${line}`).digest('hex'));
    expect(await seals.findLinkByDigest(seal!.digest.toUpperCase())).toEqual(seal);
    expect(await seals.findLinkByDigest('00'.repeat(32))).toBeNull();
  });

  it('excludes events that a running transaction may precede', async () => {
    let commit!: () => void;
    let begun!: () => void;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const running = platform.database.run(async () => {
      await platform.database.queryInTransaction('SELECT pg_current_xact_id()');
      begun();
      await new Promise<void>((resolve) => (commit = resolve));
    });
    await beginning;
    await happen(1);

    const meanwhile = await seals.appendLink(epoch);
    commit();
    await running;
    await logSettled(platform.database);

    expect(meanwhile).toBeNull();
    expect(await seals.appendLink(epoch)).toMatchObject({ number: 1, events: 1 });
  });

  it('grows only by the holder of the lease', async () => {
    await happen(1);
    await logSettled(platform.database);
    await platform.database.query(`UPDATE platform.leases SET expires_at = '-infinity'`);
    const successor = (await platform.leases.acquire(HASH_CHAIN_LEASE, newId()))!;

    await expect(seals.appendLink(epoch)).rejects.toThrow(LeaseLost);
    await Promise.allSettled([seals.appendLink(successor), seals.appendLink(successor)]);

    expect((await stored()).map(({ events }) => events)).toEqual([0, 1]);
  });

  it('rejects updates and deletions', async () => {
    for (const attempt of [
      'UPDATE platform.seals SET events = 1',
      'DELETE FROM platform.seals',
      'TRUNCATE platform.seals',
    ])
      await expect(platform.database.query(attempt)).rejects.toThrow('append-only');
  });
});
