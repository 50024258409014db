import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  BITCOIN_NETWORK,
  BITCOIN_TERMS,
  bitcoinNetworkConfiguration,
} from '#sandbox/bitcoin/bitcoin-network.js';
import { scriptOf } from '#sandbox/bitcoin/witness-key.js';
import type {
  CheckoutDto,
  PublicCheckoutDto,
} from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { Verdict } from '#app/verify-invariants.js';
import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import { TestBtcd } from '../../support/btcd.js';
import { copyShop } from '../../support/copied-shop.js';
import { eventually } from '../../support/eventually.js';
import { MOVED_CLOCK } from '../../support/partial-worlds.js';
import { RateServer } from '../../support/rate-server.js';
import { startTestService, type TestService } from '../../support/service.js';
import type { AskedFor, ChainBlock } from './bitcoin-model.js';
import { BitcoinPayers } from './bitcoin-payers.js';
import type { Plan } from './bitcoin-plan.js';

export interface OpenRequest extends AskedFor {
  readonly script: string;
}

/** The part of a request that a payer is shown. */
type Shown = Pick<PaymentRequestDto, 'id' | 'address' | 'amount' | 'expires_at'>;

const BTC = `n${BITCOIN_NETWORK}_tBTC`;
const DECIMALS = 8;
const GRACE_SECONDS = 300;
/** Each deeper than a reorganisation goes: what is final stays. */
const DEPTHS = [
  { up_to: '0.01', confirmations: 11 },
  { up_to: '0.1', confirmations: 12 },
  { confirmations: 14 },
];
/** No block may be dated further ahead of real time. */
const MOST_AHEAD_MS = 108 * 60_000;
/** A turn of the worker; a busy machine may take minutes. */
const FOLLOWED_WITHIN_MS = 300_000;
const CREATED_AT_ONCE = 6;
/** Whole dollars that cost so many satoshi, at a price of 100,000. */
const SATOSHI_OF_A_DOLLAR = 1_000n;

/** A service beside btcd, whose clocks are moved together. */
export class BitcoinWorld {
  private constructor(
    readonly node: TestBtcd,
    readonly service: TestService,
    readonly payers: BitcoinPayers,
    private readonly rates: RateServer,
    private readonly shops: { readonly alone: string; readonly choosing: string },
  ) {}

  static async start(): Promise<BitcoinWorld> {
    const [node, rates] = await Promise.all([TestBtcd.start(), RateServer.listen()]);
    rates.set('BTC', 'USD', { kraken: '100000', coinbase: '100000' });
    const {
      assets: [asset],
      ...network
    } = bitcoinNetworkConfiguration(node.url, 10) as { assets: object[] };
    const assets = [{ ...asset, confirmations_by_amount: DEPTHS }];
    const moreNetworks = [{ ...network, inclusion_grace_seconds: GRACE_SECONDS, assets }];
    const service = await startTestService({ settings: rates.settings, moreNetworks });
    const { organizationId } = service.seed;
    const terms = ['--organization', organizationId, '--descriptor', BITCOIN_TERMS.descriptor];
    await operator(service, 'descriptor', 'set', ...terms, '--network', BITCOIN_NETWORK, '--yes');
    const usdc = service.assets.find(({ symbol }) => symbol === 'USDC')!.unique_asset_id;
    const shops = {
      alone: await copyShop(service, { payment_options: [BTC] }),
      choosing: await copyShop(service, { payment_options: [BTC, usdc] }),
    };
    return new BitcoinWorld(node, service, new BitcoinPayers(node.bitcoin), rates, shops);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.rates.close();
    await this.node.end();
  }

  /** The service's clock. */
  async now(): Promise<Date> {
    const [row] = await this.service.query<{ now: Date }>('SELECT platform.now() AS now');
    return row!.now;
  }

  /** True where the clock can be moved on so far. */
  async hasTimeFor(ms: number): Promise<boolean> {
    return (await this.now()).getTime() + ms <= Date.now() + MOST_AHEAD_MS;
  }

