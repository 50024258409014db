import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import {
  presentListPage,
  toPageRequest,
  type PageBody,
} from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { AllowDevices, OwnRateLimit } from '#shared/platform/http/callers/route-markers.js';
import {
  IdempotencyKeyParam,
  type IdempotentRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { PathId } from '#shared/platform/http/validation/uuid-param.js';
import { toCamelCaseFields } from '#shared/kernel/text.js';
import { CreatePaymentRequest } from '#contexts/payments/application/requests/create-payment-request.js';
import { ExpirePaymentRequest } from '#contexts/payments/application/requests/expire-payment-request.js';
import type { PaymentRequestDetailView } from '#contexts/payments/application/requests/payment-request-view.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { PaymentRequestListQueries } from '../persistence/views/payment-request-list-queries.js';
import { PaymentRequestQueries } from '../persistence/views/payment-request-queries.js';
import { StatusReadLimiter } from './status-read-limiter.js';
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
  ListPaymentRequestsQuery,
  presentListedPaymentRequest,
  toFilter,
} from './listed-payment-request.dto.js';
import {
  CREATED_PAYMENT_REQUEST_EXAMPLE,
  ENDED_PAYMENT_REQUEST_EXAMPLE,
  PAID_PAYMENT_REQUEST_EXAMPLE,
} from './payment-request-examples.js';

const REQUEST_ID_EXPRESSIONS = { posID: '$request.path.posID', paymentRequestID: '$response.body#/data/id' };

@ApiTags('Payment requests')
@Controller('v1/pos/:posID/payment-request')
export class PaymentRequestController {
  constructor(
    private readonly createPaymentRequest: CreatePaymentRequest,
    private readonly expirePaymentRequest: ExpirePaymentRequest,
    private readonly listedRequests: PaymentRequestListQueries,
    private readonly answers: IdempotentAnswers,
    private readonly requests: PaymentRequestQueries,
    private readonly urls: CheckoutUrls,
    private readonly presenter: CheckoutPresenter,
    private readonly statusReadLimiter: StatusReadLimiter,
  ) {}

