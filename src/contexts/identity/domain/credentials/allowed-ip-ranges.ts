import { invalidField } from '#shared/kernel/domain-error.js';
import { isInAnyRange, parseCidr, parseUnmappedAddress, type Cidr } from '#shared/kernel/ip-range.js';

/** Bounds the work per request, because every request checks all ranges. */
const MAX_RANGES = 100;

/** Returns each range once, in canonical form. @throws DomainError on `allowed_ips` if a text is not an address or range */
export function readAllowlist(texts: readonly string[]): string[] {
  if (texts.length > MAX_RANGES) {
    throw invalidField('allowed_ips', 'too_many', `must have at most ${MAX_RANGES} addresses or ranges.`);
  }
  return [...new Set(texts.map((text) => parseCidr(text, 'allowed_ips').text))];
}

/** @param ranges canonical; an empty list allows every address. An unreadable address is not in any range. */
export function allowsAddress(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  const caller = parseUnmappedAddress(address);
  return caller !== undefined && ranges.some((range) => isInAnyRange(caller, [parsedRange(range)]));
}

/** Caches parsed ranges, because parsing costs more than comparing and every request checks the complete list. */
const parsed = new Map<string, Cidr>();
const MAX_PARSED_RANGES = 100_000;

function parsedRange(text: string): Cidr {
  let range = parsed.get(text);
  if (range === undefined) {
    if (parsed.size >= MAX_PARSED_RANGES) parsed.clear();
    parsed.set(text, (range = parseCidr(text)));
  }
  return range;
}
