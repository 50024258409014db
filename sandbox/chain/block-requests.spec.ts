import { describe, expect, it } from '@jest/globals';
import { readBlockRequest } from './block-requests.js';

const TIME = new Date('2030-01-01T00:00:00Z');
const chain = {
  chainTime: () => Promise.resolve(TIME),
  advanceTo: (time: Date) => Promise.resolve([time]),
  reorganize: (depth: number) =>
    depth > 19 ? Promise.reject(new RangeError('solid')) : Promise.resolve({ depth }),
};

describe('A request for blocks', () => {
  it('returns the chain time and mines nothing when it is empty', async () => {
    expect(await readBlockRequest('{}', { bitcoin: chain })()).toEqual({ chain_time: TIME });
    expect(() => readBlockRequest('{"reorganize": 0}', { bitcoin: chain })).toThrow('from 1 to 128');
  });

  it('acts on the named chain, and rejects one that the sandbox does not have', async () => {
    const request = (body: object) => readBlockRequest(JSON.stringify(body), { tron: chain });

    expect(await request({ chain: 'tron', reorganize: 3 })()).toEqual({ depth: 3 });
    await expect(request({ chain: 'tron', reorganize: 20 })()).rejects.toThrow('solid');
    expect(() => request({ reorganize: 3 })).toThrow('This sandbox has no bitcoin chain');
    expect(() => request({ chain: 'dogecoin' })).toThrow('chain must be bitcoin or tron.');
  });

  it('limits how far the clock of Bitcoin moves, but not that of TRON', async () => {
    const time = TIME.toISOString();

    expect(await readBlockRequest(JSON.stringify({ chain: 'tron', time }), { tron: chain })()).toEqual({
      blocks: [TIME],
      chain_time: TIME,
    });
    expect(() => readBlockRequest(JSON.stringify({ time }), { bitcoin: chain })).toThrow('110 minutes');
    expect(() => readBlockRequest('{"time": "soon"}', { bitcoin: chain })).toThrow('ISO 8601');
  });
});
