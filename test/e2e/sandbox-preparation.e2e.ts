import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const EXCLUSIVELY = join(process.cwd(), 'scripts', 'exclusively.mjs');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepare-e2e-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Notes when it begins and ends what lasts until `until` is there.
 * @param heard called with each thing that it prints
 * @returns what it printed, once it has ended
 */
async function prepareOnce(
  { lock, diary, until }: { lock: string; diary: string; until: string },
  heard: () => void = () => undefined,
): Promise<string> {
  const program = `
    import { appendFileSync, existsSync } from 'node:fs';
    import { exclusively } from ${JSON.stringify(EXCLUSIVELY)};
    exclusively(${JSON.stringify(lock)}, () => {
      appendFileSync(${JSON.stringify(diary)}, 'begun ');
      while (!existsSync(${JSON.stringify(until)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      appendFileSync(${JSON.stringify(diary)}, 'ended ');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
    heard();
  });
  await once(child, 'close');
  return printed;
}

describe('The preparation of a clone', () => {
  it('runs in one process at a time, while the others report that they wait', async () => {
    const [lock, diary, waited] = [join(folder, 'one.lock'), join(folder, 'diary'), join(folder, 'waited')];
    const paths = { lock, diary, until: waited };

    const printed = await Promise.all(
      [1, 2, 3].map(() => prepareOnce(paths, () => writeFileSync(waited, ''))),
    );

    expect(readFileSync(diary, 'utf8')).toBe('begun ended begun ended begun ended ');
    expect(printed.join('')).toMatch(/Another npm command is preparing this clone: waiting for it/);
    expect(existsSync(lock)).toBe(false);
  });

  it('ignores the lock of a process that has ended', async () => {
    const [lock, diary] = [join(folder, 'stale.lock'), join(folder, 'stale-diary')];
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'close');
    writeFileSync(lock, String(gone.pid));

    await prepareOnce({ lock, diary, until: lock });

    expect(readFileSync(diary, 'utf8')).toBe('begun ended ');
  });
});
