import { isLoopbackName, readIpAddress } from '#shared/kernel/ip-range.js';
import { namesUser, readAbsoluteUrl } from '#shared/kernel/text.js';
import { isLoopbackAddress, isPublicAddress } from './public-address-rule.js';

const MAX_LENGTH = 2048;

/** Names that never leave a machine or site (RFC 6761, 6762, 8375, 9476 and the clouds' own). */
const INNER_NAMES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|alt|onion)$/;

/** Stable words for the `rule` of a validation error. */
export type EndpointRule =
  'url' | 'max_length' | 'no_credentials' | 'https' | 'public_address' | 'resolvable';

export interface EndpointProblem {
  readonly rule: EndpointRule;
  readonly message: string;
}

export interface EndpointPolicy {
  /** Development only: loopback addresses are allowed, and plain HTTP to them. */
  readonly allowLoopbackHttp: boolean;
}

const problem = (rule: EndpointRule, message: string): EndpointProblem => ({ rule, message });
const NOT_PUBLIC = problem(
  'public_address',
  'must be on the public internet: all addresses of the host must be public, and the host name must be fully qualified, without a trailing dot.',
);

/**
 * Judges a webhook's URL before its host is looked up. Every spelling of an address that URL parsers
 * understand (decimal, octal, hexadecimal, shortened, percent-encoded, full-width) is judged as the address it means.
 */
export function readEndpoint(text: string, policy: EndpointPolicy): URL | EndpointProblem {
  if (text.length > MAX_LENGTH) return problem('max_length', `must be at most ${MAX_LENGTH} characters.`);
  const url = readAbsoluteUrl(text);
  if (url === undefined)
    return problem('url', 'must be an absolute URL, such as https://shop.example/hooks.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowLoopbackHttp)) {
    return problem('https', 'must begin with https://.');
  }
  if (namesUser(text)) {
    return problem('no_credentials', 'must not contain a user name or password.');
  }
  const address = literalAddress(url);
  if (address !== null) return judgeAddresses(url, [address], policy) ?? url;
  return isAcceptableName(url.hostname, policy) ? url : NOT_PUBLIC;
}

/** The address that a URL names without a lookup, or null where its host is a name. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return readIpAddress(host) === undefined ? null : host;
}

/** Judges all answers of a lookup, for any of them might be used. @returns null when all are allowed */
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
