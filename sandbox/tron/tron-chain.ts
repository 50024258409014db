import type { Hex } from 'viem';
import { AnvilBehind, codeEnergy, type Execution, type TronBlock } from './anvil-behind.js';
import { bandwidthOf, createdAddress, integer, type TronTransaction } from './tron-transaction.js';
import { ENERGY_PRICE, NEW_ACCOUNT_BANDWIDTH_FEE, NEW_ACCOUNT_FEE, TronResources } from './tron-resources.js';
import type { Inclusion, Mined } from './inclusion.js';
import { KeptTransactions } from './kept-transactions.js';
import type { Json } from './protobuf.js';
import { TransactionChecks, type Verdict, refusal } from './transaction-checks.js';

export interface TronChainOptions {
  readonly anvilUrl: string;
  /** Blocks above a block that make it solid. */
  readonly solidAfter?: number;
  /** Time between blocks, in seconds. */
  readonly blockSeconds?: number;
  /** Milliseconds since 1970 (default: real time). */
  readonly clock?: () => number;
  /** Where transactions are kept for the next start. Absent: they are not. */
  readonly keptFile?: string;
}

const TRANSFERRED: Execution = { succeeded: true, isExhausted: false, output: '0x', energy: 0, logs: [] };
const SOLID_AFTER = 19;
const BLOCK_SECONDS = 3;

/** A transaction that the next block includes. */
interface Sent {
  readonly transaction: TronTransaction;
  readonly hash: Hex | null;
  readonly energyLimit: number;
  readonly bandwidth: Inclusion['bandwidth'];
}

/**
 * A chain with TRON's rules for transactions, which anvil executes: ids, TaPoS, expiration, one inclusion, energy,
 * bandwidth and solid blocks. One wei of anvil is one sun.
 */
export class TronChain {
  readonly resources = new TronResources();
  /** Percent that contract calls use in addition (dynamic energy model). */
  penaltyPercent = 0;
  private readonly pending = new Map<string, TronTransaction>();
  private readonly included = new Map<string, Inclusion>();
  private readonly byAnvilHash = new Map<string, Inclusion>();
  /** Blocks with transactions, by number. */
  private readonly mined = new Map<number, Mined>();
  private readonly checks = new TransactionChecks(this);
  private last: Promise<unknown> = Promise.resolve();

  private readonly kept: KeptTransactions | undefined;

  private constructor(
    readonly anvil: AnvilBehind,
    private readonly options: TronChainOptions,
    private head: TronBlock,
  ) {
    this.kept = options.keptFile === undefined ? undefined : new KeptTransactions(options.keptFile);
  }

  static async open(options: TronChainOptions): Promise<TronChain> {
    const anvil = await AnvilBehind.open(options.anvilUrl);
    const chain = new TronChain(anvil, options, await anvil.block('latest'));
    for (const mined of (await chain.kept?.read(anvil)) ?? []) {
      chain.add(mined);
      chain.resources.restore(mined.resources);
    }
    return chain;
  }

  get newest(): TronBlock {
    return this.head;
  }

  get solidNumber(): number {
    return Math.max(0, this.head.number - (this.options.solidAfter ?? SOLID_AFTER));
  }

  get pendingTransactions(): readonly TronTransaction[] {
    return [...this.pending.values()];
  }

  pendingTransaction(id: string): TronTransaction | undefined {
    return this.pending.get(id);
  }

  inclusion(id: string): Inclusion | undefined {
    return this.included.get(id);
  }

  inclusionBehind(anvilHash: string): Inclusion | undefined {
    return this.byAnvilHash.get(anvilHash);
  }

  /** @returns undefined above the newest block */
  async block(number: number): Promise<TronBlock | undefined> {
    if (number > this.head.number) return undefined;
    return number === this.head.number ? this.head : this.anvil.block(number);
  }

  inclusionsOf({ number }: TronBlock): readonly Inclusion[] {
    return this.mined.get(number)?.inclusions ?? [];
  }

  /** Takes a transaction, possibly for the first block after its expiration: java-tron compares with the parent's time. */
  async broadcast(transaction: TronTransaction): Promise<Verdict> {
    if (this.pending.has(transaction.id))
      return refusal('DUP_TRANSACTION_ERROR', 'Transaction already exists.');
    const verdict = await this.checks.on(transaction, this.head.timestamp);
    if (verdict.code === 'SUCCESS') this.pending.set(transaction.id, transaction);
    return verdict;
  }

