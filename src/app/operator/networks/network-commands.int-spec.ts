import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parseUnits } from 'viem';
import { startTestChain, type TestChain } from '#test/support/chain.js';
import {
  deployContract,
  deployFactory,
  deployTestToken,
  sendToToken,
  testContract,
} from '#chains/evm/testing/chain-contracts.js';
import { nativeAsset, sampleAsset } from '#contexts/networks/testing/sample-configuration.js';
import { block, OTHER_HASH } from '#contexts/networks/testing/stub-answers.js';
import { Refusal, StubNode } from '#contexts/networks/testing/stub-node.js';
import { NetworkWorld } from '../testing/network-world.js';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';

interface PresentedFinding {
  verdict: string;
  about: string;
  check: string;
  finding: string;
  what_to_do: string | null;
}

let networks: NetworkCheckWorld;
let bare: TestChain;
let feeToken: string;
beforeAll(async () => {
  [networks, bare] = await Promise.all([NetworkCheckWorld.start(), startTestChain()]);
  feeToken = await deployFeeToken(networks.chain);
  await networks.chain.mine(120);
});
afterAll(() => Promise.all([networks.stop(), bare.stop()]));
afterEach(() => networks.close());

async function deployFeeToken({ url }: TestChain): Promise<string> {
  const token = await deployContract(url, testContract('FeeToken'));
  await sendToToken(url, token, 'mint', [`0x${'33'.repeat(20)}`, 5_000_000n]);
  return token.toLowerCase();
}

const check = async (urls?: readonly string[], changes?: object) =>
  (await networks.open(urls, changes)).runJson<PresentedFinding[]>('network check sandbox');

const wrong = (findings: PresentedFinding[]) =>
  findings.filter(({ verdict }) => verdict === 'wrong').map(({ about, check }) => `${about}: ${check}`);

/** The stored progress of a worker with a given configuration. */
interface StoredProgress {
  ago: number;
  disagreement?: string;
  disagreesFor?: number;
}

/** URL of a port without a listener. */
const DEAD_ENDPOINT = 'http://127.0.0.1:9';

/** Address of the factory contract on every chain. */
const FACTORY = '0x2a79e3946e437161e8714460CAeFd768B23d847f';
const HOLDER = `0x${'33'.repeat(20)}`;

/** A chain with a factory and a token, and networks configured with its endpoint or with faulty endpoints. */
class NetworkCheckWorld {
  private readonly opened: { close(): Promise<void> }[] = [];

  private constructor(
    readonly chain: TestChain,
    /** Address, in lower case, of a token with six decimals and a positive balance at one address. */
    readonly token: string,
  ) {}

  static async start(): Promise<NetworkCheckWorld> {
    const chain = await startTestChain();
    const token = await deployTestToken(chain.url, 6);
    await sendToToken(chain.url, token as `0x${string}`, 'mint', [HOLDER, 5_000_000n]);
    await deployFactory(chain.url);
    return new NetworkCheckWorld(chain, token.toLowerCase());
  }

  /** Opens a network whose only asset is the token, unless `changes` has other assets. */
  async open(urls: readonly string[] = [this.chain.url], changes: object = {}): Promise<NetworkWorld> {
    const assets = [sampleAsset({ token: this.token })];
    const world = await NetworkWorld.open(urls, { assets, max_lag_seconds: 86_400, ...changes });
    this.opened.push(world);
    return world;
  }

  async stubNode(): Promise<{ node: StubNode; url: string }> {
    const node = new StubNode();
    const url = await node.start();
    this.opened.push({ close: () => node.stop() });
    return { node, url };
  }

  /** @returns the URL of a node that serves chain 1 */
  async foreignNode(): Promise<string> {
    const { node, url } = await this.stubNode();
    node.answers('eth_chainId', '0x1');
    node.answers('eth_getBlockByNumber', block({ number: '0x0', hash: OTHER_HASH }));
    return url;
  }

  /** Closes the connections of all networks. The chain keeps running. */
  async close(): Promise<void> {
    for (const each of this.opened.splice(0).reverse()) await each.close();
  }

  async stop(): Promise<void> {
    await this.chain.stop();
  }
}

