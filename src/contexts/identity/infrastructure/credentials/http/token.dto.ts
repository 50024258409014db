import { Field, Time } from '#shared/platform/http/answers/answer.js';
import { Text } from '#shared/platform/http/validation/field-rules.js';
import type { AccessToken } from '#contexts/identity/application/credentials/exchange-token.js';

export class TokenExchangeBody {
  @Text({
    max: 128,
    description: 'API Key ID.',
    example: 'svc.dev.0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  })
  api_key!: string;

  @Text({
    max: 256,
    description: 'API Secret, as shown once when the credential was created.',
    example: 'the-secret-that-was-shown-once',
  })
  api_secret!: string;
}

export class TokenAnswer {
  @Field({ description: 'Bearer access token; send it as `Authorization: Bearer <token>`.' })
  token!: string;

  @Field({ enum: ['Bearer'], enumName: 'TokenType' })
  token_type!: 'Bearer';

  @Time({ description: 'From then on the token is refused.' })
  expired_at!: string;
}

export function presentToken({ token, expiresAt }: AccessToken): TokenAnswer {
  return { token, token_type: 'Bearer', expired_at: expiresAt.toISOString() };
}
