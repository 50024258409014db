import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField, stateConflict } from '#shared/kernel/domain-error.js';
import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { type IdempotentCreation, IdempotentCreations } from '#shared/kernel/idempotent-creation.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  type RefundableRequest,
  RefundableRequests,
} from '#contexts/payments/contract/refundable-requests.js';
import {
  amountToRefund,
  assetToRefund,
  totalReceived,
  type RefundAmounts,
  refuseOpenPaymentRequest,
  type ReceivedAsset,
} from '../../domain/refunds/refund-amount-rule.js';
import { UNKNOWN_SENDER_ADDRESS } from '#contexts/networks/contract/chain-reader.js';
import { claimExpiry, Refund, type RefundSnapshot } from '../../domain/refunds/refund.js';
import { RefundFloats } from '../../infrastructure/refunds/persistence/refund-floats.js';
import { Refunds } from '../../domain/refunds/refunds.js';
import { auditRefund } from './audit-refund.js';
import { LockRefundedSum } from './lock-refunded-sum.js';
import {
  MerchantRefundPaymentParser,
  type MerchantRefundPayment,
  type MerchantRefundPaymentFields,
} from './merchant-refund-payment-parser.js';
import { claimCodeDigest, newClaimCode } from './refund-claim.js';
import { type PreparedRefundPayout, RefundApproval } from './refund-approval.js';
import { RefundAddressParser } from './refund-address-parser.js';

export interface CreateRefundInput extends MerchantRefundPaymentFields {
  readonly scope: TenantScope;
  readonly paymentRequestId: PaymentRequestId;
  /** Exactly one of `refundToAddress` and `claim` is required. */
  readonly refundToAddress?: string | undefined;
  readonly claim?: { readonly expiresAt?: Date | undefined } | undefined;
  /** Decimal string in whole units. The default depends on the payment request's status. */
  readonly amount?: string | undefined;
  readonly uniqueAssetId?: string | undefined;
  readonly reason?: string | undefined;
  readonly by: string;
  readonly idempotency?: IdempotentCreation<CreatedRefund> | undefined;
  readonly audited?: Actor;
}

export interface CreatedRefund {
  readonly refund: RefundSnapshot;
  /** Secret code in the payer's refund link. Only its digest is stored. */
  readonly claim?: string;
  /** In smallest units. Absent if the float suffices. */
  readonly floatMissing?: bigint;
}

/** With an address, the refund is approved immediately. With a claim link, it waits for the payer's address. */
@Injectable()
export class CreateRefund {
  constructor(
    private readonly requests: RefundableRequests,
    private readonly catalogue: NetworkCatalogue,
    private readonly recipients: RefundAddressParser,
    private readonly merchantPayments: MerchantRefundPaymentParser,
    private readonly approval: RefundApproval,
    private readonly floats: RefundFloats,
    private readonly refunds: Refunds,
    private readonly lockSum: LockRefundedSum,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotentCreations: IdempotentCreations,
    private readonly cell: DeploymentCell,
    private readonly auditLog: AuditLog,
  ) {}

  async create(input: CreateRefundInput): Promise<CreatedRefund> {
    if (input.refundToAddress !== undefined) requireAddressOrClaim(input);
    const request = await this.requests.find(input.scope, input.paymentRequestId);
    refuseOpenPaymentRequest(request);
    const received = assetToRefund(request.received, input.uniqueAssetId);
    const { network } = received.asset;
    const payment = await this.merchantPayments.parseMerchantRefundPayment(request.id, network, input);
    requireAddressOrClaim(input);
    const minimum = this.minimumAmountOf(received);
    const now = await this.clock.now();
    const claimExpiresAt = input.claim && claimExpiry(input.claim.expiresAt, now);
    const to = payment?.to ?? (await this.readRecipient(network, input));
    const { asset, asked } = received;
    const amountOf = (sums: RefundAmounts): bigint =>
      amountToRefund({ status: request.status, asset, asked, ...sums, amount: input.amount, minimum });
    const byFloat = payment === null && to !== undefined;
    const prepared = byFloat ? await this.preparePayout(request, received, to, amountOf) : null;
    const float = payment === null ? await this.floats.findOrCreate(request.organizationId, network) : null;
    return this.idempotentCreations.run(input.idempotency, () =>
      this.unitOfWork.run(async () => {
        const amount = amountOf(await this.lockSumOf(request, asset.uniqueAssetId));
        const refund = this.draftRefund(
          { request, received, amount, to, payment, claimExpiresAt, input, now },
          float?.address ?? null,
        );
        if (payment !== null) refund.recordMerchantPayment(input.by, now);
        if (prepared !== null) await this.approval.grant(refund, prepared, input.by, now);
        const claim = claimExpiresAt === undefined ? undefined : newClaimCode(this.cell);
        await this.refunds.add(refund, claim === undefined ? null : claimCodeDigest(claim));
        const after = refund.snapshot;
        const act = { before: null, after, by: input.audited, at: now };
        await auditRefund(this.auditLog, 'refund.created', act);
        if (claim === undefined) return { refund: after };
        const floatMissing = await this.approval.floatShortfall(after);
        return { refund: after, claim, ...(floatMissing > 0n && { floatMissing }) };
      }),
    );
  }

