import type { Difference } from '../facts/difference.js';
import type { AnswerFact, ExchangeFact, Fact, SettledFact, TransferFact } from '../facts/fact.js';
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

/** A history that a test tells a model, with what the model found wrong in it. */
export class ToldHistory {
  readonly model = new SpecificationModel();
  readonly found: Difference[] = [];
  now = START;
  private exchanges = 0;
  private transactions = 0;
  private blocks: { number: number; hash: string }[] = [{ number: 100, hash: 'b100' }];

  constructor() {
    this.tell({
      kind: 'network',
      at: this.now,
      network: 'erc20',
      chainId: 1,
      confirmations: 3,
      blockSeconds: 12,
      inclusionGraceSeconds: 60,
      settlementEverySeconds: 600,
      settlementAfterHours: 24,
      assets: [
        {
          uniqueAssetId: ASSET,
          symbol: 'USDC',
          decimals: 6,
          minimumAmount: '0.5',
          token: TOKEN,
          currency: 'USD',
        },
        { uniqueAssetId: COIN, symbol: 'ETH', decimals: 18, minimumAmount: '0.001', token: null },
      ],
    });
    this.tell({ kind: 'organization', at: this.now, organizationId: ORGANIZATION, accountId: ACCOUNT });
    this.tell({
      kind: 'terms',
      at: this.now,
      organizationId: ORGANIZATION,
      network: 'erc20',
      settlementAddress: SETTLEMENT_ADDRESS,
      feeBasisPoints: 100,
      feeRecipient: FEE_RECIPIENT,
    });
    this.credential({});
    this.call('GET', `/v1/pos/${POS}`, undefined, {
      id: POS,
      name: 'Shop',
      type: 'online',
      organization_id: ORGANIZATION,
      organization_name: 'O',
      account_id: ACCOUNT,
      account_name: 'A',
      config: { merchant: { name: 'M' }, payment_options: [ASSET] },
      created_at: this.iso(),
      updated_at: this.iso(),
    });
  }

  credential(changes: object): void {
    this.tell({
      kind: 'credential',
      at: this.now,
      keyId: KEY,
      organizationId: ORGANIZATION,
      roles: ['read', 'write'],
      allowedIps: [],
      isEnabled: true,
      isGone: false,
      ...changes,
    });
  }

  tell(fact: Fact): void {
    this.found.push(...this.model.take(fact));
  }

  iso(at = this.now): string {
    return new Date(at).toISOString();
  }

  pass(seconds: number): void {
    this.now += seconds * 1000;
    this.tell({ kind: 'time', at: this.now });
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
    this.tell({
      kind: 'exchange',
      number: this.exchanges,
      sentAt,
      at: this.now,
      keyId: path.startsWith('/public') ? null : KEY,
      sourceIp: '10.0.0.1',
      method,
      path,
      query: {},
      ...(body === undefined ? {} : { body }),
      answer: full,
      isFaulty: false,
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
    this.tell({
      kind: 'block',
      at: this.now,
      network: 'erc20',
      number,
      hash: block.hash,
      parentHash: parent.hash,
      time: this.now,
      settled,
      transfers: transfers.map((each) => this.transfer(each)),
    });
    return number;
  }

  blocksOn(count: number): void {
    for (let block = 0; block < count; block += 1) this.block();
  }

  unwind(count: number): void {
    this.blocks = this.blocks.slice(0, -count);
    this.tell({
      kind: 'unwound',
      at: this.now,
      network: 'erc20',
      from: this.blocks[this.blocks.length - 1]!.number + 1,
    });
  }

  /** Nothing that is under way can explain anything any more. @returns the rules by which something was wrong */
  wrong(): string[] {
    this.pass(300);
    return this.found.map(({ rule }) => rule);
  }

  rest(): void {
    this.tell({ kind: 'rest', at: this.now });
  }

  /** Adds what never happened and should have. */
  missing(): void {
    this.found.push(...this.model.missing());
  }

  hash(number: number): string {
    return `0x${number.toString(16).padStart(64, '0')}`;
  }

  private transfer(given: Partial<TransferFact>): TransferFact {
    this.transactions += 1;
    return {
      way: 'log',
      token: TOKEN,
      from: address(7),
      to: address(8),
      amount: '0',
      transactionHash: this.hash(this.transactions),
      index: 0,
      ...given,
    };
  }
}
