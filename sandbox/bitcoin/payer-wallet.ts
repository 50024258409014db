import { randomInt } from 'node:crypto';
import type {
  AssembledTransaction,
  TransactionOutput,
} from '#chains/bitcoin/encoding/assemble-transaction.js';
import { LEAST_FEE_RATE } from './bitcoin-miner.js';
import { BitcoinRefusal, type BitcoinCall, type BitcoinRpc } from './bitcoin-rpc.js';
import type { Coin, WitnessKey } from './witness-key.js';

/** How a payment is sent. */
export interface SentPayment {
  /** Satoshi for each virtual byte; unless set, enough for the sandbox's next block. */
  readonly feeRate?: number;
  /** The transaction that it takes the place of: it spends the same coins and pays a higher fee (BIP-125). */
  readonly inPlaceOf?: SentTransaction;
}

export interface SentTransaction extends AssembledTransaction {
  readonly coins: readonly Coin[];
  readonly fee: bigint;
}

interface UnspentOutput {
  readonly confirmations: number;
  readonly coinbase: boolean;
}

interface DecodedTransaction {
  readonly txid: string;
  readonly vout: readonly {
    readonly n: number;
    readonly value: number;
    readonly scriptPubKey: { readonly hex: string };
  }[];
}

const NEXT_BLOCK = LEAST_FEE_RATE * 2;
/** A coinbase can be spent by a block so many after its own. */
const MATURE_AFTER = 100;
/** An output below it is not worth its fee. */
const DUST = 546n;
/** Deeper than a reorganisation goes: so many blocks are read once more. */
const READ_AGAIN = 130;
const BLOCKS_AT_ONCE = 200;
/** Coins that are looked at for one payment. */
const LOOKED_AT = 40;
/** Bytes of a transaction beside inputs and outputs, and of an input with its witness, a quarter of which counts. */
const FRAME_SIZE = 11;
const INPUT_SIZE = 69;

/** The sandbox's wallet on Bitcoin: one key, its coins found in the blocks of a node that has no wallet. */
export class BitcoinPayerWallet {
  /** Every output to the key that was in a block, by txid:vout. The node says which can be spent. */
  private readonly found = new Map<string, Coin>();
  private readTo = 0;
  /** Payments follow one another, or two would spend one coin. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly rpc: BitcoinRpc,
    readonly key: WitnessKey,
  ) {}

  /** Sends one transaction with these outputs. @throws BitcoinRefusal, Error where the coins do not suffice */
  send(outputs: readonly TransactionOutput[], sending: SentPayment = {}): Promise<SentTransaction> {
    const sent = this.last.then(() => this.sendNow(outputs, sending));
    this.last = sent.catch(() => undefined);
    return sent;
  }

  /** The sum of its coins, in satoshi. */
  async balance(): Promise<bigint> {
    await this.findCoins();
    return sumOf(await this.spendable([...this.found.values()]));
  }

  /** True where the node holds it, in its mempool or in a block. */
  async isHeld(txid: string): Promise<boolean> {
    return this.rpc.call('getrawtransaction', txid, 0).then(
      () => true,
      (error: unknown) => {
        if (error instanceof BitcoinRefusal) return false;
        throw error;
      },
    );
  }

  private async sendNow(
    outputs: readonly TransactionOutput[],
    sending: SentPayment,
  ): Promise<SentTransaction> {
    const { feeRate = NEXT_BLOCK, inPlaceOf } = sending;
    const total = sumOf(outputs);
    const feeFor = (inputs: number) => {
      const size = sizeOf(inputs, [...outputs, { script: this.key.script }]);
      const fee = BigInt(Math.ceil(feeRate * size));
      // A replacement pays for its own relay beside what it replaces.
      const least = inPlaceOf === undefined ? 0n : inPlaceOf.fee + BigInt(size);
      return fee > least ? fee : least;
    };
    const coins = inPlaceOf?.coins ?? (await this.choose(total, feeFor));
    const fee = feeFor(coins.length);
    const change = sumOf(coins) - total - fee;
    if (change < 0n) throw new Error('The coins of the replaced transaction are not enough for this one.');
    const kept = change >= DUST ? [{ script: this.key.script, amount: change }] : [];
    const transaction = this.key.spend(coins, [...outputs, ...kept]);
    await this.rpc.call('sendrawtransaction', transaction.bytes.toString('hex'));
    return { ...transaction, coins, fee: kept.length === 0 ? fee + change : fee };
  }

