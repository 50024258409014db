import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { answer, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import { Flag } from '#shared/platform/http/validation/field-rules.js';
import type { OfferedLink } from '#contexts/payments/application/links/offered-links.js';
import { CHECKOUT_EXAMPLE } from '../../checkout/http/checkout-examples.js';
import { presentOption } from '../../requests/http/checkout-presenter.js';
import { CreateCheckoutBody, PublicCheckoutDto } from '../../requests/http/checkout.dto.js';
import { PaymentOptionDto } from '../../requests/http/payment-option.dto.js';
import { ORDER_DESCRIPTION, OrderDto, presentOrder } from '../../requests/http/order.dto.js';
import { completeOrder, resolveMerchant, toOrderMerchant } from '#contexts/payments/domain/requests/order.js';

const OFFERED_FIELDS = ['amount', 'coin_code', 'payment_options', 'merchant', 'order'] as const;

export class CreatePaymentLinkBody extends OmitType(CreateCheckoutBody, ['reference_id'] as const) {}

export class PaymentLinkDto {
  @Uuid('Unique id of the payment link.', { example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90' })
  id!: string;

  @Field('Public code of the link. Case-sensitive.', { example: 'Zr0t8pJ5cVd2mQw7LxK1Ag' })
  code!: string;

  @Field('URL of the page to send payers to.', {
    format: 'uri',
    example: 'https://pay.example/link/Zr0t8pJ5cVd2mQw7LxK1Ag',
  })
  url!: string;

  @Field('Price, in whole units of `coin_code`.', { example: '12.5' })
  amount!: string;

  @Field('Currency of the price: an ISO 4217 code or the symbol of an asset.', { example: 'EUR' })
  coin_code!: string;

  @Field('Assets that payers can currently pay with.', { type: [PaymentOptionDto] })
  payment_options!: PaymentOptionDto[];

  @Field(ORDER_DESCRIPTION, { required: false })
  order?: OrderDto;

  @Field('URL to which the hosted page sends the payer when the session ends. Absent if there is none.', {
    required: false,
    format: 'uri',
    example: 'https://shop.example/thanks',
  })
  return_url?: string;

  @Field('Whether the link opens checkouts. If false, payers who open the link get 404.', { example: true })
  active!: boolean;

  @Time('Time when the payment link was created.')
  created_at!: string;
}

export class OpenPaymentLinkBody {
  @Flag(
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
  @Field('Checkout session of the payer.')
  checkout_session!: PublicCheckoutDto;
}

export class ReadPaymentLinkDto {
  @Field(
    'Checkout session of the payer. If the payer has no session, only `amount`, `coin_code`, ' +
      '`payment_options`, `merchant` and `order` are present.',
  )
  checkout_session!: PaymentLinkSessionDto;
}

export function presentLink({ link, options, point }: OfferedLink, url: string): PaymentLinkDto {
  return answer(PaymentLinkDto, link, {
    url,
    payment_options: presentOptions(options),
    order: presentOrderOf(link, point),
  });
}

export function presentOffered({ link, options, point }: OfferedLink): PaymentLinkSessionDto {
  return {
    amount: link.amount,
    coin_code: link.coinCode,
    payment_options: presentOptions(options),
    merchant: toOrderMerchant(resolveMerchant(link.order, point.merchant)),
    order: presentOrderOf(link, point),
  };
}

/** The order that a checkout would have if the payer opened the link now. */
function presentOrderOf(link: OfferedLink['link'], { merchant }: OfferedLink['point']): OrderDto | undefined {
  return link.order && presentOrder(completeOrder(link.order, link, merchant));
}

function presentOptions(options: OfferedLink['options']): PaymentOptionDto[] {
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

export const OFFERED_EXAMPLE: PaymentLinkSessionDto = { amount, coin_code, payment_options, merchant, order };
