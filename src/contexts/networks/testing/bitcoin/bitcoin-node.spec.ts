import { afterEach, describe, expect, it } from '@jest/globals';
import { BitcoinChain } from './bitcoin-chain.js';
import { BitcoinNode } from './bitcoin-node.js';

const BEGIN = Date.parse('2030-01-01T00:00:00Z');
const UNKNOWN = 'ab'.repeat(32);
const nodes: BitcoinNode[] = [];

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

async function opened(program: 'core' | 'btcd') {
  const node = new BitcoinNode(BitcoinChain.begun(BEGIN), program);
  nodes.push(node);
  const { href, username, password, origin } = new URL(await node.start());
  const post = async (body: unknown, authorization = `Basic ${btoa(`${username}:${password}`)}`) => {
    const answer = await fetch(origin, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization },
    });
    return { status: answer.status, connection: answer.headers.get('connection'), body: await answer.text() };
  };
  const ask = async (method: string, ...params: unknown[]) => {
    const { status, body } = await post({ jsonrpc: '2.0', id: 7, method, params });
    return {
      status,
      ...(JSON.parse(body) as { result: unknown; error: { code: number } | null; id: number }),
    };
  };
  return { node, href, post, ask };
}

describe('The in-process node', () => {
  it('answers a block that it prunes no more than Core does', async () => {
    const { node, ask } = await opened('core');
    const block = node.chain.blocks[3]!;
    expect((await ask('getblock', block.hash, 0)).result).toBe(block.bytes.toString('hex'));
    node.faults.prunedBelow = 5;

    expect(await ask('getblock', block.hash, 0)).toMatchObject({ status: 500, error: { code: -1 }, id: 7 });
    expect((await ask('getblockchaininfo')).result).toMatchObject({ pruned: true, pruneheight: 5 });
  });

  it.each([
    ['core', { status: 500, error: { code: -8 } }, { status: 404, error: { code: -32_601 } }, 'keep-alive'],
    ['btcd', { status: 200, error: { code: -1 } }, { status: 200, error: { code: -32_601 } }, 'close'],
  ] as const)('refuses in the form of %s', async (program, aboveHead, unknown, connection) => {
    const { post, ask } = await opened(program);

    expect(await ask('getblockhash', 99)).toMatchObject(aboveHead);
    expect(await ask('eth_chainId')).toMatchObject(unknown);
    expect(await post([{ id: 1, method: 'getblockhash', params: [0] }])).toMatchObject({
      status: 200,
      connection,
    });
    expect(await post({}, 'Basic none')).toMatchObject({ status: 401 });
  });

  it('answers for its mempool as both do', async () => {
    const { node, ask } = await opened('core');
    const paid = node.chain.pay([{ script: `0014${'0c'.repeat(20)}`, amount: 7n }]);
    const { txid, vout } = paid.inputs[0]!;

    expect((await ask('getrawmempool', false)).result).toEqual([paid.txid]);
    expect((await ask('getrawtransaction', paid.txid, 0)).result).toBe(paid.bytes.toString('hex'));
    expect((await ask('getmempoolentry', paid.txid)).result).toMatchObject({ time: BEGIN / 1_000 });
    expect((await ask('gettxspendingprevout', [{ txid, vout }])).result).toEqual([
      { txid, vout, spendingtxid: paid.txid },
    ]);
    expect((await ask('gettxout', txid, vout, false)).result).toMatchObject({ confirmations: 11 });
    expect((await ask('gettxout', txid, vout, true)).result).toBeNull();
    expect(await ask('getrawtransaction', UNKNOWN, 0)).toMatchObject({ error: { code: -5 } });
  });

  it('lies as it is asked to', async () => {
    const { node, ask } = await opened('core');
    node.faults.lies = { getblockhash: () => UNKNOWN };

    expect((await ask('getblockhash', 1)).result).toBe(UNKNOWN);
  });
});