  /** Coins for the total and the fee, drawn by lot: another process may pay from the same key. */
  private async choose(total: bigint, feeFor: (inputs: number) => bigint): Promise<Coin[]> {
    await this.findCoins();
    const rest = [...this.found.values()];
    const chosen: Coin[] = [];
    while (rest.length > 0) {
      const drawn = Array.from({ length: Math.min(LOOKED_AT, rest.length) }, () => {
        return rest.splice(randomInt(rest.length), 1)[0]!;
      });
      // The largest first, so that inputs stay few.
      const spendable = (await this.spendable(drawn)).sort((a, b) => (a.amount < b.amount ? 1 : -1));
      for (const coin of spendable) {
        chosen.push(coin);
        if (sumOf(chosen) >= total + feeFor(chosen.length)) return chosen;
      }
    }
    throw new Error(`The sandbox's Bitcoin wallet holds only ${sumOf(chosen)} satoshi that can be spent.`);
  }

  /** The coins that are unspent, also in the mempool, and mature. */
  private async spendable(coins: readonly Coin[]): Promise<Coin[]> {
    if (coins.length === 0) return [];
    const unspent = await this.rpc.calls<UnspentOutput | null>(
      coins.map(({ txid, vout }): BitcoinCall => ['gettxout', txid, vout, false]),
    );
    const outpoints = coins.map(({ txid, vout }) => ({ txid, vout }));
    const spenders = await this.rpc.call<{ spendingtxid?: string }[]>('gettxspendingprevout', outpoints);
    return coins.filter((_, i) => {
      const output = unspent[i];
      if (!output || spenders[i]?.spendingtxid) return false;
      return !output.coinbase || output.confirmations > MATURE_AFTER;
    });
  }

  private async findCoins(): Promise<void> {
    const height = await this.rpc.call<number>('getblockcount');
    for (let from = Math.max(1, this.readTo - READ_AGAIN); from <= height; from += BLOCKS_AT_ONCE) {
      const heights = Array.from({ length: Math.min(BLOCKS_AT_ONCE, height - from + 1) }, (_, i) => from + i);
      const hashes = await this.rpc.calls<string>(heights.map((at) => ['getblockhash', at]));
      const blocks = await this.rpc.calls<string>(hashes.map((hash) => ['getblock', hash, 0]));
      const paying = hashes.filter((_, i) => blocks[i]!.includes(this.key.script));
      for (const { tx } of await this.rpc.calls<{ tx: string[] }>(
        paying.map((hash) => ['getblock', hash, 1]),
      ))
        await this.takeCoins(tx);
    }
    this.readTo = height;
  }

  private async takeCoins(txids: readonly string[]): Promise<void> {
    const transactions = await this.rpc.calls<DecodedTransaction>(
      txids.map((txid) => ['getrawtransaction', txid, 1]),
    );
    for (const { txid, vout } of transactions) {
      for (const { n, value, scriptPubKey } of vout) {
        if (scriptPubKey.hex !== this.key.script) continue;
        // A double holds every number of satoshi that there can be.
        this.found.set(`${txid}:${n}`, { txid, vout: n, amount: BigInt(Math.round(value * 1e8)) });
      }
    }
  }
}

function sumOf(parts: readonly { readonly amount: bigint }[]): bigint {
  return parts.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Virtual bytes at most. */
function sizeOf(inputs: number, outputs: readonly { readonly script: string }[]): number {
  return (
    FRAME_SIZE + inputs * INPUT_SIZE + outputs.reduce((sum, { script }) => sum + 9 + script.length / 2, 0)
  );
}
