import { Module } from '@nestjs/common';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';
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
import { EndReversedRefunds } from './application/refunds/end-reversed-refunds.js';
import { EndUnclaimedRefunds } from './application/refunds/end-unclaimed-refunds.js';
import { FindPayoutOfCall } from './application/refunds/floats/find-payout-of-call.js';
import { FollowMerchantRefunds } from './application/refunds/follow-merchant-refunds.js';
import { CheckFloats } from './application/refunds/floats/check-floats.js';
import { LockRefundedSum } from './application/refunds/lock-refunded-sum.js';
import { MerchantPayments } from './application/refunds/merchant-payments.js';
import { OpenOrganizationFloat } from './application/refunds/floats/open-organization-float.js';
import { OpenRefundFloats } from './application/refunds/floats/open-refund-floats.js';
import { ReadClaimedRefund } from './application/refunds/refund-claim.js';
import { RefundApproval } from './application/refunds/refund-approval.js';
import { RefundRecipients } from './application/refunds/refund-recipients.js';
import { ReplaceClaim } from './application/refunds/replace-claim.js';
import { ReplaceRefundFloat } from './application/refunds/floats/replace-refund-float.js';
import { SetRefundBasis } from './application/refunds/set-refund-basis.js';
import { SetRefundLimit } from './application/refunds/set-refund-limit.js';
import { ShowRefundFloats } from './application/refunds/floats/show-refund-floats.js';
import { CancelFloatWithdrawal } from './application/refunds/floats/cancel-float-withdrawal.js';
import { WithdrawRefundFloat } from './application/refunds/floats/withdraw-refund-float.js';
import { Refunds } from './domain/refunds/refunds.js';
import { FreshCode } from './infrastructure/refunds/dashboard/fresh-code.js';
import { NewRefundController } from './infrastructure/refunds/dashboard/new-refund.controller.js';
import { RefundListController } from './infrastructure/refunds/dashboard/refund-list.controller.js';
import { RefundViewController } from './infrastructure/refunds/dashboard/refund-view.controller.js';
import { RefundPageController } from './infrastructure/refunds/http/refund-page.controller.js';
import { RefundController } from './infrastructure/refunds/http/refund.controller.js';
import { floatSendingsInvariants } from './infrastructure/refunds/persistence/float-sendings-invariants.js';
import { FloatPayouts } from './infrastructure/refunds/persistence/float-payouts.js';
import { RefundFloats } from './infrastructure/refunds/persistence/refund-floats.js';
import { RefundLimits } from './infrastructure/refunds/persistence/refund-limits.js';
import { ListedRefunds } from './infrastructure/refunds/persistence/listed-refunds.js';
import { PostgresRefunds } from './infrastructure/refunds/persistence/postgres-refunds.js';
import { refundsInvariants } from './infrastructure/refunds/persistence/refunds-invariants.js';
import { RefundWorkers } from './infrastructure/refunds/refund-workers.js';

/** Identity's `SecondFactor` and `ShownOnce` must be provided globally. */
@Invariants([...refundsInvariants, ...floatSendingsInvariants])
@Module({
  imports: [IdentityModule, NetworksModule, PointOfSaleModule, PaymentsModule],
  controllers: [
    RefundController,
    RefundPageController,
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
    ReadClaimedRefund,
    RefundApproval,
    RefundRecipients,
    ReplaceClaim,
    ReplaceRefundFloat,
    SetRefundBasis,
    SetRefundLimit,
    ShowRefundFloats,
    WithdrawRefundFloat,
    CancelFloatWithdrawal,
    OpenOrganizationFloat,
    OpenRefundFloats,
    AdvanceFloatPayouts,
    EndFloatPayout,
    EndReversedRefunds,
    EndUnclaimedRefunds,
    LockRefundedSum,
    FindPayoutOfCall,
    FollowMerchantRefunds,
    FreshCode,
    CheckFloats,
    MerchantPayments,
    { provide: Refunds, useClass: PostgresRefunds },
    RefundFloats,
    FloatPayouts,
    RefundLimits,
    ListedRefunds,
  ],
  exports: [
    OpenRefundFloats,
    AdvanceFloatPayouts,
    EndReversedRefunds,
    EndUnclaimedRefunds,
    FollowMerchantRefunds,
    CheckFloats,
  ],
})
export class RefundsModule {}

@Module({ imports: [NetworksModule, RefundsModule], providers: [RefundWorkers] })
export class RefundsWorkerModule {}
