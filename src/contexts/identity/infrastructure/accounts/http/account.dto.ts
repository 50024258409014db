import { toCamelCaseFields } from '#shared/kernel/text.js';
import {
  answerFromView,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import {
  IsDecimalAmount,
  IsOmittable,
  customRule,
  IsText,
} from '#shared/platform/http/validation/field-rules.js';
import { IsNestedObject } from '#shared/platform/http/validation/nested-fields.js';
import {
  MAX_EXTERNAL_ID_LENGTH,
  MAX_NAME_LENGTH,
  type Account,
  type AccountInput,
} from '#contexts/identity/domain/accounts/account.js';
import { MAX_TOLERANCE_BASIS_POINTS } from '#contexts/identity/domain/accounts/underpayment-tolerance-rule.js';

const BASIS_POINTS_SCHEMA = {
  type: 'integer',
  format: 'int32',
  minimum: 0,
  maximum: MAX_TOLERANCE_BASIS_POINTS,
  description:
    'Largest accepted shortfall, in basis points of the price: 100 is 1%. `0` accepts no shortfall.',
  example: 100,
} as const;

const AT_MOST_SCHEMA = {
  description:
    'Largest accepted shortfall, as a decimal string in whole units of the price: in `coin_code` for a ' +
    'checkout, or in the asset for a direct payment request.',
  example: '2.5',
};

const CURRENCY_SCHEMA = {
  description:
    'Currency of `at_most` (ISO 4217). If it is set, the tolerance applies only to prices in this currency and ' +
    'in assets pegged to it. If it is omitted, the tolerance applies to all prices.',
  example: 'USD',
};

/** Within both the share of the amount and the absolute limit. */
export class UnderpaymentToleranceBody {
  @customRule(
    'basis_points',
    `must be a whole number from 0 to ${MAX_TOLERANCE_BASIS_POINTS}.`,
    (value) =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOLERANCE_BASIS_POINTS,
    BASIS_POINTS_SCHEMA,
    {},
  )
  basis_points!: number;

  // Older clients omit `at_most` if `basis_points` is 0, which a schema cannot express.
  @IsOmittable()
  @IsDecimalAmount(AT_MOST_SCHEMA)
  at_most?: string;

  @IsText({ ...CURRENCY_SCHEMA, max: 3, optional: true })
  currency?: string;
}

const TOLERANCE_SCHEMA = {
  description:
    'Limits for underpayments to accept: a payment request that ends as `underpaid` is `fulfilled` if the ' +
    'shortfall exceeds neither limit. They apply to payment requests created from now on. Omit them to accept ' +
    'no underpayment.',
};

export class CreateAccountBody {
  @IsText('Name of the account.', { max: MAX_NAME_LENGTH, example: 'Berlin' })
  name!: string;

  @IsText(
    'Your own id for the account. Unique in the organization and never reusable, even after the account is ' +
      'deleted. Default: none.',
    { max: MAX_EXTERNAL_ID_LENGTH, optional: true, example: 'store-berlin' },
  )
  external_id?: string;

  @IsNestedObject(() => UnderpaymentToleranceBody, { ...TOLERANCE_SCHEMA, optional: true })
  underpayment_tolerance?: UnderpaymentToleranceBody;
}

export class ChangeAccountBody {
  @IsText('Name of the account.', { max: MAX_NAME_LENGTH, example: 'Berlin' })
  name!: string;

  @IsText('Your own id for the account. Omit to remove it.', {
    max: MAX_EXTERNAL_ID_LENGTH,
    optional: true,
    example: 'store-berlin',
  })
  external_id?: string;

  @IsNestedObject(() => UnderpaymentToleranceBody, { ...TOLERANCE_SCHEMA, optional: true })
  underpayment_tolerance?: UnderpaymentToleranceBody;
}

export class UnderpaymentToleranceAnswer {
  @AnswerField(BASIS_POINTS_SCHEMA)
  basis_points!: number;

  @AnswerField(AT_MOST_SCHEMA)
  at_most!: string;

  @AnswerField({ ...CURRENCY_SCHEMA, required: false })
  currency?: string;
}

export class AccountAnswer {
  @UuidField('Unique id of the account.')
  id!: string;

  @AnswerField({
    required: false,
    example: 'store-berlin',
    description: 'Your own id for the account. Absent if none is set.',
  })
  external_id?: string;

  @AnswerField('Name of the account.', { example: 'Berlin' })
  name!: string;

  @AnswerField(
    'Limits for underpayments that are accepted: the shortfall must not exceed either limit. Absent if no ' +
      'underpayment is accepted.',
    { required: false },
  )
  underpayment_tolerance?: UnderpaymentToleranceAnswer;

  @TimestampField('Time of creation.')
  created_at!: string;

  @TimestampField('Time of the last change.')
  updated_at!: string;
}

export class DeletedAccountAnswer {
  @UuidField('Id of the deleted account.')
  id!: string;
}

export const ACCOUNT_EXAMPLE: AccountAnswer = {
  id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  external_id: 'store-berlin',
  name: 'Berlin',
  underpayment_tolerance: { basis_points: 100, at_most: '2.5' },
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
};

export function presentAccount(account: Account): AccountAnswer {
  const { underpaymentTolerance: tolerance } = account;
  return answerFromView(AccountAnswer, account, {
    underpayment_tolerance:
      tolerance === null ? undefined : answerFromView(UnderpaymentToleranceAnswer, tolerance),
  });
}

export function toAccountInput({
  underpayment_tolerance: tolerance,
  ...body
}: CreateAccountBody): AccountInput {
  const underpaymentTolerance = tolerance ? toCamelCaseFields(tolerance) : undefined;
  return { ...toCamelCaseFields(body), underpaymentTolerance };
}
