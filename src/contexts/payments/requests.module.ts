import { Module, type Provider } from '@nestjs/common';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { PointOfSaleModule } from '#contexts/point-of-sale/point-of-sale.module.js';
import { RatesModule } from '#contexts/rates/rates.module.js';
import { AssignAddress } from './application/requests/assign-address.js';
import { CheckoutUrls } from './application/requests/checkout-urls.js';
import { CreatePaymentRequest } from './application/requests/create-payment-request.js';
import { DrawPaymentRequest } from './application/requests/draw-payment-request.js';
import { FailWithdrawnPaymentRequests } from './application/requests/fail-withdrawn-payment-requests.js';
import { OpenPaymentRequest } from './application/requests/open-payment-request.js';
import { ListPaymentRequests } from './application/requests/list-payment-requests.js';
import { ListedPaymentRequests } from './application/requests/listed-payment-requests.js';
import { PaymentRequestQueries } from './application/requests/payment-request-view.js';
import { ReplaceRequestOnPhysicalPos } from './application/requests/replace-request-on-physical-pos.js';
import { ReadPaymentRequest } from './application/requests/read-payment-request.js';
import { ReadPaymentToken } from './application/requests/read-payment-token.js';
import { PaymentTokens } from './application/requests/payment-tokens.js';
import { TokenToShow } from './application/requests/token-to-show.js';
import { PriceOptions } from './application/requests/price-options.js';
import { PrunedRequests } from './domain/requests/pruned-requests.js';
import { PostgresPrunedRequests } from './infrastructure/requests/persistence/postgres-pruned-requests.js';
import { PaymentFiguresQueries } from './contract/payment-figures.js';
import { RefundableRequests } from './contract/refundable-requests.js';
import { PaymentRequests } from './domain/requests/payment-requests.js';
import { CheckoutSettings } from './infrastructure/requests/checkout-settings.js';
import { CheckoutPresenter } from './infrastructure/requests/http/checkout-presenter.js';
import { NaspipKeysController } from './infrastructure/requests/http/naspip-keys.controller.js';
import { NaspipTokenController } from './infrastructure/requests/http/naspip-token.controller.js';
import { PaymentRequestController } from './infrastructure/requests/http/payment-request.controller.js';
import { RequestMetrics } from './infrastructure/requests/metrics/request-metrics.js';
import { NaspipPaymentTokens } from './infrastructure/requests/naspip/naspip-payment-tokens.js';
import { StatusReads } from './infrastructure/requests/http/status-reads.js';
import { PostgresListedPaymentRequests } from './infrastructure/requests/persistence/views/postgres-listed-payment-requests.js';
import { PostgresPaymentFigures } from './infrastructure/requests/persistence/views/postgres-payment-figures.js';
import { PostgresPaymentRequestQueries } from './infrastructure/requests/persistence/views/postgres-payment-request-queries.js';
import { PostgresRefundableRequests } from './infrastructure/requests/persistence/views/postgres-refundable-requests.js';
import { PostgresPaymentRequests } from './infrastructure/requests/persistence/postgres-payment-requests.js';
import { WithdrawnAssets } from './infrastructure/requests/work/withdrawn-assets.js';
import { paymentsInvariants } from './infrastructure/requests/persistence/invariants/payments-invariants.js';
import { requestEventsInvariants } from './infrastructure/requests/persistence/invariants/request-events-invariants.js';
import { transferEventsInvariants } from './infrastructure/requests/persistence/invariants/transfer-events-invariants.js';
import { keyedRequestsInvariants } from './infrastructure/requests/persistence/invariants/keyed-requests-invariants.js';
import { prunedInvariants } from './infrastructure/requests/persistence/invariants/pruned-invariants.js';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';

const PROVIDERS: Provider[] = [
  AssignAddress,
  DrawPaymentRequest,
  TokenToShow,
  OpenPaymentRequest,
  ReplaceRequestOnPhysicalPos,
  CreatePaymentRequest,
  ListPaymentRequests,
  ReadPaymentRequest,
  ReadPaymentToken,
  FailWithdrawnPaymentRequests,
  PriceOptions,
  CheckoutPresenter,
  StatusReads,
  RequestMetrics,
  { provide: PaymentRequests, useClass: PostgresPaymentRequests },
  { provide: PrunedRequests, useClass: PostgresPrunedRequests },
  { provide: PaymentRequestQueries, useClass: PostgresPaymentRequestQueries },
  { provide: ListedPaymentRequests, useClass: PostgresListedPaymentRequests },
  { provide: RefundableRequests, useClass: PostgresRefundableRequests },
  { provide: PaymentFiguresQueries, useClass: PostgresPaymentFigures },
  { provide: PaymentTokens, useClass: NaspipPaymentTokens },
  {
    provide: CheckoutUrls,
    inject: [CheckoutSettings],
    useFactory: ({ publicUrl, checkoutHost }: CheckoutSettings) => new CheckoutUrls(publicUrl, checkoutHost),
  },
];

/** Payment requests, from creation to their record. */
@Invariants([
  ...paymentsInvariants,
  ...requestEventsInvariants,
  ...transferEventsInvariants,
  ...prunedInvariants,
  ...keyedRequestsInvariants,
])
@Module({
  imports: [NetworksModule, PointOfSaleModule, RatesModule],
  controllers: [PaymentRequestController, NaspipKeysController, NaspipTokenController],
  providers: PROVIDERS,
  exports: [
    AssignAddress,
    OpenPaymentRequest,
    DrawPaymentRequest,
    TokenToShow,
    FailWithdrawnPaymentRequests,
    PriceOptions,
    CheckoutPresenter,
    PaymentRequests,
    PrunedRequests,
    PaymentTokens,
    CheckoutUrls,
    RefundableRequests,
    PaymentFiguresQueries,
    ListPaymentRequests,
    PaymentRequestQueries,
  ],
})
export class RequestsModule {}

/** What the worker does about requests of its own accord. */
@Module({ imports: [RequestsModule, NetworksModule], providers: [WithdrawnAssets] })
export class RequestsWorkerModule {}
