import { describe, expect, it } from '@jest/globals';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { ForwarderAddresses } from './forwarder-addresses.js';
import {
  FORMER_FACTORIES,
  currentFactoryAddress,
  DETERMINISTIC_DEPLOYER,
  FACTORY_SALT,
} from '../../forwarders/forwarder-artifacts.js';
import { ForwarderDerivation, InvalidForwarderTerms } from '../../forwarders/forwarder-derivation.js';
import { ForwarderDerivations } from './forwarder-derivations.js';
import { readFileSync } from 'node:fs';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import { keccak_256 } from '@noble/hashes/sha3';
import { addressBytes, create2Address } from '../../forwarders/evm-address.js';

const settings = settingsFor('http://127.0.0.1:1', { chain_id: 1, assets: [sampleAsset(), nativeAsset()] });
const [token, coin] = settings.networks[0]!.assets;
const addresses = new ForwarderAddresses(
  'sandbox',
  new ForwarderDerivations(settings),
  new NetworkReadiness(),
);
const to = { address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' };

describe('An address that was derived before', () => {
  const terms = { settlementAddress: to.address, feeRecipient: to.address, feeBasisPoints: 0 };
  const id = '00000000-0000-7000-8000-000000000001';
  const own = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
  const moved = settingsFor('http://127.0.0.1:1', { chain_id: 1, factory: own });
  const network = moved.networks[0]!.network;
  const now = new ForwarderAddresses(network, new ForwarderDerivations(moved), new NetworkReadiness());
  const again = (factory: string, homeChainId = 1) =>
    now.rederive(terms, { requestId: id }, { factory, homeChainId })?.address;

  it('uses its own factory, current or committed, even while the network accepts no requests', () => {
    const by = (factory: string) => {
      const derivation = new ForwarderDerivation(factory, 1);
      return derivation.addressOf(derivation.initCodeHash(terms), id).toLowerCase();
    };

    const [former] = FORMER_FACTORIES as [string];
    expect(again(own)).toBe(by(own));
    expect(again(former)).toBe(by(former));
    expect(again(currentFactoryAddress())).toBe(by(currentFactoryAddress()));
    expect(by(own)).not.toBe(by(currentFactoryAddress()));
  });

  it.each([
    ['settlement address', { settlementAddress: own }],
    ['fee recipient', { feeRecipient: own }],
    ['fee', { feeBasisPoints: 101 }],
  ])('differs for terms with another %s', (_, other) => {
    const taxed = { ...terms, feeBasisPoints: 100 };
    const stored = { factory: currentFactoryAddress(), homeChainId: 1 };
    const addressOf = (of: typeof terms) => now.rederive(of, { requestId: id }, stored)?.address;

    expect(addressOf({ ...taxed })).toBe(addressOf(taxed));
    expect(addressOf({ ...taxed, ...other })).not.toBe(addressOf(taxed));
  });

  it('is not found with another factory or on another chain', () => {
    expect(again('0x8617E340B3D01FA5F11F306F4090FD50E238070D')).toBeUndefined();
    expect(again(own, 2)).toBeUndefined();
  });
});

describe('A wallet on an EVM network', () => {
  it('opens with a token transfer of the amount (EIP-681)', () => {
    expect(addresses.transferUri(token!, to, 27_182_819n)?.uri).toBe(
      'ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@1/transfer' +
        '?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=27182819',
    );
  });

  it('opens with the value of a payment in the native coin', () => {
    expect(addresses.transferUri(coin!, to, 27_182_819n * 10n ** 9n)?.uri).toBe(
      'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1?value=27182819000000000',
    );
  });
});

const deployment = JSON.parse(
  readFileSync(new URL('../../../../solidity/artifacts/deployment.json', import.meta.url), 'utf8'),
) as Record<string, string>;

describe('The committed factory', () => {
  it('is deployed at the address that follows from its deployment', () => {
    const factory = currentFactoryAddress();

    expect({
      deployer: DETERMINISTIC_DEPLOYER,
      deploymentSalt: `0x${bytesToHex(FACTORY_SALT)}`,
      factory,
      implementation: new ForwarderDerivation(factory, 1).implementation,
    }).toEqual({
      deployer: deployment.deployer,
      deploymentSalt: deployment.deploymentSalt,
      factory: deployment.factory,
      implementation: deployment.implementation,
    });
  });

  // Payers may have sent funds to these addresses, so they must never change.
  it.each([
    ['0x79398E3B7e4DC4E644179c65883663bE72c7F9C9', 1, 0, '0x66026474f062F03F94d1E5cFcABC1A24C6D5ebB0'],
    ['0x79398E3B7e4DC4E644179c65883663bE72c7F9C9', 137, 50, '0x995e51eBCb9024caf74699AbBcdbc751a3718881'],
    [
      '0x79398E3B7e4DC4E644179c65883663bE72c7F9C9',
      31_337,
      10_000,
      '0x726A55245c867AA73ff97045c7329276b7449c48',
    ],
    ['0x2a79e3946e437161e8714460CAeFd768B23d847f', 1, 0, '0xbf6E0Ef2c61f0e47337F27fdbE85732d6A31a063'],
    ['0x2a79e3946e437161e8714460CAeFd768B23d847f', 137, 50, '0x0960f7252e53D0d879A12c880FC1Ddc01833cc7D'],
  ])(
    'derives the same address in every release: by %s on chain %i with %i basis points',
    (factory, chainId, feeBasisPoints, address) => {
      const derivation = new ForwarderDerivation(factory, chainId);
      const hash = derivation.initCodeHash({
        settlementAddress: '0xabababababababababababababababababababab',
        feeRecipient: '0x2222222222222222222222222222222222222222',
        feeBasisPoints,
      });

      expect(derivation.addressOf(hash, '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f')).toBe(address);
    },
  );
});

const TERMS = {
  settlementAddress: '0xabababababababababababababababababababab',
  feeRecipient: '0x2222222222222222222222222222222222222222',
  feeBasisPoints: 50,
};
const REQUEST = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

describe('An EVM address created by CREATE2', () => {
  // Examples published in EIP-1014: deployer, salt, init code, address.
  it.each([
    ['00'.repeat(20), '00'.repeat(32), '00', '0x4D1A2e2bB4F88F0250f26Ffff098B0b30B26BF38'],
    [
      'deadbeef00000000000000000000000000000000',
      `${'00'.repeat(12)}feed${'00'.repeat(18)}`,
      '00',
      '0xD04116cDd17beBE565EB2422F2497E06cC1C9833',
    ],
    ['00'.repeat(20), '00'.repeat(32), 'deadbeef', '0x70f2b2914A2a4b783FaEFb75f459A580616Fcb5e'],
    ['00'.repeat(20), '00'.repeat(32), '', '0xE33C0C7F7df4809055C3ebA6c09CFe4BaF1BD9e0'],
  ])(
    'equals the example of EIP-1014: created by %s with salt %s from %s',
    (deployer, salt, initCode, address) => {
      const hash = keccak_256(hexToBytes(initCode));

      expect(create2Address(addressBytes(`0x${deployer}`), hexToBytes(salt), hash)).toBe(address);
    },
  );
});

describe('The derivation of a forwarder address', () => {
  const factory = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
  const derivation = new ForwarderDerivation(factory, 31_337);
  const derive = (terms: typeof TERMS, request = REQUEST) =>
    derivation.addressOf(derivation.initCodeHash(terms), request);

  it('gives every difference in terms, request, chain or factory another address', () => {
    const addresses = [
      derive(TERMS),
      derive({ ...TERMS, settlementAddress: TERMS.feeRecipient }),
      derive({ ...TERMS, feeRecipient: TERMS.settlementAddress }),
      derive({ ...TERMS, feeBasisPoints: 51 }),
      derive({ ...TERMS, feeBasisPoints: 0 }),
      derive(TERMS, '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90'),
      ...[new ForwarderDerivation(factory, 1), new ForwarderDerivation(TERMS.feeRecipient, 31_337)].map(
        (other) => other.addressOf(other.initCodeHash(TERMS), REQUEST),
      ),
    ];

    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('ignores case, and the fee recipient if there is no fee', () => {
    const free = { ...TERMS, feeBasisPoints: 0 };

    expect(
      derive({ ...TERMS, settlementAddress: TERMS.settlementAddress.toUpperCase().replace('X', 'x') }),
    ).toBe(derive(TERMS));
    expect(derive({ ...free, feeRecipient: `0x${'0'.repeat(40)}` })).toBe(derive(free));
    expect(derive(TERMS, REQUEST.toUpperCase())).toBe(derive(TERMS));
  });

  it.each([
    { ...TERMS, settlementAddress: `0x${'0'.repeat(40)}` },
    { ...TERMS, settlementAddress: 'sandbox' },
    { ...TERMS, feeRecipient: `0x${'0'.repeat(40)}` },
    { ...TERMS, feeBasisPoints: 10_001 },
    { ...TERMS, feeBasisPoints: -1 },
    { ...TERMS, feeBasisPoints: 0.5 },
  ])('refuses terms that the factory has no address for: %j', (terms) => {
    expect(() => derive(terms)).toThrow(InvalidForwarderTerms);
  });
});
