import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Refusal, StubNode } from '#contexts/networks/testing/stub-node.js';
import { RemoteFloatKeys } from './float-keys.js';
import { asTransaction } from './transaction-bytes.js';

const ORGANIZATION = '0193b2f4-9a10-7b21-8c32-9d43ae54bf65';
const OTHER = '0193b2f4-9a10-7b21-8c32-9d43ae54bf66';
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const other = privateKeyToAccount(`0x${'22'.repeat(32)}`);
/** The limit of a signer that limits each day. */
const DAY_LIMIT = 100n;

const refund = (nonce: number, value: bigint) => ({
  chainId: 31_337,
  nonce,
  call: { to: `0x${'77'.repeat(20)}`, data: '0x', value, gasLimit: 21_000n },
  fees: { maxFee: 1_000n, priorityFee: 10n },
});

let signer: StubNode;
let keys: RemoteFloatKeys;
beforeEach(async () => {
  signer = new StubNode();
  keys = new RemoteFloatKeys(
    await signer.start(),
    [
      { organizationId: ORGANIZATION, network: 'sandbox', address: account.address },
      { organizationId: OTHER, network: 'sandbox', address: other.address },
    ],
    60_000,
  );
});
afterEach(() => signer.stop());

describe('Floats whose keys are in another program', () => {
  it('have the address of their organization and network, and no other has one', () => {
    expect(keys.floatKey('sandbox', ORGANIZATION)?.address).toBe(account.address.toLowerCase());
    expect(keys.floatKey('sandbox', OTHER)?.address).toBe(other.address.toLowerCase());
    expect(keys.floatKey('polygon', ORGANIZATION)).toBeNull();
  });

  it('pay no more than that program lets pass, whatever this process asks for', async () => {
    const bytes = new Map<bigint, string>();
    for (const [nonce, value] of [60n, 40n].entries())
      bytes.set(value, await account.signTransaction(asTransaction(refund(nonce, value))));
    let signed = 0n;
    signer.answers('eth_signTransaction', ({ params }: { params: unknown[] }) => {
      const value = BigInt((params[0] as { value: string }).value);
      if (signed + value > DAY_LIMIT) throw new Refusal(-32_000, 'above the limit of the day');
      signed += value;
      return bytes.get(value);
    });
    const key = keys.floatKey('sandbox', ORGANIZATION)!;

    const { raw, hash } = await key.sign(refund(0, 60n));
    await expect(key.sign(refund(1, 60n))).rejects.toThrow('did not sign');
    await key.sign(refund(1, 40n));

    expect(hash).toBe(keccak256(raw as `0x${string}`));
    expect(signed).toBe(DAY_LIMIT);
  });
});
