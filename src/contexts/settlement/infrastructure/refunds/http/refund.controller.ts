import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import {
  presentListPage,
  toPageRequest,
  type PageBody,
} from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import {
  IdempotencyKeyParam,
  type IdempotentRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { PathId } from '#shared/platform/http/validation/uuid-param.js';
import { ApproveRefund } from '#contexts/settlement/application/refunds/approve-refund.js';
import { CancelRefund } from '#contexts/settlement/application/refunds/cancel-refund.js';
import { CreateRefund, type CreatedRefund } from '#contexts/settlement/application/refunds/create-refund.js';
import { RefundQueries } from '../persistence/refund-queries.js';
import { RefundSettings } from '#contexts/settlement/application/refunds/refund-claim.js';
import {
  ReplaceClaimLink,
  type ReplacedClaimLink,
} from '#contexts/settlement/application/refunds/replace-claim-link.js';
import {
  CreateRefundBody,
  parseClaimEnd,
  presentRefund,
  RefundClaimBody,
  RefundDto,
  RefundsQuery,
  toRequestedRefund,
  toRefundFilter,
} from './refund.dto.js';
import {
  CANCELLED_REFUND_EXAMPLE,
  CLAIMABLE_REFUND_EXAMPLE,
  COMPLETED_REFUND_EXAMPLE,
  REFUND_EXAMPLE,
} from './refund-examples.js';

const CREATED_REFUND_LINK = { refundID: '$response.body#/data/id' };
const SAME_REFUND_LINK = { refundID: '$request.path.refundID' };

@ApiTags('Refunds')
@Controller('v1/refunds')
export class RefundController {
  constructor(
    private readonly createRefund: CreateRefund,
    private readonly approveRefund: ApproveRefund,
    private readonly cancelRefund: CancelRefund,
    private readonly replaceClaimLink: ReplaceClaimLink,
    private readonly refunds: RefundQueries,
    private readonly settings: RefundSettings,
    private readonly answers: IdempotentAnswers,
  ) {}

  @Post('payment-request/:paymentRequestID')
  @DocumentedOperation('createRefund', 'Refund a payment request', {
    description:
      'Pays back funds that a payment request received, in the same asset. The total of all refunds of a ' +
      'payment request cannot exceed the funds it received.\n\n' +
      'Specify the recipient in one of two ways:\n\n' +
      '- `refund_to_address`: the refund is approved immediately.\n' +
      '- `claim`: the payer enters an address at `claim_url`. Then you approve the refund.\n\n' +
      'The refund is paid from the refund float of your organization on the network. Returns 409 ' +
      '`refund_float_insufficient` if the float is too low.\n\n' +
      'On networks that deliver payments directly to your own wallet, you pay the refund from that wallet. ' +
      'Send the hash of that transaction as `paid_transaction_hash`: the refund is completed when the ' +
      'transaction is final. If you omit the hash, the request returns 409 `refund_by_merchant`.',
    answer: [RefundDto, 'The new refund.', CLAIMABLE_REFUND_EXAMPLE],
    links: {
      ...operationLinkTo('readRefund', 'Read the refund.', CREATED_REFUND_LINK),
      ...operationLinkTo(
        'approveRefund',
        'Approve the refund after the payer has entered an address.',
        CREATED_REFUND_LINK,
      ),
      ...operationLinkTo(
        'replaceRefundClaim',
        'Create a new claim link if the first one was lost.',
        CREATED_REFUND_LINK,
      ),
      ...operationLinkTo(
        'cancelRefund',
        'Cancel the refund before a transaction pays it.',
        CREATED_REFUND_LINK,
      ),
    },
    errors: ['state_conflict', 'refund_by_merchant', 'refund_float_insufficient'],
  })
  create(
    @CurrentPrincipal() { scope, credentialId: by }: Principal,
    @PathId(
      'paymentRequestID',
      'payment request',
      'Id of the payment request to refund, which must have ended.',
    )
    paymentRequestId: PaymentRequestId,
    @Body() body: CreateRefundBody,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<RefundDto> {
    return this.answers.answerOnce(
      key,
      ({ refund, claim, floatMissing }: CreatedRefund) =>
        presentRefund(refund, { claimUrl: claim && this.settings.claimUrl(claim), floatMissing }),
      (idempotency) =>
        this.createRefund.create({ ...toRequestedRefund(body), scope, paymentRequestId, by, idempotency }),
      ({ refund, floatMissing }) => presentRefund(refund, { floatMissing }),
    );
  }

  @Get()
  @DocumentedOperation('listRefunds', 'List refunds', {
    description: 'Returns refunds, newest first.',
    page: [RefundDto, 'A page of refunds.', [COMPLETED_REFUND_EXAMPLE]],
  })
  async list(
    @CurrentPrincipal() { scope }: Principal,
    @Query() query: RefundsQuery,
  ): Promise<PageBody<RefundDto>> {
    const page = toPageRequest(query);
    const found = await this.refunds.page(scope, toRefundFilter(query), page);
    return presentListPage(found, page, (refund) => presentRefund(refund));
  }

  @Get(':refundID')
  @DocumentedOperation('readRefund', 'Read a refund', {
    description: 'Returns the current state of the refund. Poll it, or register a webhook for `refund`.',
    answer: [RefundDto, 'The refund.', COMPLETED_REFUND_EXAMPLE],
  })
  async read(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('refundID', 'refund') id: string,
  ): Promise<RefundDto> {
    return presentRefund(await this.refunds.find(scope, id));
  }

  @Post(':refundID/claim')
  @DocumentedOperation('replaceRefundClaim', 'Create a new claim link for a refund', {
    description:
      'Returns a new `claim_url`, for example because the previous one was lost. The previous URL stops ' +
      'working.\n\n' +
      'Returns 409 `state_conflict` if the payer has entered an address, or if the refund has ended.',
    answer: [RefundDto, 'The refund with its new `claim_url`.', CLAIMABLE_REFUND_EXAMPLE],
    errors: ['state_conflict'],
  })
  @ApiBody({ type: RefundClaimBody, required: false })
  claim(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('refundID', 'refund') id: string,
    @Body() { expires_at }: RefundClaimBody,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<RefundDto> {
    const expiresAt = parseClaimEnd(expires_at);
    return this.answers.answerOnce(
      key,
      ({ refund, claim }: ReplacedClaimLink) =>
        presentRefund(refund, { claimUrl: this.settings.claimUrl(claim) }),
      (idempotency) => this.replaceClaimLink.replace({ scope, id, expiresAt, idempotency }),
      ({ refund }) => presentRefund(refund),
    );
  }

  @Post(':refundID/approve')
  @DocumentedOperation('approveRefund', 'Approve a refund', {
    description:
      'Approves a pending refund after the payer has entered an address. The amount is reserved in the float ' +
      'and then paid.\n\n' +
      'Returns 409 `state_conflict` if the refund is not pending or has no address yet, and 409 ' +
      '`refund_float_insufficient` if the float is too low.',
    answer: [RefundDto, 'The approved refund.', REFUND_EXAMPLE],
    links: operationLinkTo('readRefund', 'Read the refund.', SAME_REFUND_LINK),
    errors: ['state_conflict', 'refund_float_insufficient'],
  })
  async approve(
    @CurrentPrincipal() { scope, credentialId: by }: Principal,
    @PathId('refundID', 'refund') id: string,
  ): Promise<RefundDto> {
    return presentRefund(await this.approveRefund.approve({ scope, id, by }));
  }

  @Post(':refundID/cancel')
  @DocumentedOperation('cancelRefund', 'Cancel a refund', {
    description:
      'Cancels a refund that is pending, or that is approved but does not have a transaction yet. Its amount ' +
      'can then be refunded again. Returns 409 `state_conflict` if the refund is already being paid or has ' +
      'ended.',
    answer: [RefundDto, 'The cancelled refund, whose status is `failed`.', CANCELLED_REFUND_EXAMPLE],
    errors: ['state_conflict'],
  })
  async cancel(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('refundID', 'refund') id: string,
  ): Promise<RefundDto> {
    return presentRefund(await this.cancelRefund.cancel(scope, id));
  }
}
