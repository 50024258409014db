import { isLoopbackName, parseIpAddress } from '#shared/kernel/ip-range.js';
import { hasUserInfo, readAbsoluteUrl } from '#shared/kernel/text.js';
import { isLoopbackAddress, isPublicAddress } from './public-address-rule.js';

const MAX_LENGTH = 2048;

/** Names that resolve only inside a machine or site (RFC 6761, 6762, 8375, 9476, and names used by cloud providers). */
const INNER_NAMES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|alt|onion)$/;

/** Stable codes for the `rule` of a validation error. */
export type EndpointRule =
  'url' | 'max_length' | 'no_credentials' | 'https' | 'public_address' | 'resolvable';

export interface EndpointProblem {
  readonly rule: EndpointRule;
  readonly message: string;
}

export interface EndpointPolicy {
  /** For development only: allows loopback addresses, also over plain HTTP. */
  readonly allowLoopbackHttp: boolean;
}

const problem = (rule: EndpointRule, message: string): EndpointProblem => ({ rule, message });
const NOT_PUBLIC = problem(
  'public_address',
  'must be on the public internet: all addresses of the host must be public, and the host name must be fully qualified, without a trailing dot.',
);

/**
 * Validates a webhook URL before the DNS lookup. Every notation of an address that URL parsers accept (decimal, octal,
 * hexadecimal, shortened, percent-encoded, full-width) is validated as the address it denotes.
 */
export function readEndpoint(text: string, policy: EndpointPolicy): URL | EndpointProblem {
  if (text.length > MAX_LENGTH) return problem('max_length', `must be at most ${MAX_LENGTH} characters.`);
  const url = readAbsoluteUrl(text);
  if (url === undefined)
    return problem('url', 'must be an absolute URL, such as https://shop.example/hooks.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowLoopbackHttp)) {
    return problem('https', 'must begin with https://.');
  }
  if (hasUserInfo(text)) {
    return problem('no_credentials', 'must not contain a user name or password.');
  }
  const address = literalAddress(url);
  if (address !== null) return judgeAddresses(url, [address], policy) ?? url;
  return isAcceptableName(url.hostname, policy) ? url : NOT_PUBLIC;
}

/** The address in the URL. Null if the host is a name. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return parseIpAddress(host) === undefined ? null : host;
}

/** Validates all addresses of a host, because a delivery may use any of them. @returns null if all are allowed */
export function judgeAddresses(
  url: URL,
  addresses: readonly string[],
  { allowLoopbackHttp }: EndpointPolicy,
): EndpointProblem | null {
  if (addresses.length === 0 && url.protocol === 'https:') {
    return problem('resolvable', 'must have a host that DNS can resolve.');
  }
  const allLoopback = addresses.length > 0 && addresses.every(isLoopbackAddress);
  if (url.protocol === 'http:' && !(allowLoopbackHttp && allLoopback)) {
    return problem(
      'https',
      'must begin with https://. Plain http is only for loopback addresses in development.',
    );
  }
  const allowed = (address: string) =>
    isPublicAddress(address) || (allowLoopbackHttp && isLoopbackAddress(address));
  return addresses.every(allowed) ? null : NOT_PUBLIC;
}

function isAcceptableName(name: string, { allowLoopbackHttp }: EndpointPolicy): boolean {
  if (allowLoopbackHttp && isLoopbackName(name)) return true;
  return name.includes('.') && !name.endsWith('.') && !INNER_NAMES.test(name);
}