describe('The command "network check"', () => {
  it('passes a healthy network with native coin and finality by tag', async () => {
    const assets = [sampleAsset({ token: networks.token }), nativeAsset()];
    const { status, data } = await check([networks.chain.url], { assets, finality: 'finalized' });

    expect(
      data.map(({ verdict, about, check }) => `${verdict} ${about.replace(/ \(.*\)/, '')}: ${check}`),
    ).toEqual([
      ...['chain', 'head', 'finality', 'balances by block hash', 'state depth', 'batches', 'log ranges'].map(
        (each) => `ok endpoint 1: ${each}`,
      ),
      'ok network: factory',
      ...['contract', 'decimals', 'symbol', 'transfer', 'balance', 'signature'].map(
        (each) => `ok USDT: ${each}`,
      ),
      'ok ETH: contract',
    ]);
    expect(status).toBe(0);
  });

  it('reports a dead endpoint and one of another chain, and checks contracts with a good one', async () => {
    const { status, data } = await check([DEAD_ENDPOINT, await networks.foreignNode(), networks.chain.url]);

    expect(wrong(data)).toEqual([
      'endpoint 1 (127.0.0.1:9): reachable',
      expect.stringMatching(/^endpoint 2 \(127\.0\.0\.1:\d+\): chain$/),
    ]);
    expect(data.find(({ check }) => check === 'factory')?.verdict).toBe('ok');
    expect(status).toBe(1);
  });

  it('reports wrong decimals, another symbol and a token that takes a fee', async () => {
    const assets = [
      sampleAsset({ token: networks.token, decimals: 8, symbol: 'USDX' }),
      sampleAsset({ token: feeToken, decimals: 18, symbol: 'FEE' }),
    ];
    const { status, data } = await check([networks.chain.url], { assets });

    expect(wrong(data)).toEqual(['USDX: decimals', 'FEE: transfer']);
    expect(data.filter(({ check }) => check === 'signature').map(({ finding }) => finding)).toEqual([
      expect.stringContaining('from accounts and contracts. Its domain is "Test Dollar", version "2"'),
      expect.stringContaining('It accepts no payments by signature. It has no authorizationState'),
    ]);
    expect(data.find(({ about, check }) => about === 'USDX' && check === 'symbol')).toMatchObject({
      verdict: 'warning',
      finding: 'Its symbol is "USDT", but it is configured as USDX.',
    });
    expect(status).toBe(1);
  });

  it('suggests to deploy a missing factory', async () => {
    const { status, data } = await check([bare.url]);

    expect(data.find(({ check }) => check === 'factory')).toMatchObject({
      verdict: 'wrong',
      finding: `There is no forwarder factory at ${FACTORY}; deploy it or correct factory.`,
      what_to_do: 'Run "network deploy sandbox".',
    });
    expect(status).toBe(1);
  });

  it('warns that a young chain has no final block yet', async () => {
    const { node, url } = await networks.stubNode();
    node.answers('eth_chainId', '0x7a69');
    node.answers('eth_getBlockByNumber', ({ params: [tag] }: { params: unknown[] }) => {
      if (tag === 'finalized') throw new Refusal(-39_001, 'finalized block not found');
      return block({ number: tag === '0x0' ? '0x0' : '0x10' });
    });

    const { data } = await check([url], { finality: 'finalized' });

    expect(data.find(({ check }) => check === 'finality')).toMatchObject({
      verdict: 'warning',
      finding: 'The chain has no final block yet.',
    });
  });

  it('warns of an endpoint that rejects batches and wide log ranges', async () => {
    const { node, url } = await networks.stubNode();
    node.misbehaves((response, request, batch) => {
      const [filter] = request.params as { fromBlock?: string; toBlock?: string }[];
      const width = Number(filter?.toBlock) - Number(filter?.fromBlock) + 1;
      response.setHeader('content-type', 'application/json');
      if (batch !== null || (request.method === 'eth_getLogs' && width > 10)) {
        const error = { code: -32_600, message: 'not in your plan' };
        response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, error }));
        return;
      }
      void fetch(networks.chain.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      })
        .then((answer) => answer.text())
        .then((text) => response.end(text));
    });

    const { data, status } = await check([url]);

    const warned = data.filter(({ verdict, about }) => verdict === 'warning' && about.startsWith('endpoint'));
    expect(warned.map(({ finding }) => finding)).toEqual([
      expect.stringMatching(/^It does not support batch requests: .*not in your plan/),
      expect.stringMatching(
        /^It returns logs of up to 10 blocks per call\. Wider ranges are rejected: .*not in your plan/,
      ),
    ]);
    expect(status).toBe(0);
  });
});

