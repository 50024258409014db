import { DomainError } from '../kernel/domain-error.js';

/** The codes are stable, because callers and wallets may rely on them. */
export type NaspipTokenProblem =
  | 'token_malformed'
  | 'token_oversized'
  | 'key_issuer_malformed'
  | 'key_id_malformed'
  | 'paseto_malformed'
  | 'message_malformed'
  | 'payload_missing'
  | 'key_unknown'
  | 'key_malformed'
  | 'signature_invalid'
  | 'key_issuer_mismatch'
  | 'key_id_mismatch'
  | 'claim_malformed'
  | 'issued_in_future'
  | 'not_yet_valid'
  | 'token_expired'
  | 'key_expired'
  | 'payment_incomplete'
  | 'amount_invalid'
  | 'payment_expired'
  | 'payment_outlives_token'
  | 'url_invalid';

export class NaspipTokenInvalid extends DomainError {
  constructor(
    readonly reason: NaspipTokenProblem,
    explanation: string,
  ) {
    super('invalid', 'naspip_token_invalid', `NASPIP token rejected (${reason}): ${explanation}`);
  }
}
