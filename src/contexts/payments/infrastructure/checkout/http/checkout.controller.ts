import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { AllowDevices } from '#shared/platform/http/callers/route-markers.js';
import {
  IdempotencyKeyParam,
  type IdempotentRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { PathId } from '#shared/platform/http/validation/uuid-param.js';
import { toCamelCaseFields } from '#shared/kernel/text.js';
import { CreateCheckout } from '#contexts/payments/application/checkout/create-checkout.js';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import { CheckoutDto, CreateCheckoutBody } from '../../requests/http/checkout.dto.js';
import { CHECKOUT_EXAMPLE } from './checkout-examples.js';
import { NetworkFeeHints } from './network-fee-hints.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';

const REQUEST_ID_EXPRESSIONS = { posID: '$request.path.posID', paymentRequestID: '$response.body#/data/id' };
const SESSION_ID_EXPRESSION = { sessionId: '$response.body#/data/session_id' };

@ApiTags('Payment requests')
@Controller('v1/pos/:posID/payment-request-checkout')
export class CheckoutController {
  constructor(
    private readonly createCheckout: CreateCheckout,
    private readonly answers: IdempotentAnswers,
    private readonly presenter: CheckoutPresenter,
    private readonly fees: NetworkFeeHints,
  ) {}

  @AllowDevices('creation', { amount: true, coin_code: true, reference_id: true, order: ['items'] })
  @Post()
  @DocumentedOperation('createCheckout', 'Create a hosted checkout', {
    description:
      'Creates a payment request with a hosted checkout page, priced in a currency or an asset. Redirect the ' +
      'payer’s browser to `hosted_checkout_url`, or show the token. If the point of sale has only one payment ' +
      'option, this asset is selected immediately, and the status is `created`. Otherwise, the status is ' +
      '`pending` until the payer selects an asset. The exchange rate is locked when the asset is selected, and ' +
      'the amount is rounded up to the asset’s smallest unit. A paired device can send only `amount`, ' +
      '`coin_code`, `reference_id` and `order.items`. Returns 409 `settlement_address_missing` if no ' +
      'settlement address is set, and 503 `rate_unavailable` if there is no exchange rate.',
    answer: [CheckoutDto, 'The new checkout session.', CHECKOUT_EXAMPLE],
    links: {
      ...operationLinkTo('readPaymentRequest', 'Poll the payment request.', REQUEST_ID_EXPRESSIONS),
      ...operationLinkTo(
        'explainPaymentRequest',
        'Explain why it is or is not paid.',
        REQUEST_ID_EXPRESSIONS,
      ),
      ...operationLinkTo('readPublicCheckout', 'Poll the session as the payer.', SESSION_ID_EXPRESSION),
      ...operationLinkTo('selectAsset', 'Select an asset as the payer.', SESSION_ID_EXPRESSION),
      ...operationLinkTo('askForPayment', 'Get payment instructions as a wallet.', SESSION_ID_EXPRESSION),
    },
    errors: ['settlement_address_missing', 'state_conflict', 'rate_unavailable'],
  })
  create(
    @CurrentPrincipal() principal: Principal,
    @PathId('posID', 'point of sale') pointOfSaleId: PointOfSaleId,
    @Body() body: CreateCheckoutBody,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<CheckoutDto> {
    const present = (created: CheckoutView) => {
      this.fees.prepare(created.paymentOptions, created.coinCode);
      return this.presenter.forMerchant(created);
    };
    return this.answers.answerOnce(key, present, async (idempotency) => {
      const { scope, at } = principal;
      const created = await this.createCheckout.create({
        ...toCamelCaseFields(body),
        idempotency,
        scope,
        at,
        pointOfSaleId,
      });
      this.presenter.signatures.requestTokenDomains(created);
      return created;
    });
  }
}
