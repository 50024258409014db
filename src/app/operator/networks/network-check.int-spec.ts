import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createWalletClient, http, publicActions } from 'viem';
import { compile } from '../../../../solidity/build.mjs';
import { startTestChain, type TestChain } from '#test/support/chain.js';
import { firstAccount, sendToToken } from '#contexts/networks/testing/chain-contracts.js';
import { nativeAsset, sampleAsset } from '#contexts/networks/testing/sample-configuration.js';
import { block } from '#contexts/networks/testing/stub-answers.js';
import { Refusal } from '#contexts/networks/testing/stub-node.js';
import { DEAD, ExaminedNetworks, FACTORY } from '../testing/examined-networks.js';

interface PresentedFinding {
  verdict: string;
  about: string;
  check: string;
  finding: string;
  what_to_do: string | null;
}

let networks: ExaminedNetworks;
let bare: TestChain;
let feeToken: string;

beforeAll(async () => {
  [networks, bare] = await Promise.all([ExaminedNetworks.start(), startTestChain()]);
  feeToken = await deployFeeToken(networks.chain);
  await networks.chain.mine(120);
});
afterAll(() => Promise.all([networks.stop(), bare.stop()]));
afterEach(() => networks.close());

async function deployFeeToken({ url }: TestChain): Promise<string> {
  const { FeeToken } = compile(['test/contracts/Unfit.sol']);
  const account = await firstAccount(url);
  const wallet = createWalletClient({ transport: http(url), account, pollingInterval: 20 }).extend(
    publicActions,
  );
  const hash = await wallet.deployContract({
    abi: FeeToken!.abi,
    bytecode: FeeToken!.bytecode,
    args: [],
    chain: null,
  });
  const { contractAddress } = await wallet.waitForTransactionReceipt({ hash });
  await sendToToken(url, contractAddress!, 'mint', [`0x${'33'.repeat(20)}`, 5_000_000n]);
  return contractAddress!.toLowerCase();
}

const wrong = (findings: PresentedFinding[]) =>
  findings.filter(({ verdict }) => verdict === 'wrong').map(({ about, check }) => `${about}: ${check}`);

describe('network check', () => {
  it('finds nothing wrong where all is well, with native coin and finality by tag', async () => {
    const assets = [sampleAsset({ token: networks.token }), nativeAsset()];
    const { status, data } = await (
      await networks.open([networks.chain.url], { assets, finality: 'finalized' })
    ).runJson<PresentedFinding[]>('network', 'check', 'sandbox');

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
      ['ok', 'USDT', 'signature'],
      ['ok', 'ETH', 'contract'],
    ]);
    expect(status).toBe(0);
  });

  it('prints a table for people, with a summary', async () => {
    const { status, out } = await (await networks.open()).run('network', 'check', 'sandbox');

    expect(status).toBe(0);
    expect(out).toMatch(/^verdict {2}about .*\nok .*It serves chain 31337/);
    expect(out).toMatch(/\n\n\d+ checks: 0 wrong, 0 warnings\.$/);
  });

  it('finds a dead and a foreign endpoint among good ones, and checks the contracts by a good one', async () => {
    const { status, data } = await (
      await networks.open([DEAD, await networks.foreignNode(), networks.chain.url])
    ).runJson<PresentedFinding[]>('network', 'check', 'sandbox');

    expect(wrong(data)).toEqual([
      'endpoint 1 (127.0.0.1:9): reachable',
      expect.stringMatching(/^endpoint 2 \(127\.0\.0\.1:\d+\): chain$/),
    ]);
    expect(data.find(({ check }) => check === 'factory')?.verdict).toBe('ok');
    expect(status).toBe(1);
  });

  it('finds wrong decimals, another symbol and a token that takes a fee', async () => {
    const assets = [
      sampleAsset({ token: networks.token, decimals: 8, symbol: 'USDX' }),
      sampleAsset({ token: feeToken, decimals: 18, symbol: 'FEE' }),
    ];
    const { status, data } = await (
      await networks.open([networks.chain.url], { assets })
    ).runJson<PresentedFinding[]>('network', 'check', 'sandbox');

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

  it('says how a missing factory comes to the network', async () => {
    const { status, data } = await (
      await networks.open([bare.url])
    ).runJson<PresentedFinding[]>('network', 'check', 'sandbox');

    expect(data.find(({ check }) => check === 'factory')).toMatchObject({
      verdict: 'wrong',
      finding: `There is no forwarder factory at ${FACTORY}; deploy it or correct factory.`,
      what_to_do: 'Run "network deploy sandbox".',
    });
    expect(status).toBe(1);
  });

  it('finds a head that is older than the network may lag', async () => {
    const { node, url } = await networks.stubNode();
    node.answers('eth_chainId', '0x7a69');
    node.answers('eth_getBlockByNumber', ({ params }: { params: unknown[] }) =>
      block({ number: params[0] === '0x0' ? '0x0' : '0x10', timestamp: '0x65000000' }),
    );

    const { data } = await (
      await networks.open([url])
    ).runJson<PresentedFinding[]>('network', 'check', 'sandbox');

    expect(wrong(data)).toContainEqual(expect.stringMatching(/^endpoint 1 .*: head$/));
  });

  it('only warns that a young chain has no final block yet, which its node answers by an error', async () => {
    const { node, url } = await networks.stubNode();
    node.answers('eth_chainId', '0x7a69');
    node.answers('eth_getBlockByNumber', ({ params: [tag] }: { params: unknown[] }) => {
      if (tag === 'finalized') throw new Refusal(-39_001, 'finalized block not found');
      return block({ number: tag === '0x0' ? '0x0' : '0x10' });
    });

    const { data } = await (
      await networks.open([url], { finality: 'finalized' })
    ).runJson<PresentedFinding[]>('network', 'check', 'sandbox');

    expect(data.find(({ check }) => check === 'finality')).toMatchObject({
      verdict: 'warning',
      finding: 'The chain has no final block yet.',
    });
  });

  it('warns of an endpoint that takes no batches and refuses wide ranges of logs', async () => {
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

    const { data, status } = await (
      await networks.open([url])
    ).runJson<PresentedFinding[]>('network', 'check', 'sandbox');

    const warned = data.filter(({ verdict, about }) => verdict === 'warning' && about.startsWith('endpoint'));
    expect(warned.map(({ finding }) => finding)).toEqual([
      expect.stringMatching(/^It does not support batch requests: .*not in your plan/),
      expect.stringMatching(
        /^It returns logs of up to 10 blocks per call\. Wider ranges are rejected: .*not in your plan/,
      ),
    ]);
    expect(status).toBe(0);
  });

  it('stores no chain', async () => {
    const opened = await networks.open();
    await opened.run('network', 'check', 'sandbox');

    expect(await opened.platform.database.query('SELECT network FROM networks.known_chains')).toEqual([]);
  });

  it('names the networks there are where there is none of that name', async () => {
    expect(await (await networks.open()).run('network', 'check', 'erc20')).toMatchObject({
      status: 2,
      err: expect.stringContaining('There is no network "erc20". Networks in NETWORKS_FILE: sandbox.'),
    });
  });
});
