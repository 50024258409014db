import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { DomainError, invalidField, stateConflict, unavailable } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { DepositAddresses } from '#contexts/networks/contract/deposit-addresses.js';
import { NetworkCatalogue, type Network } from '#contexts/networks/contract/network-catalogue.js';
import type { CollectingPoint, SettlementTerms } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { Rate } from '#contexts/rates/contract/quotes.js';
import type { NumberedAddresses, TakenNumber } from '../../domain/requests/address-numbers.js';
import type { Selection } from '../../domain/requests/selection.js';

export interface Asked {
  readonly asset: Asset;
  /** Smallest units. */
  readonly amount: bigint;
  readonly rate?: Rate;
}

/** Makes an asset payable: derives the deposit address that the point of sale's terms commit to. Pure hashing. */
@Injectable()
export class AssignAddress {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly addresses: DepositAddresses,
  ) {}

  /**
   * The sequence that the address takes its number from; null where it has none.
   * @throws settlement_address_missing, unavailable
   */
  numbering(point: CollectingPoint, asset: Asset): NumberedAddresses | null {
    const { network } = asset;
    const numbering = this.addresses.numbering(network, this.termsOf(point, this.networkOf(asset)));
    return numbering === null ? null : { network, numbering };
  }

  /**
   * @param taken a number of the sequence that `numbering` names
   * @throws settlement_address_missing, unavailable
   */
  assign(
    point: CollectingPoint,
    { asset, amount, rate }: Asked,
    id: PaymentRequestId,
    at: Date,
    taken?: TakenNumber,
  ): Selection {
    const network = this.networkOf(asset);
    const terms = this.termsOf(point, network);
    return {
      network: network.network,
      uniqueAssetId: asset.uniqueAssetId,
      currency: asset.symbol,
      decimals: asset.decimals,
      amount,
      minimumAmount: asset.minimumAmount,
      depositAddress: {
        ...this.addresses.derive(network.network, terms, {
          requestId: id,
          ...(taken && { number: taken.number }),
        }),
        ...taken,
        settlementTermsId: terms.id,
        settlementAddress: terms.settlementAddress,
        feeRecipient: terms.feeRecipient,
        feeBasisPoints: terms.feeBasisPoints,
      },
      inclusionGraceSeconds: network.inclusionGraceSeconds,
      ...(rate === undefined ? {} : { rate }),
      selectedAt: at,
    };
  }

  /**
   * The assets that can be collected on this point of sale right now; at least one.
   * @throws state_conflict, settlement_address_missing, unavailable: the reason why nothing can
   */
  collectable(point: CollectingPoint): Asset[] {
    const known = point.paymentOptions.flatMap((option) => this.catalogue.asset(option) ?? []);
    if (known.length === 0) throw nothingOffered();
    const withTerms = known.filter(({ network }) => point.terms.has(network));
    if (withTerms.length === 0) throw settlementAddressMissing(this.networkOf(known[0]!));
    const open = withTerms.filter(({ network }) => this.catalogue.takesRequests(network));
    if (open.length === 0) throw networkUnavailable(withTerms[0]!.network);
    return open;
  }

  /** @throws validation_failed, naming the options, for an asset that is not one of them */
  option(point: Pick<CollectingPoint, 'paymentOptions'>, uniqueAssetId: string): Asset {
    const asset = this.catalogue.asset(uniqueAssetId);
    if (asset !== undefined && point.paymentOptions.includes(asset.uniqueAssetId)) return asset;
    throw invalidField(
      'unique_asset_id',
      'payment_option',
      `must be one of the payment options of this point of sale: ${point.paymentOptions.join(', ') || 'it has none yet'}.`,
    );
  }

  private termsOf({ terms }: CollectingPoint, network: Network): SettlementTerms {
    const known = terms.get(network.network);
    if (known === undefined) throw settlementAddressMissing(network);
    if (!this.catalogue.takesRequests(network.network)) throw networkUnavailable(network.network);
    return known;
  }

  private networkOf({ network }: Asset): Network {
    return this.catalogue.network(network)!;
  }
}

export function networkUnavailable(network: string): DomainError {
  return unavailable(
    `The network ${network} is temporarily unavailable for new payment requests. Try again shortly, or use another network.`,
  );
}

function nothingOffered(): DomainError {
  return stateConflict('This point of sale has no supported payment option. Set its payment options first.');
}

function settlementAddressMissing(network: Network): DomainError {
  return new DomainError(
    'conflict',
    'settlement_address_missing',
    `No settlement address is set for ${network.name} (${network.network}), so payments cannot be collected on this network. ` +
      'Ask the operator of this service to set one.',
  );
}
