import type { Asset } from '#shared/kernel/asset.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type {
  AddressDerivationInput,
  DepositAddresses,
  DepositTerms,
  Derivation,
  DerivedAddress,
  Recipient,
  TransferUri,
} from '#contexts/networks/contract/deposit-addresses.js';
import type { MerchantWallets } from '#contexts/networks/contract/payout-address-rules.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { ADDRESS_FORMATS } from './address-format.js';

export class DescriptorAddresses implements DepositAddresses {
  constructor(private readonly wallets: MerchantWallets) {}

  sequenceName({ settlementAddress }: DepositTerms): string {
    return this.wallets.walletOfSettlementAddress(settlementAddress).addressAt(0);
  }

  derive({ settlementAddress }: DepositTerms, { number }: AddressDerivationInput): DerivedAddress {
    if (number === undefined) throw new Error('An address of a descriptor has a number.');
    return {
      address: this.wallets.walletOfSettlementAddress(settlementAddress).addressAt(number),
      derivation: { descriptor: settlementAddress },
      isDelivered: true,
    };
  }

  rederive(
    { settlementAddress }: DepositTerms,
    { number }: AddressDerivationInput,
    { descriptor }: Derivation,
  ): Recipient | null {
    if (descriptor !== settlementAddress || number === undefined) return null;
    try {
      return { address: this.wallets.walletOfSettlementAddress(settlementAddress).addressAt(number) };
    } catch (error) {
      // The stored descriptor can be invalid if it was written to the database without validation.
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  transferUri(_asset: Asset, { address }: Recipient, amount: bigint): TransferUri {
    return { uri: paymentUri(address, amount), code: paymentUriForQr(address, amount) };
  }
}

const BITCOIN_DECIMALS = 8;

const BECH32_ADDRESS = new RegExp(
  `^(?:${Object.values(ADDRESS_FORMATS)
    .map(({ prefix }) => prefix)
    .join('|')})1`,
);

/** A BIP-21 URI, unchanged in BIP-321. @param amount satoshis, above 0 */
export function paymentUri(address: string, amount: bigint): string {
  return `bitcoin:${address}?amount=${formatAmount(amount, BITCOIN_DECIMALS)}`;
}

/** QR codes encode capitals in fewer bits, so a Bech32 address is in capitals. Base58 is case-sensitive. */
export function paymentUriForQr(address: string, amount: bigint): string {
  return paymentUri(BECH32_ADDRESS.test(address) ? address.toUpperCase() : address, amount);
}
