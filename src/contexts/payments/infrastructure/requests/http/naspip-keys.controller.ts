import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { Public, RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import type { NaspipPublicKeys } from '#shared/naspip/naspip-token.js';
import { PaymentTokenIssuer } from '#contexts/payments/application/requests/payment-token-issuer.js';

const KEY_SCHEMA = namedSchema('NaspipKey', {
  type: 'object',
  required: ['publicKey', 'kep'],
  properties: {
    publicKey: { type: 'string', description: 'Ed25519 public key, encoded as PASERK `k4.public`.' },
    kep: { type: 'string', format: 'date-time', description: 'Time when the key expires.' },
  },
});

const ISSUER_KEYS_SCHEMA = namedSchema('NaspipIssuerKeys', {
  type: 'object',
  description: 'Public keys of one issuer, by key id.',
  additionalProperties: KEY_SCHEMA,
});

const KEYS_SCHEMA = namedSchema('NaspipKeys', {
  type: 'object',
  description: 'Public keys, grouped by key issuer and key id.',
  additionalProperties: ISSUER_KEYS_SCHEMA,
});

const KEYS_EXAMPLE = {
  'pay.example': { 'key-2026': { publicKey: 'k4.public.…', kep: '2027-01-01T00:00:00.000Z' } },
};

@ApiTags('NASPIP')
@Controller('.well-known/naspip-keys')
export class NaspipKeysController {
  constructor(private readonly tokens: PaymentTokenIssuer) {}

  @Get()
  @Public()
  @RawAnswer()
  @Header('Cache-Control', 'public, max-age=300')
  @DocumentedOperation('listNaspipKeys', 'List public keys of payment tokens', {
    description:
      'Returns the public keys with which wallets verify payment tokens, grouped by key issuer and key id. The ' +
      'response is not wrapped in `status` and `data`. It can be cached for 5 minutes, and web pages of any ' +
      'origin can read it.',
  })
  @ApiOkResponse({
    description: 'Public keys, grouped by key issuer and key id.',
    content: { 'application/json': { schema: KEYS_SCHEMA, example: KEYS_EXAMPLE } },
  })
  keys(): NaspipPublicKeys {
    return this.tokens.publicKeys();
  }
}
