import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RpcProxy } from '#test/support/rpc/rpc-proxy.js';
import { CAP } from '#contexts/networks/testing/flooded-chain.js';
import { nodeLayer } from '#contexts/networks/testing/node-layer.js';
import { RealChain } from '#contexts/networks/testing/real-chain.js';
import { sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { hex, wordOf } from '#contexts/networks/testing/stub-answers.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { TRANSFER_TOPIC } from '../../rpc/log-answers.js';

const COUNT = 3_000;
const FLOOD = `0x${'f1'.repeat(20)}`;
/** Emits as many transfers as it is called with: from 0x11, the last of nothing to 0, the one before of 1 to 1. */
const FLOOD_CODE = [
  ...['0x600035', '5b', '8015603d57', '60019003', '80600052', '80', '6011'],
  ...[`7f${TRANSFER_TOPIC.slice(2)}`, '6020', '6000', 'a3', '600356', '5b', '00'],
].join('');
const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

let chain: RealChain;
let proxy: RpcProxy;
let block: { readonly number: number; readonly hash: string };
beforeAll(async () => {
  chain = await RealChain.start();
  proxy = await RpcProxy.before(chain.node.url);
  const { node, account } = chain;
  await node.rpc('anvil_setCode', [FLOOD, FLOOD_CODE]);
  const call = { from: account, to: FLOOD, data: wordOf(COUNT), gas: hex(20_000_000) };
  const sent = await node.rpc<string>('eth_sendTransaction', [call]);
  type Receipt = { blockNumber: string; blockHash: string; status: string };
  // The node answers that it took the transaction before it has mined it.
  let receipt: Receipt | null;
  do receipt = await node.rpc<Receipt | null>('eth_getTransactionReceipt', [sent]);
  while (receipt === null);
  expect(receipt.status).toBe('0x1');
  block = { number: Number(receipt.blockNumber), hash: receipt.blockHash };
});
afterAll(async () => {
  await proxy.close();
  await chain.node.stop();
});

it.each([
  ['in parts', []],
  ['by receipts of the block', ['eth_getLogs']],
  ['receipt by receipt', ['eth_getLogs', 'eth_getBlockReceipts']],
])('reads thousands of logs of a real block %s, and proves one of them', async (_, capped) => {
  const { networks, patience } = settingsFor(proxy.url, { assets: [sampleAsset({ token: FLOOD })] });
  const limits = { ...patience, parsedBytes: 100_000, heldMovements: 500 };
  const { reader } = nodeLayer(new NetworksSettings(networks, limits));
  const ends = proxy.misbehave({
    name: 'capped',
    methods: capped,
    answer: async () => ({ error: { code: -32_005, message: CAP } }),
  });
  const ours = [addressOf(7), addressOf(2_990)];

  const [read] = await reader.blocks('sandbox', block.number, block.number, null, async () => new Set(ours));
  ends();

  const own = read!.transfers.filter(({ to }) => ours.includes(to));
  expect(own.map(({ amount, index }) => [amount, index])).toEqual([
    [2_990n, COUNT - 2_991],
    [7n, COUNT - 8],
  ]);
  // The transfer of nothing is none, and of the others only the last few were not asked about.
  expect(read!.transfers.length).toBeLessThan(2 + 500);
  expect(await reader.holds('sandbox', block.hash, own)).toEqual([true, true]);
  expect(await reader.holds('sandbox', block.hash, [{ ...own[0]!, amount: 2n }])).toEqual([false]);
});
