import type { FieldError } from '#shared/kernel/domain-error.js';
import type { TokenDomain, TransferAuthorization } from '#contexts/networks/contract/authorized-transfers.js';

/** `PaymentRequirements` of x402 version 2, with scheme `exact` and EIP-3009. */
export interface X402Requirements {
  readonly scheme: 'exact';
  /** Chain as a CAIP-2 name: `eip155:` and the chain id. */
  readonly network: string;
  /** Smallest units, decimal. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  /** EIP-712 domain of the token contract. */
  readonly extra: {
    readonly assetTransferMethod: 'eip3009';
    readonly name: string;
    readonly version: string;
  };
}

/** `PaymentRequired` of x402. */
export interface X402PaymentRequired {
  readonly x402Version: 2;
  readonly error: string;
  readonly resource: { readonly url: string; readonly description: string; readonly mimeType: string };
  readonly accepts: readonly X402Requirements[];
}

/** The payment terms that the client must repeat in its payment. */
export interface X402Terms {
  readonly resource: Pick<X402PaymentRequired['resource'], 'url'>;
  readonly accepts: readonly Pick<X402Requirements, 'scheme' | 'network' | 'asset' | 'payTo'>[];
}

/** `PaymentPayload` of x402. Signed values are lower-case hex. */
export interface X402Payment {
  readonly resourceUrl: string | undefined;
  readonly accepted: Pick<X402Requirements, 'network' | 'amount' | 'asset' | 'payTo'> & {
    readonly scheme: string;
  };
  readonly authorization: TransferAuthorization;
  readonly signature: string;
}

/** `SettlementResponse` of x402. */
export interface X402Receipt {
  readonly success: true;
  readonly transaction: string;
  readonly network: string;
  readonly payer: string;
  /** Smallest units, decimal. */
  readonly amount: string;
}

export const X402_SIGNATURE_HEADER = 'PAYMENT-SIGNATURE';

/** Mining takes several blocks. The payment window still limits when the payment is sent. */
const MIN_VALIDITY_SECONDS = 60;

interface X402TermsInput {
  readonly url: string;
  readonly description: string;
  /** Smallest units. */
  readonly missing: bigint;
  readonly address: string;
  readonly domain: TokenDomain;
  readonly secondsLeft: number;
}

export function toCaip2ChainName(chainId: number): string {
  return `eip155:${chainId}`;
}

export function buildPaymentRequired({
  url,
  description,
  missing,
  address,
  domain,
  secondsLeft,
}: X402TermsInput): X402PaymentRequired {
  return {
    x402Version: 2,
    error: `${X402_SIGNATURE_HEADER} header is required`,
    resource: { url, description, mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: toCaip2ChainName(domain.chainId),
        amount: String(missing),
        asset: domain.verifyingContract,
        payTo: address,
        maxTimeoutSeconds: Math.max(secondsLeft, MIN_VALIDITY_SECONDS),
        extra: { assetTransferMethod: 'eip3009', name: domain.name, version: domain.version },
      },
    ],
  };
}

/**
 * Omits the amount (see `checkFullAmount`), the EIP-712 domain, which the signature covers, and the remaining time.
 */
export function compareWithX402Terms(
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
    .filter(([, rule, sent, asked]) => !isSameValue(rule, sent, asked))
    .map(([field, rule, , asked]) => differenceError(field, rule, asked));
}

/** Accepts more than the missing amount, because it may have decreased after the client signed. */
export function checkFullAmount(required: X402PaymentRequired, { authorization }: X402Payment): FieldError[] {
  const { amount } = required.accepts[0]!;
  return authorization.value < BigInt(amount)
    ? [differenceError('payload.authorization.value', 'amount', amount)]
    : [];
}

function isSameValue(rule: string, sent: string, asked: string): boolean {
  const isAddress = rule === 'asset' || rule === 'pay_to';
  return isAddress ? sent.toLowerCase() === asked.toLowerCase() : sent === asked;
}

function differenceError(field: string, rule: string, asked: string): FieldError {
  return { field: `${X402_SIGNATURE_HEADER}.${field}`, rule, message: `must be ${asked}.` };
}
