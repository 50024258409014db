import { invalidField } from '#shared/kernel/domain-error.js';
import { isWithin, parseCidr, readUnmappedAddress, type Cidr } from '#shared/kernel/ip-range.js';

/** A limit keeps the proof of each request short, which reads all ranges. */
const MAX_RANGES = 100;

/** Each range once, in canonical spelling. @throws DomainError on `allowed_ips` for what is no address or range */
export function readAllowlist(texts: readonly string[]): string[] {
  if (texts.length > MAX_RANGES) {
    throw invalidField('allowed_ips', 'too_many', `must have at most ${MAX_RANGES} addresses or ranges.`);
  }
  return [...new Set(texts.map((text) => parseCidr(text, 'allowed_ips').text))];
}

/** @param ranges canonical; an empty list allows every address. An address that cannot be read is allowed by no range. */
export function allowsAddress(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  const caller = readUnmappedAddress(address);
  return caller !== undefined && ranges.some((range) => isWithin(caller, [parsedRange(range)]));
}

/** A request reads the whole list of its credential, and parsing a range costs more than comparing with it. */
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
