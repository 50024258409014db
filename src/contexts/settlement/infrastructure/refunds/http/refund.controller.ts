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
import { RefundSettings } from '#contexts/settlement/application/refunds/refund-settings.js';
import {
  CANCELLED_EXAMPLE,
  CLAIM_EXAMPLE,
  COMPLETED_EXAMPLE,
  CreateRefundBody,
  presentRefund,
  REFUND_EXAMPLE,
  RefundDto,
  RefundsQuery,
  toAskedRefund,
  toRefundFilter,
} from './refund.dto.js';

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
    format: 'uuid',
    description: 'The payment request, which has ended.',
  })
  @ApiOperation({
    operationId: 'createRefund',
    summary: 'Refund a payment request',
    description:
      'With `refund_to_address` it is approved at once. With `claim` it waits: the payer names the address at `claim_url`, ' +
      'then you approve. Paid from the organization’s refund float on that network. Where your own wallet receives what is ' +
      'paid, that wallet pays: name its transaction as `paid_transaction_hash`, and the refund is completed once that is ' +
      'final. Of no request is more refunded in all than was received.',
  })
  @ApiSuccess(RefundDto, {
    description: 'The refund.',
    example: CLAIM_EXAMPLE,
    links: {
      ...linkTo('readRefund', 'See what became of it.', REFUND),
      ...linkTo('approveRefund', 'Approve it, once the payer has named an address.', REFUND),
      ...linkTo('cancelRefund', 'Cancel it while no transaction pays it.', REFUND),
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
      (keyed) => this.createRefund.execute({ ...toAskedRefund(body), scope, paymentRequestId, by, keyed }),
      ({ refund, floatMissing }) => presentRefund(refund, { floatMissing }),
    );
  }

  @Get()
  @ApiOperation({ operationId: 'listRefunds', summary: 'List refunds', description: 'Newest first.' })
  @ApiSuccessPage(RefundDto, {
    description: 'One page of refunds.',
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
  @ApiParam({ name: 'refundID', format: 'uuid', description: 'The refund.' })
  @ApiOperation({
    operationId: 'readRefund',
    summary: 'Read a refund',
    description: 'As it is now; its transaction once it is mined in a final block.',
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
  @ApiParam({ name: 'refundID', format: 'uuid', description: 'The refund.' })
  @ApiOperation({
    operationId: 'approveRefund',
    summary: 'Approve a refund',
    description: 'Of a pending refund whose payer has named an address. Its money is reserved, then paid.',
  })
  @ApiSuccess(RefundDto, {
    description: 'The refund, processing.',
    example: REFUND_EXAMPLE,
    links: linkTo('readRefund', 'See what became of it.', SAME),
  })
  @ApiFailures('not_found', 'state_conflict', 'refund_float_insufficient', 'unavailable')
  async approve(
    @CurrentPrincipal() { scope, credentialId: by }: Principal,
    @Param('refundID', new UuidParam('refund')) id: string,
  ): Promise<RefundDto> {
    return presentRefund(await this.approveRefund.execute({ scope, id, by }));
  }

  @Post(':refundID/cancel')
  @ApiParam({ name: 'refundID', format: 'uuid', description: 'The refund.' })
  @ApiOperation({
    operationId: 'cancelRefund',
    summary: 'Cancel a refund',
    description:
      'While it is pending, or approved and without a transaction yet: 409 `state_conflict` after that. Its amount can be ' +
      'refunded again.',
  })
  @ApiSuccess(RefundDto, {
    description: 'The refund, failed.',
    example: CANCELLED_EXAMPLE,
  })
  @ApiFailures('not_found', 'state_conflict')
  async cancel(
    @CurrentPrincipal() { scope }: Principal,
    @Param('refundID', new UuidParam('refund')) id: string,
  ): Promise<RefundDto> {
    return presentRefund(await this.cancelRefund.execute(scope, id));
  }
}
