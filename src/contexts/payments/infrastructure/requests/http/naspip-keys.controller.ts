import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, RawAnswer } from '../../../../../shared/platform/http/callers/route-markers.js';
import type { NaspipPublicKeys } from '../../../../../shared/naspip/naspip-token.js';
import { PaymentTokens } from '../../../application/requests/payment-tokens.js';

@ApiTags('NASPIP')
@Controller('.well-known/naspip-keys')
export class NaspipKeysController {
  constructor(private readonly tokens: PaymentTokens) {}

  @Get()
  @Public()
  @RawAnswer()
  @ApiOperation({
    operationId: 'listNaspipKeys',
    summary: 'Public keys of payment tokens',
    description:
      'What a wallet verifies a payment token with, by key issuer and key id. Outside the envelope.',
  })
  @ApiOkResponse({
    description: 'Keys by issuer and key id; `kep` is until when a key is good.',
    schema: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          required: ['publicKey', 'kep'],
          properties: { publicKey: { type: 'string' }, kep: { type: 'string', format: 'date-time' } },
        },
      },
      example: {
        'pay.example': { 'key-2026': { publicKey: 'k4.public.…', kep: '2027-01-01T00:00:00.000Z' } },
      },
    },
  })
  keys(): NaspipPublicKeys {
    return this.tokens.publicKeys();
  }
}
