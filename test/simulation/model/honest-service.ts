import { Random } from '../random.js';
import type { BlockFact, Fact, TransferFact } from '../facts/fact.js';
import { decimal } from './known/amounts.js';
import { ACCOUNT, address, ASSET, COIN, POS, TOKEN, type ToldHistory, uuid } from './told-history.js';

type Fields = Record<string, unknown>;

interface Kept {
  readonly id: string;
  readonly address: string;
  readonly created: Fields;
  readonly deadline: number;
  status: string;
  history: { status: string; at: string }[];
  decided: number;
  deposited: Set<string>;
}

const UNIT = 1_000_000n;

/** A service that reads the chain when it likes and says what the documents ask for: a model must find nothing wrong with it. */
export class HonestService {
  private readonly requests: Kept[] = [];
  private readonly records: Fields[] = [];
  /** Steps of the chain that the service has not read yet. */
  private readonly unread: Fact[] = [];
  private branch: BlockFact[] = [];
  private serial = 5000;

  constructor(
    private readonly told: ToldHistory,
    private readonly random: Random,
  ) {
    const tell = told.tell.bind(told);
    told.tell = (fact) => {
      if (fact.kind === 'block' || fact.kind === 'unwound') this.unread.push(fact);
      tell(fact);
    };
  }

  create(): void {
    const { told } = this;
    const number = (this.serial += 1);
    const at = told.now + 5;
    const created = {
      id: uuid(number),
      type: 'fixed',
      status: 'created',
      token: 't',
      amount: '10',
      currency: 'USDC',
      network: 'erc20',
      unique_asset_id: ASSET,
      address: address(number),
      point_of_sale_id: POS,
      account_id: ACCOUNT,
      expires_at: told.iso(at + 480_000),
      created_at: told.iso(at),
    };
    told.call('POST', `/v1/pos/${POS}/payment-request`, { amount: '10', unique_asset_id: ASSET }, created);
    this.requests.push({
      id: uuid(number),
      address: address(number),
      created,
      deadline: at + 540_000,
      status: 'created',
      history: [{ status: 'created', at: told.iso(at) }],
      decided: Infinity,
      deposited: new Set(),
    });
  }

  /** Payments to some of the requests, right and wrong. */
  payments(): Partial<TransferFact>[] {
    const { random } = this;
    const found: Partial<TransferFact>[] = [];
    for (const { address: to } of this.requests.slice(-12)) {
      if (!random.chance(0.12)) continue;
      const amount = random
        .oneOf([10n * UNIT, 10n * UNIT, 4n * UNIT, 6n * UNIT, 7n * UNIT, UNIT, 0n])
        .toString();
      const coin = { token: null, way: 'call' as const, amount: '5000000000000000' };
      const strange = { token: address(4), amount };
      found.push({ to, amount, index: found.length, ...random.oneOf([{}, {}, {}, {}, coin, strange]) });
    }
    return found;
  }

  read(steps: number): void {
    for (const fact of this.unread.splice(0, steps)) {
      if (fact.kind === 'unwound') this.branch = this.branch.filter(({ number }) => number < fact.from);
      else if (fact.kind === 'block') this.branch.push(fact);
      for (const request of this.requests) this.look(request);
    }
  }

  private readonly underWay: (() => void)[] = [];

  arrive(): void {
    for (const answer of this.underWay.splice(0)) answer();
  }

  /** Shows a request; the answer arrives at once, or later. */
  show(isLate = false): void {
    const request = this.random.oneOf(this.requests);
    const { told } = this;
    const transfers = this.came(request, TOKEN).map(({ block, transfer }) => ({
      transaction_hash: transfer.transactionHash,
      amount: decimal(BigInt(transfer.amount), 6),
      from: transfer.from,
      counted: block.time <= request.deadline,
      final: this.isFinal(block),
      detected_at: told.iso(),
      confirmations: this.branch[this.branch.length - 1]!.number - block.number,
      required_confirmations: 3,
    }));
    const received = this.came(request, TOKEN)
      .filter(({ block }) => block.time <= request.deadline)
      .reduce((sum, { transfer }) => sum + BigInt(transfer.amount), 0n);
    const confirmed = request.history.find(({ status }) => status === 'confirmed');
    const shown = {
      ...request.created,
      status: request.status,
      received_amount: decimal(received, 6),
      transfers,
      status_history: [...request.history],
      ...(confirmed === undefined ? {} : { confirmed_at: confirmed.at }),
      fulfilled: request.status === 'completed' || request.status === 'overpaid',
    };
    const sentAt = told.now;
    const answer = (): void =>
      told.call(
        'GET',
        `/v1/pos/${POS}/payment-request/${request.id}`,
        undefined,
        shown,
        isLate ? { sentAt } : {},
      );
    if (isLate) this.underWay.push(answer);
    else answer();
  }

