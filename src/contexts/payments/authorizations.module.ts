import { Module } from '@nestjs/common';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { CheckoutModule } from './checkout.module.js';
import { RequestsModule } from './requests.module.js';
import { ProcessAuthorizations } from './application/authorizations/process-authorizations.js';
import { OfferByX402 } from './application/authorizations/offer-by-x402.js';
import { PayByX402 } from './application/authorizations/pay-by-x402.js';
import { SubmitAuthorization } from './application/authorizations/submit-authorization.js';
import { AuthorizationController } from './infrastructure/authorizations/http/authorization.controller.js';
import { SponsoringMetrics } from './infrastructure/authorizations/sponsoring-metrics.js';
import { authorizationInvariants } from './infrastructure/authorizations/persistence/authorization-invariants.js';
import { TransferAuthorizations } from './infrastructure/authorizations/persistence/authorizations.js';
import { SponsoringStatisticsQuery } from './infrastructure/authorizations/persistence/sponsoring-statistics.js';
import { AwaitedPayments } from './infrastructure/authorizations/x402/awaited-payments.js';
import { X402Answers } from './infrastructure/authorizations/x402/x402-answers.js';
import { X402Controller } from './infrastructure/authorizations/x402/x402.controller.js';
import { TransferAuthorizationWorkers } from './infrastructure/authorizations/authorization-workers.js';

@RegisterInvariants(authorizationInvariants)
@Module({
  imports: [NetworksModule, RequestsModule, CheckoutModule],
  controllers: [AuthorizationController, X402Controller],
  providers: [
    SubmitAuthorization,
    OfferByX402,
    PayByX402,
    AwaitedPayments,
    X402Answers,
    SponsoringMetrics,
    SponsoringStatisticsQuery,
    TransferAuthorizations,
  ],
  exports: [SubmitAuthorization, TransferAuthorizations, SponsoringStatisticsQuery],
})
export class TransferAuthorizationsModule {}

@Module({
  imports: [NetworksModule, TransferAuthorizationsModule],
  providers: [ProcessAuthorizations, TransferAuthorizationWorkers],
})
export class TransferAuthorizationsWorkerModule {}
