import type { Asset } from '#shared/kernel/asset.js';
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
import type { TronForwarders } from './tron-forwarders.js';

export class TronDepositAddresses implements DepositAddresses {
  constructor(
    private readonly network: string,
    private readonly forwarders: TronForwarders,
    private readonly readiness: NetworkReadiness,
  ) {}

  sequenceName(): null {
    return null;
  }

  derive(terms: DepositTerms, { requestId }: AddressDerivationInput): DerivedAddress {
    if (!this.readiness.acceptsPaymentRequests(this.network)) throw networkUnavailableError(this.network);
    const { forwarders } = this;
    return { address: forwarders.addressOf(terms, requestId), derivation: forwarders.derivation };
  }

  rederive(terms: DepositTerms, { requestId }: AddressDerivationInput, stored: Derivation): Recipient | null {
    return this.forwarders.isOf(stored) ? { address: this.forwarders.addressOf(terms, requestId) } : null;
  }

  /** Names no amount, which wallets read as TRX. */
  transferUri(_asset: Asset, { address }: Recipient): TransferUri {
    return { uri: `tron:${address}`, code: address };
  }
}
