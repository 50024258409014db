import { expect, it } from '@jest/globals';
import type { Difference, AnswerFact, ExchangeFact, Fact, SettledFact, TransferFact } from '../facts/fact.js';
import { SpecificationModel } from './specification-model.js';

export const START = Date.UTC(2026, 0, 5, 8);
export const TOKEN = '0x00000000000000000000000000000000000000aa';
export const ASSET = `erc20:${TOKEN}`;
export const COIN = 'erc20:native';
export const ORGANIZATION = uuid(1);
export const ACCOUNT = uuid(2);
export const POS = uuid(3);
export const KEY = `svc.dev.${uuid(4)}`;
export const SETTLEMENT_ADDRESS = '0x00000000000000000000000000000000000000ee';
export const FEE_RECIPIENT = '0x00000000000000000000000000000000000000ff';

export function uuid(number: number): string {
  return `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

export function address(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

export class TestHistory {
  readonly model = new SpecificationModel();
  readonly found: Difference[] = [];
  now = START;
  private exchanges = 0;
  private transactions = 0;
  private blocks: { number: number; hash: string }[] = [{ number: 100, hash: 'b100' }];

  constructor() {
    const usdc = { uniqueAssetId: ASSET, symbol: 'USDC', decimals: 6, minimumAmount: '0.5', token: TOKEN };
    const coin = { uniqueAssetId: COIN, symbol: 'ETH', decimals: 18, minimumAmount: '0.001', token: null };
    this.add({
      ...{ kind: 'network', at: this.now, network: 'erc20', chainId: 1, confirmations: 3, blockSeconds: 12 },
      ...{ inclusionGraceSeconds: 60, settlementEverySeconds: 600, settlementAfterHours: 24 },
      assets: [{ ...usdc, currency: 'USD' }, coin],
    });
    this.add({ kind: 'organization', at: this.now, organizationId: ORGANIZATION, accountId: ACCOUNT });
    this.add({
      ...{ kind: 'terms', at: this.now, organizationId: ORGANIZATION, network: 'erc20' },
      ...{ settlementAddress: SETTLEMENT_ADDRESS, feeBasisPoints: 100, feeRecipient: FEE_RECIPIENT },
    });
    this.credential({});
    this.call('GET', `/v1/pos/${POS}`, undefined, {
      ...{ id: POS, name: 'Shop', type: 'online', account_id: ACCOUNT, account_name: 'A' },
      ...{ organization_id: ORGANIZATION, organization_name: 'O' },
      config: { merchant: { name: 'M' }, payment_options: [ASSET] },
      ...{ created_at: this.iso(), updated_at: this.iso() },
    });
  }

  credential(changes: object): void {
    this.add({
      ...{ kind: 'credential', at: this.now, keyId: KEY, organizationId: ORGANIZATION, allowedIps: [] },
      ...{ roles: ['read', 'write'], isEnabled: true, isGone: false },
      ...changes,
    });
  }

  add(fact: Fact): void {
    this.found.push(...this.model.take(fact));
  }

  iso(at = this.now): string {
    return new Date(at).toISOString();
  }

  pass(seconds: number): void {
    this.now += seconds * 1000;
    this.add({ kind: 'time', at: this.now });
  }

  /** An exchange that takes 10 ms; `data` is answered with success. */
  call(
    method: ExchangeFact['method'],
    path: string,
    body: unknown,
    data: unknown,
    more: Partial<ExchangeFact> = {},
  ): void {
    this.answer(method, path, body, { status: 200, headers: {}, body: { status: 'success', data } }, more);
  }

  refuse(
    method: ExchangeFact['method'],
    path: string,
    body: unknown,
    status: number,
    code: string,
    more: Partial<ExchangeFact> = {},
  ): void {
    const answered = { status: 'error', code, message: 'No.', request_id: 'r' };
    this.answer(method, path, body, { status, headers: {}, body: answered }, more);
  }

  answer(
    method: ExchangeFact['method'],
    path: string,
    body: unknown,
    answer: AnswerFact | 'lost',
    more: Partial<ExchangeFact> = {},
  ): void {
    this.exchanges += 1;
    const sentAt = this.now;
    this.now += 10;
    const full =
      answer === 'lost' ? answer : { ...answer, headers: { 'x-request-id': 'r', ...answer.headers } };
    this.add({
      ...{ kind: 'exchange', number: this.exchanges, sentAt, at: this.now, sourceIp: '10.0.0.1' },
      ...{ keyId: path.startsWith('/public') ? null : KEY, method, path, query: {} },
      ...(body === undefined ? {} : { body }),
      ...{ answer: full, isFaulty: false },
      ...more,
    });
    this.now += 1;
  }

  block(
    transfers: readonly Partial<TransferFact>[] = [],
    settled: readonly SettledFact[] = [],
    name = '',
  ): number {
    this.now += 12_000;
    const parent = this.blocks[this.blocks.length - 1]!;
    const number = parent.number + 1;
    const block = { number, hash: `b${number}${name}` };
    this.blocks.push(block);
    this.add({
      ...{ kind: 'block', at: this.now, network: 'erc20', number, hash: block.hash, time: this.now },
      ...{ parentHash: parent.hash, settled, transfers: transfers.map((each) => this.transfer(each)) },
    });
    return number;
  }

  blocksOn(count: number): void {
    for (let block = 0; block < count; block += 1) this.block();
  }

  unwind(count: number): void {
    this.blocks = this.blocks.slice(0, -count);
    const from = this.blocks.at(-1)!.number + 1;
    this.add({ kind: 'unwound', at: this.now, network: 'erc20', from });
  }

  /** Nothing that is under way can explain anything any more. @returns the rules by which something was wrong */
  wrong(): string[] {
    this.pass(300);
    return this.found.map(({ rule }) => rule);
  }

  rest(): void {
    this.add({ kind: 'rest', at: this.now });
  }

  missing(): void {
    this.found.push(...this.model.missing());
  }

  hash(number: number): string {
    return `0x${number.toString(16).padStart(64, '0')}`;
  }

  private transfer(given: Partial<TransferFact>): TransferFact {
    this.transactions += 1;
    return {
      ...{ way: 'log', token: TOKEN, from: address(7), to: address(8), amount: '0', index: 0 },
      transactionHash: this.hash(this.transactions),
      ...given,
    };
  }
}

/**
 * Tests of short histories. `accepts` asserts that the model reports nothing, also minutes later; `detects` that it reports a rule.
 * @param begin what each history begins with: a webhook, a payment
 */
export function cases<Begun>(begin: (history: TestHistory) => Begun) {
  type Case = (history: TestHistory, begun: Begun) => void;
  const rulesOf = (one: Case) => {
    const history = new TestHistory();
    one(history, begin(history));
    return history.wrong();
  };
  return {
    accepts: (name: string, one: Case) => it(`accepts ${name}`, () => expect(rulesOf(one)).toEqual([])),
    detects: (name: string, rule: string, one: Case) =>
      it(`detects ${name}`, () => expect(rulesOf(one)).toContain(rule)),
  };
}

export class TestRequest {
  readonly id: string;
  readonly address: string;
  readonly created: Record<string, unknown>;

  constructor(
    readonly history: TestHistory,
    number = 100,
    changes: object = {},
  ) {
    this.id = uuid(number);
    this.address = address(number);
    const at = history.now + 5;
    this.created = {
      ...{ id: this.id, type: 'fixed', status: 'created', token: `t${number}`, amount: '10' },
      ...{ currency: 'USDC', unique_asset_id: ASSET, network: 'erc20', address: this.address },
      ...{ point_of_sale_id: POS, account_id: ACCOUNT },
      ...{ expires_at: history.iso(at + 480_000), created_at: history.iso(at) },
      ...changes,
    };
    const body = { amount: '10', unique_asset_id: this.created.unique_asset_id };
    history.call('POST', `/v1/pos/${POS}/payment-request`, body, this.created);
  }

  pay(amount: string, more: object = {}): void {
    this.history.block([{ to: this.address, amount, ...more }]);
  }

  read(status: string, changes: object = {}): void {
    const path = `/v1/pos/${POS}/payment-request/${this.id}`;
    this.history.call('GET', path, undefined, { ...this.created, status, ...changes });
  }
}

export function record(history: TestHistory, one: TestRequest, number: number, changes: Fields = {}): Fields {
  return {
    ...{ id: uuid(number), type: 'payment_in', status: 'completed', payment_request_id: one.id },
    ...{ gross_amount: '10', net_amount: '9.9', expected_amount: '10', currency: 'USDC', network: 'erc20' },
    ...{ unique_asset_id: ASSET, financial_provider: 'onchain', transaction_hash: history.hash(1) },
    ...{ from: address(7), from_type: 'wallet', to: one.address, to_type: 'vault' },
    ...{ created_at: history.iso(), updated_at: history.iso() },
    ...changes,
  };
}

export function list(history: TestHistory, records: readonly Fields[], total = records.length): void {
  const data = { data: records, total, page: 1, page_size: 100, total_pages: Math.ceil(total / 100) };
  history.call('GET', '/v1/transactions', undefined, data, { query: { page: '1', page_size: '100' } });
}

export function paid(history: TestHistory): TestRequest {
  const one = new TestRequest(history);
  one.pay('10000000');
  history.blocksOn(3);
  return one;
}

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
  const counts = { received_amount: '0', missing_amount: '10', confirmations: 0, required_confirmations: 3 };
  return { ...option(id), address: address(number), ...counts };
}

export function pos(history: TestHistory, type: string, options: readonly string[], more: Fields = {}): void {
  const data = {
    ...{ id: POS, name: 'Shop', type, account_id: ACCOUNT, created_at: history.iso() },
    ...{ config: { merchant: { name: 'M' }, payment_options: options }, updated_at: history.iso() },
    ...more,
  };
  history.call('PUT', PATH, { type, config: { payment_options: options } }, data);
}

export function session(history: TestHistory, number = 900, changes: Fields = {}): Fields {
  return {
    ...{ id: uuid(number), session_id: `s${number}`, type: 'fixed', status: 'pending', token: 't', ...PRICE },
    checkout_url: `https://pay.example/n/${number}`,
    hosted_checkout_url: `https://pay.example/checkout/s${number}`,
    ...{ payment_options: [option(ASSET), option(COIN)], merchant: { name: 'M' } },
    expires_at: history.iso(history.now + 480_005),
    ...changes,
  };
}

