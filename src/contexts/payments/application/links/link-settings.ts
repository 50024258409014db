/** What sessions of payment links may take up (docs/api/limits.md, "Sessions of payment links"). */
export class LinkSettings {
  /**
   * @param openOfLink most unpaid sessions of one link that are open at once
   * @param openOfAddress most that one address has open at once, of all links
   * @param retentionHours for so long after its end a session that nobody paid is kept
   */
  constructor(
    readonly openOfLink = 2_000,
    readonly openOfAddress = 50,
    readonly retentionHours = 168,
  ) {}
}