describe('The command "network status"', () => {
  async function readTo(read: StoredProgress, changes: object = {}) {
    const opened = await networks.open([networks.chain.url], changes);
    await opened.platform.database.query(
      `INSERT INTO payments.blocks (network, number, hash, parent_hash, time)
       VALUES ('sandbox', 20, '0xab', '0xcd', platform.now())`,
    );
    opened.platform.makesUp(['cursors-are-of-stored-blocks']);
    await opened.platform.database.query(
      `INSERT INTO payments.chain_cursors (network, head_number, head_hash, head_time, final_number, final_time,
         max_lag_seconds, disagreement, disagrees_since)
       VALUES ('sandbox', 20, '0xab', platform.now() - make_interval(secs => $1), 17, platform.now(), 86400, $2,
         CASE WHEN $2::text IS NOT NULL THEN clock_timestamp() - make_interval(secs => $3) END)`,
      [read.ago, read.disagreement ?? null, read.disagreesFor ?? 0],
    );
    return opened;
  }
  const statusOf = async (opened: NetworkWorld) =>
    (await opened.runJson<{ sandbox: Record<string, number> }>('network status')).data.sandbox;

  it('shows the last block read, the last audit and that the network takes requests', async () => {
    const opened = await readTo({ ago: 3 });
    const before = await statusOf(opened);
    await opened.platform.database.query(
      `INSERT INTO payments.chain_audits (network, began_at, ended_at, block_number, block_hash, seed, stage, position,
         addresses, transfers, tokens, custody_tries, held, findings)
       VALUES ('sandbox', '2026-01-01', '2026-01-01 01:00', 17, '0xab', 's', 'ended', '', 5, 4, 3, 1, '{}', '[{}, {}]'),
         ('sandbox', '2026-01-02', NULL, 18, '0xab', 's', 'addresses', '', 2, 0, 0, 0, '{}', '[]')`,
    );

    expect(before).toMatchObject({
      ...{ readiness: 'ready', takes_requests: true, why_not: null, read_to_block: 20, final_block: 17 },
      // The network has only one endpoint, as is allowed in development, and three confirmations.
      risks: expect.stringMatching(/^single_endpoint: [^:]+\.$/),
      ...{ disagreement: null, seconds_in_disagreement: null, seconds_since_mempools_read: null },
      ...{ open_requests: 0, held_addresses: 0, last_audit: null },
      endpoints: { 1: { state: 'well', head: expect.any(Number), reason: null } },
    });
    expect(await statusOf(opened)).toMatchObject({
      last_audit: {
        ...{ block: 17, addresses: 5, transfers: 4, tokens: 3, findings: 2, findings_so_far: 0 },
        ended_at: expect.stringContaining('2026-01-01'),
        runs_since: expect.stringContaining('2026-01-02'),
      },
    });
  });

  it('shows authorizations that are queued after sponsoring was switched off', async () => {
    const opened = await readTo({ ago: 3 });
    opened.platform.makesUp(['authorizations-pay-their-request']);
    const before = await statusOf(opened);
    await opened.platform.database.query(
      `INSERT INTO payments.authorizations (id, payment_request_id, organization_id, account_id, network, token,
         unique_asset_id, from_address, to_address, value, valid_after, valid_before, nonce, signature, reserved_cost,
         limit_of_payment, limit_of_organization, limit_of_day)
       SELECT id, id, id, id, 'sandbox', a, 'nsandbox_t' || a, a, a, 1, 0, 1, '0x' || repeat('2', 64), '\\x01', 3e15, 3e15, 3e15, 3e15
       FROM gen_random_uuid() id, concat('0x', repeat('1', 40)) a`,
    );

    expect(before).toMatchObject({ sponsored_payments: null });
    expect(await statusOf(opened)).toMatchObject({
      sponsored_payments: {
        ...{ cost_in_24_hours: '0.003', at_most_in_24_hours: null, stored: 1, failed: 0 },
        ...{ queued: 1, sent: 0, held: null },
      },
    });
  });

  it('shows a disagreement, and takes requests until it has lasted too long', async () => {
    const shown = await statusOf(
      await readTo({ ago: 3, disagreement: 'Block 7 differs.', disagreesFor: 86_000 }),
    );

    expect(shown).toMatchObject({ takes_requests: true, why_not: null, disagreement: 'Block 7 differs.' });
    expect(Math.abs(shown['seconds_behind']! - 3)).toBeLessThan(60);
    expect(Math.abs(shown['seconds_in_disagreement']! - 86_000)).toBeLessThan(60);
  });

  it.each<[string, StoredProgress | null, object, RegExp]>([
    ['was not read yet', null, {}, /has read the network yet/],
    [
      'is read too late',
      { ago: 90_000 },
      {},
      /^The last block read is 9\d{4} seconds old\. The limit is 86400 seconds/,
    ],
    [
      'has endpoints that disagree for too long',
      { ago: 1, disagreement: 'Block 7 differs.', disagreesFor: 90_000 },
      {},
      /disagreed for 9\d{4} seconds: Block 7 differs\. The limit is 86400 seconds/,
    ],
    ['lacks its factory', { ago: 1 }, { factory: `0x${'11'.repeat(20)}` }, /no forwarder factory at 0x1111/],
  ])('says why a network takes no requests: it %s', async (_, read, changes, why) => {
    const opened = read === null ? await networks.open() : await readTo(read, changes);

    const { out } = await opened.run('network status');

    expect(out).toMatch(/sandbox\.takes_requests +false/);
    expect(/sandbox\.why_not +(.*)/.exec(out)?.[1]).toMatch(why);
  });

  it('shows a network without a usable endpoint', async () => {
    expect(await statusOf(await networks.open([await networks.foreignNode()]))).toMatchObject({
      ...{ readiness: 'foreign', takes_requests: false },
    });
  });
});

