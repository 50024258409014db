import { Injectable } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import { NaspipTokenInvalid } from '#shared/naspip/naspip-token-invalid.js';
import type { VerifiedNaspipToken } from '#shared/naspip/naspip-token.js';
import { PaymentTokens } from './payment-tokens.js';

/** What a payment token of this service says, verified as a wallet does. Nothing is fetched, and nothing is signed. */
@Injectable()
export class ReadPaymentToken {
  constructor(private readonly tokens: PaymentTokens) {}

  /** @throws validation_failed on `token`; the rule is the protocol's that it breaks, `key_unknown` for other issuers' */
  execute(token: string, at: Date): VerifiedNaspipToken {
    try {
      return this.tokens.read(token, at);
    } catch (error) {
      if (!(error instanceof NaspipTokenInvalid)) throw error;
      throw invalidField('token', error.reason, `${error.message}.`);
    }
  }
}
