import { AccountBusiness, type OpenBusiness } from '../contract/account-business.js';

export const NOTHING_OPEN: OpenBusiness = {
  openPaymentRequests: 0,
  activePaymentLinks: 0,
  activeWebhooks: 0,
  openSubscriptions: 0,
  openRefunds: 0,
  openFloatWithdrawals: 0,
  unsettledAssets: [],
};

/** Every account has the business that a test sets. */
export class FixedBusiness extends AccountBusiness {
  open: OpenBusiness = NOTHING_OPEN;

  lookIn(): Promise<OpenBusiness> {
    return this.openIn();
  }

  openIn(): Promise<OpenBusiness> {
    return Promise.resolve(this.open);
  }
}
