import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { DomainError, invalidField, stateConflict } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  NetworkCatalogue,
  networkUnavailableError,
  type Network,
} from '#contexts/networks/contract/network-catalogue.js';
import type { PaymentPointOfSale, SettlementTerms } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { Rate } from '#contexts/rates/contract/quotes.js';
import type { AddressNumber, AddressSequence } from '../../domain/requests/address-numbers.js';
import type { Selection } from '../../domain/requests/selection.js';

export interface PricedAsset {
  readonly asset: Asset;
  readonly amount: bigint;
  readonly rate?: Rate;
}

export interface CollectionDestination {
  readonly network: Network;
  readonly terms: SettlementTerms;
  /** Null if the chain type does not number addresses. */
  readonly addresses: AddressSequence | null;
}

/** Calls no node or database. */
@Injectable()
export class AssignAddress {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly chains: Chains,
  ) {}

  requireDestination(point: PaymentPointOfSale, { network }: Asset): CollectionDestination {
    const refusal = this.findCollectionRefusal(point, network);
    if (refusal !== null) throw refusal;
    const terms = point.terms.get(network)!;
    const numbering = this.chains.of(network).depositAddresses.sequenceName(terms);
    const addresses = numbering === null ? null : { network, numbering };
    return { network: this.catalogue.network(network)!, terms, addresses };
  }

  /** @param number absent if the chain type does not number addresses @throws unavailable */
  buildSelection(
    { network, terms }: CollectionDestination,
    { asset, amount, rate }: PricedAsset,
    id: PaymentRequestId,
    at: Date,
    number?: AddressNumber,
  ): Selection {
    return {
      network: network.network,
      uniqueAssetId: asset.uniqueAssetId,
      currency: asset.symbol,
      decimals: asset.decimals,
      amount,
      minimumAmount: asset.minimumAmount,
      depositAddress: {
        ...this.chains.of(network.network).depositAddresses.derive(terms, {
          requestId: id,
          ...(number && { number: number.number }),
        }),
        ...number,
        settlementTermsId: terms.id,
        settlementAddress: terms.settlementAddress,
        feeRecipient: terms.feeRecipient,
        feeBasisPoints: terms.feeBasisPoints,
      },
      inclusionGraceSeconds: network.inclusionGraceSeconds,
      ...(rate && { rate }),
      selectedAt: at,
    };
  }

  findCollectableAssets(point: PaymentPointOfSale): Asset[] {
    return this.supportedAssets(point).filter(
      ({ network }) => this.findCollectionRefusal(point, network) === null,
    );
  }

  requireCollectableAssets(point: PaymentPointOfSale): Asset[] {
    const collectable = this.findCollectableAssets(point);
    if (collectable.length > 0) return collectable;
    const supported = this.supportedAssets(point);
    const asset = supported.find(({ network }) => point.terms.has(network)) ?? supported[0];
    if (asset === undefined)
      throw stateConflict(
        'This point of sale has no supported payment option. Set its payment options first.',
      );
    throw this.findCollectionRefusal(point, asset.network)!;
  }

  requirePaymentOption(point: Pick<PaymentPointOfSale, 'paymentOptions'>, uniqueAssetId: string): Asset {
    const asset = this.catalogue.asset(uniqueAssetId);
    if (asset !== undefined && point.paymentOptions.includes(asset.uniqueAssetId)) return asset;
    throw invalidField(
      'unique_asset_id',
      'payment_option',
      `must be one of the payment options of this point of sale: ${point.paymentOptions.join(', ') || 'it has none yet'}.`,
    );
  }

  private supportedAssets({ paymentOptions }: PaymentPointOfSale): Asset[] {
    return paymentOptions.flatMap((option) => this.catalogue.asset(option) ?? []);
  }

  private findCollectionRefusal({ terms }: PaymentPointOfSale, network: string): DomainError | null {
    if (!terms.has(network)) return settlementAddressMissing(this.catalogue.network(network)!);
    return this.catalogue.acceptsPaymentRequests(network) ? null : networkUnavailableError(network);
  }
}

function settlementAddressMissing(network: Network): DomainError {
  return new DomainError(
    'conflict',
    'settlement_address_missing',
    `No settlement address is set for ${network.name} (${network.network}), so payments cannot be collected on this network. ` +
      'Ask the operator of this service to set one.',
  );
}
