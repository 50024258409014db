import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import type { NaspipPublicKeys } from '#shared/naspip/naspip-token.js';
import { PaymentTokens } from '#contexts/payments/application/requests/payment-tokens.js';

const KEY = namedSchema('NaspipKey', {
  type: 'object',
  required: ['publicKey', 'kep'],
  properties: {
    publicKey: { type: 'string', description: 'PASERK `k4.public`.' },
    kep: { type: 'string', format: 'date-time', description: 'Until when the key is good.' },
  },
});

const KEYS_OF_ISSUER = namedSchema('NaspipIssuerKeys', {
  type: 'object',
  description: 'Keys by their id.',
  additionalProperties: KEY,
});

const KEYS = namedSchema('NaspipKeys', {
  type: 'object',
  description: 'Keys by issuer and key id.',
  additionalProperties: KEYS_OF_ISSUER,
});

const KEYS_EXAMPLE = {
  'pay.example': { 'key-2026': { publicKey: 'k4.public.…', kep: '2027-01-01T00:00:00.000Z' } },
};

@ApiTags('NASPIP')
@Controller('.well-known/naspip-keys')
export class NaspipKeysController {
  constructor(private readonly tokens: PaymentTokens) {}

  @Get()
  @Public()
  @RawAnswer()
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({
    operationId: 'listNaspipKeys',
    summary: 'Public keys of payment tokens',
    description:
      'What a wallet verifies a payment token with, by key issuer and key id. Outside the envelope. May be cached for ' +
      'five minutes, and read by the pages of any origin.',
  })
  @ApiOkResponse({
    description: 'Keys by issuer and key id; `kep` is until when a key is good.',
    content: { 'application/json': { schema: KEYS, example: KEYS_EXAMPLE } },
  })
  keys(): NaspipPublicKeys {
    return this.tokens.publicKeys();
  }
}
