import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField, stateConflict, unavailable } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { NetworkCatalogue, networkUnavailableError } from '#contexts/networks/contract/network-catalogue.js';
import { PointsOfSale, type PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import {
  isGapExhausted,
  type AddressNumber,
  type AddressSequence,
} from '../../domain/requests/address-numbers.js';
import { AddressNumbers } from '../../infrastructure/requests/persistence/address-numbers.js';
import type { PaymentRequest } from '../../domain/requests/payment-request.js';
import { PaymentRequests, type CreationRefusal } from '../../domain/requests/payment-requests.js';
import {
  AssetChangedTooOftenError,
  AssetShownAtTillError,
  CheckoutEndedError,
  MAX_SELECTIONS_PER_REQUEST,
  SignedPaymentPendingError,
} from '../../domain/requests/asset-change-rule.js';
import { isSameAsset, type Selection } from '../../domain/requests/selection.js';
import { isEnded } from '../../domain/requests/status.js';
import { AddressReservationQueue } from '../requests/address-reservation-queue.js';
import { AssignAddress } from '../requests/assign-address.js';
import { CheckoutQueries } from './checkout-session.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { PricePaymentOptions } from '../requests/price-payment-options.js';

const MAX_SELECTION_ATTEMPTS = 3;

/** The address and rate of an asset are fixed when it is first selected. */
@Injectable()
export class SelectAsset {
  constructor(
    private readonly queries: CheckoutQueries,
    private readonly catalogue: NetworkCatalogue,
    private readonly pointsOfSale: PointsOfSale,
    private readonly assignAddress: AssignAddress,
    private readonly pricePaymentOptions: PricePaymentOptions,
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly numbers: AddressNumbers,
    private readonly numberQueue: AddressReservationQueue,
  ) {}

  /**
   * Idempotent and safe for concurrent calls.
   * @param field name of the asset field in the caller's API, for error messages
   * @throws not_found, validation_failed, state_conflict, rate_unavailable, unavailable, settlement_address_missing
   */
  async select(
    sessionId: string,
    uniqueAssetId: string,
    field: 'unique_asset_id' | 'payment_option' = 'unique_asset_id',
  ): Promise<CheckoutView> {
    const session = await this.queries.get(sessionId);
    const asset = this.requirePaymentOption(session, uniqueAssetId, field);
    if (session.selected?.uniqueAssetId === asset.uniqueAssetId && !isEnded(session.status)) return session;
    if (isEnded(session.status)) throw new CheckoutEndedError();
    if (!(await this.selectEarlierAsset(session, asset))) await this.selectNewAsset(session, asset);
    return this.queries.get(sessionId);
  }

  async requireRequestAcceptsSelection(id: PaymentRequestId): Promise<void> {
    await this.unitOfWork.run(async () => {
      const [request] = await this.requests.lock([id]);
      await this.requireSelectionMayChange(request!, await this.clock.now());
    });
  }

  private requirePaymentOption(
    { paymentOptions }: CheckoutView,
    uniqueAssetId: string,
    field: string,
  ): Asset {
    const asset = this.catalogue.asset(uniqueAssetId);
    if (asset !== undefined && paymentOptions.includes(asset.uniqueAssetId)) return asset;
    throw invalidField(
      field,
      'payment_option',
      `must be one of the payment options of this checkout: ${paymentOptions.join(', ')}.`,
    );
  }

  private selectEarlierAsset(session: CheckoutView, { uniqueAssetId }: Asset): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const [request] = await this.requests.lock([session.id]);
      const now = await this.clock.now();
      // A selection that is too late is rejected before rates and settlement terms are read.
      await this.requireSelectionMayChange(request!, now);
      requireNoReplacementThroughAlias(session, request!, uniqueAssetId);
      const known = request!.selectionOf(uniqueAssetId);
      if (known === undefined) return false;
      await this.saveSelection(request!, known, now);
      return true;
    });
  }

  private async selectNewAsset(session: CheckoutView, asset: Asset): Promise<void> {
    const { id, pointOfSaleId, organizationId } = session;
    for (let attempt = 1; attempt <= MAX_SELECTION_ATTEMPTS; attempt += 1) {
      const now = await this.clock.now();
      const point = await this.pointsOfSale.find({ organizationId, accountId: null }, pointOfSaleId);
      const priced = await this.pricePaymentOptions.priceAsset(asset, session.amount, session.coinCode, now);
      const destination = this.assignAddress.requireDestination(point, asset);
      const refusal = await this.numberQueue.run(destination.addresses, () =>
        this.storeSelection(session, point, asset, destination.addresses, (number) =>
          this.assignAddress.buildSelection(destination, priced, id, now, number),
        ),
      );
      if (refusal === null) return;
      if (refusal === 'network_not_watched') throw networkUnavailableError(asset.network);
      this.pointsOfSale.forget(point.id);
    }
    throw stateConflict(
      'The point of sale changed while the asset was being selected. Select the asset again.',
    );
  }

  private storeSelection(
    session: CheckoutView,
    { version }: PaymentPointOfSale,
    { network, uniqueAssetId }: Asset,
    addresses: AddressSequence | null,
    selectionWith: (number?: AddressNumber) => Selection,
  ): Promise<CreationRefusal | null> {
    const { id, organizationId } = session;
    return this.unitOfWork.run(async () => {
      const [request] = await this.requests.lock([id]);
      const now = await this.clock.now();
      await this.requireSelectionMayChange(request!, now);
      requireNoReplacementThroughAlias(session, request!, uniqueAssetId);
      const refusal = await this.requests.findCreationRefusal(request!, version, network);
      if (refusal !== null) return refusal;
      // If a concurrent call has selected the same asset, it already has an address and needs no second number.
      const known = request!.selectionOf(uniqueAssetId);
      const sequence = known === undefined ? addresses : null;
      const number = sequence === null ? undefined : await this.numbers.reserve(sequence, organizationId);
      await this.saveSelection(request!, known ?? selectionWith(number), now);
      if (sequence !== null) await this.requireNumberInGap(id, network);
      return null;
    });
  }

  /** Throwing rolls back the reservation of a number beyond the gap limit of the merchant's wallet. */
  private async requireNumberInGap(id: PaymentRequestId, network: string): Promise<void> {
    const numbers = await this.numbers.countOpenExcept(id);
    if (numbers === null || !isGapExhausted(numbers)) return;
    throw unavailable(
      `Too many addresses on ${network} are waiting for a payment. Choose another asset, or try again later.`,
    );
  }

  private async saveSelection(request: PaymentRequest, selection: Selection, now: Date): Promise<void> {
    if (request.selected !== null && isSameAsset(request.selected, selection)) return;
    request.select(selection, now);
    await this.requests.save([request]);
  }

  /** The transfer of a signed payment in progress would become a deposit if the asset changed. */
  private async requireSelectionMayChange(request: PaymentRequest, now: Date): Promise<void> {
    request.requireAssetMayChange(now);
    if (await this.requests.hasPendingAuthorization(request.id)) throw new SignedPaymentPendingError();
    const { selected } = request;
    if (selected !== null && (await this.requests.countSelections(request.id)) >= MAX_SELECTIONS_PER_REQUEST)
      throw new AssetChangedTooOftenError(selected);
  }
}

/** Anyone with the printed code may select the first asset, but not change it. @throws AssetShownAtTillError */
function requireNoReplacementThroughAlias(
  { isAlias }: CheckoutView,
  { selected }: PaymentRequest,
  chosen: string,
): void {
  if (isAlias === true && selected !== null && selected.uniqueAssetId !== chosen)
    throw new AssetShownAtTillError();
}
