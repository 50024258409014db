import { Module, type Provider, type MiddlewareConsumer, type NestModule, Injectable } from '@nestjs/common';
import compression from 'compression';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { PointOfSaleModule } from '#contexts/point-of-sale/point-of-sale.module.js';
import { RatesModule } from '#contexts/rates/rates.module.js';
import { RequestsModule } from './requests.module.js';
import { ResolvePaymentInstruction } from './application/checkout/resolve-payment-instruction.js';
import { CheckoutQueries } from './application/checkout/checkout-session.js';
import { CreateCheckout } from './application/checkout/create-checkout.js';
import { CheckoutChargeRequests } from './application/checkout/checkout-charge-requests.js';
import { ExpireUnselectedCheckouts } from './application/checkout/expire-unselected-checkouts.js';
import { PayFromSandbox, SandboxWallet } from './application/checkout/pay-from-sandbox.js';
import { SelectAsset } from './application/checkout/select-asset.js';
import { ChargeRequests } from './contract/charge-requests.js';
import { CheckoutQrCodes } from './contract/checkout-qr-codes.js';
import { ButtonController } from './infrastructure/checkout/http/button.controller.js';
import { CheckoutPageModels } from './infrastructure/checkout/http/checkout-page-models.js';
import { CheckoutPageController } from './infrastructure/checkout/http/checkout-page.controller.js';
import { CheckoutController } from './infrastructure/checkout/http/checkout.controller.js';
import { HostedCheckoutQrCodes } from './infrastructure/checkout/http/hosted-checkout-qr-codes.js';
import { NetworkFeeHints } from './infrastructure/checkout/http/network-fee-hints.js';
import { HostedFailurePages } from './infrastructure/checkout/http/hosted-failure-pages.js';
import { PageScriptsController } from './infrastructure/checkout/http/page-scripts.controller.js';
import { SandboxWalletController } from './infrastructure/checkout/http/sandbox-wallet.controller.js';
import { PublicCheckoutController } from './infrastructure/checkout/http/public-checkout.controller.js';
import {
  PostgresCheckoutQueries,
  SessionAliases,
} from './infrastructure/checkout/persistence/postgres-checkout-queries.js';
import { EarlyCheckoutResponder } from './infrastructure/checkout/polling/early-checkout-responder.js';
import { CachedCheckoutReader } from './infrastructure/checkout/polling/cached-checkout-reader.js';
import { HttpSandboxWallet } from './infrastructure/checkout/http-sandbox-wallet.js';
import { checkoutInvariants } from './infrastructure/checkout/persistence/checkout-invariants.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';

const EXPIRY_PAUSE_MS = 500;

/** Safe in several processes, because each checkout is locked while it is expired. */
@Injectable()
class UnselectedCheckoutExpiry extends BackgroundWork {
  constructor(expire: ExpireUnselectedCheckouts) {
    const options = { name: 'ending of unselected checkouts', idleMs: EXPIRY_PAUSE_MS };
    super([new BackgroundLoop(options, () => expire.expire())]);
  }
}

const CHECKOUT_PROVIDERS: Provider[] = [
  CreateCheckout,
  SelectAsset,
  ResolvePaymentInstruction,
  PayFromSandbox,
  CheckoutPageModels,
  SessionAliases,
  NetworkFeeHints,
  HostedFailurePages,
  CachedCheckoutReader,
  EarlyCheckoutResponder,
  { provide: ChargeRequests, useClass: CheckoutChargeRequests },
  { provide: CheckoutQrCodes, useClass: HostedCheckoutQrCodes },
  { provide: CheckoutQueries, useClass: PostgresCheckoutQueries },
  HttpSandboxWallet,
  { provide: SandboxWallet, useExisting: HttpSandboxWallet },
];

@RegisterInvariants(checkoutInvariants)
@Module({
  imports: [NetworksModule, PointOfSaleModule, RatesModule, RequestsModule],
  controllers: [
    CheckoutController,
    PublicCheckoutController,
    PageScriptsController,
    SandboxWalletController,
    CheckoutPageController,
    ButtonController,
  ],
  providers: CHECKOUT_PROVIDERS,
  exports: CHECKOUT_PROVIDERS,
})
export class CheckoutModule implements NestModule {
  /** In other responses, secrets next to values chosen by the caller could be guessed from the compressed size. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(compression()).forRoutes('checkout/*path', 'link/*path', 'button.js');
  }
}

@Module({ imports: [RequestsModule], providers: [ExpireUnselectedCheckouts, UnselectedCheckoutExpiry] })
export class CheckoutWorkerModule {}
