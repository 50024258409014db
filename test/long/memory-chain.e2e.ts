import { afterAll, beforeAll } from '@jest/globals';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { EvmPayoutAddresses } from '#contexts/networks/infrastructure/evm/forwarders/evm-payout-addresses.js';
import { ForwarderAddresses } from '#contexts/networks/infrastructure/evm/forwarders/forwarder-addresses.js';
import { ForwarderDerivations } from '#contexts/networks/infrastructure/evm/forwarders/forwarder-derivation.js';
import { RpcTransactionLookup } from '#contexts/networks/infrastructure/evm/reading/rpc-transaction-lookup.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { describeAuthorizedTransfers } from '#contexts/networks/testing/authorization-suite.js';
import { describeFamily } from '#contexts/networks/testing/contract-suites.js';
import { nodeLayer } from '#contexts/networks/testing/node-layer.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { authorizedTransfers } from '#contexts/networks/testing/sending-parts.js';
import { Payer, newNonce } from '#contexts/networks/testing/signed-authorizations.js';
import { type FurnishedChain, furnishChain } from '#test/simulation/chain/furnished-chain.js';
import { MemoryNode } from '#test/simulation/chain/node/memory-node.js';
import { pay } from '#test/simulation/chain/payments.js';
import { serveNode } from '#test/simulation/chain/served/served-node.js';
import { signTransaction } from '#test/simulation/chain/signed-transaction.js';

const network = 'sandbox';
const to = `0x${'22'.repeat(20)}`;
const amount = 7n;
const holder = new Payer();

let furnished: FurnishedChain;
let served: Awaited<ReturnType<typeof serveNode>>;
let hash: string;
let number: number;

/** Nothing here waits for time: a block comes when it is asked for. */
const mine = () => furnished.chain.mine({ time: furnished.chain.head.time + 12 });
const usdc = () => furnished.tokens[0]!.address;

beforeAll(async () => {
  furnished = await furnishChain({ chainId: 31_337, time: Math.floor(Date.now() / 1_000) - 600 });
  served = await serveNode(new MemoryNode(furnished.chain));
  hash = pay(furnished, { to, token: usdc(), amount });
  ({ number } = await mine());
  for (let i = 0; i < 3; i += 1) await mine();
});
afterAll(() => served.stop());

describeFamily('evm, of a chain in memory', () => {
  const settings = settingsFor(served.url, { assets: [sampleAsset({ token: usdc() })] });
  const readiness = new NetworkReadiness();
  readiness.set(network, { kind: 'ready' });
  const { reader, secondEndpoint, networks, pool, rpc } = nodeLayer(settings, readiness);
  const derivations = new ForwarderDerivations(settings);
  const from = furnished.payers[0]!.address;
  return Promise.resolve({
    ...{ network, reader, secondEndpoint, number },
    payoutAddresses: new EvmPayoutAddresses(derivations),
    lookup: new RpcTransactionLookup(networks, pool, rpc),
    depositAddresses: new ForwarderAddresses(derivations, readiness),
    transfer: { kind: 'log', transactionHash: hash, index: 0, token: usdc(), from, to, amount },
    terms: {
      settlementAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      feeRecipient: '0x52908400098527886E0F7030069857D2E4169EE7',
      feeBasisPoints: 100,
    },
    unknownBlock: `0x${'ab'.repeat(32)}`,
    unknownTransaction: `0x${'cd'.repeat(32)}`,
  });
});

describeAuthorizedTransfers('evm, of a chain in memory', async () => {
  const assets = [sampleAsset({ token: usdc() }), nativeAsset()];
  const { networks, patience } = settingsFor(served.url, { assets });
  const key = { kind: 'private_key' as const, privateKey: newNonce() };
  const transfers = authorizedTransfers(new NetworksSettings(networks, patience, key));
  const domain = (await transfers.domainOf(network, usdc()))!;
  const balance = await held();
  if (balance !== 100n) {
    pay(furnished, { to: holder.address, token: usdc(), amount: 100n - balance });
    await mine();
  }
  return {
    ...{ network, transfers, token: usdc(), other: 'ETH', payer: holder.address, to },
    now: BigInt(furnished.chain.head.time),
    nonce: newNonce,
    sign: (authorization) => holder.sign(domain, authorization),
    send: async (call) => {
      const { chain, payers } = furnished;
      const nonce = chain.pool.nextNonce(chain.head.state, payers[1]!.address);
      const fees = { maxFee: 10n ** 11n, maxTip: 10n ** 9n, gasLimit: 500_000n, value: 0n };
      const { chainId } = chain;
      const data = call.data as `0x${string}`;
      chain.take(signTransaction({ chainId, nonce, ...fees, to: call.to, data }, payers[1]!));
      await mine();
    },
  };

  async function held(): Promise<bigint> {
    const data = `0x70a08231${'0'.repeat(24)}${holder.address.slice(2)}`;
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: usdc(), data }, 'latest'] };
    const { text } = await new MemoryNode(furnished.chain).answer(JSON.stringify(call));
    return BigInt((JSON.parse(text) as { result: string }).result);
  }
});