  private async readRecipient(network: string, { refundToAddress }: CreateRefundInput) {
    return (
      refundToAddress && this.recipients.parseRefundAddress(network, 'refund_to_address', refundToAddress)
    );
  }

  /** The amount is computed again under the lock. */
  private async preparePayout(
    request: RefundableRequest,
    received: ReceivedAsset,
    to: string,
    amountOf: (sums: RefundAmounts) => bigint,
  ): Promise<PreparedRefundPayout> {
    const refunded = await this.refunds.findRefundedSum(request.id, received.asset.uniqueAssetId);
    const amount = amountOf({ received: totalReceived(received), refunded });
    const { organizationId } = request;
    return this.approval.prepare({ organizationId, asset: received.asset, amount, to });
  }

  private lockSumOf(request: RefundableRequest, uniqueAssetId: string): Promise<RefundAmounts> {
    const { id: paymentRequestId, organizationId, accountId } = request;
    return this.lockSum.lock({ paymentRequestId, organizationId, accountId, uniqueAssetId });
  }

  private draftRefund(
    { request, received, amount, to, payment, claimExpiresAt, input, now }: RefundDecision,
    float: string | null,
  ): Refund {
    const { network, token, uniqueAssetId, symbol, decimals } = received.asset;
    return Refund.create(
      {
        id: newId(),
        organizationId: request.organizationId,
        accountId: request.accountId,
        paymentRequestId: request.id,
        pointOfSaleId: request.pointOfSaleId,
        ...(request.referenceId === undefined ? {} : { referenceId: request.referenceId }),
        merchantName: request.merchantName,
        asset: { network, token, uniqueAssetId, symbol, decimals },
        amount,
        ...(payment === null ? {} : { paidBy: 'merchant', transactionHash: payment.transactionHash }),
        ...(input.reason === undefined ? {} : { reason: input.reason }),
        ...(to === undefined ? {} : { to }),
        ...(claimExpiresAt === undefined ? {} : { claimExpiresAt }),
        createdAt: now,
      },
      float ?? UNKNOWN_SENDER_ADDRESS,
    );
  }

  private minimumAmountOf({ asset }: ReceivedAsset): bigint {
    const catalogued = this.catalogue.asset(asset.uniqueAssetId);
    if (catalogued !== undefined) return catalogued.minimumAmount;
    throw stateConflict(
      `${asset.symbol} on ${asset.network} is no longer supported by this service, so it cannot be refunded.`,
    );
  }
}

interface RefundDecision {
  readonly request: RefundableRequest;
  readonly received: ReceivedAsset;
  readonly amount: bigint;
  readonly to: string | undefined;
  readonly payment: MerchantRefundPayment | null;
  readonly claimExpiresAt: Date | undefined;
  readonly input: CreateRefundInput;
  readonly now: Date;
}

function requireAddressOrClaim({ refundToAddress, claim }: CreateRefundInput): void {
  if ((refundToAddress === undefined) !== (claim === undefined)) return;
  throw invalidField(
    'refund_to_address',
    'one_of',
    'is required, unless claim is sent, which lets the payer enter an address. Send exactly one of the two ' +
      'fields.',
  );
}
