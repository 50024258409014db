import {
  type BlockHeader,
  type ChainReader,
  ChainUnavailable,
  type SecondEndpoint,
} from '#contexts/networks/contract/chain-reader.js';
import {
  OutboundTransactionSender,
  type OutboundTransactionStatus,
  type OutboundTransactionOrder,
} from '#contexts/networks/contract/outbound-transaction-sender.js';
import {
  type CallPayment,
  type PlannedTransfer,
  type TransferPlanning,
  TransferRefused,
} from '#contexts/networks/contract/transfer-planning.js';
import type { Asset } from '#shared/kernel/asset.js';
import { DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import { NATIVE_HOLDING_KEY } from '../../domain/refunds/refund-float.js';

export const GAS_COST = 21_000n;

type MadeUpFate = Pick<OutboundTransactionStatus, 'state' | 'blockNumber'>;

/**
 * A simulated chain with its sender and transfer planning. Tests set the balances and the outcome of each transaction.
 */
export class MadeUpChain {
  readonly orders: OutboundTransactionOrder[] = [];
  readonly refused = new Set<string>();
  isTorn = false;
  private readonly without = new Set<string>();
  holdsKeys = true;
  readonly unheld = new Set<string>();
  /** Suffix for the derivation of addresses. Changing it simulates other keys under the same names. */
  keysAre = '';
  /** Reason why the keys are held. Null: they are not held. */
  hold: string | null = null;
  finalNumber = 10;
  transaction: (work: () => Promise<void>) => Promise<void> = (work) => work();
  /** Thrown by the next `send` after the order was stored, to simulate a process that is killed at that point. */
  killedAfterSending: Error | null = null;
  readonly unreadable = new Set<string>();
  /** Balances that the second endpoint returns. Null: there is no second endpoint. */
  secondSays: ((address: string, holding: string) => bigint) | null = null;
  /** Block hash on the second endpoint's fork. Null: the second endpoint is on the same chain. */
  secondForkHash: string | null = null;
  private readonly balances = new Map<string, bigint>();
  private readonly fates = new Map<string, MadeUpFate & { gasCost: bigint }>();

  put(address: string, holding: string, amount: bigint): void {
    this.balances.set(`${holding} ${address}`, this.held(address, holding) + amount);
  }

  held(address: string, holding: string): bigint {
    return this.balances.get(`${holding} ${address}`) ?? 0n;
  }

  mineWithoutTransfer(id: string): void {
    const order = this.orders.find((each) => each.id === id)!;
    this.put(this.addressOf(order.key), NATIVE_HOLDING_KEY, -GAS_COST);
    this.without.add(hashOf(id));
    this.fates.set(id, { state: 'final', blockNumber: this.finalNumber, gasCost: GAS_COST });
  }

  hasMoved(hash: string): boolean {
    if (this.isTorn) throw new ChainUnavailable('sandbox', 'its endpoints show different receipts.');
    return !this.without.has(hash);
  }

  /**
   * Puts the order's transaction into the current final block with this outcome. A successful transaction moves its
   * amount.
   */
  mine(
    id: string,
    state: 'mined' | 'final' | 'reverted' | 'foreign' | 'cancelled',
    gasCost = GAS_COST,
  ): void {
    const before = this.fates.get(id);
    const order = this.orders.find((each) => each.id === id)!;
    const from = this.addressOf(order.key);
    if (before === undefined || before.blockNumber === null) {
      if (state !== 'foreign') this.put(from, NATIVE_HOLDING_KEY, -gasCost);
      if (state === 'mined' || state === 'final') {
        const { holding, to, amount } = decodeTransfer(order.call.data);
        this.put(from, holding, -amount);
        this.put(to, holding, amount);
      }
    }
    const blockNumber = state === 'foreign' ? null : this.finalNumber;
    this.fates.set(id, { state, blockNumber, gasCost });
  }

  addressOf(key: string): string {
    return `0x${Buffer.from(key + this.keysAre)
      .toString('hex')
      .padEnd(40, '0')
      .slice(-40)}`;
  }

  fateOf(id: string): OutboundTransactionStatus | null {
    if (!this.orders.some((order) => order.id === id)) return null;
    const fate = this.fates.get(id) ?? { state: 'broadcast', blockNumber: null, gasCost: 0n };
    const isMined = fate.blockNumber !== null;
    return {
      ...{ state: fate.state, nonce: 0, response: null, blockNumber: fate.blockNumber },
      transactionHash: isMined ? hashOf(id) : null,
      succeeded: isMined ? ['mined', 'final'].includes(fate.state) : null,
      gasCost: isMined ? fate.gasCost : null,
    };
  }

  readonly sender: OutboundTransactionSender = new MadeUpSender(this);
  readonly planning: TransferPlanning = new MadeUpPlanning(this);
  readonly reader = {
    head: async () => ({ head: blockHeader(this.finalNumber), finalNumber: this.finalNumber }),
    ...this.readerOfBalances(() => (address, holding) => this.held(address, holding)),
  } as unknown as ChainReader;
  readonly secondEndpoint = {
    isOnlyEndpoint: () => this.secondSays === null,
    isIndependent: () => this.secondSays !== null,
    ...this.readerOfBalances(() => this.secondSays!),
    blockHeader: async (number: number) => {
      const theirs = blockHeader(number);
      return { ...theirs, hash: this.secondForkHash ?? theirs.hash };
    },
  } as unknown as SecondEndpoint;

  private readerOfBalances(heldBy: () => (address: string, holding: string) => bigint) {
    return {
      blockHeader: async (number: number) => blockHeader(number),
      balances: async (_: string, addresses: readonly string[]) =>
        addresses.map((address) => heldBy()(address, NATIVE_HOLDING_KEY)),
      tokenBalances: async (_: string, token: string, addresses: readonly string[]) =>
        addresses.map((address) => (this.unreadable.has(token) ? null : heldBy()(address, token))),
    };
  }
}

export function hashOf(id: string): string {
  return `0x${id.replaceAll('-', '').padEnd(64, '0')}`;
}

function decodeTransfer(data: string) {
  const text = Buffer.from(data.slice(2), 'hex').toString();
  const { holding, to, amount } = JSON.parse(text) as Record<'holding' | 'to' | 'amount', string>;
  return { holding, to, amount: BigInt(amount) };
}

function blockHeader(number: number): BlockHeader {
  const hash = `0x${number.toString(16).padStart(64, '0')}`;
  return { number, hash, parentHash: hash, time: new Date(0) };
}

class MadeUpSender extends OutboundTransactionSender {
  constructor(private readonly chain: MadeUpChain) {
    super();
  }

  addressOf(_: string, key: string): string {
    if (this.chain.holdsKeys && !this.chain.unheld.has(key)) return this.chain.addressOf(key);
    throw new DomainError('conflict', 'state_conflict', 'There is no such key.');
  }

  async send(order: OutboundTransactionOrder): Promise<OutboundTransactionStatus> {
    const sent = this.chain.orders.find(({ id }) => id === order.id);
    if (sent === undefined)
      await this.chain.transaction(async () => {
        await order.alongside?.();
        this.chain.orders.push(order);
      });
    else if (sent.call.data !== order.call.data)
      throw new DomainError('conflict', 'state_conflict', 'Another call.');
    const { killedAfterSending } = this.chain;
    this.chain.killedAfterSending = null;
    if (killedAfterSending !== null) throw killedAfterSending;
    return this.chain.fateOf(order.id)!;
  }

  async findHold(): Promise<DomainError | null> {
    return this.chain.hold === null ? null : stateConflict(this.chain.hold);
  }

  /** The simulated sender broadcasts orders immediately, so no nonce can be released. */
  async release(): Promise<null> {
    return null;
  }

  async status(id: string): Promise<OutboundTransactionStatus | null> {
    return this.chain.fateOf(id);
  }
}

class MadeUpPlanning implements TransferPlanning {
  constructor(private readonly chain: MadeUpChain) {}

  encode({ token, symbol }: Pick<Asset, 'token' | 'symbol'>, to: string, amount: bigint) {
    const holding = token === symbol ? NATIVE_HOLDING_KEY : token;
    const data = `0x${Buffer.from(JSON.stringify({ holding, to, amount: amount.toString() })).toString('hex')}`;
    return { to, data, value: 0n };
  }

  async plan(
    from: string,
    { token, symbol }: Pick<Asset, 'token' | 'symbol'>,
    to: string,
    amount: bigint,
  ): Promise<PlannedTransfer> {
    const holding = token === symbol ? NATIVE_HOLDING_KEY : token;
    if (this.chain.held(from, holding) < amount)
      throw new TransferRefused('balance', 'The sender holds less.');
    if (this.chain.refused.has(to)) throw new TransferRefused('recipient', 'The recipient refuses it.');
    return { call: { ...this.encode({ token, symbol }, to, amount), gasLimit: 60_000n }, gasCost: GAS_COST };
  }

  decodePayment({ data }: { readonly data: string }): CallPayment | null {
    if (data === '0x') return null;
    const { holding, ...transfer } = decodeTransfer(data);
    return { token: holding === NATIVE_HOLDING_KEY ? null : holding, ...transfer };
  }

  async hasMovedFunds(transactionHash: string): Promise<boolean> {
    return this.chain.hasMoved(transactionHash);
  }
}
