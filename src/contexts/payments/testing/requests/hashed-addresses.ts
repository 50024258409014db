import { createHash } from 'node:crypto';
import { getAddress } from 'viem';
import {
  type AddressSource,
  DepositAddresses,
  type DepositTerms,
  type DerivedAddress,
  type Derivation,
} from '#contexts/networks/contract/deposit-addresses.js';
import { OutputChain } from '#contexts/networks/testing/output-chain.js';
import {
  OUTPUT_COIN,
  OUTPUT_NETWORK,
  OutputChainType,
} from '#contexts/networks/testing/output-chain-type.js';

/** Addresses by hashing network, terms and salt, as CREATE2's are by more. */
export class HashedAddresses extends DepositAddresses {
  numbering = () => null;

  derive(network: string, terms: DepositTerms, { requestId }: AddressSource): DerivedAddress {
    const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
    const committed = [network, settlementAddress, feeRecipient, feeBasisPoints, requestId].join(' ');
    const address = createHash('sha256').update(committed).digest('hex').slice(0, 40);
    return {
      address: `0x${address}`,
      derivation: { factory: getAddress(`0x${'fa'.repeat(20)}`), implementation: '0x', homeChainId: 31_337 },
    };
  }

  deriveAgain(network: string, terms: DepositTerms, source: AddressSource, { homeChainId }: Derivation) {
    return homeChainId === 31_337 ? this.derive(network, terms, source) : null;
  }

  transferUri(): null {
    return null;
  }
}

/** Hashed addresses, and on the network of outputs those of merchants' wallets. */
export class HashedOrWalletAddresses extends DepositAddresses {
  private readonly outputs = new OutputChainType(new OutputChain(OUTPUT_COIN.token, 0)).depositAddresses;

  numbering(network: string, terms: DepositTerms): string | null {
    return this.chainTypeOf(network).numbering(network, terms);
  }

  derive(network: string, terms: DepositTerms, source: AddressSource): DerivedAddress {
    return this.chainTypeOf(network).derive(network, terms, source);
  }

  deriveAgain(network: string, terms: DepositTerms, source: AddressSource, derivation: Derivation) {
    return this.chainTypeOf(network).deriveAgain(network, terms, source, derivation);
  }

  transferUri(): null {
    return null;
  }

  private chainTypeOf(network: string): DepositAddresses {
    return network === OUTPUT_NETWORK ? this.outputs : new HashedAddresses();
  }
}
