import { Module, type MiddlewareConsumer, type NestModule, type Provider } from '@nestjs/common';
import compression from 'compression';
import { Clock } from '../../shared/kernel/clock.js';
import { NetworksModule } from '../networks/networks.module.js';
import { PointOfSaleModule } from '../point-of-sale/point-of-sale.module.js';
// Payment requests
import { Alerts } from './application/alerts.js';
import { AssignAddress } from './application/assign-address.js';
import { CreatePaymentRequest } from './application/create-payment-request.js';
import { ExplainPaymentRequest } from './application/explain-payment-request.js';
import { ExplainTransaction } from './application/explain-transaction.js';
import { ExplanationQueries } from './application/explanation-queries.js';
import { FailWithdrawnPaymentRequests } from './application/fail-withdrawn-payment-requests.js';
import { FollowChain } from './application/follow-chain.js';
import { MatchArrivals } from './application/match-arrivals.js';
import { BelievableFinality } from './application/believable-finality.js';
import { BelievableTimes } from './application/believable-times.js';
import { CompareReadings } from './application/compare-readings.js';
import { FindInnerValue } from './application/find-inner-value.js';
import { JudgeRequests } from './application/judge-requests.js';
import { ReadOnward } from './application/read-onward.js';
import { RereadFinalBlocks } from './application/reread-final-blocks.js';
import { RewindChain } from './application/rewind-chain.js';
import { SeekAgreement } from './application/seek-agreement.js';
import { NativeBalances } from './domain/native-balances.js';
import { RecordedTransfers } from './domain/recorded-transfers.js';
import { RequestsToJudge } from './domain/requests-to-judge.js';
import { PostgresNativeBalances } from './infrastructure/persistence/postgres-native-balances.js';
import { PostgresRecordedTransfers } from './infrastructure/persistence/postgres-recorded-transfers.js';
import { PostgresRequestsToJudge } from './infrastructure/persistence/postgres-requests-to-judge.js';
import { LookupPace } from './application/lookup-pace.js';
import { ListSettlementHolds } from './application/list-settlement-holds.js';
import { ReleaseSettlementHold } from './application/release-settlement-hold.js';
import { SettlementHolds } from './application/settlement-holds.js';
import { ReadingProgress } from './contract/reading-progress.js';
import { PostgresReadingProgress } from './infrastructure/persistence/postgres-reading-progress.js';
import { PostgresSettlementHolds } from './infrastructure/persistence/postgres-settlement-holds.js';
import { OpenPaymentRequest } from './application/open-payment-request.js';
import { PaymentRequestQueries } from './application/payment-request-queries.js';
import { PaymentTokens } from './application/payment-tokens.js';
import { PaymentWindow } from './application/payment-window.js';
import { PaymentRequests } from './domain/payment-requests.js';
import { WatchedChain } from './domain/watched-chain.js';
import { NetworkWatchers } from './infrastructure/chain/network-watchers.js';
import { CountedLookupPace } from './infrastructure/http/counted-lookup-pace.js';
import { ExplanationController } from './infrastructure/http/explanation.controller.js';
import { NaspipKeysController } from './infrastructure/http/naspip-keys.controller.js';
import { PaymentRequestController } from './infrastructure/http/payment-request.controller.js';
import { LoggedAlerts } from './infrastructure/logged-alerts.js';
import { NaspipPaymentTokens } from './infrastructure/naspip/naspip-payment-tokens.js';
import { PaymentsSettings } from './infrastructure/payments-settings.js';
import { PostgresExplanationQueries } from './infrastructure/persistence/postgres-explanation-queries.js';
import { PostgresPaymentRequestQueries } from './infrastructure/persistence/postgres-payment-request-queries.js';
import { PostgresPaymentRequests } from './infrastructure/persistence/postgres-payment-requests.js';
import { PostgresWatchedChain } from './infrastructure/persistence/postgres-watched-chain.js';
import { WithdrawnAssets } from './infrastructure/work/withdrawn-assets.js';
// Checkouts
import { AskForPayment } from './application/ask-for-payment.js';
import { CheckoutQueries } from './application/checkout-queries.js';
import { CheckoutUrls } from './application/checkout-urls.js';
import { CreateCheckout } from './application/create-checkout.js';
import { ExpireUnselectedCheckouts } from './application/expire-unselected-checkouts.js';
import { PayFromSandbox } from './application/pay-from-sandbox.js';
import { SandboxWallet } from './application/sandbox-wallet.js';
import { SelectAsset } from './application/select-asset.js';
import { CheckoutSettings } from './infrastructure/checkout-settings.js';
import { CheckoutPageModels } from './infrastructure/http/checkout-page-models.js';
import { CheckoutPageController } from './infrastructure/http/checkout-page.controller.js';
import { CheckoutPresenter } from './infrastructure/http/checkout-presenter.js';
import { CheckoutController } from './infrastructure/http/checkout.controller.js';
import { HostedFailurePages } from './infrastructure/http/hosted-failure-pages.js';
import { PublicCheckoutController } from './infrastructure/http/public-checkout.controller.js';
import { PostgresCheckoutQueries } from './infrastructure/persistence/postgres-checkout-queries.js';
import { EarlyCheckoutAnswers } from './infrastructure/polling/early-checkout-answers.js';
import { LiveCheckouts } from './infrastructure/polling/live-checkouts.js';
import { PayersView } from './infrastructure/polling/payers-view.js';
import { PublicCallers } from './infrastructure/polling/public-callers.js';
import { HttpSandboxWallet } from './infrastructure/sandbox/http-sandbox-wallet.js';
import { UnselectedCheckouts } from './infrastructure/work/unselected-checkouts.js';
// Payment links
import { CreatePaymentLink } from './application/create-payment-link.js';
import { ListPaymentLinks } from './application/list-payment-links.js';
import { OfferedOptions } from './application/offered-options.js';
import { OpenPaymentLink } from './application/open-payment-link.js';
import { ReadPaymentLink } from './application/read-payment-link.js';
import { SelectAssetForLink } from './application/select-asset-for-link.js';
import { SwitchPaymentLink } from './application/switch-payment-link.js';
import { PaymentLinkSessions } from './domain/payment-link-sessions.js';
import { PaymentLinks } from './domain/payment-links.js';
import { LinkPageController } from './infrastructure/http/link-page.controller.js';
import { PaymentLinkCookies } from './infrastructure/http/payment-link-cookies.js';
import { PaymentLinkController } from './infrastructure/http/payment-link.controller.js';
import { PublicPaymentLinkController } from './infrastructure/http/public-payment-link.controller.js';
import { PostgresPaymentLinkSessions } from './infrastructure/persistence/postgres-payment-link-sessions.js';
import { PostgresPaymentLinks } from './infrastructure/persistence/postgres-payment-links.js';
// Rates
import { ExchangeRates } from './application/exchange-rates.js';
import { PriceOptions } from './application/price-options.js';
import { Quotes } from './application/quotes.js';
import { rateSources } from './infrastructure/rates/rate-sources.js';
import { RatesSettings } from './infrastructure/rates/rates-settings.js';
import { RememberedExchangeRates } from './infrastructure/rates/remembered-exchange-rates.js';

