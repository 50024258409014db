import { AnswerField, TimestampField } from '#shared/platform/http/answers/answer.js';
import { IsText } from '#shared/platform/http/validation/field-rules.js';
import type { AccessToken } from '#contexts/identity/application/credentials/issue-access-token.js';

export class TokenExchangeBody {
  @IsText('API key id.', { max: 128, example: 'svc.dev.0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f' })
  api_key!: string;

  @IsText('API secret. The dashboard displays it once, when the key is created.', {
    max: 256,
    example: 'the-secret-that-was-shown-once',
  })
  api_secret!: string;
}

export class TokenAnswer {
  @AnswerField({
    example: 'eyJhbGciOiJIUzI1NiIs…',
    description: 'Bearer access token. Send it as `Authorization: Bearer <token>`.',
  })
  token!: string;

  @AnswerField('Type of the token.', { enum: ['Bearer'], enumName: 'TokenType' })
  token_type!: 'Bearer';

  @TimestampField('Time when the token expires, one hour after its creation.')
  expired_at!: string;
}

export function presentToken({ token, expiresAt }: AccessToken): TokenAnswer {
  return { token, token_type: 'Bearer', expired_at: expiresAt.toISOString() };
}
