import type { BitcoinRpc } from '#sandbox/bitcoin/bitcoin-rpc.js';
import type { SandboxBitcoin } from '#sandbox/bitcoin/sandbox-bitcoin.js';
import { WitnessKey, type Coin } from '#sandbox/bitcoin/witness-key.js';
import type { AssembledTransaction, TransactionOutput } from '#shared/bitcoin/assemble-transaction.js';
import type { Made } from './bitcoin-model.js';
import type { Replacement } from './bitcoin-plan.js';

/** An output of a payment; the one of no request is a stranger's. */
export interface Paying {
  readonly request: string | null;
  readonly script: string;
  readonly amount: bigint;
}

/** A transaction of a payer, with what the model is to know of it. */
export interface Payment extends AssembledTransaction {
  readonly coin: Coin;
  readonly outputs: readonly Paying[];
  readonly fee: bigint;
}

const COIN = 90_000_000n;
/** Outputs of one transaction that a node passes on. */
const AT_ONCE = 500;
/** Deeper than reorganisations go. */
const BURIED_BY = 14;
const FEE = 2_000n;

/** Payers whose coins are as many as wanted, each spent once unless its payment is replaced. */
export class BitcoinPayers {
  readonly stranger = new WitnessKey(`0x${'33'.repeat(32)}`).script;
  private readonly key = new WitnessKey(`0x${'22'.repeat(32)}`);
  private readonly coins: Coin[] = [];

  constructor(private readonly bitcoin: SandboxBitcoin) {}

  private get rpc(): BitcoinRpc {
    return this.bitcoin.rpc;
  }

  /** Has so many coins in the chain, below all that is reorganised. */
  async prepare(count: number, time: Date): Promise<void> {
    if (this.coins.length >= count) return;
    const outputs = Array.from({ length: AT_ONCE }, () => ({ script: this.key.script, amount: COIN }));
    while (this.coins.length < count) {
      const { txid } = await this.bitcoin.wallet.send(outputs);
      outputs.forEach(({ amount }, vout) => this.coins.push({ txid, vout, amount }));
      await this.bitcoin.miner.mine({ take: 'due', time });
    }
    await this.bitcoin.miner.mine({ blocks: BURIED_BY, take: 'nothing', time });
  }

  /** @param inPlaceOf the payment whose coin it spends, for a higher fee */
  pay(outputs: readonly Paying[], inPlaceOf?: Payment): Payment {
    const coin = inPlaceOf?.coin ?? this.coins.pop();
    if (coin === undefined) throw new Error('The payers have no coin left.');
    const fee = FEE + 2n * (inPlaceOf?.fee ?? 0n);
    const change = coin.amount - fee - outputs.reduce((sum, { amount }) => sum + amount, 0n);
    const all: TransactionOutput[] = [...outputs, { script: this.key.script, amount: change }];
    return { ...this.key.spend([coin], all), coin, outputs, fee };
  }

  async broadcast(payments: readonly Payment[]): Promise<void> {
    await this.rpc.calls(payments.map(({ bytes }) => ['sendrawtransaction', bytes.toString('hex')]));
  }
}

export function madeAt({ txid, coin, outputs }: Payment, sentAt: number): Made {
  const pays = outputs.flatMap(({ request, amount }) => (request === null ? [] : { request, amount }));
  return { txid, spends: [`${coin.txid}:${coin.vout}`], pays, sentAt };
}

/** The outputs of what replaces a payment. @param stranger the script of somebody without a request */
export function replacing(outputs: readonly Paying[], by: Replacement, stranger: string): Paying[] {
  const [first, ...others] = outputs as [Paying, ...Paying[]];
  if (by === 'less' && first.amount > 1n) return [{ ...first, amount: first.amount - 1n }, ...others];
  if (by === 'more') return [{ ...first, amount: first.amount + 1n }, ...others];
  return by.startsWith('elsewhere')
    ? [{ request: null, script: stranger, amount: first.amount }]
    : [...outputs];
}
