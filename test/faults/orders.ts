import type { TransactionDto } from '#contexts/ledger/infrastructure/http/transaction.dto.js';
import type {
  PaymentRequestDto,
  PaymentRequestProgressDto,
} from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import { ApiRefused, ApiUnreachable, type ApiClient } from '../support/api-client.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { waitUntil } from '#sandbox/processes/child-process.js';
import { tokenOf, type PayerWallet } from '#sandbox/payer/payer-wallet.js';
import { SANDBOX_TERMS } from '#sandbox/chain/sandbox-chain.js';
import type { KillableSandbox } from './killable-sandbox.js';

/** How a payer pays: the parts, as shares of what is asked in percent, and how it must end. */
export const MANNERS = {
  exactly: { parts: [100n], ends: 'completed' },
  'in parts': { parts: [40n, 60n], ends: 'completed' },
  over: { parts: [101n], ends: 'overpaid' },
} as const;

export type Manner = keyof typeof MANNERS;

export interface Order {
  readonly manner: Manner;
  readonly request: PaymentRequestDto;
  readonly parts: readonly bigint[];
  readonly hashes: `0x${string}`[];
}

const DECIMALS = 6;

/** The demonstration shop with its payer, on one sandbox. */
export class Shop {
  readonly api: ApiClient;
  private readonly wallet: PayerWallet;
  private readonly path: string;
  private orders = 0;

  constructor(private readonly sandbox: KillableSandbox) {
    this.api = sandbox.api();
    this.wallet = sandbox.wallet();
    this.path = `/v1/pos/${sandbox.file.pos_id}/payment-request`;
  }

  create(amount: string, referenceId?: string): Promise<PaymentRequestDto> {
    const { unique_asset_id } = this.sandbox.usdc;
    const reference = referenceId === undefined ? {} : { reference_id: referenceId };
    return this.api.post<PaymentRequestDto>(this.path, { amount, unique_asset_id, ...reference });
  }

  /** Unless the amount is given it is another one each time, so that no payment can pass for another's. */
  async order(manner: Manner, amount?: string): Promise<Order> {
    this.orders += 1;
    const next = amount ?? `${10 + this.orders}.01`;
    // A busy machine may be so late with reading the chain that the service refuses new requests for a moment.
    const request = await patiently(() => this.create(next));
    const asked = units(request.amount);
    const parts: bigint[] = MANNERS[manner].parts.map((percent) => (asked * percent) / 100n);
    return { manner, request, parts, hashes: [] };
  }

  async payNextPart({ parts, hashes, request }: Order): Promise<void> {
    const part = parts[hashes.length];
    if (part === undefined) return;
    const token = tokenOf(this.sandbox.usdc.unique_asset_id);
    hashes.push(await this.wallet.send(token, request.address as `0x${string}`, part));
  }

  read(id: string): Promise<PaymentRequestProgressDto> {
    return patiently(() => this.api.get<PaymentRequestProgressDto>(`${this.path}/${id}`));
  }

  async transactionsOf(id: string): Promise<TransactionDto[]> {
    const found: TransactionDto[] = [];
    for (let page = 1; ; page += 1) {
      const path = `/v1/transactions?page=${page}&page_size=100`;
      const { data } = await patiently(() => this.api.get<PageBody<TransactionDto>>(path));
      found.push(...data.filter((one) => one.payment_request_id === id));
      if (data.length < 100) return found;
    }
  }

  async blockOf({ hashes }: Order): Promise<number | undefined> {
    const receipt = await chainRpc<{ blockNumber: string } | null>(
      this.sandbox.chainUrl,
      'eth_getTransactionReceipt',
      [hashes[0]],
    );
    return receipt === null ? undefined : Number(receipt.blockNumber);
  }
}

/** The record and the ledger must show this once the order is through. */
export function promised({ manner, parts }: Order) {
  const gross = parts.reduce((sum, part) => sum + part, 0n);
  const net = gross - (gross * BigInt(SANDBOX_TERMS.feeBasisPoints)) / 10_000n;
  return {
    status: MANNERS[manner].ends,
    history: ['created', 'processing', MANNERS[manner].ends, 'confirmed'],
    gross: formatAmount(gross, DECIMALS),
    net: formatAmount(net, DECIMALS),
  };
}

export function units(amount: string): bigint {
  return BigInt(parseAmount(amount, DECIMALS));
}

/** Asks again while the service or its database is down, as a merchant's program would. */
async function patiently<T>(ask: () => Promise<T>, timeoutMs = 60_000): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isDown =
        error instanceof ApiUnreachable || (error instanceof ApiRefused && error.httpStatus === 503);
      if (!isDown || performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** @throws Error with what was promised when it does not come true in time */
export async function until(
  promise: string,
  holds: () => boolean | Promise<boolean>,
  { timeoutMs = 90_000, everyMs = 100 } = {},
): Promise<void> {
  if (!(await waitUntil(holds, { timeoutMs, everyMs }))) {
    throw new Error(`Not within ${timeoutMs / 1_000} s: ${promise}.`);
  }
}
