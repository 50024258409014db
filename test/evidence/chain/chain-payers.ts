import { encodeFunctionData, toHex, type Address, type Hex } from 'viem';
import {
  encodePayerCall,
  NATIVE_COIN,
  nativeValueOf,
  payerContractAddress,
  type ChainPayment,
  type PayerContractCall,
} from '#sandbox/chain/payer-contract.js';
import { TOKEN_ABI } from '#sandbox/chain/test-tokens.js';
import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import type { ChainWorld, Coin, Issued } from './chain-world.js';

/** A transaction brings this to an address of ours once it is in a block. */
export interface Effect {
  /** `internal`: native value inside a contract call. */
  readonly kind: 'log' | 'call' | 'internal';
  readonly coin: Coin;
  readonly to: string;
  readonly amount: bigint;
}

export interface Sent {
  readonly hash: Hex;
  readonly from: Hex;
  /** Signed, to be sent again. */
  readonly raw: Hex;
  readonly effects: readonly Effect[];
}

interface Call {
  readonly to: Address;
  readonly value?: bigint;
  readonly data?: Hex;
}

/** Enough that a transaction fits into a block of a reorganised chain too, whatever its base fee has become. */
const FEES = {
  maxFeePerGas: toHex(10n ** 12n),
  maxPriorityFeePerGas: toHex(10n ** 9n),
  gas: toHex(1_500_000),
};
const MAX_IN_ONE = 4;

/** Sends what payers send, and knows what each transaction does. */
export class Payers {
  readonly sent = new Map<string, Sent>();

  constructor(
    private readonly world: ChainWorld,
    private readonly random: SeededRandom,
  ) {}

  /** One transaction, of a manner drawn, that waits in the node's pool. @param missing of what was asked for */
  async pay(request: Issued, missing: bigint, others: readonly Issued[]): Promise<void> {
    const { coin } = request;
    const amount = this.amount(request, missing);
    const manner = this.random.whole(1, 100);
    if (manner <= 45) return this.direct('direct', request, coin, amount);
    if (manner <= 65) return this.byContract('from a contract', 'pay', [{ request, coin, amount }]);
    if (manner <= 77) return this.byContract('several in one', 'pay', this.several(request, amount, others));
    if (manner <= 84)
      return this.direct('wrong asset', request, this.other(coin), this.some(this.other(coin)));
    if (manner <= 88) return this.wrongInside(request);
    if (manner <= 90) return this.direct('dust', request, coin, 1n);
    if (manner <= 92) return this.direct('zero', request, coin, 0n);
    if (manner <= 94) return this.lookAlike(request);
    if (manner <= 96) return this.byContract('reverted', 'payAndRevert', [{ request, coin, amount }]);
    if (manner <= 98) return this.byContract('undone inside', 'tryPayAndRevert', [{ request, coin, amount }]);
    return this.minted(request, amount);
  }

  /** Exactly that, by a plain transaction or a contract. */
  async payExactly(request: Issued, amount: bigint): Promise<void> {
    const { coin } = request;
    if (this.random.chance(0.6)) return this.direct('direct', request, coin, amount);
    return this.byContract('from a contract', 'pay', [{ request, coin, amount }]);
  }

  /** Some transactions that a reorganisation has thrown out, again. */
  async sendAgain(some: readonly Sent[]): Promise<void> {
    for (const { raw } of some) await this.world.service.chain.rpc('eth_sendRawTransaction', [raw]);
  }

  /** Wallets try again after some time; what an account has sent since may have taken its place. */
  async tryAgain(some: readonly Sent[]): Promise<void> {
    for (const { raw } of some)
      await this.world.service.chain.rpc('eth_sendRawTransaction', [raw]).catch(() => undefined);
  }

  /** An account's transactions come in its own order: what follows one that is dropped is dropped too. */
  keepSome(out: readonly Sent[]): { kept: Sent[]; dropped: Sent[] } {
    const share = [0, 1, 1, this.random.next()][this.random.whole(0, 3)]!;
    const broken = new Set<Hex>();
    const [kept, dropped]: [Sent[], Sent[]] = [[], []];
    for (const sent of out) {
      if (this.random.next() >= share) broken.add(sent.from);
      (broken.has(sent.from) ? dropped : kept).push(sent);
    }
    return { kept, dropped };
  }

