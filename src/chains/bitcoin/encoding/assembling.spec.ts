import { describe, expect, it } from '@jest/globals';
import { REGTEST_BITS, assembleBlock, targetOfBits } from './assemble-block.js';
import { assembleTransaction } from './assemble-transaction.js';
import { compactSize, merkleRoot, displayHashOf, doubleSha256 } from './wire-bytes.js';

/** The coinbase of Bitcoin's genesis block, from its published parts. */
const GENESIS_COINBASE = {
  version: 1,
  inputs: [
    {
      txid: '00'.repeat(32),
      vout: 0xffffffff,
      sequence: 0xffffffff,
      signatureScript: Buffer.concat([
        Buffer.from('04ffff001d010445', 'hex'),
        Buffer.from('The Times 03/Jan/2009 Chancellor on brink of second bailout for banks'),
      ]),
    },
  ],
  outputs: [
    {
      script:
        '4104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb6' +
        '49f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac',
      amount: 5_000_000_000n,
    },
  ],
};
const GENESIS_TXID = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';

describe('A transaction that is assembled', () => {
  it('has the id that the chain knows it by', () => {
    const { txid, wtxid, bytes } = assembleTransaction(GENESIS_COINBASE);

    expect([txid, wtxid, bytes.length]).toEqual([GENESIS_TXID, GENESIS_TXID, 204]);
  });
});

describe('A block that is assembled', () => {
  const script = `0014${'11'.repeat(20)}`;
  const parts = {
    parentHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    stamp: 1_900_000_000,
    bits: REGTEST_BITS,
    payTo: { script, amount: 5_000_000_000n },
    transactions: [],
  };

  it.each([
    [1, '51'],
    [17, '0111'],
    [1_000_000, '0340420f'],
  ])('names its height %i in the coinbase', (height, pushed) => {
    const [coinbase] = assembleBlock({ ...parts, height }).transactions;
    const at = 4 + 2 + 1 + 36 + 1;

    expect(coinbase!.bytes.subarray(at, at + pushed.length / 2).toString('hex')).toBe(pushed);
  });

  it('has a header of 80 bytes that meets its target, and differs by its mark', () => {
    const blocks = [0, 1].map((mark) => assembleBlock({ ...parts, height: 1, mark }));

    for (const { header, hash } of blocks) {
      expect([header.length, displayHashOf(doubleSha256(header))]).toEqual([80, hash]);
      expect(BigInt(`0x${hash}`)).toBeLessThanOrEqual(targetOfBits(REGTEST_BITS));
    }
    expect(blocks[0]!.hash).not.toBe(blocks[1]!.hash);
  });
});

it.each([
  [252, 'fc'],
  [253, 'fdfd00'],
  [65_536, 'fe00000100'],
  [4_294_967_296, 'ff0000000001000000'],
])('writes the count %i as %s', (count, bytes) => {
  expect(compactSize(count).toString('hex')).toBe(bytes);
});

it('pairs the last of an odd number of hashes with itself in a merkle root', () => {
  const [a, b, c] = [1, 2, 3].map((each) => Buffer.alloc(32, each));

  expect(merkleRoot([a!, b!, c!])).toEqual(merkleRoot([a!, b!, c!, c!]));
});
