export abstract class AddressRanges {
  /** Each range once, in canonical spelling. @throws DomainError for what is no address or range */
  abstract canonical(field: string, texts: readonly string[]): string[];
  /** @param ranges canonical; none allows every address */
  abstract allow(ranges: readonly string[], address: string): boolean;
}
