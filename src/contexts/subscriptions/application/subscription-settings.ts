/** Where payers find the pages of their subscriptions. */
export class SubscriptionSettings {
  /** @param checkoutHost an origin, without a slash at the end */
  constructor(readonly checkoutHost: string) {}

  page(code: string): string {
    return `${this.checkoutHost}/subscription/${code}`;
  }
}