  /** Moves the service's clock to that time, unless it is later. */
  async passTo(time: number): Promise<void> {
    const seconds = Math.ceil((time - (await this.now()).getTime()) / 1_000);
    if (seconds > 0) await this.service.advance(seconds);
  }

  /** Waits until the service has read all blocks and the whole mempool of now. @returns its clock then */
  async followed(): Promise<number> {
    const { hash } = await this.node.bitcoin.miner.tip();
    const since = await this.now();
    await eventually(
      () =>
        this.service.query<{ head: string; pending: Date | null }>(
          'SELECT head_hash AS head, pending_read_at AS pending FROM payments.chain_cursors WHERE network = $1',
          [BITCOIN_NETWORK],
        ),
      ([cursor]) => cursor !== undefined && cursor.head === hash && cursor.pending! >= since,
      FOLLOWED_WITHIN_MS,
    );
    return (await this.now()).getTime();
  }

  async create(plans: readonly Plan[]): Promise<OpenRequest[]> {
    const requests: OpenRequest[] = [];
    for (let from = 0; from < plans.length; from += CREATED_AT_ONCE)
      requests.push(
        ...(await Promise.all(plans.slice(from, from + CREATED_AT_ONCE).map((plan) => this.ask(plan)))),
      );
    return requests;
  }

  private async ask({ asked, chooses }: Plan): Promise<OpenRequest> {
    const { alone, choosing } = this.shops;
    const body = { amount: formatAmount(asked, DECIMALS), unique_asset_id: BTC };
    const { id, address, amount, expires_at } = chooses
      ? await this.choose(choosing, asked)
      : await this.service.api.post<Shown>(`/v1/pos/${alone}/payment-request`, body);
    return {
      id,
      amount: BigInt(parseAmount(amount, DECIMALS)),
      expiresAt: Date.parse(expires_at),
      graceMs: GRACE_SECONDS * 1_000,
      script: scriptOf(address)!,
    };
  }

  private async choose(shop: string, asked: bigint): Promise<Shown> {
    const { api } = this.service;
    const body = { amount: String(asked / SATOSHI_OF_A_DOLLAR), coin_code: 'USD' };
    const chosen = async (): Promise<Shown> => {
      const { session_id } = await api.post<CheckoutDto>(`/v1/pos/${shop}/payment-request-checkout`, body);
      const asset = { unique_asset_id: BTC };
      const path = `/public/checkout/${session_id}/select-asset`;
      const { id, expires_at, selected } = await api.post<PublicCheckoutDto>(path, asset);
      return { id, expires_at, ...selected! };
    };
    // After the clock was moved, prices are too old until they are asked for again.
    const made = await eventually(
      () => chosen().catch(({ message }: Error) => ({ message })),
      (answer) => 'address' in answer,
    );
    return made as Shown;
  }

  /** The blocks of the best chain from that height on, as the node has them. */
  async blocksFrom(height: number): Promise<ChainBlock[]> {
    const { rpc, miner } = this.node.bitcoin;
    const count = Math.max(0, (await miner.tip()).height - height + 1);
    const heights = Array.from({ length: count }, (_, i) => height + i);
    const hashes = await rpc.calls<string>(heights.map((at) => ['getblockhash', at]));
    const blocks = await rpc.calls<{ tx: string[]; time: number }>(
      hashes.map((hash) => ['getblock', hash, 1]),
    );
    return blocks.map(({ tx, time }, i) => ({ height: heights[i]!, stamp: time * 1_000, txids: tx }));
  }

  /** @returns invariants that are broken, also by what is on the chain; that the clock was moved is none */
  async broken(): Promise<Verdict[]> {
    const { broken } = await operator<{ broken: Verdict[] }>(this.service, 'verify', '--chain', '--all');
    return broken.filter(({ name }) => !MOVED_CLOCK.includes(name));
  }
}

/** @returns the answer of the command, also where it has found something wrong */
async function operator<T>({ environment }: TestService, ...words: string[]): Promise<T> {
  const args = [join(process.cwd(), 'dist', 'cli.js'), ...words, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment }).catch(
    (error: Error & { readonly stdout: string }) => {
      if (error.stdout === '') throw error;
      return error;
    },
  );
  return JSON.parse(stdout) as T;
}
