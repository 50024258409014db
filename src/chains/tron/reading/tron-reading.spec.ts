import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BlockStateUnavailable, ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { SETTLED_TOPIC, TRANSFER_TOPIC } from '../../ethereum-rpc/log-answers.js';
import { hexOfTronAddress, tronAddress } from '../addresses/tron-address.js';
import { TronNode, blockId } from '../testing/tron-node.js';
import { USDT, tronLayer } from '../testing/tron-layer.js';

const USDT_IN_HEX = hexOfTronAddress(USDT)!.slice(2);
const FACTORY = 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR';
const word = (value: string) => value.padStart(64, '0');
const id = (digit: string) => digit.repeat(64);
const party = (digit: string) => tronAddress(`0x${digit.repeat(40)}`);
const log = (to: string, amount: bigint, address = USDT_IN_HEX) => ({
  address,
  topics: [TRANSFER_TOPIC.slice(2), word('1'.repeat(40)), word(to.repeat(40))],
  data: word(amount.toString(16)),
});
const success = { receipt: { result: 'SUCCESS' } };
const RECEIPTS = '/wallet/gettransactioninfobyblocknum';

let node: TronNode;
let url: string;

beforeEach(async () => {
  node = new TronNode();
  url = await node.start();
});
afterEach(() => node.stop());

const open = (changes: object = {}, patience: object = {}) =>
  tronLayer({ rpc_urls: [url], ...changes }, patience);
const contentsOf = async (number: number) => (await open().reader.blocks(number, number, null))[0]!;

