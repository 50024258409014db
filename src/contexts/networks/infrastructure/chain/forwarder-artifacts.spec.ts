import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { bytesToHex } from '@noble/hashes/utils';
import { ForwarderDerivation } from '../../domain/forwarder.js';
import { DETERMINISTIC_DEPLOYER, FACTORY_SALT, committedFactory } from './forwarder-artifacts.js';

const deployment = JSON.parse(
  readFileSync(new URL('../../../../../solidity/artifacts/deployment.json', import.meta.url), 'utf8'),
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
    [1, 0, '0x0C9110180987EE08c1E3e9296c5cDBdB949285FD'],
    [137, 50, '0x6c592D9152DF9d79255DeCDd396Cd00cce3AeB9A'],
    [31_337, 10_000, '0x02FA2c62ed894FFb9A0a24dc70F8BdA6F38909d6'],
  ])(
    'derives on chain %i with %i basis points the address it always had',
    (chainId, feeBasisPoints, address) => {
      const derivation = new ForwarderDerivation('0x33F5731EA073db40911d33b4d115C1fbfE244Ca5', chainId);
      const hash = derivation.initCodeHash({
        settlementAddress: '0xabababababababababababababababababababab',
        feeRecipient: '0x2222222222222222222222222222222222222222',
        feeBasisPoints,
      });

      expect(derivation.addressOf(hash, '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f')).toBe(address);
    },
  );
});
