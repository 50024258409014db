import { describe, expect, it } from '@jest/globals';
import { readBlockRequest } from './block-requests.js';
import type { SandboxBitcoin } from './sandbox-bitcoin.js';

describe('A request for blocks', () => {
  it('returns the chain time and mines nothing when it is empty', async () => {
    const time = new Date('2030-01-01T00:00:00Z');
    const chain = { chainTime: () => Promise.resolve(time) } as SandboxBitcoin;

    expect(await readBlockRequest('{}', chain)()).toEqual({ chain_time: time });
    expect(() => readBlockRequest('{"reorganize": 0}', chain)).toThrow('a whole number from 1 to 128');
  });
});
