import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import {
  PageQuery,
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
import { PathId } from '#shared/platform/http/validation/uuid-param.js';
import { toCamelCaseFields } from '#shared/kernel/text.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { CreatePaymentLink } from '#contexts/payments/application/links/create-payment-link.js';
import {
  PricedPaymentLinks,
  type PricedPaymentLink,
} from '#contexts/payments/application/links/priced-payment-links.js';
import { CreatePaymentLinkBody, LINK_EXAMPLE, PaymentLinkDto, presentLink } from './payment-link.dto.js';

const LINK_ID_EXPRESSIONS = { posID: '$request.path.posID', linkID: '$response.body#/data/id' };

@ApiTags('Payment links')
@Controller('v1/pos/:posID/payment-link')
export class PaymentLinkController {
  constructor(
    private readonly createPaymentLink: CreatePaymentLink,
    private readonly answers: IdempotentAnswers,
    private readonly links: PricedPaymentLinks,
    private readonly urls: CheckoutUrls,
  ) {}

  @Post()
  @DocumentedOperation('createPaymentLink', 'Create a payment link', {
    description:
      'Creates a shareable page that opens a separate checkout with the given price for each payer. The link ' +
      'is active immediately. Returns 409 `state_conflict` for a physical point of sale, and 400 ' +
      '`validation_failed` if the price cannot be paid with any payment option.',
    answer: [PaymentLinkDto, 'The new payment link.', LINK_EXAMPLE],
    links: {
      ...operationLinkTo('openPaymentLink', 'Open the link as a payer.', {
        code: '$response.body#/data/code',
      }),
      ...operationLinkTo('deactivatePaymentLink', 'Deactivate the link.', LINK_ID_EXPRESSIONS),
      ...operationLinkTo('activatePaymentLink', 'Activate the link again.', LINK_ID_EXPRESSIONS),
    },
    errors: ['state_conflict'],
  })
  create(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('posID', 'point of sale') pointOfSaleId: PointOfSaleId,
    @Body() body: CreatePaymentLinkBody,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<PaymentLinkDto> {
    const present = (created: PricedPaymentLink) => this.present(created);
    return this.answers.answerOnce(key, present, (idempotency) =>
      this.createPaymentLink.create({ ...toCamelCaseFields(body), scope, pointOfSaleId, idempotency }),
    );
  }

  @Get()
  @DocumentedOperation('listPaymentLinks', 'List payment links', {
    description: 'Returns the payment links of a point of sale, newest first, including inactive ones.',
    page: [PaymentLinkDto, 'One page of payment links.', [LINK_EXAMPLE]],
  })
  async list(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('posID', 'point of sale') pointOfSaleId: PointOfSaleId,
    @Query() query: PageQuery,
  ): Promise<PageBody<PaymentLinkDto>> {
    const page = toPageRequest(query);
    const found = await this.links.list(scope, pointOfSaleId, page);
    return presentListPage(found, page, (offered) => this.present(offered));
  }

  @Patch(':linkID/activate')
  @DocumentedOperation('activatePaymentLink', 'Activate a payment link', {
    description: 'Allows a deactivated payment link to open checkouts again. Safe to repeat.',
    answer: [PaymentLinkDto, 'The active payment link.', LINK_EXAMPLE],
  })
  activate(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('posID', 'payment link', 'Id of the point of sale.') pointOfSaleId: PointOfSaleId,
    @PathId('linkID', 'payment link') linkId: PaymentLinkId,
  ): Promise<PaymentLinkDto> {
    return this.setActive(scope, pointOfSaleId, linkId, true);
  }

  @Patch(':linkID/deactivate')
  @DocumentedOperation('deactivatePaymentLink', 'Deactivate a payment link', {
    description:
      'Stops a payment link from opening checkouts: payers who open the link get 404. Checkouts that are ' +
      'already open can still be paid. Safe to repeat.',
    answer: [PaymentLinkDto, 'The inactive payment link.', { ...LINK_EXAMPLE, active: false }],
  })
  deactivate(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('posID', 'payment link', 'Id of the point of sale.') pointOfSaleId: PointOfSaleId,
    @PathId('linkID', 'payment link') linkId: PaymentLinkId,
  ): Promise<PaymentLinkDto> {
    return this.setActive(scope, pointOfSaleId, linkId, false);
  }

  private async setActive(
    scope: TenantScope,
    pointOfSaleId: PointOfSaleId,
    linkId: PaymentLinkId,
    active: boolean,
  ): Promise<PaymentLinkDto> {
    return this.present(await this.links.setActive(scope, pointOfSaleId, linkId, active));
  }

  private present(offered: PricedPaymentLink): PaymentLinkDto {
    return presentLink(offered, this.urls.linkPage(offered.link.code));
  }
}
