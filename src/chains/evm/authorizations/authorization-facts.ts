import {
  TransferAuthorizationRefused,
  type TransferAuthorization,
} from '#contexts/networks/contract/authorized-transfers.js';
import type { ParsedSignature } from './signature-forms.js';

export interface SignatureAcceptance {
  /** True for a contract, and for an account that delegates to one (EIP-7702). */
  readonly hasCode: boolean;
  /** True if the code accepts the signature (EIP-1271). */
  readonly isAccepted: boolean;
}

export interface AuthorizationChainFacts {
  readonly isUsed: boolean;
  /** Token balance of `from`, in smallest units. */
  readonly balance: bigint;
  /** Timestamp of the newest block, in Unix seconds. */
  readonly headTime: bigint;
}

export interface SignatureFacts extends SignatureAcceptance, Pick<ParsedSignature, 'flaw' | 'isWrapped'> {
  readonly isSigners: boolean;
}

export interface AuthorizationFacts extends AuthorizationChainFacts {
  readonly now: Date;
  readonly blockSeconds: number;
}

/** With fewer blocks left, the service could pay gas for a call that is included too late. */
const MIN_BLOCKS_LEFT = 3;
const MIN_SECONDS_LEFT = 6;

export function authorizationRefusal(
  { from, value, validAfter, validBefore }: TransferAuthorization,
  facts: AuthorizationFacts,
): TransferAuthorizationRefused | null {
  const { isUsed, balance, headTime, now, blockSeconds } = facts;
  if (value <= 0n) return new TransferAuthorizationRefused('token', 'value must be above zero.');
  if (isUsed)
    return new TransferAuthorizationRefused(
      'used',
      `${from} has already used or cancelled this nonce. Sign with a new nonce.`,
    );
  if (validAfter >= headTime)
    return new TransferAuthorizationRefused(
      'time',
      `It becomes valid after ${validAfter}, but the timestamp of the newest block is ${headTime}. Times ` +
        'are in Unix seconds.',
    );
  const clock = BigInt(Math.floor(now.getTime() / 1_000));
  const current = clock > headTime ? clock : headTime;
  const left = BigInt(Math.max(MIN_SECONDS_LEFT, Math.ceil(MIN_BLOCKS_LEFT * blockSeconds)));
  if (validBefore <= current + left)
    return new TransferAuthorizationRefused(
      'time',
      `It expires at ${validBefore}, but must remain valid for at least ${left} seconds from now ` +
        `(${current}). Times are in Unix seconds.`,
    );
  if (balance < value)
    return new TransferAuthorizationRefused(
      'balance',
      `${from} holds ${balance} units, but ${value} are required.`,
    );
  return null;
}

/** Checks the signature before any other query, so that a submission without a valid signature costs little. */
export function signatureRefusal(from: string, facts: SignatureFacts): TransferAuthorizationRefused | null {
  const flaw = signatureFlawOf(from, facts);
  return flaw === null ? null : new TransferAuthorizationRefused('signature', flaw);
}

function signatureFlawOf(from: string, facts: SignatureFacts): string | null {
  const { hasCode, isAccepted, isSigners, isWrapped, flaw } = facts;
  if (hasCode)
    return isSigners || isAccepted ? null : `The contract ${from} does not accept the signature (EIP-1271).`;
  if (isWrapped)
    return `The contract account ${from} is not deployed. Deploy it first by sending any transaction from it.`;
  if (flaw !== null) return `The signature is not valid: ${flaw}`;
  return isSigners ? null : `The signature was not made by ${from}, or it is for a different message.`;
}
