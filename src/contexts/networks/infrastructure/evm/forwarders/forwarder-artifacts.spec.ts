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
    [1, 0, '0x66026474f062F03F94d1E5cFcABC1A24C6D5ebB0'],
    [137, 50, '0x995e51eBCb9024caf74699AbBcdbc751a3718881'],
    [31_337, 10_000, '0x726A55245c867AA73ff97045c7329276b7449c48'],
  ])(
    'derives on chain %i with %i basis points the address it always had',
    (chainId, feeBasisPoints, address) => {
      const derivation = new ForwarderDerivation('0x79398E3B7e4DC4E644179c65883663bE72c7F9C9', chainId);
      const hash = derivation.initCodeHash({
        settlementAddress: '0xabababababababababababababababababababab',
        feeRecipient: '0x2222222222222222222222222222222222222222',
        feeBasisPoints,
      });

      expect(derivation.addressOf(hash, '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f')).toBe(address);
    },
  );
});
