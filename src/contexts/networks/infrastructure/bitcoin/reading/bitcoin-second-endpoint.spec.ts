import { afterEach, describe, expect, it } from '@jest/globals';
import { BitcoinChain } from '#contexts/networks/testing/bitcoin/bitcoin-chain.js';
import {
  BITCOIN_NETWORK as NETWORK,
  bitcoinLayer,
  ownOf,
} from '#contexts/networks/testing/bitcoin/bitcoin-layer.js';
import {
  BEGIN,
  OWN,
  TO_US,
  beside,
  startNode,
  stopNodes,
} from '#contexts/networks/testing/bitcoin/followed-mempools.js';

const MINUTE_MS = 60_000;
const OURS = ownOf([OWN.address]);

afterEach(stopNodes);

describe('The second endpoint of a Bitcoin chain', () => {
  async function two(changes: object = {}) {
    const chain = BitcoinChain.begun(BEGIN);
    const first = await startNode(chain);
    const other = beside(chain);
    const second = await startNode(other);
    const layer = bitcoinLayer([first.url, second.url], changes);
    await layer.reader.head(NETWORK);
    return { chain, other, second: second.node, ...layer };
  }

  it('is asked for no block that the reader has read, since its hash proves it', async () => {
    const { chain, other, second, reader, secondEndpoint } = await two();
    chain.pay(TO_US);
    chain.now += 10 * MINUTE_MS;
    other.accept(chain.mine());
    const { head } = await reader.head(NETWORK);
    const [block] = await reader.blocks(NETWORK, 13, 13, null, OURS);

    const { last, contents } = await secondEndpoint.contents(NETWORK, 13, 13, OURS);

    expect(secondEndpoint.isIndependent(NETWORK)).toBe(true);
    expect(last).toEqual(head);
    expect(contents).toEqual([{ number: 13, hash: head.hash, transfers: block!.transfers, payouts: [] }]);
    expect([second.askedFor('getblock').length, second.askedFor('getblockhash').length]).toEqual([0, 1]);
  });

  it('contradicts by its newest block where it is behind on another branch', async () => {
    const { chain, other, secondEndpoint } = await two();
    other.now += MINUTE_MS;
    const own = other.mine([]);
    chain.now += 10 * MINUTE_MS;
    chain.mine();
    chain.mine();

    expect(await secondEndpoint.contents(NETWORK, 14, 14, OURS)).toMatchObject({
      last: { number: 13, hash: own.hash },
      contents: [],
    });
  });

  it('is of no use where it is merely behind', async () => {
    const { chain, secondEndpoint } = await two();
    chain.now += 10 * MINUTE_MS;
    chain.mine();

    await expect(secondEndpoint.contents(NETWORK, 13, 13, OURS)).rejects.toThrow('does not know block 13');
  });
});
