import { invalidField } from '#shared/kernel/domain-error.js';
import { isInAnyRange, parseCidr, parseUnmappedAddress, type Cidr } from '#shared/kernel/ip-range.js';

const MAX_RANGES = 100;

export function readIpAllowlist(texts: readonly string[]): string[] {
  if (texts.length > MAX_RANGES) {
    throw invalidField('allowed_ips', 'too_many', `must have at most ${MAX_RANGES} addresses or ranges.`);
  }
  return [...new Set(texts.map((text) => parseCidr(text, 'allowed_ips').text))];
}

export function allowsIpAddress(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  const caller = parseUnmappedAddress(address);
  return caller !== undefined && ranges.some((range) => isInAnyRange(caller, [parseCachedRange(range)]));
}

/** Parsing costs more than comparing. */
const parsedRanges = new Map<string, Cidr>();
const MAX_PARSED_RANGES = 100_000;

function parseCachedRange(text: string): Cidr {
  let range = parsedRanges.get(text);
  if (range === undefined) {
    if (parsedRanges.size >= MAX_PARSED_RANGES) parsedRanges.clear();
    parsedRanges.set(text, (range = parseCidr(text)));
  }
  return range;
}
