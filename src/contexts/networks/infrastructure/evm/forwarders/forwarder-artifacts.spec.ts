import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { bytesToHex } from '@noble/hashes/utils';
import { ForwarderDerivation } from './forwarder-derivation.js';
import { DETERMINISTIC_DEPLOYER, FACTORY_SALT, committedFactory } from './forwarder-artifacts.js';

const deployment = JSON.parse(
  readFileSync(new URL('../../../../../../solidity/artifacts/deployment.json', import.meta.url), 'utf8'),
) as Record<string, string>;

describe('The committed factory', () => {
  it('is deployed where its deployment says', () => {
    const factory = committedFactory();

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

  // Money may have been sent to them: these addresses must stay the same for ever.
  it.each([
    [1, 0, '0xc338cf256E5d36D162Ea2a8246b239456A57b2fd'],
    [137, 50, '0xc79948F86AB053cf3B7f55e101694BE0d72E9b0C'],
    [31_337, 10_000, '0xF5c0fbe6aaC47a1817DB3ca466fBa013743d57Fc'],
  ])(
    'derives on chain %i with %i basis points the address it always had',
    (chainId, feeBasisPoints, address) => {
      const derivation = new ForwarderDerivation('0x413776C3cAd2f1BD80745EcAa988D1694B93eAA8', chainId);
      const hash = derivation.initCodeHash({
        settlementAddress: '0xabababababababababababababababababababab',
        feeRecipient: '0x2222222222222222222222222222222222222222',
        feeBasisPoints,
      });

      expect(derivation.addressOf(hash, '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f')).toBe(address);
    },
  );
});
