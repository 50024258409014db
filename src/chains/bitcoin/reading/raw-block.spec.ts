import { describe, expect, it } from '@jest/globals';
import { REGTEST_BITS, assembleBlock } from '../encoding/assemble-block.js';
import { assembleTransaction } from '../encoding/assemble-transaction.js';
import { doubleSha256, bytesOfDisplayHash, merkleRoot as rootOf, uint32 } from '../encoding/wire-bytes.js';
import { BITCOIN_CHAINS } from '../bitcoin-network.js';
import { readBlock, readHeader } from './raw-block.js';
import { readTransaction } from './raw-transaction.js';

const SCRIPT = `0014${'22'.repeat(20)}`;
const spend = (mark: number) => ({ txid: mark.toString(16).padStart(64, '0'), vout: 3 });
const payment = (mark: number, witness: Buffer[] = []) =>
  assembleTransaction({
    inputs: [{ ...spend(mark), witness }],
    outputs: [
      { script: SCRIPT, amount: 5_000_000_000n },
      { script: `6a04${'ff'.repeat(4)}`, amount: 0n },
    ],
  });
const block = (transactions = [payment(1), payment(2, [Buffer.alloc(71), Buffer.alloc(33)])]) =>
  assembleBlock({
    parentHash: 'ab'.repeat(32),
    height: 7,
    stamp: 1_900_000_000,
    bits: REGTEST_BITS,
    transactions,
    mark: 1,
    payTo: { script: SCRIPT, amount: 50n },
  });

/** Mines a block with these transactions and this merkle root. */
function mined(bytes: readonly Buffer[], root: Buffer): Buffer {
  const before = [
    uint32(2),
    bytesOfDisplayHash('ab'.repeat(32)),
    root,
    uint32(1_900_000_000),
    uint32(REGTEST_BITS),
  ];
  for (let nonce = 0; ; nonce += 1) {
    const header = Buffer.concat([...before, uint32(nonce)]);
    if (doubleSha256(header)[31]! < 0x7f) return Buffer.concat([header, Buffer.of(bytes.length), ...bytes]);
  }
}

describe('A transaction by its bytes', () => {
  it.each([['with', [Buffer.alloc(71), Buffer.alloc(33)]] as const, ['without', []] as const])(
    'shows its id, outputs and spent outputs: %s a witness',
    (_, witness) => {
      const { bytes, txid } = payment(9, [...witness]);
      const read = readTransaction(bytes);

      expect(read).toMatchObject({ id: txid, isCoinbase: false });
      expect(read.outputs).toEqual([
        { script: SCRIPT, amount: 5_000_000_000n },
        { script: '6a04ffffffff', amount: 0n },
      ]);
      expect(read.spends).toEqual([`${'0'.repeat(63)}9:3`]);
    },
  );

  it('is rejected with missing or extra bytes', () => {
    const { bytes } = payment(9, [Buffer.alloc(71)]);

    expect(() => readTransaction(Buffer.concat([bytes, Buffer.of(0)]))).toThrow('bytes follow');
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => readTransaction(bytes.subarray(0, length))).toThrow(Error);
  });

  it('is rejected with more money in an output than can exist', () => {
    const rich = assembleTransaction({
      inputs: [spend(1)],
      outputs: [{ script: SCRIPT, amount: 2_100_000_000_000_001n }],
    });

    expect(() => readTransaction(rich.bytes)).toThrow('exceeds the total supply of bitcoin');
  });
});

describe('A block by its bytes', () => {
  it('has its header and all its transactions', () => {
    const { bytes, hash, transactions } = block();
    const read = readBlock(bytes);

    expect(read.header).toMatchObject({ hash, parentHash: 'ab'.repeat(32), stamp: 1_900_000_000 });
    expect(read.size).toBe(bytes.length);
    expect(read.transactions.map(({ id }) => id)).toEqual(transactions.map(({ txid }) => txid));
    expect(read.transactions.map(({ isCoinbase }) => isCoinbase)).toEqual([true, false, false]);
    expect(read.transactions[0]!.spends).toEqual([]);
  });

  it.each([
    [
      'main',
      1,
      '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
      1231006505,
      0x1d00ffff,
      2083236893,
    ],
    [
      'testnet4',
      1,
      '7aa0a7ae1e223414cb807e40cd57e667b718e42aaf9306db9102fe28912b7b4e',
      1714777860,
      0x1d00ffff,
      393743547,
    ],
  ])('matches the known first block of %s', (name, version, root, stamp, bits, nonce) => {
    const chain = BITCOIN_CHAINS.find((each) => each.name === name)!;
    const fields = [
      uint32(version),
      Buffer.alloc(32),
      bytesOfDisplayHash(root),
      ...[stamp, bits, nonce].map(uint32),
    ];

    expect(readHeader(Buffer.concat(fields))).toMatchObject({
      hash: chain.genesisHash,
      target: chain.easiestTarget,
    });
  });

  it('shows the work that its target requires', () => {
    const { bytes } = block();
    const idle = Buffer.from(bytes);
    idle.writeUInt32LE(0x1d00ffff, 72);

    expect(() => readHeader(idle)).toThrow('the work of a block is missing');
    idle.writeUInt32LE(0x20ffffff, 72);
    expect(() => readHeader(idle)).toThrow('target');
  });

  it('contains exactly the transactions of its Merkle root', () => {
    const { bytes } = block();
    const other = Buffer.from(bytes);
    other.writeUInt32LE(other.readUInt32LE(other.length - 4) + 1, other.length - 4);

    expect(() => readBlock(other)).toThrow('do not match the header');
    expect(() => readBlock(Buffer.concat([bytes, Buffer.of(0)]))).toThrow('bytes follow');
    expect(() => readBlock(bytes.subarray(0, -1))).toThrow('end too early');
    expect(() => readBlock(Buffer.concat([bytes, Buffer.alloc(4_000_000)]))).toThrow(
      'exceeds the maximum size',
    );
  });

  it('is rejected with a transaction twice, even if its Merkle root is the same (CVE-2012-2459)', () => {
    const { transactions } = block([payment(1), payment(2)]);
    const three = transactions.map(({ bytes }) => bytes);
    const root = Buffer.from(rootOf(transactions.map(({ txid }) => bytesOfDisplayHash(txid))));

    expect(readBlock(mined(three, root)).transactions).toHaveLength(3);
    expect(() => readBlock(mined([...three, three[2]!], root))).toThrow('occurs twice');
  });

  it('begins with a coinbase, and not with inner nodes of the Merkle tree (CVE-2017-12842)', () => {
    const { transactions } = block([payment(1)]);
    const [coinbase, paid] = transactions.map(({ bytes }) => bytes) as [Buffer, Buffer];
    const [first, second] = transactions.map(({ txid }) => bytesOfDisplayHash(txid)) as [Buffer, Buffer];
    const swapped = mined([paid, coinbase], Buffer.from(rootOf([second, first])));

    expect(() => readBlock(swapped)).toThrow('coinbase');
    expect(() => readBlock(mined([paid], Buffer.from(second)))).toThrow('coinbase');
  });
});
