import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createWalletClient, http } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { compile } from '../../../solidity/build.mjs';
import { type TestChain, startTestChain } from '../../../test/support/chain.js';
import { deployFactory } from '../../contexts/networks/infrastructure/chain/deploy-factory.js';
import {
  deployTestToken,
  firstAccount,
  sendToToken,
} from '../../contexts/networks/testing/chain-contracts.js';
import { nativeAsset, sampleAsset } from '../../contexts/networks/testing/sample-configuration.js';
import { OTHER_HASH, block } from '../../contexts/networks/testing/stub-answers.js';
import { StubNode } from '../../contexts/networks/testing/stub-node.js';
import { NetworkWorld } from './testing/network-world.js';

const FACTORY = '0x413776C3cAd2f1BD80745EcAa988D1694B93eAA8';
const HOLDER = `0x${'33'.repeat(20)}`;
const DEAD = 'http://127.0.0.1:9';

interface PresentedFinding {
  verdict: string;
  about: string;
  check: string;
  finding: string;
  what_to_do: string | null;
}

let chain: TestChain;
let bare: TestChain;
let token: string;
let feeToken: string;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  [chain, bare] = await Promise.all([startTestChain(), startTestChain()]);
  token = await deployTestToken(chain.url, 6);
  await sendToToken(chain.url, token as `0x${string}`, 'mint', [HOLDER, 5_000_000n]);
  const account = await firstAccount(chain.url);
  const wallet = createWalletClient({ transport: http(chain.url), account, pollingInterval: 20 });
  await deployFactory(wallet);
  const { FeeToken } = compile(['test/contracts/Unfit.sol']);
  await wallet.deployContract({ abi: FeeToken!.abi, bytecode: FeeToken!.bytecode, args: [], chain: null });
  const nonce = await chain.rpc<string>('eth_getTransactionCount', [account, 'latest']);
  const receipt = await chain.rpc<{ transactions: string[] }>('eth_getBlockByNumber', ['latest', false]);
  expect(nonce).not.toBe('0x0');
  const { contractAddress } = await chain.rpc<{ contractAddress: string }>('eth_getTransactionReceipt', [
    receipt.transactions[0],
  ]);
  feeToken = contractAddress;
  await chain.mine(120);
}, 60_000);
afterAll(async () => {
  await Promise.all([chain.stop(), bare.stop()]);
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function world(urls: readonly string[] = [chain.url], changes: object = {}): Promise<NetworkWorld> {
  const assets = [sampleAsset({ token: token.toLowerCase() })];
  const opened = await NetworkWorld.open(urls, { assets, max_lag_seconds: 86_400, ...changes });
  open.push(opened);
  return opened;
}

async function foreignNode(): Promise<string> {
  const node = new StubNode();
  const url = await node.start();
  open.push({ close: () => node.stop() });
  node.answers('eth_chainId', '0x1');
  node.answers('eth_getBlockByNumber', block({ number: '0x0', hash: OTHER_HASH }));
  return url;
}

const wrong = (findings: PresentedFinding[]) =>
  findings.filter(({ verdict }) => verdict === 'wrong').map(({ about, check }) => `${about}: ${check}`);

describe('network check', () => {
  it('finds nothing wrong where all is well, with native coin and finality by tag', async () => {
    const assets = [sampleAsset({ token: token.toLowerCase() }), nativeAsset()];
    const { status, data } = await (
      await world([chain.url], { assets, finality: 'finalized' })
    ).told<PresentedFinding[]>('network', 'check', 'sandbox');

    expect(data.map(({ verdict, about, check }) => [verdict, about.replace(/\(.*\)/, '()'), check])).toEqual([
      ['ok', 'endpoint 1 ()', 'chain'],
      ['ok', 'endpoint 1 ()', 'head'],
      ['ok', 'endpoint 1 ()', 'finality'],
      ['ok', 'endpoint 1 ()', 'balances by block hash'],
      ['ok', 'endpoint 1 ()', 'state depth'],
      ['ok', 'endpoint 1 ()', 'batches'],
      ['ok', 'endpoint 1 ()', 'log ranges'],
      ['ok', 'network', 'factory'],
      ['ok', 'USDT', 'contract'],
      ['ok', 'USDT', 'decimals'],
      ['ok', 'USDT', 'symbol'],
      ['ok', 'USDT', 'transfer'],
      ['ok', 'USDT', 'balance'],
      ['ok', 'ETH', 'contract'],
    ]);
    expect(status).toBe(0);
  });

  it('prints a table for people, with a summary', async () => {
    const { status, out } = await (await world()).say('network', 'check', 'sandbox');

    expect(status).toBe(0);
    expect(out).toMatch(/^verdict {2}about .*\nok .*It serves chain 31337/);
    expect(out).toMatch(/\n\n\d+ checks: 0 wrong, 0 to be looked at\.$/);
  });

  it('finds a dead and a foreign endpoint among good ones, and checks the contracts by a good one', async () => {
    const { status, data } = await (
      await world([DEAD, await foreignNode(), chain.url])
    ).told<PresentedFinding[]>('network', 'check', 'sandbox');

    expect(wrong(data)).toEqual([
      'endpoint 1 (127.0.0.1:9): reachable',
      expect.stringMatching(/^endpoint 2 \(127\.0\.0\.1:\d+\): chain$/),
    ]);
    expect(data.find(({ check }) => check === 'factory')?.verdict).toBe('ok');
    expect(status).toBe(1);
  });

  it('finds wrong decimals, another symbol and a token that takes a fee', async () => {
    const assets = [
      sampleAsset({ token: token.toLowerCase(), decimals: 8, symbol: 'USDX' }),
      sampleAsset({ token: feeToken.toLowerCase(), decimals: 18, symbol: 'FEE' }),
    ];
    const { status, data } = await (
      await world([chain.url], { assets })
    ).told<PresentedFinding[]>('network', 'check', 'sandbox');

    expect(wrong(data)).toEqual(['USDX: decimals', 'FEE: transfer']);
    expect(data.find(({ about, check }) => about === 'USDX' && check === 'symbol')).toMatchObject({
      verdict: 'warning',
      finding: 'It calls itself "USDT"; it is configured as USDX.',
    });
    expect(status).toBe(1);
  });

  it('says how a missing factory comes to the network', async () => {
    const { status, data } = await (
      await world([bare.url])
    ).told<PresentedFinding[]>('network', 'check', 'sandbox');

    expect(data.find(({ check }) => check === 'factory')).toMatchObject({
      verdict: 'wrong',
      finding: `There is no forwarder factory at ${FACTORY}; deploy it or correct factory.`,
      what_to_do: 'Run "network deploy sandbox".',
    });
    expect(status).toBe(1);
  });

  it('finds a head that is older than the network may lag', async () => {
    const node = new StubNode();
    const url = await node.start();
    open.push({ close: () => node.stop() });
    node.answers('eth_chainId', '0x7a69');
    node.answers('eth_getBlockByNumber', ({ params }: { params: unknown[] }) =>
      block({ number: params[0] === '0x0' ? '0x0' : '0x10', timestamp: '0x65000000' }),
    );

    const { data } = await (await world([url])).told<PresentedFinding[]>('network', 'check', 'sandbox');

    expect(wrong(data)).toContainEqual(expect.stringMatching(/^endpoint 1 .*: head$/));
  });

  it('warns of an endpoint that takes no batches and refuses wide ranges of logs', async () => {
    const node = new StubNode();
    const url = await node.start();
    open.push({ close: () => node.stop() });
    node.misbehaves((response, request, batch) => {
      const [filter] = request.params as { fromBlock?: string; toBlock?: string }[];
      const width = Number(filter?.toBlock) - Number(filter?.fromBlock) + 1;
      response.setHeader('content-type', 'application/json');
      if (batch !== null || (request.method === 'eth_getLogs' && width > 10)) {
        const error = { code: -32_600, message: 'not in your plan' };
        response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, error }));
        return;
      }
      void fetch(chain.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      })
        .then((answer) => answer.text())
        .then((text) => response.end(text));
    });

    const { data, status } = await (
      await world([url])
    ).told<PresentedFinding[]>('network', 'check', 'sandbox');

    const warned = data.filter(({ verdict, about }) => verdict === 'warning' && about.startsWith('endpoint'));
    expect(warned.map(({ finding }) => finding)).toEqual([
      expect.stringMatching(/^It does not answer several calls in one message: .*not in your plan/),
      expect.stringMatching(
        /^It tells logs of 10 blocks at once\. Wider ones are refused: .*not in your plan/,
      ),
    ]);
    expect(status).toBe(0);
  });

  it('stores no chain', async () => {
    const opened = await world();
    await opened.say('network', 'check', 'sandbox');

    expect(await opened.platform.database.query('SELECT network FROM networks.known_chains')).toEqual([]);
  });

  it('names the networks there are where there is none of that name', async () => {
    expect(await (await world()).say('network', 'check', 'erc20')).toMatchObject({
      status: 2,
      err: expect.stringContaining('There is no network "erc20". NETWORKS_FILE has: sandbox.'),
    });
  });
});