describe('The command "network deploy"', () => {
  const folder = mkdtempSync(join(tmpdir(), 'network-deploy-'));
  const key = `0x${randomBytes(32).toString('hex')}` as const;
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, `${key.slice(2)}\n`);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('sends nothing from an account that cannot pay, then deploys once with the given key', async () => {
    const opened = await networks.open([DEAD_ENDPOINT, bare.url], { assets: [sampleAsset()] });
    const words = ['network', 'deploy', 'sandbox', '--key-file', keyFile];

    const poor = await opened.run(...words, '--send', '--yes');
    await bare.rpc('anvil_setBalance', [privateKeyToAddress(key), '0xde0b6b3a7640000']);
    const planned = await opened.runJson<object>(...words);
    const deployed = await opened.runJson<Record<string, string>>(...words, '--send', '--yes');
    const again = await opened.runJson<object>(...words, '--send', '--yes');

    expect([poor.status, poor.err]).toEqual([1, expect.stringMatching(/holds 0 wei.*Nothing was sent/)]);
    expect(planned.data).toMatchObject({ outcome: 'planned', from: privateKeyToAddress(key), balance: '1' });
    expect(deployed.data).toMatchObject({
      outcome: 'deployed',
      transaction_hash: expect.stringMatching(/^0x/),
    });
    const sent = await bare.rpc<Record<string, string>>('eth_getTransactionByHash', [
      deployed.data['transaction_hash'],
    ]);
    expect(sent['from']).toBe(privateKeyToAddress(key).toLowerCase());
    expect(BigInt(sent['gas']!) * BigInt(sent['maxFeePerGas']!)).toBeLessThanOrEqual(
      parseUnits(deployed.data['highest_cost']!, 18),
    );
    expect(Number(sent['gas'])).toBe(deployed.data['highest_gas']);
    const { data: senders } = await opened.runJson<object[]>('sender', 'status');
    expect(senders).toEqual([
      expect.objectContaining({
        ...{ address: privateKeyToAddress(key), key_is_held: true, transaction_count: 1, problem: null },
        unfinished: [
          expect.objectContaining({
            ...{
              nonce: 0,
              purpose: 'factory_deployment',
              state: 'mined',
              attempts: 1,
              situation: 'in_a_block',
            },
            transaction_hash: deployed.data['transaction_hash'],
            next_step: expect.stringContaining('Nothing to do'),
          }),
        ],
      }),
    ]);
    expect(again.data).toMatchObject({ outcome: 'already_there' });
    for (const printed of [poor.err, JSON.stringify(deployed)]) expect(printed).not.toContain(key.slice(2));
  });

  it('says that the deterministic deployer is missing', async () => {
    await bare.rpc('anvil_setCode', [FACTORY, '0x']);
    await bare.rpc('anvil_setCode', ['0x4e59b44847b379578588920cA78FbF26c0B4956C', '0x']);

    const { status, out } = await (await networks.open([bare.url])).run('network', 'deploy', 'sandbox');

    expect(status).toBe(1);
    expect(out).toMatch(/deployer_missing[\s\S]*Deploy it first/);
  });

  it('sends nothing to an endpoint of another chain', async () => {
    const { status, err } = await (
      await networks.open([await networks.foreignNode()])
    ).run('network', 'deploy', 'sandbox', '--send', '--yes', '--key-file', keyFile);

    expect([status, err]).toEqual([1, expect.stringContaining('serves chain 1')]);
  });

  it.each([
    ['without a key', ['--send'], /--send requires --key-file/],
    [
      'with a file that holds no key',
      ['--key-file', new URL(import.meta.url).pathname],
      /must contain one private key/,
    ],
  ])('is rejected %s', async (_, options, sentence) => {
    expect(await (await networks.open()).run('network', 'deploy', 'sandbox', ...options)).toMatchObject({
      status: 2,
      err: expect.stringMatching(sentence),
    });
  });
});
