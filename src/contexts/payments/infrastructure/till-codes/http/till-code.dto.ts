import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { AnswerField } from '#shared/platform/http/answers/answer.js';
import { IsDecimalAmount, IsText } from '#shared/platform/http/validation/field-rules.js';
import { IsCoinCode } from '#shared/platform/http/validation/shared-fields.js';
import type { DisplayedSession } from '#contexts/payments/application/till-codes/read-till-code.js';
import type { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';
import { PublicCheckoutDto } from '../../requests/http/checkout.dto.js';

const PAGE_FIELDS = ['session_id', 'checkout_url', 'hosted_checkout_url'] as const;

/** Has no session id if the request was created without a hosted page. */
export class TillSessionDto extends IntersectionType(
  OmitType(PublicCheckoutDto, PAGE_FIELDS),
  PartialType(PickType(PublicCheckoutDto, PAGE_FIELDS)),
) {}

export class ReadTillCodeDto {
  @AnswerField('Open payment request of the point of sale, as its payer sees it.')
  checkout_session!: TillSessionDto;
}

export class PaidTypedAmountDto {
  @AnswerField('Checkout session of the payer.')
  checkout_session!: PublicCheckoutDto;
}

export class TypedAmountBody {
  @IsDecimalAmount('Amount that the payer entered, in whole units of `coin_code`.')
  amount!: string;

  @IsCoinCode(
    'Currency of the amount: `config.till.coin_code` of the point of sale. If the point of sale has no till, ' +
      'the symbol of one of its payment options.',
  )
  coin_code!: string;

  @IsText(
    '`session_id` of an earlier session of this payer, which the new session replaces. This call closes the ' +
      'payment window of the earlier session, unless a payment to it has been seen. Default: none.',
    { max: 64, optional: true },
  )
  replaces?: string;
}

export function presentTillSession(
  presenter: CheckoutPresenter,
  { session, isDirect }: DisplayedSession,
): TillSessionDto {
  const presented = presenter.forPayer(session);
  if (!isDirect) return presented;
  const {
    session_id: _id,
    checkout_url: _url,
    hosted_checkout_url: _page,
    x402_url: _x402,
    ...direct
  } = presented;
  const { signature_payment: _signature, ...selected } = direct.selected!;
  return { ...direct, selected };
}
