import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tronAddress } from '#chains/tron/addresses/tron-address.js';
import { WALLET, tronLayer } from '#chains/tron/testing/tron-layer.js';
import { describeChainType, type SuiteWorld } from '#contexts/networks/testing/contract-suites.js';
import { TOKEN_ABI } from '#sandbox/chain/test-tokens.js';
import { evmAddress, toBase58 } from '#sandbox/tron/tron-address.js';
import { startTestTron, type TestTron } from '#test/support/tron-network.js';

const PAYER = 'TSUUVjysXV8YqHytSNjfkNXnnB49QDvZpx';
const TO = tronAddress(`0x${'77'.repeat(20)}`);
const UNKNOWN = 'ab'.repeat(32);
const SOLID_AFTER = 18;

let tron: TestTron;
let paid: { id: string; number: number };

const asset = () => ({
  ...{ token: toBase58(tron.token), symbol: 'USDT', name: 'Test', decimals: 6, minimum_amount: '0.01' },
});
const layer = (changes: object = {}) => {
  const factory = toBase58(tron.factory);
  return tronLayer({
    rpc_urls: [tron.facade.url],
    factory,
    create2_prefix: '0xff',
    assets: [asset()],
    ...changes,
  });
};

beforeAll(async () => {
  tron = await startTestTron();
  const { wallet, token, facade } = tron;
  const id = await wallet.call(token, TOKEN_ABI, 'transfer', [evmAddress(`41${'77'.repeat(20)}`), 5n]);
  paid = { id, number: (await facade.chain.mine()).number };
  for (let i = 0; i < SOLID_AFTER + 3; i += 1) await facade.chain.mine();
});
afterAll(() => tron.stop());

function open(): Promise<SuiteWorld> {
  const { reader, secondEndpoint, lookup, depositAddresses, payoutAddresses } = layer();
  return Promise.resolve({
    ...{ reader, secondEndpoint, lookup, depositAddresses, payoutAddresses },
    terms: { settlementAddress: WALLET, feeRecipient: PAYER, feeBasisPoints: 100 },
    number: paid.number,
    transfer: {
      ...{ kind: 'log', transactionHash: paid.id, index: 0, token: toBase58(tron.token) },
      ...{ from: toBase58(tron.wallet.address), to: TO, amount: 5n },
    },
    unknownBlock: UNKNOWN,
    unknownTransaction: UNKNOWN,
  });
}

describeChainType('TRON', open);

describe('TRON', () => {
  it('has the balances of a block, which its nodes do not report', async () => {
    const { reader } = layer();
    const at = async (number: number) => {
      const { hash } = (await reader.blockHeader(number))!;
      return reader.tokenBalances(hash, toBase58(tron.token), [TO, WALLET]);
    };

    const balances = [await at(paid.number - 1), await at(paid.number), await at(paid.number + 1)];
    expect(balances.flat()).toEqual([0n, 0n, 5n, 0n, 5n, 0n]);
  });

  const findingsOf = (changes: object = {}) => {
    const { check, configuration } = layer(changes);
    return check.check(configuration);
  };

  it('passes the check of its endpoints and contracts', async () => {
    expect((await findingsOf()).map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
      ...['chain ok', 'head ok', 'finality ok', 'receipts ok', 'batches ok', 'contracts ok'],
    ]);
  });

  it.each<[string, () => object, string]>([
    ['a factory that is none', () => ({ factory: WALLET }), `There is no forwarder factory at ${WALLET}`],
    ['the prefix of another machine', () => ({ create2_prefix: '0x41' }), 'has implementation T'],
    [
      'wrong decimals',
      () => ({ assets: [{ ...asset(), decimals: 18 }] }),
      'has 6 decimals, not the configured 18',
    ],
  ])('fails the check with %s', async (_, changes, says) => {
    const wrong = (await findingsOf(changes())).filter(({ verdict }) => verdict === 'wrong');

    expect(wrong).toMatchObject([{ check: 'contracts', says: expect.stringContaining(says) }]);
  });
});