  private amount({ amount, coin }: Issued, missing: bigint): bigint {
    const draw = this.random.whole(1, 10);
    if (draw <= 5 && missing > 0n) return missing;
    if (draw <= 8) return (amount * BigInt(this.random.whole(10, 70))) / 100n;
    return draw === 9 ? amount + 1n : amount + this.some(coin);
  }

  /** One in ten is below any minimum. */
  private some({ decimals }: Coin): bigint {
    const thousandths = this.random.whole(1, 5_000);
    return BigInt(thousandths) * (thousandths <= 500 ? 1n : 10n ** BigInt(decimals - 3));
  }

  private other(coin: Coin): Coin {
    const others = this.world.coins.filter((each) => each !== coin);
    return others[this.random.whole(0, others.length - 1)]!;
  }

  private several(request: Issued, amount: bigint, others: readonly Issued[]) {
    const list = [{ request, coin: request.coin, amount }];
    for (let more = this.random.whole(1, MAX_IN_ONE - 1); more > 0; more -= 1) {
      const to = this.random.chance(0.4) ? request : others[this.random.whole(0, others.length - 1)]!;
      list.push({ request: to, coin: to.coin, amount: this.some(to.coin) });
    }
    return list;
  }

  /** Native value inside a call, where tokens were asked for: only a comparison of balances finds it. */
  private wrongInside(request: Issued): Promise<void> {
    const coin = request.coin === this.world.native ? this.other(request.coin) : this.world.native;
    return this.byContract('wrong asset from a contract', 'pay', [
      { request, coin, amount: this.some(coin) },
    ]);
  }

  private direct(manner: string, { address }: Issued, coin: Coin, amount: bigint): Promise<void> {
    const to = address as Address;
    const effect: Effect = { kind: coin.token === NATIVE_COIN ? 'call' : 'log', coin, to: address, amount };
    const call = coin.token === NATIVE_COIN ? { to, value: amount } : transfer(coin.token, to, amount);
    return this.send(manner, call, [effect]);
  }

  private lookAlike({ address }: Issued): Promise<void> {
    return this.send('look-alike', transfer(this.world.lookAlike, address as Address, 10n ** 9n), []);
  }

  /** Out of nothing, as a bridge pays. */
  private minted(request: Issued, amount: bigint): Promise<void> {
    const { coin, address: to } = request;
    if (coin.token === NATIVE_COIN) return this.direct('direct', request, coin, amount);
    const args = [to as Address, amount] as const;
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args });
    return this.send('minted', { to: coin.token, data }, [{ kind: 'log', coin, to, amount }]);
  }

  private byContract(
    manner: string,
    call: PayerContractCall,
    list: readonly { request: Issued; coin: Coin; amount: bigint }[],
  ): Promise<void> {
    const payments: ChainPayment[] = list.map(({ request, coin, amount }) => ({
      token: coin.token,
      to: request.address as Address,
      amount,
    }));
    const effects = list.map(({ request, coin, amount }): Effect => {
      return { kind: coin.token === NATIVE_COIN ? 'internal' : 'log', coin, to: request.address, amount };
    });
    const value = this.random.chance(0.5) ? nativeValueOf(payments) : 0n;
    const to = payerContractAddress();
    return this.send(
      manner,
      { to, value, data: encodePayerCall(call, payments) },
      call === 'pay' ? effects : [],
    );
  }

  private async send(
    manner: string,
    { to, value = 0n, data }: Call,
    effects: readonly Effect[],
  ): Promise<void> {
    this.world.tally.count('transactions');
    this.world.tally.count(`payments: ${manner}`);
    const { rpc } = this.world.service.chain;
    const from = this.world.payers[this.random.whole(0, this.world.payers.length - 1)]!;
    const transaction = { from, to, value: toHex(value), ...(data && { data }), ...FEES };
    const hash = await rpc<Hex>('eth_sendTransaction', [transaction]);
    const raw = await rpc<Hex>('eth_getRawTransactionByHash', [hash]);
    this.sent.set(hash, { hash, from, raw, effects: effects.filter(({ amount }) => amount > 0n) });
  }
}

function transfer(to: Address, receiver: Address, amount: bigint): Call {
  const args = [receiver, amount] as const;
  return { to, data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args }) };
}
