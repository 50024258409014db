export class TillSettings {
  /** @param checkoutHost without a trailing slash @param isSandbox true if the sandbox wallet can pay */
  constructor(
    private readonly checkoutHost: string,
    readonly isSandbox: boolean,
  ) {}

  get url(): string {
    return `${this.checkoutHost}/till`;
  }

  /** In the URL fragment, which browsers do not send, so that no server or log contains the code. */
  pairingUrl(code: string): string {
    return `${this.url}#pair=${code}`;
  }
}