export function checkout(history: TestHistory, changes: Fields = {}): Fields {
  pos(history, 'online', [ASSET, COIN]);
  const made = session(history, 900, changes);
  history.call('POST', `${PATH}/payment-request-checkout`, PRICE, made);
  return made;
}

export function choose(history: TestHistory, made: Fields, id: string, number = 901): void {
  chooseAndSee(history, made, id, selected(id, number));
}

export function chooseAndSee(
  history: TestHistory,
  made: Fields,
  id: string,
  seen: Fields,
  more: Partial<ExchangeFact> = {},
): void {
  const data = { ...made, status: 'created', selected: seen };
  history.call('POST', '/public/checkout/s900/select-asset', { unique_asset_id: id }, data, more);
}

export function read(history: TestHistory, made: Fields, status: string, changes: Fields = {}): void {
  history.call('GET', '/public/checkout/s900', undefined, { ...made, status, ...changes });
}

export function link(history: TestHistory, more: Partial<ExchangeFact> = {}): void {
  const made = {
    ...{ id: uuid(950), code: 'c1', url: 'https://pay.example/link/c1', ...PRICE, active: true },
    ...{ payment_options: [ASSET], created_at: history.iso() },
  };
  history.call('POST', `${PATH}/payment-link`, PRICE, made, more);
}

export function direct(history: TestHistory, number: number): Fields {
  return new TestRequest(history, number).created;
}
