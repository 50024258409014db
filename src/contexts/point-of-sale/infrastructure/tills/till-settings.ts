/** Where phones open the till. */
export class TillSettings {
  /** @param checkoutHost an origin, without a slash at the end */
  constructor(private readonly checkoutHost: string) {}

  get url(): string {
    return `${this.checkoutHost}/till`;
  }

  /** Behind the hash, so that no server and no log gets the code. */
  pairingUrl(code: string): string {
    return `${this.url}#pair=${code}`;
  }
}