describe('network deploy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'network-deploy-'));
  const key = `0x${randomBytes(32).toString('hex')}` as const;
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, `${key.slice(2)}\n`);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('says that it is there already', async () => {
    const { status, data } = await (
      await world()
    ).told('network', 'deploy', 'sandbox', '--send', '--key-file', keyFile);

    expect([status, data]).toEqual([
      0,
      expect.objectContaining({ outcome: 'already_there', factory: FACTORY }),
    ]);
    expect(data).not.toHaveProperty('transaction_hash');
  });

  it('sends nothing unless told to, and says what it would take', async () => {
    const before = await bare.rpc('eth_blockNumber');
    const { status, data } = await (
      await world([bare.url])
    ).told<Record<string, string>>('network', 'deploy', 'sandbox');

    expect([status, await bare.rpc('eth_blockNumber')]).toEqual([0, before]);
    expect(data).toMatchObject({ outcome: 'planned', factory: FACTORY, gas: expect.any(Number) });
    expect(Number(data['estimated_cost'])).toBeGreaterThan(0);
    expect(data).not.toHaveProperty('from');
  });

  it('sends nothing from an account that cannot pay, then deploys by its key alone, once', async () => {
    const opened = await world([DEAD, bare.url], { assets: [sampleAsset()] });
    const words = ['network', 'deploy', 'sandbox', '--key-file', keyFile];

    const poor = await opened.say(...words, '--send');
    await bare.rpc('anvil_setBalance', [privateKeyToAddress(key), '0xde0b6b3a7640000']);
    const planned = await opened.told<object>(...words);
    const deployed = await opened.told<Record<string, string>>(...words, '--send');
    const again = await opened.told<object>(...words, '--send');

    expect([poor.status, poor.err]).toEqual([1, expect.stringMatching(/holds 0 wei.*Nothing was sent/)]);
    expect(planned.data).toMatchObject({ outcome: 'planned', from: privateKeyToAddress(key), balance: '1' });
    expect(deployed.data).toMatchObject({
      outcome: 'deployed',
      transaction_hash: expect.stringMatching(/^0x/),
    });
    const receipt = await bare.rpc<{ from: string }>('eth_getTransactionReceipt', [
      deployed.data['transaction_hash'],
    ]);
    expect(receipt.from).toBe(privateKeyToAddress(key).toLowerCase());
    expect(again.data).toMatchObject({ outcome: 'already_there' });
    for (const said of [poor.err, JSON.stringify(deployed)]) expect(said).not.toContain(key.slice(2));
  });

  it('says when the deterministic deployer is missing', async () => {
    await bare.rpc('anvil_setCode', [FACTORY, '0x']);
    await bare.rpc('anvil_setCode', ['0x4e59b44847b379578588920cA78FbF26c0B4956C', '0x']);

    const { status, out } = await (await world([bare.url])).say('network', 'deploy', 'sandbox');

    expect(status).toBe(1);
    expect(out).toMatch(/deployer_missing[\s\S]*bring it there first/);
  });

  it('sends to no endpoint of another chain', async () => {
    const { status, err } = await (
      await world([await foreignNode()])
    ).say('network', 'deploy', 'sandbox', '--send', '--key-file', keyFile);

    expect([status, err]).toEqual([1, expect.stringContaining('serves chain 1')]);
  });

  it.each([
    ['without a key', ['--send'], /--send wants --key-file/],
    ['with a file that is not there', ['--key-file', join(folder, 'none')], /cannot be read: ENOENT/],
    [
      'with a file that holds no key',
      ['--key-file', new URL(import.meta.url).pathname],
      /must hold one private key/,
    ],
  ])('refuses to begin %s', async (_, options, sentence) => {
    expect(await (await world()).say('network', 'deploy', 'sandbox', ...options)).toMatchObject({
      status: 2,
      err: expect.stringMatching(sentence),
    });
  });
});

