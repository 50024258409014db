import { Module } from '@nestjs/common';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { IdentityModule } from '#contexts/identity/identity.module.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { PaymentsModule } from '#contexts/payments/payments.module.js';
import { PointOfSaleModule } from '#contexts/point-of-sale/point-of-sale.module.js';
import { AdvanceFloatPayouts } from './application/refunds/floats/advance-float-payouts.js';
import { AllotRefundFloat } from './application/refunds/floats/allot-refund-float.js';
import { ApproveRefund } from './application/refunds/approve-refund.js';
import { CancelRefund } from './application/refunds/cancel-refund.js';
import { ClaimRefund } from './application/refunds/claim-refund.js';
import { CreateRefund } from './application/refunds/create-refund.js';
import { EndFloatPayout } from './application/refunds/floats/end-float-payout.js';
import { CancelRefundsOfReversedPayments } from './application/refunds/cancel-refunds-of-reversed-payments.js';
import { ExpireUnclaimedRefunds } from './application/refunds/expire-unclaimed-refunds.js';
import { FindFloatPayoutOfCall } from './application/refunds/floats/find-float-payout-of-call.js';
import { TrackMerchantRefunds } from './application/refunds/track-merchant-refunds.js';
import { CheckFloats } from './application/refunds/floats/check-floats.js';
import { LockRefundedSum } from './application/refunds/lock-refunded-sum.js';
import { MerchantRefundPaymentParser } from './application/refunds/merchant-refund-payment-parser.js';
import { OpenOrganizationFloat } from './application/refunds/floats/open-organization-float.js';
import { AssignFloatAddresses } from './application/refunds/floats/assign-float-addresses.js';
import { FindRefundByClaimCode } from './application/refunds/refund-claim.js';
import { RefundApproval } from './application/refunds/refund-approval.js';
import { RefundAddressParser } from './application/refunds/refund-address-parser.js';
import { ReplaceClaimLink } from './application/refunds/replace-claim-link.js';
import { ReplaceRefundFloat } from './application/refunds/floats/replace-refund-float.js';
import { SetRefundLimitBasis } from './application/refunds/set-refund-limit-basis.js';
import { SetRefundLimit } from './application/refunds/set-refund-limit.js';
import { ShowRefundFloats } from './application/refunds/floats/show-refund-floats.js';
import { CancelFloatWithdrawal } from './application/refunds/floats/cancel-float-withdrawal.js';
import { WithdrawRefundFloat } from './application/refunds/floats/withdraw-refund-float.js';
import { Refunds } from './domain/refunds/refunds.js';
import { SecondFactorStepUp } from './infrastructure/refunds/dashboard/second-factor-step-up.js';
import { NewRefundController } from './infrastructure/refunds/dashboard/new-refund.controller.js';
import { RefundListController } from './infrastructure/refunds/dashboard/refund-list.controller.js';
import { RefundViewController } from './infrastructure/refunds/dashboard/refund-view.controller.js';
import { PayerRefundPageController } from './infrastructure/refunds/http/payer-refund-page.controller.js';
import { RefundController } from './infrastructure/refunds/http/refund.controller.js';
import { floatTransactionsInvariants } from './infrastructure/refunds/persistence/float-transactions-invariants.js';
import { FloatPayouts } from './infrastructure/refunds/persistence/float-payouts.js';
import { RefundFloats } from './infrastructure/refunds/persistence/refund-floats.js';
import { RefundLimits } from './infrastructure/refunds/persistence/refund-limits.js';
import { RefundQueries } from './infrastructure/refunds/persistence/refund-queries.js';
import { PostgresRefunds } from './infrastructure/refunds/persistence/postgres-refunds.js';
import { refundsInvariants } from './infrastructure/refunds/persistence/refunds-invariants.js';
import { RefundWorkers } from './infrastructure/refunds/refund-workers.js';

/** Identity's `SecondFactorVerifier` and `OneTimeSecretStore` must be provided globally. */
@RegisterInvariants([...refundsInvariants, ...floatTransactionsInvariants])
@Module({
  imports: [IdentityModule, NetworksModule, PointOfSaleModule, PaymentsModule],
  controllers: [
    RefundController,
    PayerRefundPageController,
    RefundListController,
    // Precedes `RefundViewController`, so that `new` in the path is not read as a refund id.
    NewRefundController,
    RefundViewController,
  ],
  providers: [
    AllotRefundFloat,
    ApproveRefund,
    CancelRefund,
    ClaimRefund,
    CreateRefund,
    FindRefundByClaimCode,
    RefundApproval,
    RefundAddressParser,
    ReplaceClaimLink,
    ReplaceRefundFloat,
    SetRefundLimitBasis,
    SetRefundLimit,
    ShowRefundFloats,
    WithdrawRefundFloat,
    CancelFloatWithdrawal,
    OpenOrganizationFloat,
    AssignFloatAddresses,
    AdvanceFloatPayouts,
    EndFloatPayout,
    CancelRefundsOfReversedPayments,
    ExpireUnclaimedRefunds,
    LockRefundedSum,
    FindFloatPayoutOfCall,
    TrackMerchantRefunds,
    SecondFactorStepUp,
    CheckFloats,
    MerchantRefundPaymentParser,
    { provide: Refunds, useClass: PostgresRefunds },
    RefundFloats,
    FloatPayouts,
    RefundLimits,
    RefundQueries,
  ],
  exports: [
    AssignFloatAddresses,
    AdvanceFloatPayouts,
    CancelRefundsOfReversedPayments,
    ExpireUnclaimedRefunds,
    TrackMerchantRefunds,
    CheckFloats,
  ],
})
export class RefundsModule {}

@Module({ imports: [NetworksModule, RefundsModule], providers: [RefundWorkers] })
export class RefundsWorkerModule {}
