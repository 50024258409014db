import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { presentPage, toPageRequest, type PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import {
  RequestKey,
  TakesIdempotencyKey,
  type KeyedRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import {
  ApiFailures,
  ApiSuccess,
  ApiSuccessPage,
  linkTo,
} from '#shared/platform/http/openapi/api-answers.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { ApproveRefund } from '#contexts/settlement/application/refunds/approve-refund.js';
import { CancelRefund } from '#contexts/settlement/application/refunds/cancel-refund.js';
import { CreateRefund, type CreatedRefund } from '#contexts/settlement/application/refunds/create-refund.js';
import { ListedRefunds } from '../persistence/listed-refunds.js';
import { RefundSettings } from '#contexts/settlement/application/refunds/refund-claim.js';
import {
  CreateRefundBody,
  presentRefund,
  RefundDto,
  RefundsQuery,
  toAskedRefund,
  toRefundFilter,
} from './refund.dto.js';
import { CANCELLED_EXAMPLE, CLAIM_EXAMPLE, COMPLETED_EXAMPLE, REFUND_EXAMPLE } from './refund-examples.js';

const REFUND = { refundID: '$response.body#/data/id' };
const SAME = { refundID: '$request.path.refundID' };

@ApiTags('Refunds')
@Controller('v1/refunds')
export class RefundController {
  constructor(
    private readonly createRefund: CreateRefund,
    private readonly approveRefund: ApproveRefund,
    private readonly cancelRefund: CancelRefund,
    private readonly refunds: ListedRefunds,
    private readonly settings: RefundSettings,
    private readonly answers: IdempotentAnswers,
  ) {}

  @Post('payment-request/:paymentRequestID')
  @TakesIdempotencyKey()
  @ApiParam({
    name: 'paymentRequestID',
    type: String,
    format: 'uuid',
    description: 'Id of the payment request to refund, which must have ended.',
  })
  @ApiOperation({
    operationId: 'createRefund',
    summary: 'Refund a payment request',
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
  })
  @ApiSuccess(RefundDto, {
    description: 'The new refund.',
    example: CLAIM_EXAMPLE,
    links: {
      ...linkTo('readRefund', 'Read the refund.', REFUND),
      ...linkTo('approveRefund', 'Approve the refund after the payer has entered an address.', REFUND),
      ...linkTo('cancelRefund', 'Cancel the refund before a transaction pays it.', REFUND),
    },
  })
  @ApiFailures(
    'not_found',
    'state_conflict',
    'refund_by_merchant',
    'refund_float_insufficient',
    'unavailable',
  )
  create(
    @CurrentPrincipal() { scope, credentialId: by }: Principal,
    @Param('paymentRequestID', new UuidParam('payment request')) paymentRequestId: PaymentRequestId,
    @Body() body: CreateRefundBody,
    @RequestKey() key: KeyedRequest | undefined,
  ): Promise<RefundDto> {
    return this.answers.once(
      key,
      ({ refund, claim, floatMissing }: CreatedRefund) =>
        presentRefund(refund, { claimUrl: claim && this.settings.claimPage(claim), floatMissing }),
      (keyed) => this.createRefund.create({ ...toAskedRefund(body), scope, paymentRequestId, by, keyed }),
      ({ refund, floatMissing }) => presentRefund(refund, { floatMissing }),
    );
  }

  @Get()
  @ApiOperation({
    operationId: 'listRefunds',
    summary: 'List refunds',
    description: 'Returns refunds, newest first.',
  })
  @ApiSuccessPage(RefundDto, {
    description: 'A page of refunds.',
    example: [COMPLETED_EXAMPLE],
  })
  async list(
    @CurrentPrincipal() { scope }: Principal,
    @Query() query: RefundsQuery,
  ): Promise<PageBody<RefundDto>> {
    const page = toPageRequest(query);
    const found = await this.refunds.page(scope, toRefundFilter(query), page);
    return presentPage(found, page, (refund) => presentRefund(refund));
  }

  @Get(':refundID')
  @ApiParam({ name: 'refundID', type: String, format: 'uuid', description: 'Id of the refund.' })
  @ApiOperation({
    operationId: 'readRefund',
    summary: 'Read a refund',
    description: 'Returns the current state of the refund. Poll it, or register a webhook for `refund`.',
  })
  @ApiSuccess(RefundDto, { description: 'The refund.', example: COMPLETED_EXAMPLE })
  @ApiFailures('not_found')
  async read(
    @CurrentPrincipal() { scope }: Principal,
    @Param('refundID', new UuidParam('refund')) id: string,
  ): Promise<RefundDto> {
    return presentRefund(await this.refunds.find(scope, id));
  }

  @Post(':refundID/approve')
  @ApiParam({ name: 'refundID', type: String, format: 'uuid', description: 'Id of the refund.' })
  @ApiOperation({
    operationId: 'approveRefund',
    summary: 'Approve a refund',
    description:
      'Approves a pending refund after the payer has entered an address. The amount is reserved in the float ' +
      'and then paid.\n\n' +
      'Returns 409 `state_conflict` if the refund is not pending or has no address yet, and 409 ' +
      '`refund_float_insufficient` if the float is too low.',
  })
  @ApiSuccess(RefundDto, {
    description: 'The approved refund.',
    example: REFUND_EXAMPLE,
    links: linkTo('readRefund', 'Read the refund.', SAME),
  })
  @ApiFailures('not_found', 'state_conflict', 'refund_float_insufficient', 'unavailable')
  async approve(
    @CurrentPrincipal() { scope, credentialId: by }: Principal,
    @Param('refundID', new UuidParam('refund')) id: string,
  ): Promise<RefundDto> {
    return presentRefund(await this.approveRefund.approve({ scope, id, by }));
  }

  @Post(':refundID/cancel')
  @ApiParam({ name: 'refundID', type: String, format: 'uuid', description: 'Id of the refund.' })
  @ApiOperation({
    operationId: 'cancelRefund',
    summary: 'Cancel a refund',
    description:
      'Cancels a refund that is pending, or that is approved but does not have a transaction yet. Its amount ' +
      'can then be refunded again. Returns 409 `state_conflict` if the refund is already being paid or has ' +
      'ended.',
  })
  @ApiSuccess(RefundDto, {
    description: 'The cancelled refund, whose status is `failed`.',
    example: CANCELLED_EXAMPLE,
  })
  @ApiFailures('not_found', 'state_conflict')
  async cancel(
    @CurrentPrincipal() { scope }: Principal,
    @Param('refundID', new UuidParam('refund')) id: string,
  ): Promise<RefundDto> {
    return presentRefund(await this.cancelRefund.cancel(scope, id));
  }
}
