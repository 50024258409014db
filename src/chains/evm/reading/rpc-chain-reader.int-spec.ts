import { describeChainType } from '#contexts/networks/testing/contract-suites.js';
import { EvmPayoutAddressRules } from '../forwarders/evm-payout-address-rules.js';
import { RpcTransactionLookup } from './rpc-transaction-lookup.js';
import { startTestChain, type TestChain } from '#test/support/chain.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { ForwarderAddresses } from '../forwarders/forwarder-addresses.js';
import { saltOf } from '../../forwarders/forwarder-derivation.js';
import { ForwarderDerivations } from '../forwarders/forwarder-derivations.js';
import { firstAccount, deployFactory, deployTestToken, sendToToken } from '../testing/chain-contracts.js';
import { nodeLayer } from '../testing/node-layer.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Address,
  createPublicClient,
  http,
  parseAbi,
  toHex,
  type Hex,
  createWalletClient,
  publicActions,
} from 'viem';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { LogFilter } from './logs/bloom-filter.js';
import { SETTLED_TOPIC, TRANSFER_TOPIC } from '../../ethereum-rpc/log-answers.js';

const RECIPIENT = `0x${'22'.repeat(20)}` as const;
const MINT_FROM = `0x${'00'.repeat(20)}`;
const FACTORY_ABI = parseAbi([
  'struct Terms { address settlement; address feeRecipient; uint16 feeBasisPoints; uint64 homeChainId; }',
  'function addressOf(Terms terms, bytes32 salt) view returns (address)',
]);

let chain: TestChain;
let token: Address;
let account: Address;

beforeAll(async () => {
  chain = await startTestChain();
  [token, account] = [await deployTestToken(chain.url, 6), await firstAccount(chain.url)];
});
afterAll(() => chain.stop());

function connect(changes: object = {}) {
  const asset = sampleAsset({ token: token.toLowerCase() });
  const settings = settingsFor(chain.url, { assets: [asset, nativeAsset()], ...changes });
  const readiness = new NetworkReadiness();
  readiness.set('sandbox', { kind: 'ready' });
  const derivations = new ForwarderDerivations(settings);
  const addresses = new ForwarderAddresses('sandbox', derivations, readiness);
  return { ...nodeLayer(settings, readiness), addresses, derivations };
}

/** Reads the contents of a block, by hash or as part of a range of final blocks. */
async function contentsOf({ reader }: ReturnType<typeof connect>, hash: string, isFinal = false) {
  const told = await chain.rpc<{ number: string }>('eth_getBlockByHash', [hash, false]);
  const number = Number(told.number);
  const [block] = await reader.blocks(number, number, isFinal ? number : null);
  if (block?.header.hash !== hash) throw new Error('Another block was read.');
  return block;
}

describeChainType('evm', async () => {
  const hash = await sendToToken(chain.url, token, 'mint', [RECIPIENT, 7n]);
  const block = await chain.rpc<{ number: string; transactions: [string] }>('eth_getBlockByHash', [
    hash,
    false,
  ]);
  await chain.mine(3);
  const { reader, secondEndpoint, networks, pool, rpc, addresses, derivations } = connect();
  return {
    ...{ reader, secondEndpoint, number: Number(block.number) },
    lookup: new RpcTransactionLookup('sandbox', networks, pool, rpc),
    depositAddresses: addresses,
    payoutAddresses: new EvmPayoutAddressRules('sandbox', derivations),
    transfer: {
      ...{ kind: 'log', transactionHash: block.transactions[0], index: 0, token: token.toLowerCase() },
      ...{ from: MINT_FROM, to: RECIPIENT, amount: 7n },
    },
    terms: {
      settlementAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      feeRecipient: '0x52908400098527886E0F7030069857D2E4169EE7',
      feeBasisPoints: 100,
    },
    unknownBlock: `0x${'ab'.repeat(32)}`,
    unknownTransaction: `0x${'cd'.repeat(32)}`,
  };
});

describe('The forwarder factory on a chain', () => {
  it('derives the addresses that this service derives', async () => {
    await deployFactory(chain.url);
    const client = createPublicClient({ transport: http(chain.url) });
    const { addresses } = connect();
    const address = () => toHex(randomBytes(20));

    const pairs = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const feeBasisPoints = i % 3 === 0 ? 0 : randomInt(1, 10_001);
        const feeRecipient = feeBasisPoints === 0 ? (MINT_FROM as Address) : address();
        const settlement = address();
        const request = randomUUID();
        const ours = addresses.derive(
          { settlementAddress: settlement, feeRecipient, feeBasisPoints },
          { requestId: request },
        );
        const theirs = await client.readContract({
          address: ours.derivation.factory as Address,
          abi: FACTORY_ABI,
          functionName: 'addressOf',
          args: [{ settlement, feeRecipient, feeBasisPoints, homeChainId: 31_337n }, toHex(saltOf(request))],
        });
        return [toDisplayAddress(ours.address), theirs] as const;
      }),
    );

    expect(pairs.map(([ours]) => ours)).toEqual(pairs.map(([, theirs]) => theirs));
  });
});

