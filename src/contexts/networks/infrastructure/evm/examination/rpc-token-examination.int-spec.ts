import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Address, type Hex, createWalletClient, encodeFunctionData, http, publicActions } from 'viem';
import { compile } from '../../../../../../solidity/build.mjs';
import { type TestChain, startTestChain } from '#test/support/chain.js';
import type { Asset } from '#shared/kernel/asset.js';
import type { Finding } from '#contexts/networks/domain/finding.js';
import { tokenFindings } from './token-facts.js';
import { deployTestToken, firstAccount, sendToToken } from '#contexts/networks/testing/chain-contracts.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { transferPlanning } from '#contexts/networks/testing/sending-parts.js';
import { type Misbehaviour, StubNode } from '#contexts/networks/testing/stub-node.js';
import { JsonRpc } from '../../json-rpc/json-rpc.js';
import { RpcTokenExamination } from './rpc-token-examination.js';

const HOLDER = `0x${'33'.repeat(20)}` as const;
const PLENTY = 5_000_000n;

let chain: TestChain;
let contracts: ReturnType<typeof compile>;

beforeAll(async () => {
  chain = await startTestChain();
  contracts = compile(['test/contracts/Unfit.sol']);
});
afterAll(() => chain.stop());

async function deployed(name: string): Promise<Address> {
  const account = await firstAccount(chain.url);
  const client = createWalletClient({ transport: http(chain.url), account, pollingInterval: 20 }).extend(
    publicActions,
  );
  const { abi, bytecode } = contracts[name]!;
  const hash = await client.deployContract({ abi, bytecode: bytecode as Hex, args: [], chain: null });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  return contractAddress!;
}

async function examined(
  token: string,
  { url = chain.url, ...changes }: Partial<Asset> & { url?: string } = {},
): Promise<Map<string, Finding>> {
  const rpc = new JsonRpc(settingsFor(url));
  const [endpoint] = rpc.endpoints('sandbox');
  const asset: Asset = {
    uniqueAssetId: `nsandbox_t${token}`,
    network: 'sandbox',
    token: token.toLowerCase(),
    symbol: 'USDT',
    name: 'Test Dollar',
    decimals: 6,
    minimumAmount: 1n,
    ...changes,
  };
  const facts = await new RpcTokenExamination(rpc).examine(endpoint!, asset.token);
  return new Map(tokenFindings(asset, facts).map((finding) => [finding.check, finding]));
}

const verdicts = (findings: ReadonlyMap<string, Finding>) =>
  Object.fromEntries([...findings].map(([check, { verdict }]) => [check, verdict]));

const ALL_WELL = { contract: 'ok', decimals: 'ok', symbol: 'ok', transfer: 'ok', balance: 'ok' };

