import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import {
  ApiFailures,
  ApiSuccess,
  ApiSuccessPage,
  linkTo,
} from '#shared/platform/http/openapi/api-answers.js';
import { presentPage, toPageRequest, type PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { ForDevices, OwnRate } from '#shared/platform/http/callers/route-markers.js';
import {
  RequestKey,
  TakesIdempotencyKey,
  type KeyedRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { inCamelCase } from '#shared/kernel/camel-case.js';
import { CreatePaymentRequest } from '#contexts/payments/application/requests/create-payment-request.js';
import { ExpirePaymentRequest } from '#contexts/payments/application/requests/expire-payment-request.js';
import type { DeliveredRequestView } from '#contexts/payments/application/requests/payment-request-view.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { ListedPaymentRequests } from '../persistence/views/listed-payment-requests.js';
import { PaymentRequestQueries } from '../persistence/views/payment-request-queries.js';
import { StatusReads } from './status-reads.js';
import { CheckoutPresenter } from './checkout-presenter.js';
import {
  CreatePaymentRequestBody,
  PaymentRequestDto,
  PaymentRequestProgressDto,
  presentRequest,
  presentProgress,
} from './payment-request.dto.js';
import {
  LISTED_EXAMPLE,
  ListedPaymentRequestDto,
  PaymentRequestsQuery,
  presentListed,
  toFilter,
} from './listed-payment-request.dto.js';
import { CREATED_EXAMPLE, ENDED_EXAMPLE, PAID_EXAMPLE } from './payment-request-examples.js';

const REQUEST = { posID: '$request.path.posID', paymentRequestID: '$response.body#/data/id' };

@ApiTags('Payment requests')
@Controller('v1/pos/:posID/payment-request')
@ApiParam({ name: 'posID', format: 'uuid', description: 'The point of sale.' })
export class PaymentRequestController {
  constructor(
    private readonly createPaymentRequest: CreatePaymentRequest,
    private readonly expirePaymentRequest: ExpirePaymentRequest,
    private readonly listedRequests: ListedPaymentRequests,
    private readonly answers: IdempotentAnswers,
    private readonly requests: PaymentRequestQueries,
    private readonly urls: CheckoutUrls,
    private readonly presenter: CheckoutPresenter,
    private readonly statusReads: StatusReads,
  ) {}

  @ForDevices('creation', { amount: true, unique_asset_id: true, reference_id: true, order: ['items'] })
  @Post()
  @TakesIdempotencyKey()
  @ApiOperation({
    operationId: 'createPaymentRequest',
    summary: 'Create a payment request',
    description:
      'Assigns a deposit address and answers with the payment token to show to the payer. One request is one attempt ' +
      'to pay; its window is about 8 minutes from creation. A device sends only `amount`, `unique_asset_id`, `reference_id` ' +
      'and `order.items`.',
  })
  @ApiSuccess(PaymentRequestDto, {
    description: 'The request, awaiting payment.',
    example: CREATED_EXAMPLE,
    links: {
      ...linkTo('readPaymentRequest', 'Follow it.', REQUEST),
      ...linkTo('explainPaymentRequest', 'Why it is or is not paid.', REQUEST),
      ...linkTo('readNaspipToken', 'What its token says.', {}, { token: '$response.body#/data/token' }),
    },
  })
  @ApiFailures('not_found', 'settlement_address_missing', 'state_conflict', 'unavailable')
  create(
    @CurrentPrincipal() principal: Principal,
    @Param('posID', new UuidParam('point of sale')) pointOfSaleId: PointOfSaleId,
    @Body() body: CreatePaymentRequestBody,
    @RequestKey() key: KeyedRequest | undefined,
  ): Promise<PaymentRequestDto> {
    return this.answers.once(key, presentRequest, (keyed) =>
      this.createPaymentRequest.execute({
        ...inCamelCase(body),
        keyed,
        scope: principal.scope,
        at: principal.at,
        pointOfSaleId,
      }),
    );
  }

  @ForDevices()
  @Get()
  @ApiOperation({
    operationId: 'listPaymentRequests',
    summary: 'List payment requests of a point of sale',
    description:
      'Newest first, with exact totals; filters narrow together. An item is a request as it stands, without `token`, ' +
      '`order`, `transfers`, `deposits` and `status_history`, and of a checkout without `payment_options`, `merchant` ' +
      'and `selected`: read the request for these.',
  })
  @ApiSuccessPage(ListedPaymentRequestDto, {
    description: 'The payment requests of this page.',
    example: [LISTED_EXAMPLE],
  })
  @ApiFailures('not_found')
  async list(
    @CurrentPrincipal() { scope }: Principal,
    @Param('posID', new UuidParam('point of sale')) pointOfSaleId: PointOfSaleId,
    @Query() query: PaymentRequestsQuery,
  ): Promise<PageBody<ListedPaymentRequestDto>> {
    const request = toPageRequest(query);
    const page = await this.listedRequests.page(scope, pointOfSaleId, toFilter(query), request);
    return presentPage(page, request, (each) => presentListed(each, this.urls));
  }

  @ForDevices()
  @OwnRate()
  @Get(':paymentRequestID')
  @ApiOperation({
    operationId: 'readPaymentRequest',
    summary: 'Read a payment request',
    description:
      'Its status, what was received and by which transfers, and what became of it. Poll about every 3 seconds; more than one a second ' +
      'is refused, but for a few at once after a pause.',
  })
  @ApiParam({ name: 'paymentRequestID', format: 'uuid', description: 'The payment request.' })
  @ApiSuccess(PaymentRequestProgressDto, { description: 'The request as it stands.', example: PAID_EXAMPLE })
  @ApiFailures('not_found')
  async read(
    @CurrentPrincipal() principal: Principal,
    @Param('posID', new UuidParam('payment request')) pointOfSaleId: PointOfSaleId,
    @Param('paymentRequestID', new UuidParam('payment request')) paymentRequestId: PaymentRequestId,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PaymentRequestProgressDto> {
    const request = await this.statusReads.limited(principal, paymentRequestId, response, () =>
      this.requests.findDelivered(principal.scope, pointOfSaleId, paymentRequestId),
    );
    return this.present(request);
  }

  @ForDevices()
  @Post(':paymentRequestID/expire')
  @ApiOperation({
    operationId: 'expirePaymentRequest',
    summary: 'End an unpaid payment request',
    description:
      'Its window ends now, and it expires as soon as the network was read so far: what was sent before still counts. Safe ' +
      'to repeat. A request for which a payment was seen, or which has ended in another way, is left as it is.',
  })
  @ApiParam({ name: 'paymentRequestID', format: 'uuid', description: 'The payment request.' })
  @ApiSuccess(PaymentRequestProgressDto, { description: 'The request as it stands.', example: ENDED_EXAMPLE })
  @ApiFailures('not_found', 'state_conflict')
  async expire(
    @CurrentPrincipal() { scope }: Principal,
    @Param('posID', new UuidParam('payment request')) pointOfSaleId: PointOfSaleId,
    @Param('paymentRequestID', new UuidParam('payment request')) paymentRequestId: PaymentRequestId,
  ): Promise<PaymentRequestProgressDto> {
    await this.expirePaymentRequest.execute(scope, pointOfSaleId, paymentRequestId);
    return this.present(await this.requests.findDelivered(scope, pointOfSaleId, paymentRequestId));
  }

  private present(request: DeliveredRequestView): PaymentRequestProgressDto {
    this.presenter.signatures.learn(request.checkout);
    const checkout = request.checkout && this.presenter.forMerchant(request.checkout);
    return presentProgress(request, checkout, this.urls);
  }
}
