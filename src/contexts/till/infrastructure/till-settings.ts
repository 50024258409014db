/** Where phones open the till. */
export class TillSettings {
  /**
   * @param checkoutHost an origin, without a slash at the end
   * @param isSandbox payments can be made with the sandbox wallet
   */
  constructor(
    private readonly checkoutHost: string,
    readonly isSandbox: boolean,
  ) {}

  get url(): string {
    return `${this.checkoutHost}/till`;
  }

  /** Behind the hash, so that no server and no log gets the code. */
  pairingUrl(code: string): string {
    return `${this.url}#pair=${code}`;
  }
}
