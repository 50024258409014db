import { encodeAbiParameters, type Hex } from 'viem';
import { compile } from '../../../solidity/build.mjs';
import type { Artifact } from '../../../solidity/test/support/forwarders.js';
import { SANDBOX_TERMS } from '#sandbox/chain/sandbox-chain.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '../../support/eventually.js';
import { type PayableRequest, SettledWorld } from '../settled-world.js';

/** More than the confirmations of the sandbox's network. */
const FINAL_AFTER = 6;
/** Where the code of the hostile token is kept as it was. */
const ORIGINAL = `0x${'0c'.repeat(20)}`;

/** Deposit addresses that are paid the same each round. */
export interface Payees {
  readonly name: string;
  readonly symbol: string;
  readonly amount: string;
  readonly units: bigint;
  readonly requests: readonly PayableRequest[];
}

/** The outcome of one kind of payees in one round. */
export interface RoundOf {
  readonly payouts: number;
  /** So many of these brought money. */
  readonly paid: number;
  readonly batches: number;
  readonly gas: bigint;
}

interface BatchRow {
  readonly hash: Hex;
  readonly address: string;
  readonly isPaid: boolean;
}

/** A service that settles, with payees of whom some do harm, round by round. */
export class ReceiversWorld {
  private readonly seen = new Set<string>();

  private constructor(readonly settled: SettledWorld) {}

  static async open(): Promise<ReceiversWorld> {
    const policy = { every_seconds: 0.2, max_gas_share_percent: 100, after_hours: 0 };
    return new ReceiversWorld(await SettledWorld.open(policy));
  }

  close = () => this.settled.close();

  /** @param ends where the money and the fee of these go, other than the sandbox's */
  async payees(
    name: string,
    symbol: 'USDC' | 'DAI' | 'ETH',
    count: number,
    ends: Partial<typeof SANDBOX_TERMS> = {},
  ): Promise<Payees> {
    await this.settled.setFee(50n, ends);
    const asset = this.settled.asset(symbol);
    const amount = symbol === 'ETH' ? '0.5' : '500';
    const units = (BigInt(Number(amount) * 10) * 10n ** BigInt(asset.decimals)) / 10n;
    return { name, symbol, amount, units, requests: await this.settled.request(asset, count, amount) };
  }

  /** @returns its address */
  async deploy(contract: 'TwoFacedRecipient' | 'RefusingRecipient' | 'TwoFacedToken', ...args: string[]) {
    const compiled = compile(['test/contracts/TwoFaced.sol']) as Record<string, Artifact>;
    const given = encodeAbiParameters(
      args.map(() => ({ type: 'address' })),
      args,
    );
    const { rpc } = this.settled.service.chain;
    const [from] = await rpc<Hex[]>('eth_accounts');
    const data = `${compiled[contract]!.bytecode}${given.slice(2)}`;
    const hash = await rpc('eth_sendTransaction', [{ from, data, gas: '0x1e8480' }]);
    const receipt = await eventually(
      () => rpc<{ contractAddress: Hex } | null>('eth_getTransactionReceipt', [hash]),
      (found) => found !== null,
    );
    return receipt!.contractAddress;
  }

  /** The token burns the gas of payouts from now on. Its balances stay. */
  async turnHostile(symbol: string): Promise<void> {
    const { rpc } = this.settled.service.chain;
    const token = tokenOf(this.settled.asset(symbol).unique_asset_id);
    await rpc('anvil_setCode', [ORIGINAL, await rpc('eth_getCode', [token, 'latest'])]);
    const hostile = await this.deploy('TwoFacedToken', ORIGINAL);
    await rpc('anvil_setCode', [token, await rpc('eth_getCode', [hostile, 'latest'])]);
  }

  async pay({ symbol, units, requests }: Payees): Promise<void> {
    await this.settled.pay(this.settled.asset(symbol), requests, units);
  }

  /** Mines until all that was ever paid to these has arrived by final settlements, and no batch is open. */
  async untilPaid(payees: readonly Payees[], rounds: number): Promise<void> {
    const { service } = this.settled;
    const expected = payees.reduce((sum, { requests }) => sum + requests.length, 0) * rounds;
    await service.chain.mine(FINAL_AFTER);
    const ids = payees.flatMap(({ requests }) => requests.map(({ id }) => id));
    const paid = async () => {
      await service.chain.mine(1);
      const [row] = await service.query<{ paid: number; open: number }>(
        `SELECT (SELECT count(*) FROM settlement.settled_addresses a JOIN settlement.settlements s ON s.id = a.settlement_id
             WHERE s.status = 'completed' AND a.payment_request_id = ANY ($1::uuid[]))::integer AS paid,
           (SELECT count(*) FROM settlement.batches WHERE state IN ('chosen', 'sent', 'delivered'))::integer AS open`,
        [ids],
      );
      return row!;
    };
    await eventually(paid, (row) => row.paid === expected && row.open === 0, 120_000);
  }

  /** Reads what the batches since the last look did, by whom they paid out, and which of them paid out several kinds. */
  async look(all: readonly Payees[]): Promise<{ of: ReadonlyMap<string, RoundOf>; mixed: string[] }> {
    const rows = await this.settled.service.query<BatchRow>(
      `SELECT b.transaction_hash AS hash, p.address, EXISTS (SELECT FROM settlement.settled_addresses a
         JOIN settlement.settlements s ON s.id = a.settlement_id AND s.transaction_hash = b.transaction_hash
         WHERE a.address = p.address) AS "isPaid"
       FROM settlement.batches b JOIN settlement.batch_payouts p ON p.batch_id = b.id
       WHERE b.state = 'final' ORDER BY b.created_at, p.number`,
    );
    const nameOf = new Map(
      all.flatMap(({ name, requests }) => requests.map(({ address }) => [address.toLowerCase(), name])),
    );
    const of = new Map<string, RoundOf>();
    const mixed: string[] = [];
    for (const [hash, payouts] of Map.groupBy(rows, (row) => row.hash)) {
      if (this.seen.has(hash)) continue;
      this.seen.add(hash);
      const receipt = await this.settled.service.chain.rpc<{ gasUsed: Hex }>('eth_getTransactionReceipt', [
        hash,
      ]);
      const names = [...new Set(payouts.map(({ address }) => nameOf.get(address)!))];
      if (names.length > 1) mixed.push(names.join(' and '));
      const before = of.get(names[0]!) ?? { payouts: 0, paid: 0, batches: 0, gas: 0n };
      of.set(names[0]!, {
        payouts: before.payouts + payouts.length,
        paid: before.paid + payouts.filter(({ isPaid }) => isPaid).length,
        batches: before.batches + 1,
        gas: before.gas + BigInt(receipt.gasUsed),
      });
    }
    return { of, mixed };
  }
}
