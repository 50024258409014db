import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#shared/kernel/domain-error.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { ZERO_ADDRESS } from '../../forwarders/evm-address.js';
import { EvmPayoutAddressRules } from './evm-payout-address-rules.js';
import { implementationOf } from '../../forwarders/forwarder-artifacts.js';
import { ForwarderDerivations } from './forwarder-derivations.js';

const FACTORY = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const derivations = new ForwarderDerivations(settingsFor('http://127.0.0.1:9', { factory: FACTORY }));
const addresses = new EvmPayoutAddressRules('sandbox', derivations);
const read = (text: string) => addresses.parse('address', text);

function refusalOf(text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    return error instanceof DomainError ? error.errors.map(({ field, rule }) => [field, rule]) : error;
  }
}

describe('An EVM address for payouts', () => {
  // Test vectors of EIP-55.
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ])('is spelled with its checksum: %s', (address) => {
    expect(read(address)).toBe(address);
    expect(read(address.toLowerCase())).toBe(address);
    expect(read(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
  });

  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed',
    '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaedd',
    '0xｆaaeb6053f3e94c9b9a09f33669435e7ef1beae',
    'vitalik.eth',
    '',
  ])('is refused in a wrong spelling: %j', (text) => {
    expect(() => read(text)).toThrow('address: must be an EVM address');
  });

  // EIP-1352 reserves the first 65,536 addresses for precompiled contracts. Current networks use some of them.
  it.each([
    ['the zero address', ZERO_ADDRESS, 'zero_address'],
    ['the first precompiled contract', `0x${'1'.padStart(40, '0')}`, 'precompiled_contract'],
    ['the one of secp256r1', `0x${'100'.padStart(40, '0')}`, 'precompiled_contract'],
    ['the last one kept for them', `0x${'ffff'.padStart(40, '0')}`, 'precompiled_contract'],
    ["the network's forwarder factory", FACTORY, 'forwarder_factory'],
    ['its implementation', implementationOf(FACTORY), 'forwarder_implementation'],
  ])('is refused if it cannot receive payouts: %s', (_, text, rule) => {
    expect([refusalOf(text), refusalOf(text.toLowerCase())]).toEqual([
      [['address', rule]],
      [['address', rule]],
    ]);
  });

  it('is accepted above the range that is kept for precompiled contracts', () => {
    expect(read(`0x${'10000'.padStart(40, '0')}`)).toBe(`0x${'10000'.padStart(40, '0')}`);
  });
});
