import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Address, createPublicClient, createWalletClient, http, parseAbi, toHex } from 'viem';
import { type TestChain, startTestChain } from '../../../../../test/support/chain.js';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import { saltOf } from '../../domain/forwarder.js';
import { NetworkGate } from '../../domain/network-gate.js';
import { deployTestToken, firstAccount, sendToToken } from '../../testing/chain-contracts.js';
import { sampleAsset, settingsFor } from '../../testing/sample-configuration.js';
import { deployFactory } from './deploy-factory.js';
import { ForwarderAddresses } from './forwarder-addresses.js';
import { ForwarderDerivations } from './forwarder-derivations.js';
import { JsonRpc } from './json-rpc.js';
import { mayHoldTransfers } from './rpc-answers.js';
import { RpcChainReader } from './rpc-chain-reader.js';

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
  token = await deployTestToken(chain.url, 6);
  account = await firstAccount(chain.url);
});
afterAll(() => chain.stop());

function connect(changes: object = {}) {
  const settings = settingsFor(chain.url, {
    assets: [sampleAsset({ token: token.toLowerCase() })],
    ...changes,
  });
  const gate = new NetworkGate();
  gate.set('sandbox', { kind: 'ready' });
  return {
    reader: new RpcChainReader(settings, new JsonRpc(settings), gate),
    addresses: new ForwarderAddresses(new ForwarderDerivations(settings), gate),
  };
}

describe('The factory', () => {
  const wallet = () => createWalletClient({ transport: http(chain.url), account, pollingInterval: 20 });

  it('is deployed once, at the address that was foretold', async () => {
    const planned = await deployFactory(wallet(), { dryRun: true });
    const deployed = await deployFactory(wallet());
    const again = await deployFactory(wallet());

    expect([planned, deployed, again].map(({ outcome }) => outcome)).toEqual([
      'planned',
      'deployed',
      'already_there',
    ]);
    expect(new Set([planned, deployed, again].map(({ factory }) => factory)).size).toBe(1);
  });

  it('derives the addresses that this service derives', async () => {
    const client = createPublicClient({ transport: http(chain.url) });
    const { addresses } = connect();
    const address = () => toHex(randomBytes(20));

    const pairs = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const feeBasisPoints = i % 3 === 0 ? 0 : randomInt(1, 10_001);
        const feeRecipient = feeBasisPoints === 0 ? (MINT_FROM as Address) : address();
        const settlement = address();
        const request = randomUUID();
        const ours = addresses.derive(
          'sandbox',
          { settlementAddress: settlement, feeRecipient, feeBasisPoints },
          request,
        );
        const theirs = await client.readContract({
          address: ours.factory as Address,
          abi: FACTORY_ABI,
          functionName: 'addressOf',
          args: [{ settlement, feeRecipient, feeBasisPoints, homeChainId: 31_337n }, toHex(saltOf(request))],
        });
        return [ours.address, theirs] as const;
      }),
    );

    expect(pairs.map(([ours]) => ours)).toEqual(pairs.map(([, theirs]) => theirs));
  });
});

describe('A real chain', () => {
  it('is read block by block, with the transfers of catalogued tokens', async () => {
    const { reader } = connect();
    const lookAlike = await deployTestToken(chain.url, 6);
    await sendToToken(chain.url, lookAlike, 'mint', [RECIPIENT, 5n]);
    const hash = await sendToToken(chain.url, token, 'mint', [RECIPIENT, 1_500n]);

    const { head, finalNumber } = await reader.head('sandbox');
    const before = await reader.block('sandbox', head.number - 1);

    expect(head).toMatchObject({ hash, parentHash: before?.hash });
    expect(finalNumber).toBe(head.number - 2);
    expect(await reader.block('sandbox', head.number + 1)).toBeNull();
    expect(await reader.transfers('sandbox', before?.hash ?? '')).toEqual([]);
    expect(await reader.transfers('sandbox', hash)).toEqual([
      {
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        logIndex: 0,
        token: token.toLowerCase(),
        from: MINT_FROM,
        to: RECIPIENT,
        amount: 1_500n,
      },
    ]);
  });

  it('rules transfers out by its bloom filter exactly where there are none', async () => {
    const empty = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
    const hash = await sendToToken(chain.url, token, 'mint', [RECIPIENT, 1n]);
    const block = await chain.rpc('eth_getBlockByHash', [hash, false]);

    expect(mayHoldTransfers(block, hash, new Set([token.toLowerCase()]))).toBe(true);
    expect(mayHoldTransfers(block, hash, new Set([RECIPIENT]))).toBe(false);
    expect(mayHoldTransfers(empty, empty.hash, new Set([token.toLowerCase()]))).toBe(false);
  });

  it('tells of several transfers in one block each by its position, and none of nothing', async () => {
    const { reader } = connect();
    await chain.rpc('evm_setAutomine', [false]);
    const [sender] = await chain.rpc<string[]>('eth_accounts', []);
    const nonce = Number(await chain.rpc<string>('eth_getTransactionCount', [sender, 'latest']));
    const sent = [7n, 0n, 9n].map((amount, position) =>
      sendToToken(chain.url, token, 'mint', [RECIPIENT, amount], nonce + position),
    );
    while (Number((await chain.rpc<{ pending: string }>('txpool_status', [])).pending) < sent.length) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await chain.rpc('evm_mine');
    await chain.rpc('evm_setAutomine', [true]);
    const [hash = ''] = await Promise.all(sent);

    const transfers = await reader.transfers('sandbox', hash);

    expect(transfers.map(({ amount }) => amount).sort()).toEqual([7n, 9n]);
    expect(new Set(transfers.map(({ logIndex }) => logIndex)).size).toBe(2);
  });

  it('has no transfers of a block that a reorganisation removed', async () => {
    const { reader } = connect();
    const hash = await sendToToken(chain.url, token, 'mint', [RECIPIENT, 3n]);

    await chain.rpc('anvil_reorg', [1, []]);

    await expect(reader.transfers('sandbox', hash)).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('tells its own finality by the finalized tag', async () => {
    const { reader } = connect({ finality: 'finalized' });
    await chain.mine(70);

    const { head, finalNumber } = await reader.head('sandbox');

    expect(finalNumber).toBe(head.number - 64);
  });
});
