import { isLoopbackName, parseIpAddress } from '#shared/kernel/ip-range.js';
import { hasUrlCredentials, parseAbsoluteUrl } from '#shared/kernel/text.js';
import { isLoopbackAddress, isPublicIpAddress } from './public-address-rule.js';

const MAX_URL_LENGTH = 2048;

/** Host names that resolve only locally (RFC 6761, 6762, 8375 and 9476, and names of cloud providers). */
const INTERNAL_HOST_NAMES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|alt|onion)$/;

/** Stable codes, returned as the `rule` of a validation error. */
export type WebhookUrlRule =
  'url' | 'max_length' | 'no_credentials' | 'https' | 'public_address' | 'resolvable';

export interface WebhookUrlProblem {
  readonly rule: WebhookUrlRule;
  readonly message: string;
}

export interface WebhookUrlPolicy {
  readonly allowLoopbackHttp: boolean;
}

const endpointProblem = (rule: WebhookUrlRule, message: string): WebhookUrlProblem => ({ rule, message });
const NOT_PUBLIC_PROBLEM = endpointProblem(
  'public_address',
  'must be on the public internet: all addresses of the host must be public, and the host name must be fully qualified, without a trailing dot.',
);

/**
 * Before the DNS lookup. Every notation of an address (decimal, octal, full-width, …) is validated as the address it
 * denotes.
 */
export function parseWebhookUrl(text: string, policy: WebhookUrlPolicy): URL | WebhookUrlProblem {
  if (text.length > MAX_URL_LENGTH)
    return endpointProblem('max_length', `must be at most ${MAX_URL_LENGTH} characters.`);
  const url = parseAbsoluteUrl(text);
  if (url === undefined)
    return endpointProblem('url', 'must be an absolute URL, such as https://shop.example/hooks.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowLoopbackHttp)) {
    return endpointProblem('https', 'must begin with https://.');
  }
  if (hasUrlCredentials(text)) {
    return endpointProblem('no_credentials', 'must not contain a user name or password.');
  }
  const address = ipAddressInUrl(url);
  if (address !== null) return validateWebhookIpAddresses(url, [address], policy) ?? url;
  return isAcceptableName(url.hostname, policy) ? url : NOT_PUBLIC_PROBLEM;
}

export function ipAddressInUrl(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return parseIpAddress(host) === undefined ? null : host;
}

/** A delivery may use any of the addresses. @returns null if every address is allowed */
export function validateWebhookIpAddresses(
  url: URL,
  addresses: readonly string[],
  { allowLoopbackHttp }: WebhookUrlPolicy,
): WebhookUrlProblem | null {
  if (addresses.length === 0 && url.protocol === 'https:') {
    return endpointProblem('resolvable', 'must have a host that DNS can resolve.');
  }
  const allLoopback = addresses.length > 0 && addresses.every(isLoopbackAddress);
  if (url.protocol === 'http:' && !(allowLoopbackHttp && allLoopback)) {
    return endpointProblem(
      'https',
      'must begin with https://. Plain http is only for loopback addresses in development.',
    );
  }
  const allowed = (address: string) =>
    isPublicIpAddress(address) || (allowLoopbackHttp && isLoopbackAddress(address));
  return addresses.every(allowed) ? null : NOT_PUBLIC_PROBLEM;
}

function isAcceptableName(name: string, { allowLoopbackHttp }: WebhookUrlPolicy): boolean {
  if (allowLoopbackHttp && isLoopbackName(name)) return true;
  return name.includes('.') && !name.endsWith('.') && !INTERNAL_HOST_NAMES.test(name);
}
