export class TillSettings {
  /**
   * @param checkoutHost origin, without a trailing slash
   * @param isSandbox true if the sandbox wallet can pay
   */
  constructor(
    private readonly checkoutHost: string,
    readonly isSandbox: boolean,
  ) {}

  get url(): string {
    return `${this.checkoutHost}/till`;
  }

  /** The fragment keeps the code from servers and logs. */
  pairingUrl(code: string): string {
    return `${this.url}#pair=${code}`;
  }
}
