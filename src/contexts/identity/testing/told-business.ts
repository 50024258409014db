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

/** What goes on in every account, as a test tells it. */
export class ToldBusiness extends AccountBusiness {
  told: OpenBusiness = NOTHING_OPEN;

  openIn(): Promise<OpenBusiness> {
    return Promise.resolve(this.told);
  }
}
