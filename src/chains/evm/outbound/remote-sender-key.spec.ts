import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keccak256, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { StubNode } from '#contexts/networks/testing/stub-node.js';
import { RemoteFloatKeys } from '../../float-keys.js';
import { RemoteSenderKey } from './remote-sender-key.js';
import { toViemTransaction } from './transaction-bytes.js';

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const other = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const wanted = {
  chainId: 31_337,
  nonce: 4,
  call: { to: `0x${'77'.repeat(20)}`, data: '0x1234', value: 0n, gasLimit: 60_000n },
  fees: { maxFee: 1_000n, priorityFee: 10n },
};

let signer: StubNode;
let key: RemoteSenderKey;
beforeEach(async () => {
  signer = new StubNode();
  key = new RemoteSenderKey(await signer.start(), account.address, 60_000);
});
afterEach(() => signer.stop());

const signedBy = (by: typeof account, changes: object = {}): Promise<Hex> =>
  by.signTransaction({ ...toViemTransaction(wanted), ...changes } as never);

describe('A signer in another program', () => {
  it.each(['eip1559', 'legacy'])('signs a transaction of the kind %s', async (kind) => {
    const fees = { maxFee: 1_000n, priorityFee: kind === 'legacy' ? null : 10n };
    const raw = await account.signTransaction(toViemTransaction({ ...wanted, fees }));
    signer.answers('eth_signTransaction', raw);

    expect(await key.sign({ ...wanted, fees })).toEqual({ raw, hash: keccak256(raw) });
    expect(signer.asked[0]!.params).toEqual([
      expect.objectContaining({
        from: account.address.toLowerCase(),
        nonce: '0x4',
        gas: '0xea60',
        chainId: '0x7a69',
      }),
    ]);
  });

  it.each([
    ['another recipient', { to: `0x${'78'.repeat(20)}` }],
    ['other data', { data: '0x1235' }],
    ['a value', { value: 1n }],
    ['another nonce', { nonce: 5 }],
    ['another chain', { chainId: 1 }],
    ['more gas', { gas: 60_001n }],
    ['a higher fee', { maxFeePerGas: 1_001n }],
    ['a higher priority fee', { maxPriorityFeePerGas: 11n }],
    ['an access list', { accessList: [{ address: `0x${'78'.repeat(20)}`, storageKeys: [] }] }],
  ])('rejects a signature for another transaction: with %s', async (_, changes) => {
    signer.answers('eth_signTransaction', await signedBy(account, changes));

    await expect(key.sign(wanted)).rejects.toThrow(
      'a transaction that differs from the requested one. Nothing was sent',
    );
  });

  it('rejects a signature by another key, and bytes that are no transaction', async () => {
    signer.answers('eth_signTransaction', await signedBy(other));
    await expect(key.sign(wanted)).rejects.toThrow(`returned a signature by ${other.address}`);

    signer.answers('eth_signTransaction', '0x1234');
    await expect(key.sign(wanted)).rejects.toThrow('not a transaction');
  });
});

describe('The list of refund floats whose keys are in another program', () => {
  it('has the address for each organization and network, and no other', () => {
    const [one, two] = [
      '0193b2f4-9a10-7b21-8c32-9d43ae54bf65',
      '0193b2f4-9a10-7b21-8c32-9d43ae54bf66',
    ] as const;
    const floats = [
      { organizationId: one, network: 'sandbox', address: account.address },
      { organizationId: two, network: 'sandbox', address: other.address },
    ];
    const keys = new RemoteFloatKeys(
      floats,
      (_, address) => new RemoteSenderKey('http://127.0.0.1:9', address, 60_000),
    );

    expect(keys.floatKey('sandbox', one)?.address).toBe(account.address.toLowerCase());
    expect(keys.floatKey('sandbox', two)?.address).toBe(other.address.toLowerCase());
    expect(keys.floatKey('polygon', one)).toBeNull();
  });
});
