import type { DataSource } from 'typeorm';
import {
  createClient,
  encodeFunctionData,
  getAddress,
  http,
  parseUnits,
  toHex,
  type Address,
  type Hex,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import type { AssetDto } from '#contexts/networks/infrastructure/http/asset.dto.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { NATIVE_COIN, payerContractAddress } from '#sandbox/chain/payer-contract.js';
import { deployTestToken, testTokenAddress, TOKEN_ABI } from '#sandbox/chain/test-tokens.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { RpcProxy } from '../../support/rpc/rpc-proxy.js';
import { startTestService, type TestService } from '../../support/service.js';
import type { Tally } from './chain-tally.js';

/** An indexer would mistake this token for the real one. */
const LOOK_ALIKE = { symbol: 'USDC', name: 'Test USD Coin.', decimals: 6 };
const PLENTY = 10n ** 30n;
const PLENTY_NATIVE = 10n ** 24n;
const MNEMONIC = 'test test test test test test test test test test test junk';

export interface Coin {
  readonly symbol: string;
  readonly uniqueAssetId: string;
  /** A contract, or `NATIVE_COIN`. */
  readonly token: Address;
  readonly decimals: number;
  /** The least payment of it that may be asked for, in smallest units. */
  readonly minimum: bigint;
}

/** A request and where it is to be paid. */
export interface Issued {
  readonly id: string;
  /** In lower case. */
  readonly address: string;
  readonly coin: Coin;
  /** Smallest units. */
  readonly amount: bigint;
  /** Seconds since 1970: the last block timestamp that counts. */
  readonly countsUntil: number;
}

/** The sandbox's chain has the same. */
const GRACE_SECONDS = 60;

/** A service, of which only the API runs, with a chain that mines on demand and two endpoints before its node. */
export class ChainWorld {
  /** Every request that was issued in this world. */
  readonly issued: Issued[] = [];
  private code: readonly (readonly [Address, string])[] = [];

  private constructor(
    readonly service: TestService,
    readonly dataSource: DataSource,
    readonly endpoints: readonly RpcProxy[],
    readonly coins: readonly Coin[],
    readonly payers: readonly Hex[],
    readonly lookAlike: Address,
    readonly tally: Tally,
  ) {}

  static async open(tally: Tally): Promise<ChainWorld> {
    const service = await startTestService();
    await service.processes.worker.stop();
    const dataSource = createDataSource({
      databaseUrl: service.databaseUrl,
      poolSize: 6,
      applicationName: 'test',
      onPoolError: () => undefined,
    });
    await dataSource.initialize();
    const endpoints = [await RpcProxy.before(service.chain.url), await RpcProxy.before(service.chain.url)];
    const { data: listed } = await service.api.get<PageBody<AssetDto>>('/v1/assets?page=1&page_size=50');
    const minimumOf = (id: string) => listed.find((asset) => asset.unique_asset_id === id)!.minimum_amount;
    const coins = service.assets.map(({ symbol, unique_asset_id: uniqueAssetId, decimals }) => ({
      ...{ symbol, uniqueAssetId, decimals },
      token: tokenOf(uniqueAssetId),
      minimum: parseUnits(minimumOf(uniqueAssetId), decimals),
    }));
    const payers = await service.chain.rpc<Hex[]>('eth_accounts');
    const lookAlike = testTokenAddress(LOOK_ALIKE);
    const world = new ChainWorld(service, dataSource, endpoints, coins, payers, lookAlike, tally);
    await world.furnish();
    return world;
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    for (const endpoint of this.endpoints) {
      for (const [fault, times] of endpoint.misbehaved)
        this.tally.count(`faults that changed answers: ${fault}`, times);
      await endpoint.close();
    }
    await this.service.stop();
  }

  get native(): Coin {
    return this.coins.at(-1)!;
  }

  async issue(coin: Coin, amount: bigint): Promise<Issued> {
    const { posId, nativePosId } = this.service.seed;
    const pos = coin === this.native ? nativePosId! : posId;
    const request = await this.service.api.post<{ id: string; address: string; expires_at: string }>(
      `/v1/pos/${pos}/payment-request`,
      { amount: decimal(amount, coin.decimals), unique_asset_id: coin.uniqueAssetId },
    );
    const countsUntil = Date.parse(request.expires_at) / 1_000 + GRACE_SECONDS;
    const issued = { id: request.id, address: request.address.toLowerCase(), coin, amount, countsUntil };
    this.issued.push(issued);
    this.tally.count('requests');
    return issued;
  }

  /** Moves the service's clock forward to that second; never back. */
  async clockTo(second: number): Promise<void> {
    await this.service.query(
      'UPDATE platform.clock_offset SET value = GREATEST(value, to_timestamp($1) - clock_timestamp())',
      [second],
    );
  }

  /** The chain itself answers these balances, in smallest units. */
  async balances(of: readonly { address: string; coin: Coin }[]): Promise<bigint[]> {
    const calls = of.map(({ address, coin }) =>
      coin.token === NATIVE_COIN
        ? { method: 'eth_getBalance', params: [address, 'latest'] }
        : {
            method: 'eth_call',
            params: [{ to: coin.token, data: balanceOf(getAddress(address)) }, 'latest'],
          },
    );
    return (await this.batch<string>(calls)).map(BigInt);
  }

  /** The node forgets the contracts' code, and nothing else, of a state that it has put away on disk. */
  async restoreCode(): Promise<void> {
    const now = await this.batch<string>(this.code.map(([address]) => codeOf(address)));
    const lost = this.code.filter((_, at) => now[at] === '0x');
    await this.batch(lost.map((params) => ({ method: 'anvil_setCode', params })));
  }

  /** Straight to the node, in one message. */
  async batch<T>(calls: readonly { method: string; params: readonly unknown[] }[]): Promise<T[]> {
    if (calls.length === 0) return [];
    const response = await fetch(this.service.chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
    });
    const answers = (await response.json()) as { id: number; result: T; error?: object }[];
    const wrong = answers.find(({ error }) => error !== undefined);
    if (wrong !== undefined) throw new Error(`${calls[wrong.id]!.method}: ${JSON.stringify(wrong.error)}`);
    return answers.sort((a, b) => a.id - b.id).map(({ result }) => result);
  }

  /** Everybody who pays has enough of everything for all runs; from now on only `mine` brings blocks. */
  private async furnish(): Promise<void> {
    const { chain, wallet } = this.service;
    const client = createClient({ account: mnemonicToAccount(MNEMONIC), transport: http(chain.url) });
    await deployTestToken(client, LOOK_ALIKE);
    // Deploys the contract; of nothing to nobody it pays nothing.
    await wallet.mined(await wallet.sendFromContract([], 'pay'));
    const holders = [...this.payers, payerContractAddress()];
    for (const holder of holders) {
      await chain.rpc('anvil_setBalance', [holder, toHex(PLENTY_NATIVE)]);
      for (const token of [...this.coins.map((coin) => coin.token), this.lookAlike]) {
        if (token === NATIVE_COIN) continue;
        const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [holder, PLENTY] });
        await chain.rpc('eth_sendTransaction', [{ from: this.payers[0], to: token, data }]);
      }
    }
    await chain.rpc('evm_setAutomine', [false]);
    const contracts = [payerContractAddress(), this.lookAlike, ...this.coins.map(({ token }) => token)];
    const code = await this.batch<string>(contracts.map(codeOf));
    this.code = contracts
      .map((address, at) => [address, code[at]!] as const)
      .filter(([, has]) => has !== '0x');
  }
}

function balanceOf(address: Address): Hex {
  return encodeFunctionData({ abi: TOKEN_ABI, functionName: 'balanceOf', args: [address] });
}

const codeOf = (address: Address) => ({ method: 'eth_getCode', params: [address, 'latest'] });

function decimal(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
}
