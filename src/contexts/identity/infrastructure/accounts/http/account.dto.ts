import { answer, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import { Text } from '#shared/platform/http/validation/field-rules.js';
import {
  MAX_EXTERNAL_ID_LENGTH,
  MAX_NAME_LENGTH,
  type Account,
} from '#contexts/identity/domain/accounts/account.js';

export class CreateAccountBody {
  @Text({ max: MAX_NAME_LENGTH, example: 'Berlin' })
  name!: string;

  @Text({
    max: MAX_EXTERNAL_ID_LENGTH,
    optional: true,
    example: 'store-berlin',
    description: 'Your own id of it, unique in the organization for good: a deleted account keeps its.',
  })
  external_id?: string;
}

/** All that can change of an account. */
export class ChangeAccountBody {
  @Text({ max: MAX_NAME_LENGTH, example: 'Berlin' })
  name!: string;

  @Text({
    max: MAX_EXTERNAL_ID_LENGTH,
    optional: true,
    example: 'store-berlin',
    description: 'Left out: it has none any more.',
  })
  external_id?: string;
}

export class AccountAnswer {
  @Uuid()
  id!: string;

  @Field({ required: false, description: 'The merchant’s own id; absent when there is none.' })
  external_id?: string;

  @Field()
  name!: string;

  @Time()
  created_at!: string;

  @Time()
  updated_at!: string;
}

export class DeletedAccountAnswer {
  @Uuid()
  id!: string;
}

export const ACCOUNT_EXAMPLE: AccountAnswer = {
  id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  external_id: 'store-berlin',
  name: 'Berlin',
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
};

export function presentAccount(account: Account): AccountAnswer {
  return answer(AccountAnswer, account);
}