  @AllowDevices('creation', { amount: true, unique_asset_id: true, reference_id: true, order: ['items'] })
  @Post()
  @DocumentedOperation('createPaymentRequest', 'Create a payment request', {
    description:
      'Creates a payment request for a fixed amount of one asset, assigns a deposit address and returns the ' +
      'payment token to show to the payer. Create one request per payment attempt. The payment window is about ' +
      '8 minutes from creation; read it from `expires_at`. On a physical point of sale, creating a request ' +
      'closes the payment window of the request that is open, unless a payment to that request has been seen. ' +
      'A paired device can send only `amount`, `unique_asset_id`, `reference_id` and `order.items`. Returns ' +
      '409 `settlement_address_missing` if no settlement address is set for the network, and 503 `unavailable` ' +
      'if the network accepts no new requests.',
    answer: [PaymentRequestDto, 'The new payment request.', CREATED_PAYMENT_REQUEST_EXAMPLE],
    links: {
      ...operationLinkTo('readPaymentRequest', 'Poll the payment request.', REQUEST_ID_EXPRESSIONS),
      ...operationLinkTo(
        'explainPaymentRequest',
        'Explain why it is or is not paid.',
        REQUEST_ID_EXPRESSIONS,
      ),
      ...operationLinkTo(
        'readNaspipToken',
        'Read the payment token.',
        {},
        { token: '$response.body#/data/token' },
      ),
    },
    errors: ['settlement_address_missing', 'state_conflict'],
  })
  create(
    @CurrentPrincipal() principal: Principal,
    @PathId('posID', 'point of sale') pointOfSaleId: PointOfSaleId,
    @Body() body: CreatePaymentRequestBody,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<PaymentRequestDto> {
    return this.answers.answerOnce(key, presentRequest, (idempotency) =>
      this.createPaymentRequest.create({
        ...toCamelCaseFields(body),
        idempotency,
        scope: principal.scope,
        at: principal.at,
        pointOfSaleId,
      }),
    );
  }

  @AllowDevices()
  @Get()
  @DocumentedOperation('listPaymentRequests', 'List payment requests', {
    description:
      'Returns the payment requests of a point of sale, newest first, with exact totals. Filters can be ' +
      'combined. Items omit `token`, `order`, `transfers`, `deposits`, `status_history`, `settlement_id`, ' +
      '`refunds`, `payment_options`, `merchant` and `selected`; read a single payment request to get these ' +
      'fields.',
    page: [ListedPaymentRequestDto, 'One page of payment requests.', [LISTED_EXAMPLE]],
  })
  async list(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('posID', 'point of sale') pointOfSaleId: PointOfSaleId,
    @Query() query: ListPaymentRequestsQuery,
  ): Promise<PageBody<ListedPaymentRequestDto>> {
    const request = toPageRequest(query);
    const page = await this.listedRequests.page(scope, pointOfSaleId, toFilter(query), request);
    return presentListPage(page, request, (each) => presentListedPaymentRequest(each, this.urls));
  }

  @AllowDevices()
  @OwnRateLimit()
  @Get(':paymentRequestID')
  @DocumentedOperation('readPaymentRequest', 'Read a payment request', {
    description:
      'Returns a payment request with its status, the amount received, its transfers and how the ledger ' +
      'records them, and its refunds. A checkout also has the fields of its session, such as `session_id`, ' +
      '`coin_code` and `selected`; its `currency`, `unique_asset_id`, `network` and `address` are absent until ' +
      'an asset is selected. Poll this operation about every 3 seconds until the status is terminal. More than ' +
      'one read per second of the same request returns 429 `rate_limited`; short bursts are allowed.',
    answer: [PaymentRequestProgressDto, 'The current payment request.', PAID_PAYMENT_REQUEST_EXAMPLE],
  })
  async read(
    @CurrentPrincipal() principal: Principal,
    @PathId('posID', 'payment request', 'Id of the point of sale.') pointOfSaleId: PointOfSaleId,
    @PathId('paymentRequestID', 'payment request') paymentRequestId: PaymentRequestId,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PaymentRequestProgressDto> {
    const request = await this.statusReadLimiter.readLimited(principal, paymentRequestId, response, () =>
      this.requests.findDetail(principal.scope, pointOfSaleId, paymentRequestId),
    );
    return this.present(request);
  }

  @AllowDevices()
  @Post(':paymentRequestID/expire')
  @DocumentedOperation('expirePaymentRequest', 'Expire a payment request', {
    description:
      'Closes the payment window now. A transfer that was sent before still counts, so the status becomes ' +
      '`expired` only after the service has read the network up to the time of this call. Safe to repeat. ' +
      'Returns 409 `state_conflict` and changes nothing if a payment has been seen, if a payment by signature ' +
      'is in progress, or if the request has any other terminal status.',
    answer: [PaymentRequestProgressDto, 'The current payment request.', ENDED_PAYMENT_REQUEST_EXAMPLE],
    errors: ['state_conflict'],
  })
  async expire(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('posID', 'payment request', 'Id of the point of sale.') pointOfSaleId: PointOfSaleId,
    @PathId('paymentRequestID', 'payment request') paymentRequestId: PaymentRequestId,
  ): Promise<PaymentRequestProgressDto> {
    await this.expirePaymentRequest.expire(scope, pointOfSaleId, paymentRequestId);
    return this.present(await this.requests.findDetail(scope, pointOfSaleId, paymentRequestId));
  }

  private present(request: PaymentRequestDetailView): PaymentRequestProgressDto {
    this.presenter.signatures.requestTokenDomains(request.checkout);
    const checkout = request.checkout && this.presenter.forMerchant(request.checkout);
    return presentProgress(request, checkout, this.urls);
  }
}
