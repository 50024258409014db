import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { privateKeyToAddress } from 'viem/accounts';
import { FloatMasterSecret, NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { floatPrivateKey } from './float-keys.js';
import { senderKeysFrom } from './held-keys.js';

const DIGITS = '0f'.repeat(32);
const SECRET = new FloatMasterSecret(DIGITS);
const ORGANIZATION = '01990000-0000-7000-8000-000000000001';
const OTHER = '01990000-0000-7000-8000-000000000002';

describe('The key of a refund float', () => {
  // Refund floats hold money at these addresses, so the derivation must never change.
  it('is the same in every release', () => {
    expect(floatPrivateKey(SECRET, 'erc20', ORGANIZATION)).toBe(
      '0xfbc51617fe7a608f75902fb5ac0bb84f896414df51f0ef0d8eb58ec45a590e86',
    );
  });

  it('is another one for each organization, network and master secret', () => {
    const keys = [
      floatPrivateKey(SECRET, 'erc20', ORGANIZATION),
      floatPrivateKey(SECRET, 'polygon', ORGANIZATION),
      floatPrivateKey(SECRET, 'erc20', OTHER),
      floatPrivateKey(new FloatMasterSecret('1f'.repeat(32)), 'erc20', ORGANIZATION),
    ];

    expect(new Set(keys.map((key) => privateKeyToAddress(key as `0x${string}`))).size).toBe(4);
  });

  it('is held by name, and only with the master secret', () => {
    const held = senderKeysFrom(
      new NetworksSettings([], undefined, null, { kind: 'master_secret', secret: SECRET }),
    );
    const without = senderKeysFrom(new NetworksSettings([]));
    const name = `float:${ORGANIZATION}`;
    const { address } = held.requireKey('erc20', name);

    expect(address).toBe(
      privateKeyToAddress(floatPrivateKey(SECRET, 'erc20', ORGANIZATION) as `0x${string}`).toLowerCase(),
    );
    expect(held.keyFor({ network: 'erc20', key: name, sender: address })?.address).toBe(address);
    expect(held.keyFor({ network: 'polygon', key: name, sender: address })).toBeUndefined();
    expect(without.keyFor({ network: 'erc20', key: name, sender: address })).toBeUndefined();
    expect(() => without.requireKey('erc20', name)).toThrow(
      `This process has no key "${name}" for erc20. Set REFUND_KEY_FILE, REFUND_KEY or REFUND_SIGNER_URL`,
    );
    expect(() => held.requireKey('erc20', 'gas')).toThrow('Set GAS_KEY_FILE, GAS_KEY or GAS_SIGNER_URL');
  });
});

describe('A master secret', () => {
  it('is 256 bits, and is shown by nothing that prints or serializes', () => {
    const settings = new NetworksSettings([], undefined, null, { kind: 'master_secret', secret: SECRET });
    const bytes = Buffer.from(DIGITS, 'hex');
    const said = [
      inspect(settings, { depth: 9, showHidden: true }),
      JSON.stringify(settings),
      String(SECRET),
      inspect(senderKeysFrom(settings), { depth: 9, showHidden: true }),
    ].join('\n');

    for (const form of [DIGITS, bytes.toString('base64'), inspect(bytes)]) expect(said).not.toContain(form);
    expect(() => new FloatMasterSecret(DIGITS.slice(1))).toThrow(
      /^A master secret must be 64 hexadecimal digits\.$/,
    );
  });
});