  mine(): Promise<TronBlock> {
    return this.inTurn(() => this.mineNext());
  }

  /**
   * Replaces the newest blocks. Their transactions are dropped, or executed again at the same heights if they are still
   * valid there.
   * @throws RangeError for a block that is solid
   */
  reorganize(depth: number, keep: boolean): Promise<{ changed: number[]; dropped: string[] }> {
    return this.inTurn(async () => {
      const first = this.head.number - depth + 1;
      if (first <= this.solidNumber) {
        const most = this.head.number - this.solidNumber;
        throw new RangeError(`Only the newest ${most} blocks can be replaced, because older ones are solid.`);
      }
      const replaced = new Map([...this.mined].filter(([number]) => number >= first));
      await this.rollBackTo(first - 1, [...replaced.values()]);
      for (let number = first; number < first + depth; number += 1) {
        for (const { transaction } of (keep && replaced.get(number)?.inclusions) || []) {
          const { code } = await this.checks.on(transaction, this.head.timestamp);
          if (code === 'SUCCESS') this.pending.set(transaction.id, transaction);
        }
        await this.mineNext();
      }
      const dropped = [...replaced.values()].flatMap(({ inclusions }) =>
        inclusions.map(({ transaction }) => transaction.id).filter((id) => !this.included.has(id)),
      );
      return { changed: Array.from({ length: depth }, (_, i) => first + i), dropped };
    });
  }

  private async mineNext(): Promise<TronBlock> {
    const { blockSeconds = BLOCK_SECONDS, clock = Date.now } = this.options;
    const slot = this.head.timestamp + blockSeconds * 1_000;
    const timestamp = Math.max(slot, Math.floor(clock() / 1_000) * 1_000);
    const sent: Sent[] = [];
    // An attempt that failed may have left some behind.
    await this.anvil.rpc('anvil_dropAllTransactions');
    for (const transaction of await this.choose()) {
      const each = await this.send(transaction, timestamp).catch(() => null);
      // A transaction that anvil refuses must not stop the chain.
      if (each === null) this.pending.delete(transaction.id);
      else sent.push(each);
    }
    const block = await this.anvil.mine(timestamp);
    const inclusions: Inclusion[] = [];
    for (const [index, each] of sent.entries()) {
      inclusions.push(await this.include(each, block, index));
      this.pending.delete(each.transaction.id);
    }
    if (inclusions.length > 0) {
      const mined = { block, inclusions, resources: this.resources.snapshot() };
      this.add(mined);
      this.kept?.add(mined);
    }
    this.head = block;
    return block;
  }

  private add(mined: Mined): void {
    this.mined.set(mined.block.number, mined);
    for (const each of mined.inclusions) {
      this.included.set(each.transaction.id, each);
      if (each.anvilHash !== null) this.byAnvilHash.set(each.anvilHash, each);
    }
  }

  /** Drops what is no longer valid. An owner's later transactions wait if its balance may not cover all of them. */
  private async choose(): Promise<TronTransaction[]> {
    const promised = new Map<string, number>();
    const chosen: TronTransaction[] = [];
    for (const transaction of this.pending.values()) {
      const { code } = await this.checks.on(transaction, this.head.timestamp);
      if (code !== 'SUCCESS') {
        this.pending.delete(transaction.id);
        continue;
      }
      const { owner, contract, rawData } = transaction;
      const before = promised.get(owner) ?? 0;
      const most =
        before +
        [rawData['fee_limit'], contract['amount'], contract['call_value']].reduce<number>(
          (sum, sun) => sum + integer(sun),
          0,
        );
      if (before > 0 && most > (await this.anvil.balance(owner))) continue;
      promised.set(owner, most);
      chosen.push(transaction);
    }
    return chosen;
  }

  /** java-tron's `getAccountEnergyLimitWithFixRatio`: `fee_limit` bounds staked energy too. */
  private async energyLimitOf(
    transaction: TronTransaction,
    bandwidthFee: number,
    now: number,
  ): Promise<number> {
    const { owner, contract, rawData } = transaction;
    const free = Math.max(
      0,
      (await this.anvil.balance(owner)) - bandwidthFee - integer(contract['call_value']),
    );
    const available = this.resources.leftEnergy(owner, now) + Math.floor(free / ENERGY_PRICE);
    return Math.min(available, Math.floor(integer(rawData['fee_limit']) / ENERGY_PRICE));
  }

