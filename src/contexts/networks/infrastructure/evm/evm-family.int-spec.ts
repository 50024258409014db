import { afterAll, beforeAll } from '@jest/globals';
import { type TestChain, startTestChain } from '#test/support/chain.js';
import { NetworkReadiness } from '../../domain/network-readiness.js';
import { deployTestToken, sendToToken } from '../../testing/chain-contracts.js';
import { describeFamily } from '../../testing/contract-suites.js';
import { nodeLayer } from '../../testing/node-layer.js';
import { sampleAsset, settingsFor } from '../../testing/sample-configuration.js';
import { ZERO_ADDRESS } from './forwarders/evm-address.js';
import { EvmPayoutAddresses } from './forwarders/evm-payout-addresses.js';
import { ForwarderAddresses } from './forwarders/forwarder-addresses.js';
import { ForwarderDerivations } from './forwarders/forwarder-derivation.js';
import { RpcTransactionLookup } from './reading/rpc-transaction-lookup.js';

const network = 'sandbox';
const to = `0x${'22'.repeat(20)}`;
const amount = 7n;

let chain: TestChain;
let token: `0x${string}`;
let block: { number: string; transactions: [string] };

beforeAll(async () => {
  chain = await startTestChain();
  token = await deployTestToken(chain.url, 6);
  const blockHash = await sendToToken(chain.url, token, 'mint', [to, amount]);
  block = await chain.rpc('eth_getBlockByHash', [blockHash, false]);
  await chain.mine(3);
});
afterAll(() => chain?.stop());

describeFamily('evm', () => {
  const settings = settingsFor(chain.url, { assets: [sampleAsset({ token: token.toLowerCase() })] });
  const readiness = new NetworkReadiness();
  readiness.set(network, { kind: 'ready' });
  const { reader, secondEndpoint, networks, pool, rpc } = nodeLayer(settings, readiness);
  const derivations = new ForwarderDerivations(settings);
  return Promise.resolve({
    network,
    reader,
    secondEndpoint,
    payoutAddresses: new EvmPayoutAddresses(derivations),
    lookup: new RpcTransactionLookup(networks, pool, rpc),
    depositAddresses: new ForwarderAddresses(derivations, readiness),
    number: Number(block.number),
    transfer: {
      kind: 'log',
      transactionHash: block.transactions[0],
      index: 0,
      token: token.toLowerCase(),
      from: ZERO_ADDRESS,
      to,
      amount,
    },
    terms: {
      settlementAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      feeRecipient: '0x52908400098527886E0F7030069857D2E4169EE7',
      feeBasisPoints: 100,
    },
    unknownBlock: `0x${'ab'.repeat(32)}`,
    unknownTransaction: `0x${'cd'.repeat(32)}`,
  });
});
