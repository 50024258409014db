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

  /** Puts the pairing code in the URL fragment, which browsers do not send, so that no server or log contains it. */
  pairingUrl(code: string): string {
    return `${this.url}#pair=${code}`;
  }
}