  list(): void {
    const size = 20;
    const total = this.records.length;
    for (let page = 1; page <= Math.max(1, Math.ceil(total / size)); page += 1) {
      const data = [...this.records].reverse().slice((page - 1) * size, page * size);
      const whole = { data, total, page, page_size: size, total_pages: Math.ceil(total / size) };
      this.told.call('GET', '/v1/transactions', undefined, whole, {
        query: { page: String(page), page_size: String(size) },
      });
    }
  }

  private isFinal(block: BlockFact): boolean {
    return this.branch[this.branch.length - 1]!.number - block.number >= 3;
  }

  private came(request: Kept, token: string | null): { block: BlockFact; transfer: TransferFact }[] {
    return this.branch.flatMap((block) =>
      block.transfers
        .filter(
          (transfer) =>
            transfer.to === request.address && transfer.token === token && transfer.amount !== '0',
        )
        .map((transfer) => ({ block, transfer })),
    );
  }

  private step(request: Kept, status: string): void {
    request.history.push({ status, at: this.told.iso() });
    if (status !== 'confirmed') request.status = status;
  }

  private look(request: Kept): void {
    const head = this.branch[this.branch.length - 1];
    if (head === undefined) return;
    const counting = this.came(request, TOKEN).filter(({ block }) => block.time <= request.deadline);
    const final = this.branch.filter((block) => this.isFinal(block));
    const isFinallyPast = (final[final.length - 1]?.time ?? 0) > request.deadline;
    const seen = counting.reduce((all, { transfer }) => all + BigInt(transfer.amount), 0n);
    if (request.status === 'created' && seen >= UNIT / 2n) this.step(request, 'processing');
    if (request.status === 'created' && head.time > request.deadline) this.step(request, 'expired');
    if (request.status === 'processing') {
      let sum = 0n;
      for (const block of final) {
        const here = counting.filter((each) => each.block === block);
        sum += here.reduce((all, { transfer }) => all + BigInt(transfer.amount), 0n);
        if (sum >= 10n * UNIT)
          return this.decide(request, sum === 10n * UNIT ? 'completed' : 'overpaid', sum, block.number);
      }
      if (isFinallyPast && sum >= UNIT / 2n) return this.decide(request, 'underpaid', sum, Infinity);
      if (isFinallyPast) this.step(request, 'expired');
    }
    this.deposit(request);
  }

  private decide(request: Kept, status: string, sum: bigint, number: number): void {
    request.decided = number;
    this.step(request, status);
    this.step(request, 'confirmed');
    const counted = this.came(request, TOKEN).filter(
      ({ block }) => block.time <= request.deadline && block.number <= number && this.isFinal(block),
    );
    for (const each of counted) request.deposited.add(keyOf(each.transfer));
    this.book('payment_in', request, sum, counted[counted.length - 1]!.transfer, ASSET);
    this.deposit(request);
  }

  private deposit(request: Kept): void {
    for (const token of [TOKEN, null]) {
      for (const { block, transfer } of this.came(request, token)) {
        const isLate =
          block.time > request.deadline || request.status === 'expired' || request.status === 'underpaid';
        const isExtra = token === null || isLate || block.number > request.decided;
        if (!isExtra || !this.isFinal(block) || request.deposited.has(keyOf(transfer))) continue;
        request.deposited.add(keyOf(transfer));
        this.book('deposit', request, BigInt(transfer.amount), transfer, token === null ? COIN : ASSET);
      }
    }
  }

  private book(type: string, request: Kept, gross: bigint, transfer: TransferFact, asset: string): void {
    const decimals = asset === COIN ? 18 : 6;
    const at = this.told.iso();
    this.records.push({
      id: uuid((this.serial += 1)),
      type,
      status: 'completed',
      gross_amount: decimal(gross, decimals),
      network: 'erc20',
      net_amount: decimal(gross - gross / 100n, decimals),
      currency: asset === COIN ? 'ETH' : 'USDC',
      unique_asset_id: asset,
      expected_amount: type === 'deposit' ? decimal(gross, decimals) : '10',
      from: transfer.from,
      from_type: 'wallet',
      to: request.address,
      to_type: 'vault',
      financial_provider: 'onchain',
      transaction_hash: transfer.transactionHash,
      created_at: at,
      updated_at: at,
      payment_request_id: request.id,
    });
  }
}

function keyOf({ transactionHash, index }: TransferFact): string {
  return `${transactionHash} ${index}`;
}
