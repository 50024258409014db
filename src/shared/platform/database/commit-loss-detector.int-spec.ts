import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '../../kernel/ids.js';
import { AcknowledgedCommits } from './acknowledged.js';
import { AcknowledgedCommitFiles } from './acknowledged-commit-files.js';
import { createDataSource, databaseIdentityOf } from './data-source.js';
import { CommitLossDetector } from './commit-loss-detector.js';

let platform: TestPlatform;
let folder: string;
let sources: DataSource[];
beforeAll(async () => void (platform = await openTestDatabase()));
afterAll(() => platform.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-'));
  sources = [];
});
afterEach(async () => {
  for (const source of sources) await source.destroy();
  rmSync(folder, { recursive: true });
});

async function newWatch(): Promise<{
  watch: CommitLossDetector;
  identity: ReturnType<typeof databaseIdentityOf>;
}> {
  const options = { poolSize: 2, applicationName: 'test', onPoolError: () => undefined };
  const source = await createDataSource({ databaseUrl: platform.url, ...options }).initialize();
  sources.push(source);
  const watch = new CommitLossDetector(source, { role: 'worker', stateDirectory: folder });
  return { watch, identity: databaseIdentityOf(source) };
}

const LOSSES = 'SELECT reason FROM platform.losses WHERE recovered_at IS NULL';

describe('The watch for lost commits of the database', () => {
  it('creates a new mark in the database after a sleep that outlasted the old one', async () => {
    const { watch, identity } = await newWatch();
    await watch.onModuleInit();
    await watch.checkDatabase();
    identity.acknowledged.markedAt = new Date(Date.now() - 9 * 86_400_000);
    await platform.database.query('DELETE FROM platform.acknowledged_marks');

    await watch.checkDatabase();

    expect([identity.stopReason, identity.acknowledged.mark]).toEqual([null, 1]);
    await watch.beforeApplicationShutdown();
  });

  it('keeps the file of an earlier process until the loss that it proves is stored', async () => {
    const [{ watch: first }, { watch: second }] = [await newWatch(), await newWatch()];
    const lost = new AcknowledgedCommits(newId());
    lost.addRows('platform.events', [newId<string>()]);
    [lost.mark, lost.markedAt] = [1, new Date()];
    new AcknowledgedCommitFiles(folder).write(databaseIdentityOf(sources[0]!).currentServer(), lost);
    await platform.database.query('ALTER TABLE platform.losses RENAME TO losses_away');

    await expect(first.onModuleInit()).rejects.toThrow('platform.losses');
    await platform.database.query('ALTER TABLE platform.losses_away RENAME TO losses');
    const kept = readdirSync(folder);
    await second.onModuleInit();

    expect(kept).toEqual([`acknowledged-${lost.process}.json`]);
    expect(await platform.database.query(LOSSES)).toEqual([
      { reason: expect.stringContaining('An earlier process saw it acknowledged') },
    ]);
    expect(readdirSync(folder)).toEqual([]);
    for (const each of [first, second]) await each.beforeApplicationShutdown();
  });
});
