import { randomInt } from 'node:crypto';
import type {
  AssembledTransaction,
  TransactionOutput,
} from '#chains/bitcoin/encoding/assemble-transaction.js';
import { LEAST_FEE_RATE } from './bitcoin-miner.js';
import { BitcoinRefusal, type BitcoinCall, type BitcoinRpc } from './bitcoin-rpc.js';
import type { Coin, WitnessKey } from './witness-key.js';

export interface SentPayment {
  /** Satoshi per virtual byte (default: enough for the sandbox's next block). */
  readonly feeRate?: number;
  /** The transaction to replace: the new one spends the same coins and pays a higher fee (BIP-125). */
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
/** Confirmations that a coinbase needs before it can be spent. */
const MATURE_AFTER = 100;
/** A smaller output is not worth its fee. */
const DUST = 546n;
/** Blocks read again for coins. Exceeds the deepest reorganization. */
const READ_AGAIN = 130;
const BLOCKS_AT_ONCE = 200;
/** Coins checked per batch when choosing. */
const LOOKED_AT = 40;
/** Virtual bytes. Witness bytes count a quarter. */
const FRAME_SIZE = 11;
const INPUT_SIZE = 69;

/** A wallet with one key. Finds its coins in the blocks of a node that has no wallet. */
export class BitcoinPayerWallet {
  /** Every mined output to the key, by txid:vout. The node knows which are unspent. */
  private readonly found = new Map<string, Coin>();
  private readTo = 0;
  /** Serializes payments, because concurrent payments could spend the same coin. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly rpc: BitcoinRpc,
    readonly key: WitnessKey,
  ) {}

  /** @throws BitcoinRefusal, or Error if the funds are insufficient */
  send(outputs: readonly TransactionOutput[], sending: SentPayment = {}): Promise<SentTransaction> {
    const sent = this.last.then(() => this.sendNow(outputs, sending));
    this.last = sent.catch(() => undefined);
    return sent;
  }

  /** In satoshi. */
  async balance(): Promise<bigint> {
    await this.findCoins();
    return sumOf(await this.spendable([...this.found.values()]));
  }

  /** Returns whether the node has the transaction, in its mempool or in a block. */
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
      // A replacement must also pay for its own relay (BIP-125).
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

  /** Chooses coins at random, because another process may spend from the same key. */
  private async choose(total: bigint, feeFor: (inputs: number) => bigint): Promise<Coin[]> {
    await this.findCoins();
    const rest = [...this.found.values()];
    const chosen: Coin[] = [];
    while (rest.length > 0) {
      const drawn = Array.from({ length: Math.min(LOOKED_AT, rest.length) }, () => {
        return rest.splice(randomInt(rest.length), 1)[0]!;
      });
      // The largest coins first, to need few inputs.
      const spendable = (await this.spendable(drawn)).sort((a, b) => (a.amount < b.amount ? 1 : -1));
      for (const coin of spendable) {
        chosen.push(coin);
        if (sumOf(chosen) >= total + feeFor(chosen.length)) return chosen;
      }
    }
    throw new Error(`The sandbox's Bitcoin wallet holds only ${sumOf(chosen)} satoshi that can be spent.`);
  }

  /** The coins that are mature and not spent, including by the mempool. */
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
        // A double represents every possible number of satoshi exactly.
        this.found.set(`${txid}:${n}`, { txid, vout: n, amount: BigInt(Math.round(value * 1e8)) });
      }
    }
  }
}

function sumOf(parts: readonly { readonly amount: bigint }[]): bigint {
  return parts.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Upper bound of the virtual size. */
function sizeOf(inputs: number, outputs: readonly { readonly script: string }[]): number {
  return (
    FRAME_SIZE + inputs * INPUT_SIZE + outputs.reduce((sum, { script }) => sum + 9 + script.length / 2, 0)
  );
}
