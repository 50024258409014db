import { ACCOUNT, address, ASSET, POS, type ToldHistory, uuid } from './told-history.js';

/** A direct request of 10 USDC, as it is created and read. */
export class ToldRequest {
  readonly id: string;
  readonly address: string;
  readonly created: Record<string, unknown>;

  constructor(
    readonly told: ToldHistory,
    number = 100,
    changes: object = {},
  ) {
    this.id = uuid(number);
    this.address = address(number);
    const at = told.now + 5;
    this.created = {
      id: this.id,
      type: 'fixed',
      status: 'created',
      token: `t${number}`,
      amount: '10',
      currency: 'USDC',
      unique_asset_id: ASSET,
      network: 'erc20',
      address: this.address,
      point_of_sale_id: POS,
      account_id: ACCOUNT,
      expires_at: told.iso(at + 480_000),
      created_at: told.iso(at),
      ...changes,
    };
    const body = { amount: '10', unique_asset_id: this.created.unique_asset_id };
    told.call('POST', `/v1/pos/${POS}/payment-request`, body, this.created);
  }

  pay(amount: string, more: object = {}): void {
    this.told.block([{ to: this.address, amount, ...more }]);
  }

  read(status: string, changes: object = {}): void {
    const path = `/v1/pos/${POS}/payment-request/${this.id}`;
    this.told.call('GET', path, undefined, { ...this.created, status, ...changes });
  }
}
