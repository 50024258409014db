import { describe, expect, it } from '@jest/globals';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { ADDRESS_FORMATS } from '../addresses/address-format.js';
import type { HeaderChain } from './header-chain.js';
import { VerifiedBlockCache } from './verified-block-cache.js';
import type { RawBlock } from './raw-block.js';

const NOTATION = { token: 'BTC', format: ADDRESS_FORMATS.regtest };
const ENDPOINT: Endpoint = { network: 'bitcoin', position: 0, name: '127.0.0.1:1', fingerprint: '1' };
/** An output without an address, so that no address is encoded. */
const OUTPUT = { script: '51', amount: 1n };

/**
 * Reads this many blocks, then the first one again.
 * @returns how often the node was asked for the first block
 */
async function askedForFirst(blocks: number, outputs: number): Promise<number> {
  const transactions = [{ spends: [], outputs: new Array<object>(outputs).fill(OUTPUT) }];
  let asked = 0;
  const call = () => Promise.resolve({ header: {}, size: 1_000_000, transactions } as unknown as RawBlock);
  const rpc = { call: () => ((asked += 1), call()) } as unknown as JsonRpc;
  const proven = new VerifiedBlockCache(rpc, { remember: () => undefined } as unknown as HeaderChain);
  for (let i = 0; i < blocks; i += 1) await proven.block(ENDPOINT, String(i), NOTATION);
  await proven.block(ENDPOINT, '0', NOTATION);
  return asked - blocks + 1;
}

describe('The memory of proven blocks', () => {
  it('keeps the blocks of one read, or fewer if they have very many outputs', async () => {
    expect(await askedForFirst(20, 10_000)).toBe(1);
    expect(await askedForFirst(20, 32_000)).toBe(2);
  });
});
