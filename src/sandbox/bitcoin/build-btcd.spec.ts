import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildBtcd } from './build-btcd.js';

const CACHE = join('payment-collection', 'btcd-v0.26.2');
const SUM = 'h1:hPXzICjUZOsW2JwBLg9nHwGabc/D7pJDlna2vTB/SWI=';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-btcd-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A Go toolchain that downloads a module of this checksum, and builds where it is asked to. */
function goOf(sum: string, install = 'echo built > "$GOBIN/btcd"; chmod +x "$GOBIN/btcd"') {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const lines = ['#!/bin/sh', `if [ "$1" = mod ]; then echo '{"Sum": "${sum}"}'; else ${install}; fi`, ''];
  writeFileSync(join(bin, 'go'), lines.join('\n'));
  chmodSync(join(bin, 'go'), 0o755);
  return { PATH: `${bin}:/usr/bin:/bin`, XDG_CACHE_HOME: folder };
}

const kept = () => readdirSync(join(folder, CACHE));

describe('The build of btcd', () => {
  it('builds once, and keeps nothing but the program', async () => {
    const environment = goOf(SUM);

    const built = await buildBtcd(environment);

    expect(built).toBe(join(folder, CACHE, 'btcd'));
    rmSync(join(folder, 'bin'), { recursive: true });
    expect(await buildBtcd(environment)).toBe(built);
    expect(kept()).toEqual(['btcd']);
  });

  it('builds nothing when the download has another checksum', async () => {
    await expect(buildBtcd(goOf('h1:another'))).rejects.toThrow(
      `The download of btcd v0.26.2 has the checksum h1:another, not ${SUM}, so it was not built.`,
    );
    expect(kept()).toEqual([]);
  });
});
