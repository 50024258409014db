import type { FieldError } from '#shared/kernel/domain-error.js';
import type { TokenDomain, TransferAuthorization } from '#contexts/networks/contract/authorized-transfers.js';

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
  readonly extra: {
    readonly assetTransferMethod: 'eip3009';
    readonly name: string;
    readonly version: string;
  };
}

/** The service asks for this (`PaymentRequired`). */
export interface X402PaymentRequired {
  readonly x402Version: 2;
  readonly error: string;
  readonly resource: { readonly url: string; readonly description: string; readonly mimeType: string };
  readonly accepts: readonly X402Requirements[];
}

/** The part of what is asked for that a payment has to repeat. */
export interface X402Terms {
  readonly resource: Pick<X402PaymentRequired['resource'], 'url'>;
  readonly accepts: readonly Pick<X402Requirements, 'scheme' | 'network' | 'asset' | 'payTo'>[];
}

/** A payer sends this (`PaymentPayload`), once its form is right. What was signed has hexadecimal digits in lower case. */
export interface X402Payment {
  /** Undefined where the payer names none. */
  readonly resourceUrl: string | undefined;
  readonly accepted: Pick<X402Requirements, 'network' | 'amount' | 'asset' | 'payTo'> & {
    readonly scheme: string;
  };
  readonly authorization: TransferAuthorization;
  readonly signature: string;
}

/** A payer is answered this once its payment is seen (`SettlementResponse`). */
export interface X402Receipt {
  readonly success: true;
  /** The hash of the transaction. */
  readonly transaction: string;
  /** CAIP-2. */
  readonly network: string;
  readonly payer: string;
  /** Smallest units, decimal. */
  readonly amount: string;
}

/** The header that carries a payment, as errors name it. */
export const X402_HEADER = 'PAYMENT-SIGNATURE';

/**
 * Sending takes some blocks: a payment that is signed for less would be refused for its time. What is valid beyond the window is
 * not sent after it.
 */
const MIN_SECONDS = 60;

interface Asked {
  readonly url: string;
  readonly description: string;
  /** Smallest units. */
  readonly missing: bigint;
  /** The address of the payment request. */
  readonly address: string;
  readonly domain: TokenDomain;
  /** The rest of the payer's window. */
  readonly secondsLeft: number;
}

/** @returns its name by CAIP-2 */
export function chainName(chainId: number): string {
  return `eip155:${chainId}`;
}

export function requiredBy({
  url,
  description,
  missing,
  address,
  domain,
  secondsLeft,
}: Asked): X402PaymentRequired {
  return {
    x402Version: 2,
    error: `${X402_HEADER} header is required`,
    resource: { url, description, mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: chainName(domain.chainId),
        amount: String(missing),
        asset: domain.verifyingContract,
        payTo: address,
        maxTimeoutSeconds: Math.max(secondsLeft, MIN_SECONDS),
        extra: { assetTransferMethod: 'eip3009', name: domain.name, version: domain.version },
      },
    ],
  };
}

/**
 * Compares a payment with what is asked for, field by field, but for what is missing: `tooLittle`. A token's domain is part of
 * what was signed, and the time left is another at each answer.
 */
export function differencesFrom(
  { resource, accepts: [required] }: X402Terms,
  { resourceUrl, accepted, authorization }: X402Payment,
): FieldError[] {
  const { scheme, network, asset, payTo } = required!;
  const rows: readonly (readonly [field: string, rule: string, sent: string, asked: string])[] = [
    ['resource.url', 'resource', resourceUrl ?? resource.url, resource.url],
    ['accepted.scheme', 'scheme', accepted.scheme, scheme],
    ['accepted.network', 'network', accepted.network, network],
    ['accepted.asset', 'asset', accepted.asset, asset],
    ['accepted.payTo', 'pay_to', accepted.payTo, payTo],
    ['payload.authorization.to', 'pay_to', authorization.to, payTo],
    ['payload.authorization.value', 'amount', String(authorization.value), accepted.amount],
  ];
  return rows
    .filter(([, rule, sent, asked]) => !isSame(rule, sent, asked))
    .map(([field, rule, , asked]) => different(field, rule, asked));
}

/** A payment of the scheme `exact` brings all that is missing. One of more than that may have been sent already. */
export function tooLittle(required: X402PaymentRequired, { authorization }: X402Payment): FieldError[] {
  const { amount } = required.accepts[0]!;
  return authorization.value < BigInt(amount)
    ? [different('payload.authorization.value', 'amount', amount)]
    : [];
}

function isSame(rule: string, sent: string, asked: string): boolean {
  const isAddress = rule === 'asset' || rule === 'pay_to';
  return isAddress ? sent.toLowerCase() === asked.toLowerCase() : sent === asked;
}

function different(field: string, rule: string, asked: string): FieldError {
  return { field: `${X402_HEADER}.${field}`, rule, message: `must be ${asked}.` };
}