const REQUESTS: Provider[] = [
  AssignAddress,
  OpenPaymentRequest,
  CreatePaymentRequest,
  FailWithdrawnPaymentRequests,
  ListSettlementHolds,
  ReleaseSettlementHold,
  { provide: SettlementHolds, useClass: PostgresSettlementHolds },
  { provide: ReadingProgress, useClass: PostgresReadingProgress },
  { provide: PaymentRequests, useClass: PostgresPaymentRequests },
  ExplainPaymentRequest,
  ExplainTransaction,
  { provide: ExplanationQueries, useClass: PostgresExplanationQueries },
  { provide: LookupPace, useClass: CountedLookupPace },
  { provide: PaymentRequestQueries, useClass: PostgresPaymentRequestQueries },
  { provide: PaymentTokens, useClass: NaspipPaymentTokens },
  {
    provide: PaymentWindow,
    inject: [PaymentsSettings],
    useFactory: (settings: PaymentsSettings) => new PaymentWindow(settings.paymentWindowSeconds),
  },
];

const CHECKOUTS: Provider[] = [
  CreateCheckout,
  SelectAsset,
  AskForPayment,
  PayFromSandbox,
  CheckoutPresenter,
  { provide: PayersView, useExisting: CheckoutPresenter },
  CheckoutPageModels,
  HostedFailurePages,
  PublicCallers,
  LiveCheckouts,
  EarlyCheckoutAnswers,
  { provide: CheckoutQueries, useClass: PostgresCheckoutQueries },
  { provide: SandboxWallet, useClass: HttpSandboxWallet },
  {
    provide: CheckoutUrls,
    inject: [CheckoutSettings],
    useFactory: ({ publicUrl, checkoutHost }: CheckoutSettings) => new CheckoutUrls(publicUrl, checkoutHost),
  },
];

