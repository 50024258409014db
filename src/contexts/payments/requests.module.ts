import { Module, type Provider } from '@nestjs/common';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { PointOfSaleModule } from '#contexts/point-of-sale/point-of-sale.module.js';
import { RatesModule } from '#contexts/rates/rates.module.js';
import { AcceptUnderpayment } from './application/requests/accept-underpayment.js';
import { AddressReservationQueue } from './application/requests/address-reservation-queue.js';
import { AssignAddress } from './application/requests/assign-address.js';
import { CheckoutUrls } from './application/requests/checkout-urls.js';
import { CreatePaymentRequest } from './application/requests/create-payment-request.js';
import { ExpirePaymentRequest } from './application/requests/expire-payment-request.js';
import { FailRequestsOfRemovedAsset } from './application/requests/fail-requests-of-removed-asset.js';
import { StoreNewRequest } from './application/requests/store-new-request.js';
import { PaymentTokenIssuer } from './application/requests/payment-token-issuer.js';
import { SignaturePayments } from './application/requests/signature-payments.js';
import { GapLimitedPaymentOptions } from './application/requests/gap-limited-payment-options.js';
import { PricePaymentOptions } from './application/requests/price-payment-options.js';
import { RefundableRequests } from './contract/refundable-requests.js';
import { PaymentRequests } from './domain/requests/payment-requests.js';
import { CheckoutSettings } from './infrastructure/requests/checkout-settings.js';
import { CheckoutPresenter } from './infrastructure/requests/http/checkout-presenter.js';
import { NaspipKeysController } from './infrastructure/requests/http/naspip-keys.controller.js';
import { NaspipTokenController } from './infrastructure/requests/http/naspip-token.controller.js';
import { PaymentRequestController } from './infrastructure/requests/http/payment-request.controller.js';
import { PaymentRequestMetrics } from './infrastructure/requests/payment-request-metrics.js';
import { NaspipPaymentTokens } from './infrastructure/requests/naspip-payment-tokens.js';
import { StatusReadLimiter } from './infrastructure/requests/http/status-read-limiter.js';
import { PaymentRequestListQueries } from './infrastructure/requests/persistence/views/payment-request-list-queries.js';
import { PaymentRequestQueries } from './infrastructure/requests/persistence/views/payment-request-queries.js';
import { MerchantWalletAddresses } from './infrastructure/requests/persistence/views/merchant-wallet-addresses.js';
import { PostgresRefundableRequests } from './infrastructure/requests/persistence/views/postgres-refundable-requests.js';
import { AcceptedUnderpayments } from './infrastructure/requests/persistence/accepted-underpayments.js';
import { AddressNumbers } from './infrastructure/requests/persistence/address-numbers.js';
import { PostgresPaymentRequests } from './infrastructure/requests/persistence/postgres-payment-requests.js';
import { GapLimitMonitor } from './infrastructure/requests/gap-limit-monitor.js';
import { RemovedAssetWarning } from './infrastructure/requests/removed-asset-warning.js';
import { paymentsInvariants } from './infrastructure/requests/persistence/invariants/payments-invariants.js';
import {
  requestEventsInvariants,
  keyedRequestsInvariants,
} from './infrastructure/requests/persistence/invariants/request-events-invariants.js';
import { transferEventsInvariants } from './infrastructure/requests/persistence/invariants/transfer-events-invariants.js';
import { numberedAddressesInvariants } from './infrastructure/requests/persistence/invariants/numbered-addresses-invariants.js';
import { prunedRequestsInvariants } from './infrastructure/requests/persistence/invariants/pruned-requests-invariants.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';

const REQUEST_PROVIDERS: Provider[] = [
  AcceptUnderpayment,
  AcceptedUnderpayments,
  AssignAddress,
  AddressReservationQueue,
  StoreNewRequest,
  CreatePaymentRequest,
  ExpirePaymentRequest,
  FailRequestsOfRemovedAsset,
  PricePaymentOptions,
  GapLimitedPaymentOptions,
  SignaturePayments,
  CheckoutPresenter,
  StatusReadLimiter,
  PaymentRequestMetrics,
  PaymentRequestQueries,
  MerchantWalletAddresses,
  PaymentRequestListQueries,
  { provide: PaymentRequests, useClass: PostgresPaymentRequests },
  AddressNumbers,
  { provide: RefundableRequests, useClass: PostgresRefundableRequests },
  { provide: PaymentTokenIssuer, useClass: NaspipPaymentTokens },
  {
    provide: CheckoutUrls,
    inject: [CheckoutSettings],
    useFactory: ({ publicUrl, checkoutHost }: CheckoutSettings) => new CheckoutUrls(publicUrl, checkoutHost),
  },
];

@RegisterInvariants([
  ...paymentsInvariants,
  ...requestEventsInvariants,
  ...transferEventsInvariants,
  ...prunedRequestsInvariants,
  ...numberedAddressesInvariants,
  ...keyedRequestsInvariants,
])
@Module({
  imports: [NetworksModule, PointOfSaleModule, RatesModule],
  controllers: [PaymentRequestController, NaspipKeysController, NaspipTokenController],
  providers: REQUEST_PROVIDERS,
  exports: REQUEST_PROVIDERS,
})
export class RequestsModule {}

@Module({ imports: [RequestsModule, NetworksModule], providers: [RemovedAssetWarning, GapLimitMonitor] })
export class RequestsWorkerModule {}