describe('network status', () => {
  async function readTo(opened: NetworkWorld, secondsAgo: number, disagreement: string | null = null) {
    await opened.platform.database.query(
      `INSERT INTO payments.blocks (network, number, hash, parent_hash, time)
       VALUES ('sandbox', 20, '0xab', '0xcd', platform.now())`,
    );
    await opened.platform.database.query(
      `INSERT INTO payments.chain_cursors (network, head_number, head_hash, head_time, final_number, final_time,
         disagreement, disagrees_since)
       VALUES ('sandbox', 20, '0xab', platform.now() - make_interval(secs => $1), 17, platform.now(), $2,
         CASE WHEN $2::text IS NULL THEN NULL ELSE platform.now() END)`,
      [secondsAgo, disagreement],
    );
  }

  it('shows what is read, and that it takes requests', async () => {
    const opened = await world([chain.url]);
    await readTo(opened, 3);

    const { data } = await opened.told<Record<string, object>>('network', 'status');

    expect(data['sandbox']).toMatchObject({
      standing: 'ready',
      takes_requests: true,
      why_not: null,
      read_to_block: 20,
      seconds_behind: expect.any(Number),
      final_block: 17,
      disagreement: null,
      open_requests: 0,
      held_addresses: 0,
      endpoints: { 1: { state: 'well', head: expect.any(Number), reason: null } },
    });
  });

  it('shows each endpoint as it answers now', async () => {
    const opened = await world([chain.url, DEAD, await foreignNode()]);
    await readTo(opened, 3);

    const { data } = await opened.told<Record<string, object>>('network', 'status');

    expect(data['sandbox']).toMatchObject({
      standing: 'ready',
      takes_requests: true,
      endpoints: {
        1: { state: 'well' },
        2: { state: 'silent', name: '127.0.0.1:9' },
        3: { state: 'foreign', reason: expect.stringContaining('serves chain 1') },
      },
    });
  });

  it.each([
    ['was not read yet', null, {}, /not read yet/],
    ['is read too late', { ago: 90_000 }, {}, /read up to 9\d{4} seconds ago; more than 86400/],
    ['is told otherwise by an endpoint', { ago: 1, says: 'Block 7 differs.' }, {}, /Block 7 differs\./],
    ['lacks its factory', { ago: 1 }, { factory: `0x${'11'.repeat(20)}` }, /no forwarder factory at 0x1111/],
  ])('says why a network takes no requests that %s', async (_, read, changes, why) => {
    const opened = await world([chain.url], changes);
    if (read !== null) await readTo(opened, read.ago, 'says' in read ? read.says : null);

    const { out } = await opened.say('network', 'status');

    expect(out).toMatch(/sandbox\.takes_requests +false/);
    expect(/sandbox\.why_not +(.*)/.exec(out)?.[1]).toMatch(why);
  });

  it('shows a network none of whose endpoints serves its chain, without failing', async () => {
    const { status, data } = await (
      await world([await foreignNode()])
    ).told<Record<string, object>>('network', 'status');

    expect([status, data['sandbox']]).toEqual([
      0,
      expect.objectContaining({ standing: 'foreign', takes_requests: false }),
    ]);
  });
});