const LINKS: Provider[] = [
  CreatePaymentLink,
  ListPaymentLinks,
  SwitchPaymentLink,
  OfferedOptions,
  OpenPaymentLink,
  ReadPaymentLink,
  SelectAssetForLink,
  PaymentLinkCookies,
  { provide: PaymentLinks, useClass: PostgresPaymentLinks },
  { provide: PaymentLinkSessions, useClass: PostgresPaymentLinkSessions },
];

const RATES: Provider[] = [
  PriceOptions,
  Quotes,
  {
    provide: ExchangeRates,
    inject: [RatesSettings, Clock],
    useFactory: (settings: RatesSettings, clock: Clock) =>
      new RememberedExchangeRates(rateSources(settings), settings, clock),
  },
];

@Module({
  imports: [NetworksModule, PointOfSaleModule],
  controllers: [
    ...[PaymentRequestController, ExplanationController, NaspipKeysController],
    ...[CheckoutController, PublicCheckoutController, CheckoutPageController],
    ...[PaymentLinkController, PublicPaymentLinkController, LinkPageController],
  ],
  providers: [...REQUESTS, ...CHECKOUTS, ...LINKS, ...RATES],
  exports: [
    PaymentRequests,
    ReadingProgress,
    FailWithdrawnPaymentRequests,
    EarlyCheckoutAnswers,
    HostedFailurePages,
  ],
})
export class PaymentsModule implements NestModule {
  /** Pages alone: compressing answers that mix secrets with what a caller chose would give the secrets away. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(compression()).forRoutes('checkout/*path', 'link/*path');
  }
}

/** Reads the networks and lets payment requests follow. */
@Module({
  imports: [PaymentsModule, NetworksModule],
  providers: [
    FollowChain,
    BelievableFinality,
    BelievableTimes,
    MatchArrivals,
    FindInnerValue,
    ReadOnward,
    CompareReadings,
    RereadFinalBlocks,
    SeekAgreement,
    JudgeRequests,
    RewindChain,
    { provide: RecordedTransfers, useClass: PostgresRecordedTransfers },
    { provide: RequestsToJudge, useClass: PostgresRequestsToJudge },
    { provide: NativeBalances, useClass: PostgresNativeBalances },
    ExpireUnselectedCheckouts,
    NetworkWatchers,
    UnselectedCheckouts,
    WithdrawnAssets,
    { provide: WatchedChain, useClass: PostgresWatchedChain },
    { provide: Alerts, useClass: LoggedAlerts },
  ],
})
export class PaymentsWorkerModule {}
