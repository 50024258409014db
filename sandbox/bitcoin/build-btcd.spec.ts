import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildBtcd } from './build-btcd.js';

const SUM = 'h1:hPXzICjUZOsW2JwBLg9nHwGabc/D7pJDlna2vTB/SWI=';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-btcd-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A Go toolchain that downloads a module of this checksum. */
function goOf(sum: string) {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'go'), `#!/bin/sh\necho '{"Sum": "${sum}"}'\necho built > "$GOBIN/btcd"\n`);
  chmodSync(join(bin, 'go'), 0o755);
  return { PATH: `${bin}:/usr/bin:/bin`, XDG_CACHE_HOME: folder };
}

describe('The build of btcd', () => {
  it('builds nothing when the download has another checksum', async () => {
    await expect(buildBtcd(goOf('h1:another'))).rejects.toThrow(
      `The download of btcd v0.26.2 has the checksum h1:another, not ${SUM}, so it was not built.`,
    );
    expect(readdirSync(join(folder, 'payment-collection', 'btcd-v0.26.2'))).toEqual([]);
  });
});
