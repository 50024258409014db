import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestChain, startTestChain } from '#test/support/chain.js';
import type { Asset } from '#shared/kernel/asset.js';
import type { NetworkCheckFinding } from '#contexts/networks/domain/finding.js';
import { tokenFindings } from './token-facts.js';
import {
  deployContract,
  deployTestToken,
  firstAccount,
  sendToToken,
  testContract,
} from '../testing/chain-contracts.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { transferPlanning } from '#contexts/networks/testing/outbound-parts.js';
import { type Misbehaviour, StubNode } from '#contexts/networks/testing/stub-node.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { RpcTokenCheck } from './rpc-token-check.js';

const HOLDER = `0x${'33'.repeat(20)}` as const;
const PLENTY = 5_000_000n;

let chain: TestChain;

beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

const deployed = (name: string) => deployContract(chain.url, testContract(name));

async function examined(
  token: string,
  { url = chain.url, ...changes }: Partial<Asset> & { url?: string } = {},
): Promise<Map<string, NetworkCheckFinding>> {
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
  const facts = await new RpcTokenCheck(rpc).check(endpoint!, asset.token);
  return new Map(tokenFindings(asset, facts).map((finding) => [finding.check, finding]));
}

const verdicts = (findings: ReadonlyMap<string, NetworkCheckFinding>) =>
  Object.fromEntries([...findings].map(([check, { verdict }]) => [check, verdict]));

const ALL_WELL = { contract: 'ok', decimals: 'ok', symbol: 'ok', transfer: 'ok', balance: 'ok' };

describe('Examining a token', () => {
  it('finds no problem with a plain token, by transfers of those who received it lately', async () => {
    const token = await deployTestToken(chain.url, 6);
    await sendToToken(chain.url, token, 'mint', [HOLDER, PLENTY]);

    const findings = await examined(token);

    expect(verdicts(findings)).toEqual(ALL_WELL);
    expect(findings.get('transfer')?.says).toBe(
      'Simulated transfers of 1 holder(s) arrived in full, up to 4.999999 USDT.',
    );
  });

  it('finds a fee on transfers, also if the largest holder is exempt from it', async () => {
    const token = await deployed('FeeToken');
    await sendToToken(chain.url, token, 'mint', [await firstAccount(chain.url), PLENTY * 10n]);
    await sendToToken(chain.url, token, 'mint', [HOLDER, PLENTY]);

    const findings = await examined(token, { symbol: 'FEE', decimals: 18 });

    expect(verdicts(findings)).toEqual({ ...ALL_WELL, transfer: 'wrong' });
    expect(findings.get('transfer')?.says).toMatch(
      /deducts 0\.000000000004999999 FEE and delivers 0\.00000000000495 FEE/,
    );
  });

  it('allows no plan of a transfer of which a fee is taken', async () => {
    const token = await deployed('FeeToken');
    await sendToToken(chain.url, token, 'mint', [HOLDER, PLENTY]);
    const asset = { token: token.toLowerCase(), symbol: 'FEE' };
    const planning = transferPlanning(settingsFor(chain.url));

    await expect(planning.plan(HOLDER, asset, `0x${'0c'.repeat(20)}`, 1_000n)).rejects.toThrow(
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

  it.each<[string, (params: unknown[]) => unknown[] | null, RegExp]>([
    ['ignores', (params) => params.slice(0, 2), /Not checked: the endpoint does not support state overrides/],
    ['ignores later blocks of', (params) => params.slice(0, 3), /does not support block overrides/],
  ])(
    'reports nothing as ok that was not simulated: by a node that %s simulations',
    async (how, changed, says) => {
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
    },
  );
});

/** Passes requests on to the node with other parameters. Null makes the request fail. */
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