describe('Examining a token', () => {
  it('finds a plain one well, by transfers of those who received it lately', async () => {
    const token = await deployTestToken(chain.url, 6);
    await sendToToken(chain.url, token, 'mint', [HOLDER, PLENTY]);

    const findings = await examined(token);

    expect(verdicts(findings)).toEqual(ALL_WELL);
    expect(findings.get('transfer')?.says).toBe(
      'Simulated transfers of 1 holder(s) arrived in full, up to 4.999999 USDT.',
    );
  });

  it('says that transfers are not checked where nobody received it lately', async () => {
    const token = await deployTestToken(chain.url, 6);

    const findings = await examined(token);

    expect(verdicts(findings)).toEqual({ ...ALL_WELL, transfer: 'warning', balance: 'warning' });
    expect(findings.get('transfer')?.says).toBe('Not checked: no recent transfer was found.');
  });

  it('moves nothing', async () => {
    const token = await deployTestToken(chain.url, 6);
    await sendToToken(chain.url, token, 'mint', [HOLDER, PLENTY]);
    const before = await chain.rpc('eth_blockNumber');

    await examined(token);

    const balance = await chain.rpc('eth_call', [
      {
        to: token,
        data: encodeFunctionData({
          abi: [
            {
              type: 'function',
              name: 'balanceOf',
              inputs: [{ type: 'address' }],
              outputs: [{ type: 'uint256' }],
              stateMutability: 'view',
            },
          ],
          args: [HOLDER],
        }),
      },
      'latest',
    ]);
    expect([await chain.rpc('eth_blockNumber'), BigInt(balance as Hex)]).toEqual([before, PLENTY]);
  });

  it('finds a fee on transfers, also where the largest holder is exempt from it', async () => {
    const token = await deployed('FeeToken');
    await sendToToken(chain.url, token, 'mint', [await firstAccount(chain.url), PLENTY * 10n]);
    await sendToToken(chain.url, token, 'mint', [HOLDER, PLENTY]);

    const findings = await examined(token, { symbol: 'FEE', decimals: 18 });

    expect(verdicts(findings)).toEqual({ ...ALL_WELL, transfer: 'wrong' });
    expect(findings.get('transfer')?.says).toMatch(
      /deducts 0\.000000000004999999 FEE and delivers 0\.00000000000495 FEE/,
    );
  });

  it('has no transfer planned that a fee is taken of', async () => {
    const token = await deployed('FeeToken');
    await sendToToken(chain.url, token, 'mint', [HOLDER, PLENTY]);
    const asset = { token: token.toLowerCase(), symbol: 'FEE' };
    const planning = transferPlanning(settingsFor(chain.url));

    await expect(planning.plan('sandbox', HOLDER, asset, `0x${'0c'.repeat(20)}`, 1_000n)).rejects.toThrow(
      /1000 units .* delivers only 990 .*Nothing was sent/,
    );
  });

  it('finds balances that grow by themselves', async () => {
    const token = await deployed('InterestToken');
    await sendToToken(chain.url, token, 'mint', [HOLDER, PLENTY]);

    const findings = await examined(token, { symbol: 'INT', decimals: 18 });

    expect(findings.get('balance')).toMatchObject({
      verdict: 'wrong',
      says: expect.stringMatching(/^A balance of .* becomes .* in a simulated year/),
    });
  });

  it('finds balances that are computed from shares, which cannot be parted at will', async () => {
    const token = await deployed('ShareToken');
    await sendToToken(chain.url, token, 'mint', [HOLDER, PLENTY]);

    const findings = await examined(token, { symbol: 'SHR', decimals: 18 });

    expect(findings.get('transfer')).toMatchObject({
      verdict: 'wrong',
      says: expect.stringMatching(/delivers 0\.000000000014999997 SHR/),
    });
  });

  it('says when no holder can transfer', async () => {
    const token = await deployed('PausedToken');
    await sendToToken(chain.url, token, 'mint', [HOLDER, PLENTY]);

    const findings = await examined(token, { symbol: 'PSD', decimals: 18 });

    expect(findings.get('transfer')).toMatchObject({
      verdict: 'wrong',
      says: expect.stringMatching(/^None of 1 holders/),
    });
  });

  it('reads the symbol of an old token, and warns of another with both spellings', async () => {
    const token = await deployed('Bytes32SymbolToken');

    const same = await examined(token, { symbol: 'OLD', decimals: 18 });
    const other = await examined(token, { symbol: 'OLDER', decimals: 18 });

    expect(same.get('symbol')?.verdict).toBe('ok');
    expect(other.get('symbol')).toMatchObject({
      verdict: 'warning',
      says: 'Its symbol is "OLD", but it is configured as OLDER.',
    });
  });

  it('finds other decimals than configured, no contract, and a contract that is no token', async () => {
    const token = await deployTestToken(chain.url, 6);
    const factoryDeployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c';

    expect((await examined(token, { decimals: 18 })).get('decimals')?.says).toBe(
      'It has 6 decimals, not the configured 18.',
    );
    expect((await examined(`0x${'44'.repeat(20)}`)).get('contract')?.says).toMatch(
      /^There is no contract at/,
    );
    expect((await examined(factoryDeployer)).get('contract')?.says).toMatch(/it is not an ERC-20 token/);
  });

  it.each<[string, (params: unknown[]) => unknown[] | null, RegExp]>([
    ['refuses', (params) => (params.length > 2 ? null : params), /Not checked: .*too many arguments/],
    ['ignores', (params) => params.slice(0, 2), /Not checked: the endpoint does not support state overrides/],
    ['refuses later blocks of', (params) => (params.length > 3 ? null : params), /too many arguments/],
    ['ignores later blocks of', (params) => params.slice(0, 3), /does not support block overrides/],
  ])('never calls well what a node that %s simulations did not show', async (how, changed, says) => {
    const token = await deployTestToken(chain.url, 6);
    await sendToToken(chain.url, token, 'mint', [HOLDER, PLENTY]);
    const node = new StubNode();
    node.misbehaves(changing(changed));
    const url = await node.start();

    const findings = await examined(token, { url });
    await node.stop();

    const wanted = how.includes('later')
      ? { balance: 'warning' }
      : { transfer: 'warning', balance: 'warning' };
    expect(verdicts(findings)).toEqual({ ...ALL_WELL, ...wanted });
    expect(findings.get('balance')?.says).toMatch(says);
  });
});

/** Before the chain, with other parameters; null refuses. */
function changing(change: (params: unknown[]) => unknown[] | null): Misbehaviour {
  return (response, request) => {
    const params = change(request.params);
    response.setHeader('content-type', 'application/json');
    if (params === null) {
      const error = { code: -32_602, message: 'too many arguments, want at most 2' };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, error }));
      return;
    }
    void fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...request, params }),
    })
      .then((answer) => answer.text())
      .then((text) => response.end(text));
  };
}
