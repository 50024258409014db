import type { FieldError } from '#shared/kernel/domain-error.js';

/** One way to pay, as x402 version 2 offers it (its specification, `PaymentRequirements`): scheme `exact` by EIP-3009. */
export interface X402Requirements {
  readonly scheme: 'exact';
  /** CAIP-2: `eip155:` and the chain id. */
  readonly network: string;
  /** Smallest units, decimal. */
  readonly amount: string;
  /** The token's contract. */
  readonly asset: string;
  /** The address of the payment request. */
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  /** Name and version of the token's EIP-712 domain, as its contract has them. */
  readonly extra: { readonly assetTransferMethod: 'eip3009'; readonly name: string; readonly version: string };
}

/** What is asked for (`PaymentRequired`). */
export interface X402PaymentRequired {
  readonly x402Version: 2;
  readonly error: string;
  readonly resource: { readonly url: string; readonly description: string; readonly mimeType: string };
  readonly accepts: readonly X402Requirements[];
}

/** What a payer sends (`PaymentPayload`), once its form is right. Hexadecimal digits are in lower case. */
export interface X402Payment {
  /** Undefined where the payer names none. */
  readonly resourceUrl: string | undefined;
  readonly accepted: Pick<X402Requirements, 'network' | 'amount' | 'asset' | 'payTo'> & {
    readonly scheme: string;
  };
  readonly authorization: {
    readonly from: string;
    readonly to: string;
    readonly value: bigint;
    readonly validAfter: bigint;
    readonly validBefore: bigint;
    readonly nonce: string;
  };
  readonly signature: string;
}

/** The header that carries a payment, as errors name it. */
export const X402_HEADER = 'PAYMENT-SIGNATURE';

/**
 * Compares a payment with what is asked for, field by field. Only what decides about money is compared: a token's domain is
 * part of what was signed, and the time left is another at each answer.
 */
export function differencesFrom(
  { resource, accepts: [required] }: X402PaymentRequired,
  { resourceUrl, accepted, authorization }: X402Payment,
): FieldError[] {
  const { scheme, network, asset, payTo, amount } = required!;
  const rows: readonly (readonly [field: string, rule: string, sent: string, wanted: string])[] = [
    ['resource.url', 'resource', resourceUrl ?? resource.url, resource.url],
    ['accepted.scheme', 'scheme', accepted.scheme, scheme],
    ['accepted.network', 'network', accepted.network, network],
    ['accepted.asset', 'asset', accepted.asset, asset],
    ['accepted.payTo', 'pay_to', accepted.payTo, payTo],
    ['accepted.amount', 'amount', accepted.amount, amount],
    ['payload.authorization.to', 'pay_to', authorization.to, payTo],
    ['payload.authorization.value', 'amount', String(authorization.value), amount],
  ];
  return rows
    .filter(([, rule, sent, wanted]) => !isSame(rule, sent, wanted))
    .map(([field, rule, , wanted]) => ({
      field: `${X402_HEADER}.${field}`,
      rule,
      message: `must be ${wanted}, as this payment request asks now.`,
    }));
}

function isSame(rule: string, sent: string, wanted: string): boolean {
  const isAddress = rule === 'asset' || rule === 'pay_to';
  return isAddress ? sent.toLowerCase() === wanted.toLowerCase() : sent === wanted;
}
