import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { nodeLayer } from '#chains/evm/testing/node-layer.js';
import { settingsFor, sampleAsset } from '#contexts/networks/testing/sample-configuration.js';
import { TOKEN_ABI } from '#sandbox/chain/test-tokens.js';
import { evmAddress } from '#sandbox/tron/tron-address.js';
import { TRON_CHAIN_ID, startTestTron, type TestTron } from '#test/support/tron-network.js';

const TO: Address = `0x${'77'.repeat(20)}`;
const NOBODY: Address = `0x${'00'.repeat(20)}`;

let tron: TestTron;

beforeAll(async () => {
  tron = await startTestTron();
});
afterAll(() => tron.stop());

describe('The log reader of EVM networks, on TRON’s JSON-RPC', () => {
  it('reads a transfer when its block is new, and again when it is solid', async () => {
    const { facade, wallet, token, factory } = tron;
    const asset = sampleAsset({ token: evmAddress(token) });
    const settings = settingsFor(`${facade.url}/jsonrpc`, {
      ...{ chain_id: TRON_CHAIN_ID, factory: evmAddress(factory), assets: [asset], finality: 'finalized' },
    });
    const { reader } = nodeLayer(settings);
    const id = await wallet.call(token, TOKEN_ABI, 'mint', [TO, 5n]);
    const { number, id: blockId } = await facade.chain.mine();
    const transfer = {
      ...{ kind: 'log', transactionHash: `0x${id}`, index: 0, amount: 5n },
      ...{ token: evmAddress(token), from: NOBODY, to: TO },
    };

    const [early] = await reader.blocks(number, number, null);
    expect(early).toMatchObject({ header: { number, hash: `0x${blockId}` }, transfers: [transfer] });
    expect((await reader.head()).finalNumber).toBeLessThan(number);

    for (let i = 0; i < 20; i += 1) await facade.chain.mine();
    const { head, finalNumber } = await reader.head();
    expect({ number: head.number, finalNumber }).toEqual({ number: number + 20, finalNumber: number + 1 });
    const [final] = await reader.blocks(number, number, finalNumber);
    expect(final).toMatchObject({ header: { hash: `0x${blockId}` }, transfers: [transfer] });
  });
});
