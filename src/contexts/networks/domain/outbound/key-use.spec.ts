import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { GAS_KEY_NAME, floatKeyName } from '../../contract/outbound-transaction-sender.js';
import { organizationOfFloat, keyUseRefusal } from './key-use.js';

const FLOAT = floatKeyName(newId());
const FACTORY = `0x${'fa'.repeat(20)}`;
const ELSEWHERE = `0x${'77'.repeat(20)}`;

describe('A key that signs transactions', () => {
  it.each([
    ['gas', 'factory_deployment', FACTORY, 0n],
    ['gas', 'settlement', FACTORY, 0n],
    ['gas', 'authorized_transfer', FACTORY, 0n],
    ['file', 'factory_deployment', FACTORY, 0n],
    ['float', 'refund', ELSEWHERE, 5n],
    ['float', 'float_withdrawal', ELSEWHERE, 0n],
  ] as const)('is allowed to send what it is for: %s sends a %s', (name, purpose, to, value) => {
    const key = name === 'float' ? FLOAT : name;

    expect(keyUseRefusal({ key, purpose, to, value }, [FACTORY])).toBeNull();
  });

  it.each([
    [GAS_KEY_NAME, 'refund', FACTORY, 0n, 'key: must be the key of a refund float'],
    [GAS_KEY_NAME, 'float_withdrawal', FACTORY, 0n, 'key: must be the key of a refund float'],
    ['file', 'refund', FACTORY, 0n, 'key: must be the key of a refund float'],
    ['file', 'authorized_transfer', FACTORY, 0n, 'key: must be the gas key'],
    [FLOAT, 'authorized_transfer', FACTORY, 0n, 'key: must not be a refund float'],
    [GAS_KEY_NAME, 'authorized_transfer', FACTORY, 1n, 'value: must be 0'],
    [
      GAS_KEY_NAME,
      'authorized_transfer',
      ELSEWHERE,
      0n,
      'to: must be a contract that an authorized_transfer calls',
    ],
    [FLOAT, 'settlement', FACTORY, 0n, 'key: must not be a refund float'],
    [FLOAT, 'factory_deployment', FACTORY, 0n, 'key: must not be a refund float'],
    [GAS_KEY_NAME, 'settlement', FACTORY, 1n, 'value: must be 0'],
    [GAS_KEY_NAME, 'settlement', ELSEWHERE, 0n, 'to: must be a contract that a settlement calls'],
    [
      GAS_KEY_NAME,
      'factory_deployment',
      ELSEWHERE,
      0n,
      'to: must be a contract that a factory_deployment calls',
    ],
  ] as const)(
    'is not allowed to send anything else: %s sends a %s to %s with %d wei',
    (key, purpose, to, value, says) => {
      expect(keyUseRefusal({ key, purpose, to, value }, [FACTORY])?.message).toContain(says);
    },
  );

  it.each(['float:', 'float:none', `${FLOAT} `, FLOAT.toUpperCase(), GAS_KEY_NAME])(
    'is not the key of a refund float if it is spelled otherwise: “%s”',
    (key) => {
      expect(organizationOfFloat(key)).toBeNull();
    },
  );
});