  private async send(transaction: TronTransaction, now: number): Promise<Sent> {
    const { type, contract, owner } = transaction;
    const bandwidth = this.resources.bandwidthCost(owner, bandwidthOf(transaction), now);
    this.resources.use(owner, { energy: 0, bandwidth: bandwidth.usage }, now);
    if (type === 'TransferContract') return { transaction, bandwidth, hash: null, energyLimit: 0 };
    const energyLimit = await this.energyLimitOf(transaction, bandwidth.fee, now);
    const energy = Math.floor((energyLimit * 100) / (100 + this.penaltyPercent));
    const value = integer(contract['call_value']);
    let call = {
      from: owner,
      to: String(contract['contract_address']),
      value,
      data: hexOf(contract['data']),
    };
    if (type === 'CreateSmartContract') {
      // Runs the creation code at the new contract's address, which anvil would not give it.
      const { bytecode, call_value } = contract['new_contract'] as Json;
      call = { from: owner, to: createdAddress(transaction), value: integer(call_value), data: '0x' };
      await this.anvil.putCode(call.to, hexOf(bytecode));
    }
    const hash = await this.anvil.send(call, energy);
    return { transaction, bandwidth, hash, energyLimit };
  }

  /** @returns sun to create the recipient's account */
  private async transfer(from: string, to: string, sun: number): Promise<number> {
    const held = await this.anvil.balance(to);
    const isNew = held === 0 && (await this.anvil.code(to)) === '0x';
    await this.anvil.setBalance(from, (await this.anvil.balance(from)) - sun);
    await this.anvil.setBalance(to, held + sun);
    return isNew ? NEW_ACCOUNT_FEE + NEW_ACCOUNT_BANDWIDTH_FEE : 0;
  }

  /** Changes balances and code after the block, to which they belong: anvil keeps a block's state when it mines the next one. */
  private async include(
    { transaction, hash, energyLimit, bandwidth }: Sent,
    block: TronBlock,
    index: number,
  ): Promise<Inclusion> {
    const { owner, type, contract } = transaction;
    const execution = hash === null ? TRANSFERRED : await this.anvil.executionOf(hash);
    const { succeeded, isExhausted, output } = execution;
    let used = execution.energy;
    if (type === 'CreateSmartContract') {
      if (succeeded) used += codeEnergy(output);
      await this.anvil.putCode(createdAddress(transaction), succeeded ? output : '0x');
    }
    const penalty = isExhausted ? 0 : Math.floor((used * this.penaltyPercent) / 100);
    const total = isExhausted ? energyLimit : Math.min(energyLimit, used + penalty);
    const usage = Math.min(total, this.resources.leftEnergy(owner, block.timestamp));
    this.resources.use(owner, { energy: usage, bandwidth: 0 }, block.timestamp);
    const energyFee = (total - usage) * ENERGY_PRICE;
    const accountFee =
      hash === null
        ? await this.transfer(owner, String(contract['to_address']), integer(contract['amount']))
        : 0;
    const fee = energyFee + bandwidth.fee + accountFee;
    await this.anvil.setBalance(owner, Math.max(0, (await this.anvil.balance(owner)) - fee));
    return {
      ...{ transaction, block, index, bandwidth, execution, anvilHash: hash },
      result: succeeded ? 'SUCCESS' : isExhausted ? 'OUT_OF_ENERGY' : 'REVERT',
      energy: { usage, fee: energyFee, penalty },
      fee,
    };
  }

  private async rollBackTo(number: number, replaced: readonly Mined[]): Promise<void> {
    await this.anvil.rollBack(this.head.number - number);
    for (const { block } of replaced) this.mined.delete(block.number);
    this.resources.restore([...this.mined.values()].at(-1)?.resources ?? new Map());
    this.kept?.replace(this.mined.values());
    for (const { transaction, anvilHash } of replaced.flatMap(({ inclusions }) => inclusions)) {
      this.included.delete(transaction.id);
      if (anvilHash !== null) this.byAnvilHash.delete(anvilHash);
    }
    this.head = await this.anvil.block('latest');
    // A contract's creation code was put in place before its block.
    for (const { transaction } of replaced.flatMap(({ inclusions }) => inclusions))
      if (transaction.type === 'CreateSmartContract')
        await this.anvil.putCode(createdAddress(transaction), '0x');
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }
}

function hexOf(digits: unknown): Hex {
  return `0x${String(digits ?? '')}`;
}