describe('The reader of a TRON network', () => {
  it('takes the head from the full node, and the final block from the solidity node', async () => {
    const { head, finalNumber } = await open().reader.head();

    expect([head.number, head.hash, head.time, finalNumber]).toEqual([
      40,
      blockId(40),
      new Date(120_000),
      21,
    ]);
  });

  it('sends the key of TronGrid in its header, and shows it in no error', async () => {
    const key = '0a1b2c3d-key-of-trongrid';
    node.fill(9, [{ id: id('a'), ...success }]);
    node.replaced.set(RECEIPTS, () => ({ Error: `the key ${key} is not valid` }));
    const { reader } = open({ rpc_urls: [url.replace('//', `//TRON-PRO-API-KEY:${key}@`)] });

    await expect(reader.blocks(9, 9, null)).rejects.toThrow('the key (secret) is not valid');
    expect([...node.keys]).toEqual([key]);
  });

  it('has no final block above the head of a node that is behind', async () => {
    node.solid = 55;

    expect((await open().reader.head()).finalNumber).toBe(40);
  });

  it('reads transfers and payouts by the receipts, in the order of the block’s transactions', async () => {
    const settled = {
      address: hexOfTronAddress(FACTORY)!.slice(2),
      topics: [SETTLED_TOPIC.slice(2)],
      data: word('2'.repeat(40)) + word(USDT_IN_HEX) + word('7') + word('1'),
    };
    const receipts = [
      { id: id('a'), ...success, log: [log('2', 5n), log('3', 6n, '9'.repeat(40))] },
      { id: id('b'), ...success, log: [log('4', 7n), settled] },
    ];
    node.fill(9, receipts);
    node.replaced.set(RECEIPTS, () => node.receipts.get(9)!.toReversed());

    const transfer = { kind: 'log', token: USDT, from: party('1') };
    expect(await contentsOf(9)).toMatchObject({
      transfers: [
        { ...transfer, transactionHash: id('a'), index: 0, to: party('2'), amount: 5n },
        { ...transfer, transactionHash: id('b'), index: 2, to: party('4'), amount: 7n },
      ],
      payouts: [
        {
          ...{ transactionHash: id('b'), logIndex: 3, from: FACTORY, address: party('2') },
          ...{ token: USDT, toSettlement: 7n, toFee: 1n },
        },
      ],
    });
  });

  it.each([
    ['a transfer of TRX or of a TRC-10 token, which has no log', { receipt: { net_fee: 1 } }],
    ['a failed transaction', { result: 'FAILED', receipt: { result: 'REVERT' }, log: [log('2', 5n)] }],
    ['a transaction out of energy', { receipt: { result: 'OUT_OF_ENERGY' }, log: [log('2', 5n)] }],
    ['another token', { ...success, log: [log('2', 5n, '9'.repeat(40))] }],
    ['a transfer of nothing', { ...success, log: [log('2', 0n)] }],
    ['an event without topics or data', { ...success, log: [{ address: USDT_IN_HEX }] }],
  ])('reads no transfer from %s', async (_, receipt) => {
    node.fill(9, [{ id: id('a'), ...receipt }]);

    expect((await contentsOf(9)).transfers).toEqual([]);
  });

  it.each<[string, (receipts: object[]) => unknown]>([
    ['no receipts', () => []],
    ['too few receipts', (receipts) => receipts.slice(1)],
    ['a receipt twice', (receipts) => [...receipts, receipts[0]]],
    ['receipts of another fork', (receipts) => receipts.map((each) => ({ ...each, id: id('f') }))],
    ['receipts of another block', (receipts) => receipts.map((each) => ({ ...each, blockNumber: 8 }))],
    [
      'addresses of another form',
      (receipts) => receipts.map((each) => ({ ...each, log: [log('2', 5n, USDT)] })),
    ],
    ['an error with status 200', () => ({ Error: 'class java.lang.NullPointerException : null' })],
    ['no list', () => ({})],
  ])('reads no block whose node answers with %s', async (_, answer) => {
    const receipts = ['a', 'b'].map((digit) => ({ id: id(digit), ...success, log: [log('2', 5n)] }));
    node.fill(9, receipts);
    const filled = node.receipts.get(9)!;
    node.replaced.set(RECEIPTS, () => answer(filled));

    await expect(contentsOf(9)).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('waits for a busy node as for one that limits calls', async () => {
    node.fill(9, [{ id: id('a'), ...success }]);
    node.replaced.set(RECEIPTS, () => ({
      Error: 'class java.lang.IllegalAccessException : lack of computing resources',
    }));

    await expect(contentsOf(9)).rejects.toMatchObject({ kind: 'rate_limited' });
  });

  it('reads the receipts one by one if they are too large for one answer', async () => {
    const large = { ...log('5', 1n, '9'.repeat(40)), data: '00'.repeat(3_000) };
    const receipts = ['a', 'b'].map((digit) => ({ id: id(digit), ...success, log: [large, log('2', 5n)] }));
    node.fill(9, receipts);

    const [block] = await open({}, { parsedBytes: 10_000 }).reader.blocks(9, 9, null);

    expect(block!.transfers).toMatchObject([
      { transactionHash: id('a'), index: 1 },
      { transactionHash: id('b'), index: 3 },
    ]);
  });

  it('keeps only own transfers of blocks with many', async () => {
    node.fill(9, [{ id: id('a'), ...success, log: [log('2', 5n), log('3', 6n), log('4', 7n)] }]);
    const ours = () => Promise.resolve(new Set([party('3')]));

    const [block] = await open({}, { heldMovements: 2 }).reader.blocks(9, 9, null, ours);

    expect(block!.transfers.map(({ to }) => to)).toEqual([party('3')]);
  });

  it('reads from another node while one is behind by minutes', async () => {
    const behind = new TronNode();
    behind.head = 5;
    const both = [await behind.start(), url];
    try {
      const { reader, pool } = open({ rpc_urls: both });
      await reader.head();
      pool.recordHead(pool.admittedEndpoints('trc20')[1]!.endpoint, 40);
      await reader.head();

      expect((await reader.head()).head.number).toBe(40);
    } finally {
      await behind.stop();
    }
  });
});

describe('A balance on a TRON network', () => {
  const balancesAt = (hash: string) =>
    open().reader.tokenBalances(hash, USDT, [party('1'), party('2'), party('3')]);

  beforeEach(() => {
    node.fill(20, [{ id: id('a'), ...success, log: [log('2', 5n)] }]);
    node.fill(30, [{ id: id('b'), ...success, log: [log('2', 7n)] }]);
    ['1', '2'].forEach((digit, i) => node.balances.set(`0x${digit.repeat(40)}`, [88n, 12n][i]!));
  });

  it('equals that of the newest block without the transfers since then', async () => {
    expect(await balancesAt(blockId(40))).toEqual([88n, 12n, 0n]);
    expect(await balancesAt(blockId(30))).toEqual([88n, 12n, 0n]);
    expect(await balancesAt(blockId(29))).toEqual([95n, 5n, 0n]);
    expect(await balancesAt(blockId(19))).toEqual([100n, 0n, 0n]);
  });

  it('fails while an address is used, because the block of the answer is not known', async () => {
    node.fill(36, [{ id: id('c'), ...success, log: [log('3', 1n)] }]);

    await expect(balancesAt(blockId(39))).rejects.toThrow(`${party('1')} was used in block 36`);
    node.head = 41;
    expect(await balancesAt(blockId(35))).toEqual([89n, 12n, -1n]);
  });

  it('fails for a block of another fork, and for an old one', async () => {
    await expect(balancesAt(blockId(30, 'f'))).rejects.toThrow('is not in the endpoint’s chain');
    node.head = 431;
    await expect(balancesAt(blockId(30))).rejects.toBeInstanceOf(BlockStateUnavailable);
  });
});

describe('A proof by a receipt of TRON', () => {
  it('rejects a block that another fork has in its place', async () => {
    node.fill(9, [{ id: id('a'), ...success, log: [log('2', 5n)] }]);
    const { reader } = open();
    const [transfer] = (await contentsOf(9)).transfers;

    expect(await reader.containsTransfers(blockId(9), [transfer!])).toEqual([true]);
    await expect(reader.containsTransfers(blockId(9, 'f'), [transfer!])).rejects.toBeInstanceOf(
      ChainUnavailable,
    );
  });

  it('confirms a transfer of a token that was removed from the configuration', async () => {
    node.fill(9, [{ id: id('a'), ...success, log: [log('2', 5n)] }]);
    const [transfer] = (await contentsOf(9)).transfers;
    const other = { token: party('9'), symbol: 'USDD', name: 'Other', decimals: 18, minimum_amount: '1' };

    expect(await open({ assets: [other] }).reader.containsTransfers(blockId(9), [transfer!])).toEqual([true]);
  });
});

describe('The lookup of a TRON transaction', () => {
  it('shows native TRX, which pays nothing', async () => {
    node.fill(9, [{ id: id('a') }, { id: id('b') }]);
    const value = {
      owner_address: `41${'1'.repeat(40)}`,
      to_address: `41${'2'.repeat(40)}`,
      amount: 7_000_000,
    };
    const transaction = { raw_data: { contract: [{ type: 'TransferContract', parameter: { value } }] } };
    node.replaced.set('/wallet/gettransactionbyid', ({ value: txID }) => ({ txID, ...transaction }));

    expect(await open().lookup.find(id('b'))).toMatchObject({
      blockNumber: 9,
      transfers: [
        { kind: 'call', index: 1, token: 'native', from: party('1'), to: party('2'), amount: 7_000_000n },
      ],
    });
  });
});

describe('The fee of a transfer on TRON', () => {
  it('is the energy of a first transfer and the bandwidth, in sun', async () => {
    expect(await open().pricing.estimate('trc20')).toEqual({
      coin: { symbol: 'TRX', decimals: 6 },
      ...{ native: 345_000n, token: 13_445_000n },
    });
  });
});

describe('The check of a TRON network', () => {
  it.each<[string, string, (body: Record<string, unknown>) => unknown]>([
    ['the history of transactions', 'receipts', () => []],
    ['a solidity node', 'finality', () => ({ Error: 'class java.lang.Exception : not found' })],
  ])('reports a node without %s', async (_, name, answer) => {
    node.fill(1, [{ id: id('a'), ...success }]);
    node.replaced.set(name === 'receipts' ? RECEIPTS : '/walletsolidity/getnowblock', answer);
    const { check, configuration } = open();

    const findings = await check.check(configuration);

    expect(findings.filter(({ verdict, about }) => verdict === 'wrong' && about !== 'network')).toMatchObject(
      [{ check: name, todo: expect.stringMatching(/^Use /) }],
    );
  });
});
