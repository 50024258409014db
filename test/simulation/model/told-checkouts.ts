import type { ExchangeFact } from '../facts/fact.js';
import { ACCOUNT, address, ASSET, COIN, POS, type ToldHistory, uuid } from './told-history.js';

export type Fields = Record<string, unknown>;
export const PRICE = { amount: '10', coin_code: 'USD' };
export const PATH = `/v1/pos/${POS}`;

/** Records: a checkout of 10 dollars, its links and its direct requests. */
export function option(id: string): Fields {
  return id === ASSET
    ? { unique_asset_id: ASSET, network: 'erc20', symbol: 'USDC', amount: '10' }
    : { unique_asset_id: COIN, network: 'erc20', symbol: 'ETH', amount: '0.005' };
}

export function selected(id: string, number: number): Fields {
  return {
    ...option(id),
    address: address(number),
    received_amount: '0',
    missing_amount: '10',
    confirmations: 0,
    required_confirmations: 3,
  };
}

export function pos(told: ToldHistory, type: string, options: readonly string[], more: Fields = {}): void {
  told.call(
    'PUT',
    PATH,
    { type, config: { payment_options: options } },
    {
      id: POS,
      name: 'Shop',
      type,
      account_id: ACCOUNT,
      config: { merchant: { name: 'M' }, payment_options: options },
      created_at: told.iso(),
      updated_at: told.iso(),
      ...more,
    },
  );
}

export function session(told: ToldHistory, number = 900, changes: Fields = {}): Fields {
  return {
    id: uuid(number),
    session_id: `s${number}`,
    type: 'fixed',
    status: 'pending',
    token: 't',
    ...PRICE,
    checkout_url: `https://pay.example/n/${number}`,
    hosted_checkout_url: `https://pay.example/checkout/s${number}`,
    payment_options: [option(ASSET), option(COIN)],
    merchant: { name: 'M' },
    expires_at: told.iso(told.now + 480_005),
    ...changes,
  };
}

export function checkout(told: ToldHistory, changes: Fields = {}): Fields {
  pos(told, 'online', [ASSET, COIN]);
  const made = session(told, 900, changes);
  told.call('POST', `${PATH}/payment-request-checkout`, PRICE, made);
  return made;
}

export function choose(told: ToldHistory, made: Fields, id: string, number = 901): void {
  chooseAndSee(told, made, id, selected(id, number));
}

export function chooseAndSee(
  told: ToldHistory,
  made: Fields,
  id: string,
  seen: Fields,
  more: Partial<ExchangeFact> = {},
): void {
  const data = { ...made, status: 'created', selected: seen };
  told.call('POST', '/public/checkout/s900/select-asset', { unique_asset_id: id }, data, more);
}

export function read(told: ToldHistory, made: Fields, status: string, changes: Fields = {}): void {
  told.call('GET', '/public/checkout/s900', undefined, { ...made, status, ...changes });
}

export function link(told: ToldHistory, more: Partial<ExchangeFact> = {}): void {
  const made = {
    id: uuid(950),
    code: 'c1',
    url: 'https://pay.example/link/c1',
    ...PRICE,
    payment_options: [ASSET],
    active: true,
    created_at: told.iso(),
  };
  told.call('POST', `${PATH}/payment-link`, PRICE, made, more);
}

export function direct(told: ToldHistory, number: number): Fields {
  const at = told.now + 5;
  const made = {
    id: uuid(number),
    type: 'fixed',
    status: 'created',
    token: 't',
    amount: '10',
    currency: 'USDC',
    unique_asset_id: ASSET,
    network: 'erc20',
    address: address(number),
    point_of_sale_id: POS,
    account_id: ACCOUNT,
    expires_at: told.iso(at + 480_000),
    created_at: told.iso(at),
  };
  told.call('POST', `${PATH}/payment-request`, { amount: '10', unique_asset_id: ASSET }, made);
  return made;
}
