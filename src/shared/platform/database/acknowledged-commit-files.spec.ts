import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../kernel/ids.js';
import { AcknowledgedCommits } from './acknowledged.js';
import { AcknowledgedCommitFiles } from './acknowledged-commit-files.js';

const SERVER = { systemIdentifier: '7', timeline: 3 };
const AT = new Date('2026-03-01T00:00:00.000Z');

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'acknowledged-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function acknowledged(): AcknowledgedCommits {
  const one = new AcknowledgedCommits(newId());
  one.addRows('platform.events', [newId<string>()]);
  [one.mark, one.markedAt] = [4, AT];
  return one;
}

describe('A file of acknowledged writes', () => {
  it('keeps the acknowledged writes of a process for a week', () => {
    const files = new AcknowledgedCommitFiles(folder);
    const one = acknowledged();
    files.write(SERVER, one);
    const days = (count: number) => new Date(AT.getTime() + count * 86_400_000);

    const [read, ...others] = files.read(days(6));

    expect([read, ...others]).toMatchObject([
      { server: SERVER, acknowledged: { process: one.process, mark: 4, markedAt: AT, rows: one.rows } },
    ]);
    expect(files.read(days(8))).toEqual([]);
  });

  it('keeps the last 50 events', () => {
    const files = new AcknowledgedCommitFiles(folder);
    const one = acknowledged();
    one.addRows(
      'platform.events',
      Array.from({ length: 60 }, () => newId<string>()),
    );
    files.write(SERVER, one);

    expect(files.read(AT)[0]!.acknowledged.rows).toEqual(one.rows.slice(-50));
  });

  it.each(['', '{"process":', 'null'])(
    'is skipped if it is unreadable, while the others are read: %j',
    (content) => {
      const files = new AcknowledgedCommitFiles(folder);
      files.write(SERVER, acknowledged());
      writeFileSync(join(folder, `acknowledged-${newId()}.json`), content);

      expect(files.read(AT)).toHaveLength(1);
      expect(readdirSync(folder)).toHaveLength(2);
    },
  );
});
