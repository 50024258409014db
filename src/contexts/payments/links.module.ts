import { Module, Injectable } from '@nestjs/common';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { PointOfSaleModule } from '#contexts/point-of-sale/point-of-sale.module.js';
import { RatesModule } from '#contexts/rates/rates.module.js';
import { CheckoutModule } from './checkout.module.js';
import { RequestsModule } from './requests.module.js';
import { CreatePaymentLink } from './application/links/create-payment-link.js';
import { LimitLinkOpenings } from './application/links/limit-link-openings.js';
import { PruneLinkSessions } from './application/links/prune-link-sessions.js';
import { PaymentLinkSessions } from './infrastructure/links/persistence/payment-link-sessions.js';
import { PricedPaymentLinks } from './application/links/priced-payment-links.js';
import { OpenPaymentLink } from './application/links/open-payment-link.js';
import { ReadPaymentLink } from './application/links/read-payment-link.js';
import { SetPaymentLinkActive } from './application/links/set-payment-link-active.js';
import { SelectAssetForLink } from './application/links/select-asset-for-link.js';
import { LinkPageController } from './infrastructure/links/http/link-page.controller.js';
import { DashboardPaymentLinksController } from './infrastructure/links/dashboard/dashboard-payment-links.controller.js';
import { PaymentLinkCookies } from './infrastructure/links/http/payment-link-cookies.js';
import { PaymentLinkController } from './infrastructure/links/http/payment-link.controller.js';
import { PublicPaymentLinkController } from './infrastructure/links/http/public-payment-link.controller.js';
import { PaymentLinks } from './infrastructure/links/persistence/payment-links.js';
import { paymentLinkInvariants } from './infrastructure/links/persistence/payment-link-invariants.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';

const PRUNING_PAUSE_MS = 10_000;

/** Runs in one process at a time. A second process would only wait for row locks. */
@Injectable()
class LinkSessionPruning extends BackgroundWork {
  constructor(prune: PruneLinkSessions, leases: Leases) {
    const options = { name: 'pruning of link sessions', idleMs: PRUNING_PAUSE_MS };
    super([new LeasedLoop(options, leases, () => prune.prune())]);
  }
}

@RegisterInvariants(paymentLinkInvariants)
@Module({
  imports: [NetworksModule, PointOfSaleModule, RatesModule, RequestsModule, CheckoutModule],
  controllers: [
    PaymentLinkController,
    PublicPaymentLinkController,
    LinkPageController,
    DashboardPaymentLinksController,
  ],
  providers: [
    CreatePaymentLink,
    PricedPaymentLinks,
    OpenPaymentLink,
    ReadPaymentLink,
    SelectAssetForLink,
    SetPaymentLinkActive,
    PaymentLinkCookies,
    LimitLinkOpenings,
    PaymentLinks,
    PaymentLinkSessions,
  ],
  exports: [LimitLinkOpenings],
})
export class LinksModule {}

@Module({
  imports: [RequestsModule],
  providers: [PruneLinkSessions, LinkSessionPruning, PaymentLinkSessions],
})
export class LinksWorkerModule {}
