import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import {
  answerFromView,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import { IsFlag } from '#shared/platform/http/validation/field-rules.js';
import type { PricedPaymentLink } from '#contexts/payments/application/links/priced-payment-links.js';
import { CHECKOUT_EXAMPLE } from '../../checkout/http/checkout-examples.js';
import { presentOption } from '../../requests/http/checkout-presenter.js';
import { CreateCheckoutBody, PublicCheckoutDto } from '../../requests/http/checkout.dto.js';
import { PaymentOptionDto } from '../../requests/http/payment-option.dto.js';
import { ORDER_DESCRIPTION, OrderDto, presentOrder } from '../../requests/http/order.dto.js';
import { completeOrder, resolveMerchant, toOrderMerchant } from '#contexts/payments/domain/requests/order.js';

const OFFERED_FIELDS = ['amount', 'coin_code', 'payment_options', 'merchant', 'order'] as const;

export class CreatePaymentLinkBody extends OmitType(CreateCheckoutBody, ['reference_id'] as const) {}

export class PaymentLinkDto {
  @UuidField('Unique id of the payment link.', { example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90' })
  id!: string;

  @AnswerField('Public code of the link. Case-sensitive.', { example: 'Zr0t8pJ5cVd2mQw7LxK1Ag' })
  code!: string;

  @AnswerField('URL of the page to send payers to.', {
    format: 'uri',
    example: 'https://pay.example/link/Zr0t8pJ5cVd2mQw7LxK1Ag',
  })
  url!: string;

  @AnswerField('Price, in whole units of `coin_code`.', { example: '12.5' })
  amount!: string;

  @AnswerField('Currency of the price: an ISO 4217 code or the symbol of an asset.', { example: 'EUR' })
  coin_code!: string;

  @AnswerField('Assets that payers can currently pay with.', { type: [PaymentOptionDto] })
  payment_options!: PaymentOptionDto[];

  @AnswerField(ORDER_DESCRIPTION, { required: false })
  order?: OrderDto;

  @AnswerField(
    'URL to which the hosted page sends the payer when the session ends. Absent if there is none.',
    {
      required: false,
      format: 'uri',
      example: 'https://shop.example/thanks',
    },
  )
  return_url?: string;

  @AnswerField('Whether the link opens checkouts. If false, payers who open the link get 404.', {
    example: true,
  })
  active!: boolean;

  @TimestampField('Time when the payment link was created.')
  created_at!: string;
}

export class OpenPaymentLinkBody {
  @IsFlag(
    'Whether to open a new session if the payer’s session is paid or its payment window has closed. A ' +
      'session that can still be paid, or whose payment is being processed, is returned unchanged. Default: ' +
      'false.',
    { optional: true, example: true },
  )
  new?: boolean;
}

export class PaymentLinkSessionDto extends IntersectionType(
  PickType(PublicCheckoutDto, OFFERED_FIELDS),
  PartialType(OmitType(PublicCheckoutDto, OFFERED_FIELDS)),
) {}

export class OpenedPaymentLinkDto {
  @AnswerField('Checkout session of the payer.')
  checkout_session!: PublicCheckoutDto;
}

export class ReadPaymentLinkDto {
  @AnswerField(
    'Checkout session of the payer. If the payer has no session, only `amount`, `coin_code`, ' +
      '`payment_options`, `merchant` and `order` are present.',
  )
  checkout_session!: PaymentLinkSessionDto;
}

export function presentLink({ link, options, point }: PricedPaymentLink, url: string): PaymentLinkDto {
  return answerFromView(PaymentLinkDto, link, {
    url,
    payment_options: presentOptions(options),
    order: presentOrderOf(link, point),
  });
}

export function presentPricedLink({ link, options, point }: PricedPaymentLink): PaymentLinkSessionDto {
  return {
    amount: link.amount,
    coin_code: link.coinCode,
    payment_options: presentOptions(options),
    merchant: toOrderMerchant(resolveMerchant(link.order, point.merchant)),
    order: presentOrderOf(link, point),
  };
}

/** The order that a checkout would have if the payer opened the link now. */
function presentOrderOf(
  link: PricedPaymentLink['link'],
  { merchant }: PricedPaymentLink['point'],
): OrderDto | undefined {
  return link.order && presentOrder(completeOrder(link.order, link, merchant));
}

function presentOptions(options: PricedPaymentLink['options']): PaymentOptionDto[] {
  return options.map(({ asset, amount }) => presentOption(asset, amount));
}

const { amount, coin_code, payment_options, merchant, order, return_url } = CHECKOUT_EXAMPLE;

export const LINK_EXAMPLE: PaymentLinkDto = {
  id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90',
  code: 'Zr0t8pJ5cVd2mQw7LxK1Ag',
  url: 'https://pay.example/link/Zr0t8pJ5cVd2mQw7LxK1Ag',
  amount,
  coin_code,
  payment_options,
  order,
  return_url,
  active: true,
  created_at: '2026-01-31T12:00:00.000Z',
};

export const PRICED_LINK_EXAMPLE: PaymentLinkSessionDto = {
  amount,
  coin_code,
  payment_options,
  merchant,
  order,
};
