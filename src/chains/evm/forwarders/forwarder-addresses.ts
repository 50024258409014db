import { isNative, type Asset } from '#shared/kernel/asset.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import type {
  AddressDerivationInput,
  DepositAddresses,
  DepositTerms,
  Derivation,
  DerivedAddress,
  Recipient,
  TransferUri,
} from '#contexts/networks/contract/deposit-addresses.js';
import { networkUnavailableError } from '#contexts/networks/contract/network-catalogue.js';
import type { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import type { ForwarderDerivation } from '../../forwarders/forwarder-derivation.js';
import type { ForwarderDerivations } from './forwarder-derivations.js';

const MAX_CACHED_TERMS = 1_000;

export class ForwarderAddresses implements DepositAddresses {
  private readonly initCodeHashes = new Map<string, Uint8Array>();

  constructor(
    private readonly network: string,
    private readonly derivations: ForwarderDerivations,
    private readonly readiness: NetworkReadiness,
  ) {}

  sequenceName(): null {
    return null;
  }

  derive(terms: DepositTerms, { requestId }: AddressDerivationInput): DerivedAddress {
    const derivation = this.derivations.configured(this.network);
    if (derivation === undefined || !this.readiness.acceptsPaymentRequests(this.network))
      throw networkUnavailableError(this.network);
    const hash = this.hashOf(derivation, terms);
    const { factory, implementation, chainId } = derivation;
    return {
      address: derivation.canonicalAddressOf(hash, requestId),
      derivation: { factory, implementation, homeChainId: chainId },
    };
  }

  rederive(terms: DepositTerms, { requestId }: AddressDerivationInput, stored: Derivation): Recipient | null {
    const derivation = this.derivations.withFactory(this.network, stored);
    if (derivation === undefined) return null;
    return { address: derivation.canonicalAddressOf(this.hashOf(derivation, terms), requestId) };
  }

  /** The QR code contains only the address, which every wallet can scan. */
  transferUri(asset: Asset, { address }: Recipient, amount: bigint): TransferUri | null {
    const chainId = this.derivations.configured(this.network)?.chainId;
    if (chainId === undefined) return null;
    const to = toDisplayAddress(address);
    const uri = isNative(asset)
      ? `ethereum:${to}@${chainId}?value=${amount}`
      : `ethereum:${toDisplayAddress(asset.token)}@${chainId}/transfer?address=${to}&uint256=${amount}`;
    return { uri, code: to };
  }

  private hashOf(derivation: ForwarderDerivation, terms: DepositTerms): Uint8Array {
    const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
    const key = [derivation.factory, settlementAddress, feeRecipient, feeBasisPoints].join(' ');
    let hash = this.initCodeHashes.get(key);
    if (hash === undefined) {
      hash = derivation.initCodeHash(terms);
      if (this.initCodeHashes.size >= MAX_CACHED_TERMS) this.initCodeHashes.clear();
      this.initCodeHashes.set(key, hash);
    }
    return hash;
  }
}