describe('The reader of a real chain', () => {
  it('rules transfers out by its bloom filter exactly if there are none', async () => {
    const empty = await chain.rpc<{ logsBloom: string }>('eth_getBlockByNumber', ['0x0', false]);
    const hash = await sendToToken(chain.url, token, 'mint', [RECIPIENT, 1n]);
    const block = await chain.rpc<{ logsBloom: string }>('eth_getBlockByHash', [hash, false]);
    const transfers = new LogFilter({
      emitters: [RECIPIENT, token.toLowerCase()],
      topics: [SETTLED_TOPIC, TRANSFER_TOPIC],
    });

    expect(transfers.mayBeIn(block.logsBloom)).toBe(true);
    expect(new LogFilter({ emitters: [RECIPIENT], topics: [TRANSFER_TOPIC] }).mayBeIn(block.logsBloom)).toBe(
      false,
    );
    expect(
      new LogFilter({ emitters: [token.toLowerCase()], topics: [SETTLED_TOPIC] }).mayBeIn(block.logsBloom),
    ).toBe(false);
    expect(transfers.mayBeIn(empty.logsBloom)).toBe(false);
  });

  it('fails to read a block that a reorganization removed', async () => {
    const layer = connect();
    const hash = await sendToToken(chain.url, token, 'mint', [RECIPIENT, 3n]);
    const { transfers } = await contentsOf(layer, hash);
    const before = await layer.secondEndpoint.containsTransfers(hash, transfers);

    await chain.rpc('anvil_reorg', [1, []]);

    await expect(contentsOf(layer, hash)).rejects.toThrow();
    expect(before).toEqual([true]);
    await expect(layer.secondEndpoint.containsTransfers(hash, transfers)).rejects.toBeInstanceOf(
      ChainUnavailable,
    );
    await expect(
      layer.reader.succeededTransactions(hash, [transfers[0]!.transactionHash]),
    ).rejects.toBeInstanceOf(ChainUnavailable);
  });
});

describe('The native coin of a real chain', () => {
  const wallet = () =>
    createWalletClient({ transport: http(chain.url), account, pollingInterval: 20 }).extend(publicActions);
  const send = async (transaction: { to?: Address; value?: bigint; data?: Hex; gas?: bigint }) => {
    const hash = await wallet().sendTransaction({ ...transaction, to: transaction.to ?? null, chain: null });
    return wallet().waitForTransactionReceipt({ hash });
  };

  it('shows where each call with value went, also for a call that reverted', async () => {
    const layer = connect();
    const paid = await send({ to: RECIPIENT, value: 123n });
    // Fails because the token has no payable function.
    const reverted = await send({ to: token, value: 5n, gas: 100_000n });
    const created = await send({ data: '0x00', value: 0n });

    const [calls, ofReverted, ofCreation] = await Promise.all(
      [paid, reverted, created].map(({ blockHash }) => contentsOf(layer, blockHash)),
    );
    const told = {
      kind: 'call',
      transactionHash: paid.transactionHash,
      index: 0,
      token: 'ETH',
      from: account.toLowerCase(),
      to: RECIPIENT,
      amount: 123n,
    };
    const succeeded = (hash: string, transaction: string) =>
      layer.reader.succeededTransactions(hash, [transaction]);

    expect(calls?.transfers).toEqual([told]);
    expect(ofReverted?.transfers).toMatchObject([{ amount: 5n, to: token.toLowerCase() }]);
    expect(ofCreation?.transfers).toEqual([]);
    expect(await succeeded(paid.blockHash, paid.transactionHash)).toEqual(new Set([paid.transactionHash]));
    expect(reverted.status).toBe('reverted');
    expect(await succeeded(reverted.blockHash, reverted.transactionHash)).toEqual(new Set());
    expect(await layer.secondEndpoint.containsTransfers(paid.blockHash, calls!.transfers)).toEqual([true]);
    expect(await layer.secondEndpoint.containsTransfers(reverted.blockHash, ofReverted!.transfers)).toEqual([
      false,
    ]);
  });
});
