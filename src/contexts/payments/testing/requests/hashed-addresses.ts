import { createHash } from 'node:crypto';
import { getAddress } from 'viem';
import { type Chain, Chains } from '#contexts/networks/contract/chains.js';
import type {
  AddressDerivationInput,
  DepositAddresses,
  DepositTerms,
  DerivedAddress,
  Derivation,
} from '#contexts/networks/contract/deposit-addresses.js';
import { OutputChain } from '#contexts/networks/testing/output-chain.js';
import {
  OUTPUT_COIN,
  OUTPUT_NETWORK,
  OutputChainType,
} from '#contexts/networks/testing/output-chain-type.js';

class HashedNetworkAddresses implements DepositAddresses {
  constructor(private readonly network: string) {}

  sequenceName = () => null;
  transferUri = () => null;

  derive(terms: DepositTerms, { requestId }: AddressDerivationInput): DerivedAddress {
    const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
    const committed = [this.network, settlementAddress, feeRecipient, feeBasisPoints, requestId].join(' ');
    const address = createHash('sha256').update(committed).digest('hex').slice(0, 40);
    return {
      address: `0x${address}`,
      derivation: { factory: getAddress(`0x${'fa'.repeat(20)}`), implementation: '0x', homeChainId: 31_337 },
    };
  }

  rederive(terms: DepositTerms, source: AddressDerivationInput, { homeChainId }: Derivation) {
    return homeChainId === 31_337 ? this.derive(terms, source) : null;
  }
}

/** Chains with only deposit addresses, which are hashes of network, terms and request id. */
export class HashedAddresses extends Chains {
  find(network: string): Chain {
    return { depositAddresses: new HashedNetworkAddresses(network) } as Partial<Chain> as Chain;
  }
}

/** Hashed addresses. The output network has the addresses of merchants' wallets. */
export class HashedOrWalletAddresses extends HashedAddresses {
  private readonly outputs = new OutputChainType(new OutputChain(OUTPUT_COIN.token, 0));

  override find(network: string): Chain {
    return network === OUTPUT_NETWORK ? this.outputs : super.find(network);
  }
}
